// Puzzles: positions with exactly one winning move. The distance grows with every solution.
import * as api from './api';
import { button, h, keepFocus, setChildren } from './dom';
import { Match } from './match';
import { href, type Route } from './route';
import { store, stored } from './store';
import { Strip } from './strip';
import { sign } from './turnlist';
import type { Move, PositionAnswer, Puzzle } from './types';
import { plies, verb } from './value';
import { announce, capital, showError, reason, say, table, type Context, type View } from './view';

interface Progress {
  solved: number;
  /** The distance to ask for. */
  plies: number;
}

const EASIEST = 3;

function progressOf(ruleset: string): Progress {
  const { solved, plies } = stored<Partial<Progress>>(`puzzles.${ruleset}`) ?? {};
  const whole = (n: unknown): n is number => Number.isSafeInteger(n);
  return { solved: whole(solved) ? solved : 0, plies: whole(plies) ? Math.max(EASIEST, plies) : EASIEST };
}

export class Puzzles implements View {
  readonly el: HTMLElement;
  private readonly match: Match;
  private readonly panel = h('div', { class: 'side' });
  private readonly strip = new Strip((position) => this.step(position));
  private progress: Progress;
  private puzzle: Puzzle | null = null;
  private answer: PositionAnswer | null = null;
  private tries: Move[] = [];
  private state: 'waiting' | 'open' | 'solved' | 'shown' = 'waiting';
  private asked = 0;

  constructor(private readonly context: Context) {
    const { ruleset } = context;
    this.progress = progressOf(ruleset.id);
    this.match = new Match(ruleset, { play: (move) => this.play(move) });
    this.el = table(
      this.match.board.el,
      this.match.trays.black.el,
      this.match.trays.white.el,
      h('h1', { class: 'hidden' }, `Puzzles of ${ruleset.title}`),
      this.panel,
    );
    document.title = `Puzzles · ${ruleset.title} · Endmill`;
    void this.next();
  }

  update(_: Route): void {}

  onNewTables(): void {
    if (!this.puzzle) void this.next();
  }

  leave(): void {
    this.strip.stop();
    this.asked += 1;
  }

  private async next(): Promise<void> {
    const { ruleset } = this.context;
    const turn = (this.asked += 1);
    this.strip.show(null);
    this.tries = [];
    this.puzzle = null;
    this.state = 'waiting';
    this.match.close();
    this.panel.classList.add('waiting');
    try {
      const puzzle = await api.puzzle(ruleset.id, this.progress.plies, Math.floor(Math.random() * 2 ** 31));
      const answer = await api.probe(ruleset.id, puzzle.position);
      if (turn !== this.asked) return;
      this.puzzle = puzzle;
      this.answer = answer;
      this.state = 'open';
      this.show(answer, true);
      this.draw();
      announce(`${capital(answer.side)} to move and win in ${plies(puzzle.plies)}`);
    } catch (error) {
      if (turn !== this.asked) return;
      await this.none(error);
    }
  }

  private async none(error: unknown): Promise<void> {
    const { ruleset } = this.context;
    const turn = this.asked;
    const answer = await api.probe(ruleset.id, ruleset.start, false).catch(() => null);
    if (turn !== this.asked) return;
    if (answer) this.show(answer, false);
    this.panel.classList.remove('waiting');
    if (error instanceof api.ApiError && error.code === 'not_found') {
      setChildren(
        this.panel,
        h('h2', null, 'No puzzles'),
        h('p', { class: 'note' }, `The database has no table of ${ruleset.title} with such wins yet.`),
        this.progress.plies > EASIEST
          ? h(
              'div',
              { class: 'tools' },
              button('Start again with easy ones', () => this.easier(EASIEST)),
            )
          : null,
      );
    } else {
      showError(this.panel, error);
      this.panel.append(
        h(
          'div',
          { class: 'tools' },
          button('Try again', () => void this.next()),
        ),
      );
    }
  }

