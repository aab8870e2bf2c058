// The best line as a strip: step through it, or let it play.
import { button, h, keepFocus, refill } from './dom';
import { icon, tool } from './icons';
import type { LineAnswer } from './types';

const END = {
  finished: 'the end',
  repetition: 'and round again: a draw',
  cut: '…',
};

/** Milliseconds from one turn to the next. */
const PACE = 1100;

export class Strip {
  readonly el = h('section', { class: 'strip', 'aria-label': 'Best line', hidden: true });
  private line: LineAnswer | null = null;
  private at = 0;
  /** Set while it plays by itself; each time it is started it is another one. */
  private playing: symbol | null = null;

  /** `visit` shows a position and says whether it could. */
  constructor(private readonly visit: (position: string, step: number) => Promise<boolean>) {}

  /** Whether the strip holds this position; if so it marks it. */
  holds(position: string): boolean {
    if (!this.line) return false;
    const places = [this.line.position, ...this.line.positions];
    const at = places[this.at] === position ? this.at : places.indexOf(position);
    if (at < 0) return false;
    this.at = at;
    this.draw();
    return true;
  }

  show(line: LineAnswer | null): void {
    this.stop();
    this.line = line && line.line.length > 0 ? line : null;
    this.at = 0;
    this.draw();
  }

  /** Starts or stops stepping by itself. */
  toggle(): void {
    if (this.playing) {
      this.stop();
      this.draw();
    } else if (this.line) void this.run();
  }

  stop(): void {
    this.playing = null;
  }

  /** Steps on until the end; the next step is made only when the last one is shown. */
  private async run(): Promise<void> {
    const run = (this.playing = Symbol());
    this.draw();
    if (this.line && this.at >= this.line.positions.length) await this.step(-this.at);
    while (this.playing === run) {
      await new Promise((resolve) => setTimeout(resolve, PACE));
      if (this.playing !== run || (await this.step(1))) continue;
      if (this.playing === run) this.stop();
      this.draw();
    }
  }

  /** Goes on or back; false if there is nowhere to go, or if it could not be shown. */
  private async step(by: number): Promise<boolean> {
    if (!this.line) return false;
    const to = Math.max(0, Math.min(this.line.positions.length, this.at + by));
    if (to === this.at) return false;
    this.at = to;
    this.draw();
    return this.visit(to === 0 ? this.line.position : this.line.positions[to - 1]!, to);
  }

  private draw(): void {
    this.el.hidden = this.line === null;
    if (!this.line) return;
    const { line, end } = this.line;
    const length = line.length;
    const manual = (by: number) => () => {
      this.stop();
      void this.step(by);
    };
    const list = h(
      'ol',
      { class: 'steps', tabindex: 0, 'aria-label': 'Turns of the best line' },
      ...line.map((move, i) =>
        h(
          'li',
          null,
          button(move, manual(i + 1 - this.at), { class: 'step', 'aria-current': i + 1 === this.at ? 'step' : null }),
        ),
      ),
      h('li', { class: 'end' }, END[end]),
    );
    keepFocus(this.el, () =>
      refill(
        this.el,
        h(
          'div',
          { class: 'bar' },
          h('h2', null, 'Best line', h('span', { class: 'count' }, `${this.at} of ${length}`)),
          h(
            'div',
            { class: 'tools' },
            tool('first', 'To the beginning of the line', manual(-length), { disabled: this.at === 0 }),
            tool('prev', 'One turn back', manual(-1), { disabled: this.at === 0 }),
            button(icon(this.playing ? 'pause' : 'play'), () => this.toggle(), {
              class: 'tool',
              'aria-label': this.playing ? 'Stop' : 'Play the line',
            }),
            tool('next', 'One turn on', manual(1), { disabled: this.at === length }),
            tool('last', 'To the end of the line', manual(length), { disabled: this.at === length }),
          ),
        ),
        list,
      ),
    );
    const now = list.querySelector<HTMLElement>('[aria-current]');
    if (now) list.scrollTo({ left: now.offsetLeft - list.clientWidth / 2 });
  }
}
