// The best line as a strip of moves, to step through or to play.
import { button, h, keepFocus, setChildren } from './dom';
import { icon, tool } from './icons';
import type { LineAnswer } from './types';

const END = {
  finished: 'the end',
  repetition: 'repetition: a draw',
  cut: '…',
};

/** Milliseconds from one move to the next. */
const PACE = 1100;

export class Strip {
  readonly el = h('section', { class: 'strip', 'aria-label': 'Best line', hidden: true });
  private line: LineAnswer | null = null;
  private at = 0;
  /** Set while the line plays; a new symbol at every start. */
  private playing: symbol | null = null;

  /** `visit` shows a position and resolves to whether it succeeded. */
  constructor(private readonly visit: (position: string, step: number) => Promise<boolean>) {}

  /** Marks a position if it is in the line; returns whether it is. */
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

  /** Starts or stops playing the line. */
  toggle(): void {
    if (this.playing) {
      this.stop();
      this.draw();
    } else if (this.line) void this.run();
  }

  stop(): void {
    this.playing = null;
  }

  /** Steps to the end, each step after the previous one is shown. */
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

  /** Steps forward or back; false at the end, or if the position could not be shown. */
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
      { class: 'steps', tabindex: 0, 'aria-label': 'Moves of the best line' },
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
      setChildren(
        this.el,
        h(
          'div',
          { class: 'bar' },
          h('h2', null, 'Best line', h('span', { class: 'count' }, `${this.at} of ${length}`)),
          h(
            'div',
            { class: 'tools' },
            tool('first', 'Start of the line', manual(-length), { disabled: this.at === 0 }),
            tool('prev', 'Previous move', manual(-1), { disabled: this.at === 0 }),
            button(icon(this.playing ? 'pause' : 'play'), () => this.toggle(), {
              class: 'tool',
              'aria-label': this.playing ? 'Stop' : 'Play the line',
            }),
            tool('next', 'Next move', manual(1), { disabled: this.at === length }),
            tool('last', 'End of the line', manual(length), { disabled: this.at === length }),
          ),
        ),
        list,
      ),
    );
    const now = list.querySelector<HTMLElement>('[aria-current]');
    if (now) list.scrollTo({ left: now.offsetLeft - list.clientWidth / 2 });
  }
}