  private easier(to: number): void {
    this.progress.plies = Math.max(EASIEST, to);
    this.save();
    void this.next();
  }

  private save(): void {
    store(`puzzles.${this.context.ruleset.id}`, this.progress);
  }

  private show(answer: PositionAnswer, open: boolean, last?: Move): void {
    this.match.show(answer, open, false, Match.points(last), last?.path.via);
    this.match.trays.white.show(answer);
    this.match.trays.black.show(answer);
  }

  private play(move: Move): void {
    if (this.state !== 'open') return;
    if (move.outcome === 'win') void this.finish('solved');
    else {
      this.tries = [...this.tries.filter((m) => m.move !== move.move), move];
      announce(`${move.move} ${verb(move)}. Try again.`);
      this.show({ ...this.answer! }, true);
      this.draw();
    }
  }

  private async finish(state: 'solved' | 'shown'): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.state !== 'open') return;
    this.state = state;
    this.match.close();
    if (state === 'solved') {
      this.progress.solved += 1;
      if (this.tries.length === 0) this.progress.plies = puzzle.plies + 2;
      announce('Solved');
    } else this.progress.plies = Math.max(EASIEST, this.progress.plies - 2);
    this.save();
    this.draw();
    const turn = this.asked;
    const line = await api.line(this.context.ruleset.id, puzzle.position).catch(() => null);
    if (turn !== this.asked || !line) return;
    this.strip.show(line);
    const first = line.positions[0];
    if (first && (await this.step(first)) && turn === this.asked) {
      this.strip.holds(first);
      this.strip.toggle();
    }
  }

  /** Shows a position of the solution; false if another puzzle came meanwhile, or if the server cannot be reached. */
  private async step(position: string): Promise<boolean> {
    const { ruleset } = this.context;
    const turn = this.asked;
    try {
      const answer = await api.probe(ruleset.id, position);
      if (turn !== this.asked) return false;
      this.show(answer, false);
      return true;
    } catch (error) {
      if (turn === this.asked) say(reason(error));
      return false;
    }
  }

  private draw(): void {
    const { puzzle, answer, state } = this;
    if (!puzzle || !answer) return;
    this.panel.classList.remove('waiting');
    const done = state !== 'open';
    const explore = href({ view: 'explore', ruleset: this.context.ruleset.id, position: puzzle.position });
    keepFocus(this.panel, () =>
      setChildren(
        this.panel,
        h(
          'p',
          { class: 'headline', 'data-puzzle': state },
          h(
            'strong',
            null,
            state === 'solved'
              ? 'Solved'
              : state === 'shown'
                ? 'The answer'
                : `${capital(answer.side)} to move and win`,
          ),
        ),
        this.match.status,
        h(
          'p',
          { class: 'note' },
          done
            ? `${puzzle.solution} wins in ${plies(puzzle.plies)}; every other move gives the win away.`
            : `Only one move wins, in ${plies(puzzle.plies)}.`,
        ),
        this.tries.length > 0
          ? h(
              'ul',
              { class: 'tries' },
              ...this.tries.map((move) =>
                h(
                  'li',
                  null,
                  sign(move),
                  h('span', null, `${move.move} ${move.outcome === 'draw' ? 'only draws' : verb(move)}`),
                ),
              ),
            )
          : null,
        this.strip.el,
        h(
          'div',
          { class: 'tools' },
          done
            ? button('Next puzzle', () => void this.next(), { class: 'primary' })
            : button('Show the answer', () => void this.finish('shown')),
          done ? null : button('Another', () => void this.next()),
          h('a', { class: 'button', href: explore }, 'Explore'),
        ),
        h(
          'p',
          { class: 'note' },
          `Solved so far: ${this.progress.solved}. The next one takes about ${plies(this.progress.plies)}.`,
          ' ',
          this.progress.plies > EASIEST
            ? button('Easier', () => this.easier(this.progress.plies - 6), { class: 'chip' })
            : null,
        ),
      ),
    );
  }
}
