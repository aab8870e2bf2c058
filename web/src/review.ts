// Review: a game move by move, with the value of each and the mistakes.
import * as api from './api';
import { Board } from './board';
import { button, h, put, setChildren, whileBusy } from './dom';
import { ending, savedGame } from './game';
import { Graph } from './graph';
import { tool } from './icons';
import { go, href, type Route } from './route';
import { store, stored } from './store';
import { trays } from './tray';
import { sign } from './turnlist';
import type { Mistake, PositionAnswer, ReviewedGame, ReviewedTurn, Worth } from './types';
import { distance, plies, score, verb } from './value';
import { announce, capital, showError, table, type Context, type View } from './view';

const MISTAKES: Record<Mistake, string> = {
  win_to_draw: 'throws away a win: now a draw',
  win_to_loss: 'throws away a win: now lost',
  draw_to_loss: 'throws away a draw: now lost',
};

/** A button that opens the review of a game. */
export function reviewButton(ruleset: string, start: string, moves: string[]): HTMLButtonElement {
  const open = () => {
    store(`review.${ruleset}`, { start, moves });
    go({ view: 'review', ruleset });
  };
  return button('Review this game', open, { class: 'primary' });
}

type Game = { text: string } | { moves: string[]; start: string };

/** The value of a move by the tables, or else the estimate of a search. */
const worthOf = (turn: ReviewedTurn): Worth => turn.after ?? { outcome: null, plies: null, estimate: turn.estimate };

/** The move that a search prefers, if its estimate is higher. */
function preferred(turn: ReviewedTurn): (Worth & { move: string }) | null {
  const { estimate, estimated_best: best } = turn;
  if (!best || best.move === turn.move || (estimate && best.score <= estimate.score)) return null;
  return { move: best.move, outcome: null, plies: null, estimate: best };
}

export class Review implements View {
  readonly el: HTMLElement;
  private readonly board: Board;
  private readonly trays;
  private readonly panel = h('div', { class: 'side' });
  private readonly graph = new Graph((turn) => this.visit(turn));
  private readonly comment = h('div', { class: 'comment', role: 'status' });
  private readonly list = h('ol', { class: 'reviewed', 'aria-label': 'Moves' });
  private readonly trouble = h('div');
  private game: ReviewedGame | null = null;
  private answer: PositionAnswer | null = null;
  private at = 0;
  private asked = 0;

  constructor(private readonly context: Context) {
    const { ruleset } = context;
    this.trays = trays(ruleset);
    this.board = new Board(
      ruleset.geometry,
      'Board',
      () => {},
      (event) => this.key(event),
    );
    this.el = table(
      this.board.el,
      this.trays.black.el,
      this.trays.white.el,
      h('h1', { class: 'hidden' }, `Review a game of ${ruleset.title}`),
      this.panel,
    );
    document.title = `Review · ${ruleset.title} · Endmill`;
    void this.start();
  }

  update(_: Route): void {}

  leave(): void {
    this.asked += 1;
  }

  private async start(): Promise<void> {
    const { ruleset } = this.context;
    const sent = stored<{ start: string; moves: string[] }>(`review.${ruleset.id}`);
    if (sent) {
      setChildren(this.panel, h('p', { class: 'note', role: 'status' }, 'Reviewing…'));
      await this.load(sent);
      return;
    }
    this.drawForm();
    await this.showPosition(ruleset.start);
  }

  private drawForm(): void {
    const { ruleset } = this.context;
    const field = h('textarea', {
      rows: 8,
      'aria-label': 'Game',
      spellcheck: 'false',
      placeholder: 'endmill game 1 …, PDN, or a list of moves:\nd2 d6 f4 b4 …',
    });
    const file = h('input', {
      type: 'file',
      class: 'hidden',
      id: 'game-file',
      'aria-label': 'Game file',
      onchange: async () => {
        const chosen = file.files?.[0];
        if (!chosen) return;
        if (chosen.size > 200_000) showError(this.trouble, 'This file is too long (limit 200 kB).');
        else field.value = await chosen.text();
      },
    });
    const played = savedGame(ruleset.id);
    const submit = (text: string, game: () => Game, props = {}) => {
      const el = button(text, () => void whileBusy(el, 'Reviewing…', () => this.load(game())), props);
      return el;
    };
    setChildren(this.trouble);
    setChildren(
      this.panel,
      h('h2', null, 'Review a game'),
      h('p', { class: 'note' }, 'Paste a game or open a file: a saved game, PDN, or a list of moves.'),
      field,
      file,
      this.trouble,
      h(
        'div',
        { class: 'tools' },
        submit('Review', () => ({ text: field.value }), { class: 'primary' }),
        button('Open a file', () => file.click()),
        played && played.moves.length > 0
          ? submit('The last game played', () => ({ moves: played.moves, start: played.start }))
          : null,
      ),
    );
  }

