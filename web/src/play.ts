// Play: a game on this device, against a level or between two players.
import * as api from './api';
import { button, h, keepFocus, setChildren, confirmButton } from './dom';
import {
  download,
  dropGame,
  ending,
  gameText,
  moverOf,
  opponentName,
  repeated,
  saveGame,
  savedGame,
  type Opponent,
  type SavedGame,
} from './game';
import { askToReplace, inviteForm } from './invite';
import { Match } from './match';
import { record } from './record';
import { reviewButton } from './review';
import { go, type Route } from './route';
import { TurnList } from './turnlist';
import { other, type Finished, type Move, type PositionAnswer, type Side } from './types';
import { announce, capital, showError, table, type Context, type View } from './view';
import { verb } from './value';

export class Play implements View {
  readonly el: HTMLElement;
  private readonly match: Match;
  private readonly panel = h('div', { class: 'side' });
  private readonly list = new TurnList({
    point: (move) => this.match.board.point(move?.path ?? null, this.answer?.side, move ?? undefined),
    play: (move) => this.match.play(move),
  });
  private readonly resignButton = confirmButton('Resign', 'Really resign?', () => this.resign());
  private game: SavedGame | null = null;
  private answer: PositionAnswer | null = null;
  /** The requested position of the answer. */
  private answered = '';
  /** The points of the move that led to a position. */
  private last: { to: string; points: string[] } = { to: '', points: [] };
  private via: string[] = [];
  private hint = false;
  private asked = 0;
  private from: string | undefined;

  constructor(private readonly context: Context) {
    const { ruleset } = context;
    this.match = new Match(ruleset, { play: (move) => void this.turn(move), undo: () => this.takeBack() });
    this.el = table(
      this.match.board.el,
      this.match.trays.black.el,
      this.match.trays.white.el,
      h('h1', { class: 'hidden' }, `Play ${ruleset.title}`),
      this.panel,
    );
    document.title = `Play ${ruleset.title} · Endmill`;
    this.update(context.route);
  }

  update(route: Route): void {
    this.from = route.position;
    this.game = this.from ? null : savedGame(this.context.ruleset.id);
    void this.load();
  }

  /** The form for a new game does not change. */
  onNewTables(): void {
    if (this.game) void this.load();
  }

  leave(): void {
    this.asked += 1;
  }

  private get here(): string {
    return this.game?.positions.at(-1) ?? this.from ?? this.context.ruleset.start;
  }

  /** Loads the current position and shows it; then the level plays, if it is to move. */
  private async load(): Promise<void> {
    const turn = (this.asked += 1);
    const { here } = this;
    try {
      const [answer, points] = await Promise.all([
        api.probe(this.context.ruleset.id, here, this.game?.hints || this.hint),
        this.lastPoints(here),
      ]);
      if (turn !== this.asked) return;
      this.answer = answer;
      this.answered = here;
      this.last = { to: here, points };
      if (this.game && !this.game.result && (answer.finished || repeated(this.game.positions))) {
        this.game.result = answer.finished ?? { winner: null, reason: 'repetition' };
        saveGame(this.game);
      }
      this.draw();
      if (this.levelMoves) await this.reply(turn);
    } catch (error) {
      if (turn === this.asked) this.fail(error);
    }
  }

  /** The points of the last move; after a reload or a takeback they come from the previous position. */
  private async lastPoints(here: string): Promise<string[]> {
    if (this.last.to === here) return this.last.points;
    const move = this.game?.moves.at(-1);
    const before = this.game?.positions.at(-2);
    if (!move || !before) return [];
    const answer = await api.probe(this.context.ruleset.id, before, false).catch(() => null);
    return Match.points(answer?.moves.find((m) => m.move === move));
  }

  private get result(): Finished | null {
    return this.game?.result ?? null;
  }

  private get levelMoves(): boolean {
    const { game, answer } = this;
    return game !== null && answer !== null && !game.result && game.opponent !== 'person' && answer.side !== game.you;
  }

  private async reply(turn: number): Promise<void> {
    const game = this.game!;
    const began = performance.now();
    const { move } = await api.reply(
      game.ruleset,
      this.here,
      game.positions.slice(0, -1),
      game.opponent as Exclude<Opponent, 'person'>,
    );
    // An instant reply would be hard to follow.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 350 - (performance.now() - began))));
    if (turn !== this.asked) return;
    const played = this.answer?.moves.find((m) => m.move === move);
    if (!played) throw new Error(`The server played ${move}, which is not a legal move.`);
    await this.turn(played);
  }

  private async turn(move: Move): Promise<void> {
    // Ignore a second click on a move of an older position.
    if (!this.game || this.result || this.answered !== this.here) return;
    const who = capital(this.answer?.side ?? '');
    this.game.moves.push(move.move);
    this.game.positions.push(move.position);
    saveGame(this.game);
    this.last = { to: move.position, points: Match.points(move) };
    this.via = move.path.via;
    this.hint = false;
    announce(`${who} plays ${move.move}`);
    await this.load();
  }

