// Choosing a move point by point from the legal moves. A move is a row of points: from, to and the
// men removed in morris; from, every square landed on in draughts.
import type { Geometry, Man, Move, Side, Worth } from './types';
import { better } from './value';

export interface Option {
  at: string;
  /** The meaning of the choice. */
  role: 'from' | 'to' | 'take';
  /** The value of the best move with this choice. */
  worth: Worth;
  moves: Move[];
}

export class Chooser {
  private chosen: string[];

  /** `chosen` are earlier choices, kept when the same moves arrive again with values. */
  constructor(
    private readonly moves: Move[],
    private readonly kind: Geometry['kind'],
    chosen: readonly string[] = [],
  ) {
    this.chosen = [...chosen];
  }

  /** The points chosen so far. */
  get points(): readonly string[] {
    return this.chosen;
  }

  /** What can be chosen next. */
  options(): Option[] {
    const found = new Map<string, Option>();
    for (const move of this.moves) {
      for (const at of this.rest(move) ?? []) {
        const option = found.get(at);
        if (!option) found.set(at, { at, role: this.role(move), worth: move, moves: [move] });
        else {
          option.moves.push(move);
          if (better(move, option.worth) < 0) option.worth = move;
        }
      }
    }
    return [...found.values()];
  }

  /** Chooses a point; returns the move if it is complete. Choosing another man starts again. */
  choose(at: string): Move | null {
    if (this.chosen.at(-1) === at && this.chosen.length === 1) {
      this.chosen = [];
      return null;
    }
    const options = this.options();
    if (!options.some((o) => o.at === at)) {
      const direct = this.kind === 'squares' ? this.endingAt(at) : [];
      if (direct.length === 1) return direct[0]!;
      const before = this.chosen;
      this.chosen = [];
      if (!this.options().some((o) => o.at === at)) {
        this.chosen = before;
        return null;
      }
    }
    this.chosen = [...this.chosen, at];
    const complete = this.moves.filter((move) => this.rest(move)?.length === 0);
    return complete.length === 1 && this.options().length === 0 ? complete[0]! : null;
  }

  /** Undoes the last choice; false if there is none. */
  back(): boolean {
    return this.chosen.pop() !== undefined;
  }

  reset(): void {
    this.chosen = [];
  }

  /** The men after the choices so far. */
  shown(men: Man[], side: Side): Man[] {
    const move = this.moves.find((m) => this.rest(m) !== null);
    if (!move || this.chosen.length === 0) return men;
    const { from, to } = move.path;
    if (this.kind === 'squares') {
      const here = this.chosen.at(-1)!;
      return men.map((man) => (man.at === from ? { ...man, at: here } : man));
    }
    const steps = from === null ? 1 : 2;
    if (this.chosen.length < steps) return men;
    const taken = this.chosen.slice(steps);
    const rest = men.filter((man) => !taken.includes(man.at));
    return from === null
      ? [...rest, { at: to, side, kind: 'man' }]
      : rest.map((man) => (man.at === from ? { ...man, at: to } : man));
  }

  private endingAt(at: string): Move[] {
    return this.chosen.length === 0 ? [] : this.moves.filter((m) => this.rest(m) !== null && m.path.to === at);
  }

  private row(move: Move): string[] {
    const { from, to, via } = move.path;
    return [...(from === null ? [] : [from]), ...(this.kind === 'squares' ? via : []), to];
  }

  private role(move: Move): Option['role'] {
    if (this.chosen.length === 0) return move.path.from === null ? 'to' : 'from';
    return this.chosen.length < this.row(move).length ? 'to' : 'take';
  }

  /** The possible next points of this move; null if it does not begin with the choices so far. */
  private rest(move: Move): string[] | null {
    const row = this.row(move);
    for (let i = 0; i < Math.min(row.length, this.chosen.length); i += 1) {
      if (row[i] !== this.chosen[i]) return null;
    }
    if (this.chosen.length < row.length) return [row[this.chosen.length]!];
    if (this.kind === 'squares') return [];
    const taken = this.chosen.slice(row.length);
    return taken.every((at) => move.path.taken.includes(at))
      ? move.path.taken.filter((at) => !taken.includes(at))
      : null;
  }
}
