// The board of a game in progress: choosing moves, with their values only on request.
import { Board } from './board';
import { h } from './dom';
import { trays } from './tray';
import { Chooser } from './turns';
import { other, type Geometry, type Man, type Move, type PositionAnswer, type Ruleset, type Side } from './types';
import { announce } from './view';

interface Calls {
  play(move: Move): void;
  undo?(): void;
}

/** The men after a move, before the server answers. */
export function after({ men, side }: PositionAnswer, { path }: Move): Man[] {
  const rest = men.filter((man) => !path.taken.includes(man.at));
  return path.from === null
    ? [...rest, { at: path.to, side, kind: 'man' }]
    : rest.map((man) => (man.at === path.from ? { ...man, at: path.to } : man));
}

/** Why the man on a point cannot move; null if it can, or if it is not the mover's. */
export function whyStuck({ men, moves, side }: PositionAnswer, at: string, kind: Geometry['kind']): string | null {
  if (!men.some((man) => man.at === at && man.side === side)) return null;
  const movers = [...new Set(moves.map((move) => move.path.from).filter((from) => from !== null))];
  // While placing, no man moves.
  if (movers.length === 0 || movers.includes(at)) return null;
  if (kind === 'squares' && moves.every((move) => move.path.taken.length > 0))
    return `You must capture with ${movers.join(' or ')}.`;
  return 'This man cannot move.';
}

export class Match {
  readonly board: Board;
  readonly trays;
  private answer: PositionAnswer | null = null;
  private chooser: Chooser;
  private open = false;
  private values = false;
  /** The position after the last move made here. */
  private made: string | null = null;
  /** Why the chosen man cannot move. */
  readonly status = h('p', { class: 'note' });

  constructor(
    private readonly ruleset: Ruleset,
    private readonly calls: Calls,
  ) {
    this.trays = trays(ruleset);
    this.chooser = new Chooser([], ruleset.geometry.kind);
    this.board = new Board(
      ruleset.geometry,
      'Board',
      (name) => this.pick(name),
      (event) => this.key(event),
    );
  }

  /** Puts a side at the bottom. A draughts board is rotated too; a morris board looks the same from both sides. */
  seat(you: Side): void {
    this.board.turn(this.ruleset.geometry.kind === 'squares' && you === 'black');
    const stage = this.board.el.closest('.stage');
    const [above, below] = [this.trays[other(you)].el, this.trays[you].el];
    if (stage && stage.lastElementChild !== below) {
      stage.prepend(above);
      stage.append(below);
    }
  }

  /** Shows a position; `open` if the user may move, `last` are the points of the last move. */
  show(answer: PositionAnswer, open: boolean, values: boolean, last: string[] = [], via: string[] = []): void {
    const same = answer.position === this.answer?.position && open === this.open;
    if (!same || answer.moves !== this.answer?.moves) {
      this.chooser = new Chooser(answer.moves ?? [], this.ruleset.geometry.kind, same ? this.chooser.points : []);
    }
    if (!same) this.status.textContent = '';
    this.answer = answer;
    this.open = open;
    this.values = values;
    this.board.point(null);
    // A move made here has been animated already.
    this.board.show(this.chooser.shown(answer.men, answer.side), true, answer.position === this.made ? [] : via);
    this.made = null;
    this.board.last(last);
    this.mark();
  }

  /** The points of a move to mark on the board. */
  static points(move: Move | undefined): string[] {
    return move ? [move.path.from, move.path.to].filter((p) => p !== null) : [];
  }

  /** Disables choices until the next position is shown. */
  close(): void {
    this.open = false;
    this.board.mark([]);
  }

  /** Plays a move: it is shown at once; the new position comes with the answer. */
  play(move: Move): void {
    if (!this.open || !this.answer?.moves.includes(move)) return;
    this.close();
    this.status.textContent = '';
    this.made = move.position;
    this.board.point(null);
    this.board.show(after(this.answer, move), true, move.path.via);
    this.board.last(Match.points(move));
    this.calls.play(move);
  }

  private mark(): void {
    if (!this.open) {
      this.board.mark([]);
      return;
    }
    const chosen = this.chooser.points.at(-1);
    this.board.mark([
      ...this.chooser.options().map(({ at, role, worth }) => ({ at, role, worth: this.values ? worth : undefined })),
      ...(chosen ? [{ at: chosen, role: 'chosen' as const }] : []),
    ]);
  }

  private pick(name: string): void {
    if (!this.open || !this.answer) return;
    const move = this.chooser.choose(name);
    if (move) {
      this.play(move);
      return;
    }
    const why = whyStuck(this.answer, name, this.ruleset.geometry.kind);
    this.status.textContent = why ?? '';
    if (why) announce(why);
    this.board.show(this.chooser.shown(this.answer.men, this.answer.side));
    this.mark();
    if (this.chooser.options()[0]?.role === 'take') announce('Mill closed: choose a man to remove');
  }

  private key(event: KeyboardEvent): boolean {
    if (event.key === 'Escape') {
      if (this.chooser.back() && this.answer) {
        this.board.show(this.chooser.shown(this.answer.men, this.answer.side));
        this.mark();
      }
      return true;
    }
    if (event.key.toLowerCase() === 'u' && this.calls.undo) {
      this.calls.undo();
      return true;
    }
    return false;
  }
}
