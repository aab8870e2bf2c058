// Marks over the men: values, choices, the last move, the move under the pointer.
import { setChildren, s } from './dom';
import type { Scale } from './scale';
import type { Man, Path, Side, Worth } from './types';
import { drawMan } from './men';
import { kindOf, short } from './value';

export interface Mark {
  at: string;
  role: 'from' | 'to' | 'take' | 'chosen';
  /** Shown as a badge. */
  worth?: Worth;
}

type Place = (name: string) => { x: number; y: number };

/** A badge with a value: round for a win, open for a draw, square for a loss, dashed for an estimate. */
export function badge(worth: Worth, size: number): SVGGElement {
  const kind = kindOf(worth);
  const text = short(worth);
  const height = size * 1.36;
  const width = Math.max(height, size * (0.55 * text.length + 0.62));
  const round = kind === 'loss' ? size * 0.22 : height / 2;
  return s(
    'g',
    { class: `badge ${kind}` },
    s('rect', { x: -width / 2, y: -height / 2, width, height, rx: round }),
    s('text', { y: size * 0.35, 'font-size': size }, text),
  );
}

export class Marks {
  /** Below the men. */
  readonly under = s('g', { 'aria-hidden': 'true' });
  /** Above the men. */
  readonly over = s('g', { class: 'over', 'aria-hidden': 'true' });
  private readonly last = s('g', { class: 'last' });
  private readonly rings = s('g', { class: 'rings' });
  private readonly badges = s('g', { class: 'badges' });
  private readonly pointer = s('g', { class: 'pointer' });

  constructor(
    private readonly scale: Scale,
    private readonly place: Place,
    private readonly man: (name: string) => Man | undefined,
  ) {
    this.under.append(this.last);
    this.over.append(this.rings, this.badges, this.pointer);
  }

  /** Shows the choices and the chosen point. */
  show(marks: Mark[]): void {
    this.rings.textContent = '';
    this.badges.textContent = '';
    const r = this.scale.radius;
    const large = this.scale.letters > 1 ? 1.22 : 1;
    for (const mark of marks) {
      const { x, y } = this.place(mark.at);
      const occupied = this.man(mark.at) !== undefined;
      const move = `translate(${x} ${y})`;
      if (mark.role === 'chosen') this.rings.append(s('circle', { class: 'chosen', r: r * 1.16, transform: move }));
      else if (mark.role === 'take') {
        const arm = r * 0.42;
        this.rings.append(
          s(
            'g',
            { class: 'take', transform: move },
            s('circle', { r: r * 1.16 }),
            mark.worth ? null : s('path', { d: `M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}` }),
          ),
        );
      } else if (!mark.worth && mark.role === 'from') {
        // Captures are mandatory in draughts, so the movable men are not obvious.
        if (this.scale.geometry.kind === 'squares')
          this.rings.append(s('circle', { class: 'movable', r: r * 1.1, transform: move }));
      } else if (!mark.worth && mark.role === 'to')
        this.rings.append(s('circle', { class: 'target', r: r * 0.34, transform: move }));
      if (mark.worth) {
        const badged = badge(mark.worth, r * (occupied ? 0.62 : 0.68) * large);
        badged.setAttribute('transform', occupied ? `translate(${x} ${y - r * 0.9})` : move);
        this.badges.append(badged);
      }
    }
  }

  /** Marks the points of the last move, its end larger. */
  showLast(points: string[]): void {
    setChildren(
      this.last,
      ...points.map((name, i) => {
        const { x, y } = this.place(name);
        const size = i === points.length - 1 ? 1.22 : 0.6;
        return s('circle', { r: this.scale.radius * size, transform: `translate(${x} ${y})` });
      }),
    );
  }

  /** Shows a move without playing it, or nothing. */
  point(path: Path | null, side: Side = 'white', worth?: Worth): void {
    this.pointer.textContent = '';
    this.over.classList.toggle('pointing', path !== null);
    if (!path) return;
    const r = this.scale.radius;
    const kind = worth ? kindOf(worth) : 'unknown';
    this.pointer.setAttribute('class', `pointer ${kind}`);
    const stops = [...(path.from === null ? [] : [path.from]), ...path.via, path.to].map((name) => this.place(name));
    const end = stops.at(-1)!;
    if (stops.length === 1) {
      const ghost = drawMan(r, { side, kind: 'man' });
      ghost.classList.add('ghost');
      ghost.setAttribute('transform', `translate(${end.x} ${end.y})`);
      this.pointer.append(ghost, s('circle', { class: 'halo', r: r * 1.16, cx: end.x, cy: end.y }));
    } else {
      this.pointer.append(arrow(stops, r));
    }
    for (const name of path.taken) {
      const { x, y } = this.place(name);
      const arm = r * 0.5;
      this.pointer.append(
        s('path', {
          class: 'cross',
          d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`,
        }),
      );
    }
  }
}

function arrow(stops: { x: number; y: number }[], r: number): SVGGElement {
  const end = stops.at(-1)!;
  const before = stops.at(-2)!;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const head = r * 0.72;
  const neck = { x: end.x - Math.cos(angle) * head, y: end.y - Math.sin(angle) * head };
  const wing = (turn: number) =>
    `${end.x - Math.cos(angle + turn) * head * 1.25} ${end.y - Math.sin(angle + turn) * head * 1.25}`;
  const route = [...stops.slice(0, -1), neck].map((p) => `${p.x} ${p.y}`).join('L');
  return s(
    'g',
    null,
    s('path', { class: 'shaft', d: `M${route}`, 'stroke-width': r * 0.2 }),
    s('path', { class: 'head', d: `M${end.x} ${end.y}L${wing(0.5)} ${wing(-0.5)}Z` }),
  );
}
