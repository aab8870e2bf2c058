// One board for every ruleset, drawn from its geometry. It knows no rules: it shows men and marks, and
// reports the point that was chosen by finger, mouse or key.
import { s } from './dom';
import { draggable } from './drag';
import { Marks, type Mark } from './marks';
import { Men } from './men';
import { Scale, type Spot } from './scale';
import type { Geometry, Man, Path, Side, Worth } from './types';
import { verb } from './value';

const ROLE: Record<Mark['role'], string> = {
  from: 'can move',
  to: 'free to choose',
  take: 'can be taken',
  chosen: 'chosen',
};
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export class Board {
  readonly el: SVGSVGElement;
  private readonly scale: Scale;
  private readonly men: Men;
  private readonly marks: Marks;
  private readonly spots = new Map<string, SVGGElement>();
  private readonly numbers = new Map<string, SVGTextElement>();
  private current: string;
  private turned = false;
  private allOpen = false;
  /** Whether men have been shown: until then the empty points are unknown. */
  private known = false;
  private shownMarks: Mark[] = [];
  private lastPoints: string[] = [];

  /** `pick` gets the name of the chosen point; without it the board is a picture. */
  constructor(
    geometry: Geometry,
    private readonly label: string,
    private readonly pick?: (name: string) => void,
    private readonly key?: (event: KeyboardEvent) => boolean,
  ) {
    this.scale = new Scale(geometry, matchMedia('(max-width: 48rem)').matches ? 1.4 : 1);
    const place = (name: string) => this.place(name);
    this.men = new Men(this.scale, place);
    this.marks = new Marks(this.scale, place, (name) => this.men.at(name));
    this.current = this.scale.spots[0]?.name ?? '';
    const { width, height } = this.scale;
    this.el = s('svg', {
      class: `board ${geometry.kind}`,
      viewBox: `0 0 ${width} ${height}`,
      role: pick ? 'group' : 'img',
      'aria-label': label,
    });
    this.el.append(this.print(), this.marks.under, this.men.layer, this.marks.over);
    if (!pick) return;
    this.el.append(this.spotLayer());
    this.describe();
    let carried = '';
    draggable(this.el, {
      movable: (name) =>
        !this.allOpen &&
        this.men.at(name) !== undefined &&
        this.shownMarks.some((m) => m.at === name && m.role !== 'take'),
      lift: (name) => {
        carried = name;
        if (this.shownMarks.some((m) => m.at === name && m.role === 'from')) pick(name);
      },
      carry: (x, y) => this.men.carry(carried, x, y),
      drop: (name) => {
        if (name) pick(name);
        this.men.release();
      },
    });
  }

  /** Shows these men; `via` are the points that the moving man passes. */
  show(men: Man[], move = true, via: string[] = []): void {
    this.known = true;
    this.men.show(men, move, via);
    this.describe();
  }

  mark(marks: Mark[]): void {
    this.shownMarks = marks;
    this.marks.show(marks);
    this.describe();
  }

  /** Marks the points of the last move. */
  last(points: string[]): void {
    this.lastPoints = points;
    this.marks.showLast(points);
  }

  /** Shows a move without playing it, or nothing. */
  point(path: Path | null, side?: Side, worth?: Worth): void {
    this.marks.point(path, side, worth);
  }

  /** Shows the board from the other side. */
  turn(turned: boolean): void {
    if (turned === this.turned) return;
    this.turned = turned;
    for (const [name, el] of this.spots) {
      const { x, y } = this.place(name);
      el.setAttribute('transform', `translate(${x} ${y})`);
    }
    this.placeNumbers();
    this.men.settle();
    this.marks.show(this.shownMarks);
    this.marks.showLast(this.lastPoints);
  }

  /** Whether every point can be chosen, regardless of the marks: for the editor. */
  free(free: boolean): void {
    this.allOpen = free;
    this.el.classList.toggle('editing', free);
    this.describe();
  }

  focus(): void {
    this.spots.get(this.current)?.focus();
  }

  private place(name: string): { x: number; y: number } {
    const spot = this.scale.byName.get(name);
    if (!spot) return { x: 0, y: 0 };
    return this.turned ? { x: this.scale.width - spot.x, y: this.scale.height - spot.y } : spot;
  }

  /** What is printed on the board. */
  private print(): SVGGElement {
    const { spots, width, height, margin, radius, geometry, letters } = this.scale;
    const printed = s('g', { class: 'print', 'aria-hidden': 'true' });
    printed.append(s('rect', { class: 'sheet', x: 1, y: 1, width: width - 2, height: height - 2, rx: 14 }));
    if (geometry.kind === 'squares') {
      printed.append(
        s('rect', { class: 'light', x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin }),
      );
      for (const spot of spots) {
        const number = s('text', { class: 'number', 'font-size': 15 * letters }, spot.name);
        this.numbers.set(spot.name, number);
        printed.append(s('rect', { class: 'dark', x: spot.x - 50, y: spot.y - 50, width: 100, height: 100 }), number);
      }
      this.placeNumbers();
      printed.append(
        s('rect', { class: 'frame', x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin }),
      );
      return printed;
    }
    for (const [i, j] of geometry.edges) {
      const a = spots[i!];
      const b = spots[j!];
      if (a && b) printed.append(s('line', { x1: a.x, y1: a.y, x2: b.x, y2: b.y, 'stroke-width': radius * 0.085 }));
    }
    for (const spot of spots) printed.append(s('circle', { class: 'dot', cx: spot.x, cy: spot.y, r: radius * 0.17 }));
    for (const { text, x, y } of this.scale.labels()) {
      printed.append(
        s('text', { class: 'label', x, y: y + radius * 0.15, 'font-size': radius * 0.42 * letters }, text),
      );
    }
    return printed;
  }

  /** Puts every number in the corner of its square, also on a rotated board. */
  private placeNumbers(): void {
    for (const [name, el] of this.numbers) {
      const { x, y } = this.place(name);
      el.setAttribute('x', String(x - 45));
      el.setAttribute('y', String(y - 47 + 15 * this.scale.letters));
    }
  }

  private spotLayer(): SVGGElement {
    const layer = s('g', { class: 'spots' });
    const squares = this.scale.geometry.kind === 'squares';
    for (const spot of this.scale.spots) {
      const el = s(
        'g',
        {
          class: 'spot',
          role: 'button',
          tabindex: spot.name === this.current ? 0 : -1,
          transform: `translate(${spot.x} ${spot.y})`,
          'data-point': spot.name,
          onclick: () => this.chosen(spot.name),
          onfocus: () => this.moveFocus(spot.name),
          onkeydown: (event: KeyboardEvent) => this.pressed(event, spot),
        },
        squares ? s('rect', { x: -50, y: -50, width: 100, height: 100 }) : s('circle', { r: this.scale.reach }),
      );
      this.spots.set(spot.name, el);
      layer.append(el);
    }
    return layer;
  }

  private chosen(name: string): void {
    this.moveFocus(name);
    this.pick?.(name);
  }

  private moveFocus(name: string): void {
    this.spots.get(this.current)?.setAttribute('tabindex', '-1');
    this.current = name;
    this.spots.get(name)?.setAttribute('tabindex', '0');
  }

  private pressed(event: KeyboardEvent, spot: Spot): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const sign = this.turned ? -1 : 1;
      const next = this.scale.towards(spot, arrow[0] * sign, arrow[1] * sign);
      if (next) this.spots.get(next.name)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') this.pick?.(spot.name);
    else if (!this.key?.(event)) return;
    event.preventDefault();
  }

  /** Describes every point and its choices to a screen reader. */
  private describe(): void {
    if (!this.pick) {
      const count = (side: Side) =>
        this.scale.spots
          .filter((p) => this.men.at(p.name)?.side === side)
          .map((p) => p.name)
          .join(' ');
      this.el.setAttribute(
        'aria-label',
        `${this.label}: White ${count('white') || 'none'}; Black ${count('black') || 'none'}`,
      );
      return;
    }
    const marks = new Map(this.shownMarks.map((mark) => [mark.at, mark]));
    for (const [name, el] of this.spots) {
      const man = this.men.at(name);
      const mark = marks.get(name);
      const parts = [name];
      if (man) parts.push(`${man.side} ${man.kind}`);
      else if (this.known) parts.push('empty');
      if (mark) parts.push(ROLE[mark.role]);
      if (mark?.worth) parts.push(verb(mark.worth));
      el.setAttribute('aria-label', parts.join(', '));
      el.classList.toggle('open', mark !== undefined && mark.role !== 'chosen');
      el.setAttribute('aria-disabled', mark || this.allOpen ? 'false' : 'true');
    }
  }
}