  private async begin(opponent: Opponent, you: Side): Promise<void> {
    const { ruleset } = this.context;
    const old = savedGame(ruleset.id);
    if (old && !old.result && old.moves.length > 0) {
      const wish = await askToReplace(old);
      if (wish === 'old') go({ view: 'play', ruleset: ruleset.id });
      if (wish !== 'new') return;
    }
    const start = this.answer?.position ?? this.here;
    this.game = {
      ruleset: this.context.ruleset.id,
      start,
      moves: [],
      positions: [start],
      opponent,
      you,
      result: null,
      hints: false,
    };
    saveGame(this.game);
    if (this.from) go({ view: 'play', ruleset: this.context.ruleset.id }, true);
    else void this.load();
    this.match.board.focus();
  }

  private takeBack(): void {
    const { game } = this;
    if (!game || game.moves.length === 0) return;
    // Against a level, back to the own last move; after a resignation, only the result is taken back.
    const given = game.result?.reason === 'resigned';
    game.result = null;
    if (!given) {
      const mine = game.opponent !== 'person' && moverOf(this.here) === game.you && game.moves.length > 1;
      for (let i = 0; i < (mine ? 2 : 1); i += 1) {
        game.moves.pop();
        game.positions.pop();
      }
    }
    this.hint = false;
    saveGame(game);
    void this.load();
  }

  private resign(): void {
    if (!this.game) return;
    const loser = this.game.opponent === 'person' ? moverOf(this.here) : this.game.you;
    this.game.result = { winner: other(loser), reason: 'resigned' };
    saveGame(this.game);
    void this.load();
  }

  private newGame(): void {
    dropGame(this.context.ruleset.id);
    this.game = null;
    void this.load();
  }

  private draw(): void {
    const { answer, game } = this;
    if (!answer) return;
    const open = game !== null && !game.result && !this.levelMoves;
    const values = (game?.hints ?? false) || this.hint;
    this.match.seat(game?.you ?? 'white');
    this.match.show(answer, open, values && open, this.last.points, this.via);
    this.via = [];
    for (const side of ['white', 'black'] as const) {
      const name =
        !game || game.opponent === 'person' ? undefined : side === game.you ? 'you' : opponentName(game.opponent);
      this.match.trays[side].show(game?.result ? { ...answer, finished: game.result } : answer, name);
    }
    if (!game)
      setChildren(this.panel, inviteForm(this.context.ruleset, this.from, { begin: (o, y) => void this.begin(o, y) }));
    else keepFocus(this.panel, () => this.drawGame(game, answer, values && open));
  }

  private drawGame(game: SavedGame, answer: PositionAnswer, values: boolean): void {
    const over = game.result !== null;
    const you = game.opponent === 'person' ? null : game.you;
    const status = over
      ? ending(game.result!, you)
      : this.levelMoves
        ? `${opponentName(game.opponent)} is thinking…`
        : you
          ? 'Your turn'
          : `${capital(answer.side)} to move`;
    if (over) announce(status);
    const hintButton = button(
      'Hint',
      () => {
        this.hint = true;
        void this.load();
      },
      { disabled: over || this.levelMoves || values },
    );
    const evaluation = button(
      'Evaluation',
      () => {
        game.hints = !game.hints;
        this.hint = false;
        saveGame(game);
        void this.load();
      },
      { 'aria-pressed': String(game.hints) },
    );
    setChildren(
      this.panel,
      h(
        'p',
        { class: `headline ${over ? 'over' : ''}`, 'data-status': over ? 'over' : 'on' },
        h('strong', null, status),
      ),
      this.match.status,
      values ? h('p', { class: 'note' }, `${capital(answer.side)} ${verb(answer)}.`) : null,
      h(
        'div',
        { class: 'tools' },
        over ? null : hintButton,
        over ? null : evaluation,
        button('Take back', () => this.takeBack(), { disabled: game.moves.length === 0 }),
        over ? null : this.resignButton,
      ),
      over ? h('div', { class: 'tools' }, reviewButton(game.ruleset, game.start, game.moves)) : null,
      values ? this.list.el : null,
      record(game.moves),
      h(
        'div',
        { class: 'tools' },
        button('New game', () => this.newGame()),
        button('Save to a file', () => download(`${game.ruleset}.game`, gameText(game)), {
          disabled: game.moves.length === 0,
        }),
      ),
    );
    if (values) this.list.show(answer.moves);
  }

  private fail(error: unknown): void {
    const box = h('div');
    showError(box, error);
    setChildren(
      this.panel,
      box,
      h(
        'div',
        { class: 'tools' },
        button('Try again', () => void this.load()),
        this.game && !(error instanceof api.ApiError && error.isTemporary)
          ? button('New game', () => this.newGame())
          : null,
      ),
    );
  }
}