  private async load(game: Game): Promise<void> {
    const { ruleset } = this.context;
    const turn = (this.asked += 1);
    try {
      const reviewed = await api.review(ruleset.id, game);
      if (turn !== this.asked) return;
      this.game = reviewed;
    } catch (error) {
      if (turn !== this.asked) return;
      if (!this.panel.contains(this.trouble)) this.drawForm();
      showError(this.trouble, error);
      if (!this.answer) await this.showPosition(ruleset.start);
      return;
    } finally {
      store(`review.${ruleset.id}`, null);
    }
    this.graph.show(this.game.turns);
    this.drawGame(this.game);
    const first = this.game.turns.findIndex((turn) => turn.mistake);
    this.visit(first < 0 ? this.game.turns.length : first + 1);
  }

  private drawGame(game: ReviewedGame): void {
    const slips = game.turns.filter((turn) => turn.mistake).length;
    const guessed = game.turns.filter((turn) => !turn.after && turn.estimate).length;
    const to = (by: number) => () => this.visit(this.at + by);
    setChildren(this.list, ...game.turns.map((turn, i) => h('li', null, this.entry(turn, i + 1))));
    setChildren(
      this.panel,
      h(
        'p',
        { class: 'headline over' },
        h('strong', null, game.result ? ending(game.result) : `${game.turns.length} moves, unfinished`),
      ),
      h(
        'p',
        { class: 'note' },
        slips === 0 ? 'No mistakes found in the tables.' : slips === 1 ? 'One mistake.' : `${slips} mistakes.`,
        guessed > 0
          ? ` Not in the tables: ${guessed === 1 ? 'one move is' : `${guessed} moves are`} estimated by a search (≈, dashed), which may be wrong.`
          : null,
      ),
      ...game.problems.map((problem) => h('p', { class: 'trouble' }, problem)),
      this.graph.el,
      h(
        'div',
        { class: 'tools main' },
        tool('first', 'To the start', () => this.visit(0)),
        tool('prev', 'Previous move', to(-1)),
        tool('next', 'Next move', to(1)),
        tool('last', 'To the end', () => this.visit(game.turns.length)),
      ),
      h(
        'div',
        { class: 'tools' },
        button('Next mistake', () => this.nextMistake(), { disabled: slips === 0 }),
        button('Another game', () => this.drawForm()),
      ),
      this.comment,
      this.list,
    );
  }

  private entry(turn: ReviewedTurn, number: number): HTMLElement {
    const worth = worthOf(turn);
    const tag = turn.mistake
      ? h('span', { class: 'tag slip' }, '✕ mistake')
      : turn.only_move
        ? h('span', { class: 'tag' }, '! only move')
        : null;
    const el = button('', () => this.visit(number), { class: 'entry', 'data-turn': number });
    put(
      el,
      h('span', { class: 'n' }, `${number}.`),
      h('span', { class: `disc ${turn.side}` }, h('span', { class: 'hidden' }, turn.side)),
      h('span', { class: 'm' }, turn.move),
      tag,
      h(
        'span',
        { class: 'v' },
        sign(worth),
        h('span', { class: 'hidden' }, verb(worth)),
        h(
          'span',
          { 'aria-hidden': 'true' },
          turn.after ? turn.after.plies : turn.estimate ? distance(worth) || score(turn.estimate.score) : null,
        ),
      ),
    );
    return el;
  }

