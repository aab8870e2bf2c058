// The clocks of a game by link. The server runs them; the page only shows them.
import { h } from './dom';
import type { Clock, Side } from './types';

export class Clocks {
  readonly white = h('span', { class: 'clock', role: 'timer', 'aria-label': 'White’s clock' });
  readonly black = h('span', { class: 'clock', role: 'timer', 'aria-label': 'Black’s clock' });
  private clock: Clock | null = null;
  private since = 0;
  private timer = 0;

  show(clock: Clock | null): void {
    this.clock = clock;
    this.since = performance.now();
    clearInterval(this.timer);
    if (clock?.running) this.timer = window.setInterval(() => this.draw(), 200);
    this.draw();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private draw(): void {
    for (const side of ['white', 'black'] as const) {
      const el = this[side];
      el.hidden = this.clock === null;
      if (!this.clock) continue;
      el.textContent = text(this.left(side));
      el.classList.toggle('running', this.clock.running === side);
    }
  }

  private left(side: Side): number {
    const clock = this.clock!;
    const gone = clock.running === side ? performance.now() - this.since : 0;
    return Math.max(0, (side === 'white' ? clock.white_ms : clock.black_ms) - gone);
  }
}

function text(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 10) return `0:0${(ms / 1000).toFixed(1)}`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
