// The value after every move as a graph: up is won for White, down for Black, and the nearer the
// edge the nearer the end. Mistakes are marked by a cross.
import { s } from './dom';
import type { Estimate, ReviewedTurn, Side, Value } from './types';

const W = 480;
const H = 160;
const LEFT = 62;
const RIGHT = 12;
const TOP = 12;

/** From 1 (White wins at once) to −1; null if unknown. */
function height(value: Value | null, side: Side): number | null {
  if (!value) return null;
  if (value.outcome === 'draw') return 0;
  const far = value.plies === null ? 0.5 : Math.min(1, Math.log2(1 + value.plies) / 8);
  const size = 1 - 0.62 * far;
  return (value.outcome === 'win') === (side === 'white') ? size : -size;
}

interface Place {
  y: number | null;
  /** Estimated, not known. */
  guessed: boolean;
}

/** Without a known value, an estimate lies between the known wins of both sides. */
function heightOf(value: Value | null, estimate: Estimate | null | undefined, side: Side): Place {
  const known = value ?? (estimate?.outcome ? { outcome: estimate.outcome, plies: estimate.plies } : null);
  if (known || !estimate) return { y: height(known, side), guessed: value === null };
  const men = Math.tanh(estimate.score / 300) * 0.36;
  return { y: side === 'white' ? men : -men, guessed: true };
}

export class Graph {
  readonly el = s('svg', { class: 'graph', viewBox: `0 0 ${W} ${H}`, role: 'img' });
  private readonly cursor = s('line', { class: 'cursor', y1: 0, y2: H });
  private count = 1;

  constructor(private readonly visit: (turn: number) => void) {
    this.el.addEventListener('click', (event) => {
      const box = this.el.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * W;
      this.visit(Math.round(((x - LEFT) / (W - LEFT - RIGHT)) * this.count));
    });
  }

  show(turns: ReviewedTurn[]): void {
    this.count = Math.max(1, turns.length);
    const at = (y: number) => TOP + ((1 - y) / 2) * (H - 2 * TOP);
    const points = turns.map((turn, i) => ({
      x: this.x(i + 1),
      turn,
      ...heightOf(turn.after, turn.estimate, turn.side),
    }));
    const first = turns[0];
    const begin = first ? [{ x: this.x(0), ...heightOf(first.before, first.estimated_best, first.side) }] : [];
    const places = [...begin, ...points].map((p) => ({ ...p, at: p.y === null ? null : at(p.y).toFixed(1) }));
    // Two lines: known values, and dashed where either end is an estimate.
    const course = (dashed: boolean) =>
      places
        .slice(1)
        .flatMap((p, i) => {
          const from = places[i]!;
          return p.at === null || from.at === null || (p.guessed || from.guessed) !== dashed
            ? []
            : [`M${from.x.toFixed(1)} ${from.at}L${p.x.toFixed(1)} ${p.at}`];
        })
        .join('');
    this.el.textContent = '';
    this.el.append(
      s('rect', { class: 'for-white', x: 0, y: 0, width: W, height: H / 2 }),
      s('rect', { class: 'for-black', x: 0, y: H / 2, width: W, height: H / 2 }),
      s('line', { class: 'even', x1: LEFT - 4, x2: W, y1: H / 2, y2: H / 2 }),
      s('text', { x: 10, y: 22 }, 'White'),
      s('text', { x: 10, y: H / 2 + 5 }, 'Draw'),
      s('text', { x: 10, y: H - 12 }, 'Black'),
      s('path', { class: 'course', d: course(false) }),
      s('path', { class: 'course guessed', d: course(true) }),
      ...points
        .filter((p) => p.y !== null)
        .map((p) => {
          const y = at(p.y!);
          return p.turn.mistake
            ? s('path', { class: 'slip', d: `M${p.x - 6} ${y - 6}l12 12m0 -12l-12 12` })
            : s('circle', { class: `dot ${p.turn.side}${p.guessed ? ' guessed' : ''}`, cx: p.x, cy: y, r: 3.4 });
        }),
      this.cursor,
    );
    const slips = turns.filter((t) => t.mistake).length;
    this.el.setAttribute(
      'aria-label',
      `Value after each of ${turns.length} moves; ${slips} mistakes. The list describes them.`,
    );
  }

  /** Marks the current move; 0 is the start. */
  mark(turn: number): void {
    const x = this.x(turn);
    this.cursor.setAttribute('x1', String(x));
    this.cursor.setAttribute('x2', String(x));
  }

  private x(turn: number): number {
    return LEFT + (turn / this.count) * (W - LEFT - RIGHT);
  }
}