  private markEntry(): void {
    for (const el of this.list.querySelectorAll<HTMLElement>('.entry')) {
      if (Number(el.dataset.turn) === this.at) el.setAttribute('aria-current', 'true');
      else el.removeAttribute('aria-current');
    }
  }

  private nextMistake(): void {
    const { game } = this;
    if (!game) return;
    const slips = game.turns.flatMap((turn, i) => (turn.mistake ? [i + 1] : []));
    const next = slips.find((turn) => turn > this.at) ?? slips[0];
    if (next !== undefined) this.visit(next);
  }

  private visit(turn: number): void {
    const { game } = this;
    if (!game) return;
    this.at = Math.max(0, Math.min(game.turns.length, turn));
    this.graph.mark(this.at);
    this.markEntry();
    const entry = this.list.querySelector<HTMLElement>('[aria-current]');
    if (entry) this.list.scrollTo({ top: entry.offsetTop - this.list.clientHeight / 2 });
    void this.drawTurn(game);
  }

  private async drawTurn(game: ReviewedGame): Promise<void> {
    const { ruleset } = this.context;
    const turn = game.turns[this.at - 1];
    const before = this.at <= 1 ? game.start : game.turns[this.at - 2]!.position;
    const here = turn?.position ?? game.start;
    const asked = (this.asked += 1);
    const [old] = await Promise.all([
      turn ? api.probe(ruleset.id, before).catch(() => null) : null,
      this.showPosition(here),
    ]);
    if (asked !== this.asked) return;
    const played = old?.moves.find((move) => move.move === turn?.move);
    const best =
      turn && !turn.best.includes(turn.move) ? old?.moves.find((move) => move.move === turn.best[0]) : undefined;
    const opinion = turn ? preferred(turn) : null;
    const better = best ?? old?.moves.find((move) => move.move === opinion?.move);
    this.board.last(played ? [played.path.from, played.path.to].filter((p) => p !== null) : []);
    const showBetter = () => {
      if (old && better) {
        this.board.show(old.men);
        this.board.last([]);
        this.board.point(better.path, old.side, opinion ?? better);
      }
    };
    setChildren(
      this.comment,
      ...(turn
        ? [
            h(
              'p',
              null,
              h('strong', null, `${this.at}. ${capital(turn.side)} ${turn.move}`),
              turn.after || turn.estimate ? `, ${verb(worthOf(turn))}` : '',
            ),
            turn.mistake ? h('p', { class: 'trouble' }, `${capital(turn.side)} ${MISTAKES[turn.mistake]}.`) : null,
            turn.only_move && !turn.mistake ? h('p', null, 'The only move that keeps the outcome.') : null,
            !turn.mistake && turn.plies_lost
              ? h('p', { class: 'note' }, `${plies(turn.plies_lost)} slower than best.`)
              : null,
            !turn.mistake && turn.ground_lost
              ? h('p', { class: 'note' }, 'The draw holds, but gives ground: see the best move.')
              : null,
            best
              ? h('p', null, `Better: ${best.move}, ${verb(best)}. `, button('Show it', showBetter, { class: 'chip' }))
              : null,
            opinion
              ? h(
                  'p',
                  null,
                  `A search prefers ${opinion.move}, which ${verb(opinion)}. `,
                  better ? button('Show it', showBetter, { class: 'chip' }) : null,
                )
              : null,
            h(
              'p',
              { class: 'note' },
              h(
                'a',
                { href: href({ view: 'explore', ruleset: ruleset.id, position: before }) },
                'Explore the position before',
              ),
            ),
          ]
        : [h('p', { class: 'note' }, 'The start.')]
      ).filter((el) => el !== null),
    );
    if (turn?.mistake && best) announce(`${turn.move} ${MISTAKES[turn.mistake]}. Better: ${best.move}`);
  }

  private async showPosition(position: string): Promise<void> {
    const answer = await api.probe(this.context.ruleset.id, position).catch(() => null);
    if (!answer) return;
    this.answer = answer;
    this.board.point(null);
    this.board.show(answer.men);
    this.trays.white.show(answer);
    this.trays.black.show(answer);
  }

  private key(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    if (key === 'u') this.visit(this.at - 1);
    else if (key === 'r') this.visit(this.at + 1);
    else return false;
    return true;
  }
}
