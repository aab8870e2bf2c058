// Conversion from the coordinates of a board to those of its drawing.
import type { Geometry, Point } from './types';

export interface Spot extends Point {
  index: number;
}

/** The layout of a board in the units of the drawing: 100 between the nearest points. */
export class Scale {
  readonly spots: Spot[];
  readonly byName: Map<string, Spot>;
  readonly radius: number;
  readonly margin: number;
  readonly width: number;
  readonly height: number;

  /** `letters` is a factor for letters and badges, larger on small boards. */
  constructor(
    readonly geometry: Geometry,
    readonly letters = 1,
  ) {
    const { points, kind } = geometry;
    const squares = kind === 'squares';
    let nearest = squares ? 1 : Infinity;
    if (!squares) {
      for (const [i, a] of points.entries()) {
        for (const b of points.slice(i + 1)) nearest = Math.min(nearest, Math.hypot(a.x - b.x, a.y - b.y));
      }
    }
    const unit = 100 / (Number.isFinite(nearest) ? nearest : 1);
    const across = (squares ? geometry.width : geometry.width - 1) * unit;
    const down = (squares ? geometry.height : geometry.height - 1) * unit;
    this.radius = squares ? 38 : Math.min(38, 0.085 * Math.max(across, down));
    this.margin = squares ? 26 : this.radius * 1.95;
    this.width = across + 2 * this.margin;
    this.height = down + 2 * this.margin;
    const shift = squares ? 0.5 : 0;
    this.spots = points.map((p, index) => ({
      name: p.name,
      index,
      x: this.margin + (p.x + shift) * unit,
      y: this.margin + (p.y + shift) * unit,
    }));
    this.byName = new Map(this.spots.map((spot) => [spot.name, spot]));
  }

  /** How far a finger may miss a point. */
  get reach(): number {
    return this.geometry.kind === 'squares' ? 50 : Math.min(50, this.radius * 1.45);
  }

  /** The letters along the bottom and the numbers along the left, if the names consist of both. */
  labels(): { text: string; x: number; y: number }[] {
    if (this.geometry.kind === 'squares') return [];
    if (!this.spots.every((s) => /^[a-z]\d+$/.test(s.name))) return [];
    const found = new Map<string, { text: string; x: number; y: number }>();
    for (const spot of this.spots) {
      const letter = spot.name[0]!;
      const number = spot.name.slice(1);
      found.set(letter, { text: letter, x: spot.x, y: this.height - this.margin * 0.2 });
      found.set(number, { text: number, x: this.margin * 0.2, y: spot.y });
    }
    return [...found.values()];
  }

  /** The next point in a direction, for the arrow keys: direction counts more than distance. */
  towards(from: Spot, dx: number, dy: number): Spot | null {
    let best: Spot | null = null;
    let cost = Infinity;
    for (const spot of this.spots) {
      const ahead = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
      const aside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
      if (ahead < 1 || aside > ahead * 2.5) continue;
      const here = ahead + 2 * aside;
      if (here < cost) {
        cost = here;
        best = spot;
      }
    }
    return best;
  }
}
