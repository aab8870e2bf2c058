// Play: a game at this device, against a level or between two persons.
import * as api from './api';
import { button, h, keepFocus, refill, sureButton } from './dom';
import {
  download,
  dropGame,
  ending,
  gameText,
  opponentName,
  repeated,
  saveGame,
  savedGame,
  type Opponent,
  type SavedGame,
} from './game';
import { inviteForm } from './invite';
import { Match } from './match';
import { record } from './record';
import { sendToReview } from './review';
import { go, type Route } from './route';
import { TurnList } from './turnlist';
import { other, type Finished, type Move, type PositionAnswer, type Side } from './types';
import { announce, capital, complain, table, type Context, type View } from './view';
import { verb } from './value';

export class Play implements View {
  readonly el: HTMLElement;
  private readonly match: Match;
  private readonly panel = h('div', { class: 'side' });
  private readonly list = new TurnList({
    point: (move) => this.match.board.point(move?.path ?? null, this.answer?.side, move ?? undefined),
    play: (move) => void this.turn(move),
  });
  private readonly giveUp = sureButton('Give up', 'Give up: sure?', () => this.resign());
  private game: SavedGame | null = null;
  private answer: PositionAnswer | null = null;
  private last: string[] = [];
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

  leave(): void {
    this.asked += 1;
  }

  private get here(): string {
    return this.game?.positions.at(-1) ?? this.from ?? this.context.ruleset.start;
  }

  /** Asks for the position at hand and shows it; then the level plays, if it is its turn. */
  private async load(): Promise<void> {
    const turn = (this.asked += 1);
    try {
      const answer = await api.probe(this.context.ruleset.id, this.here, this.game?.hints || this.hint);
      if (turn !== this.asked) return;
      this.answer = answer;
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
    // So quick an answer that nobody sees it is no answer.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, 350 - (performance.now() - began))));
    if (turn !== this.asked) return;
    const played = this.answer?.moves.find((m) => m.move === move);
    if (!played) throw new Error(`The server plays ${move}, which it does not list.`);
    await this.turn(played);
  }

  private async turn(move: Move): Promise<void> {
    if (!this.game || this.result) return;
    const who = capital(this.answer?.side ?? '');
    this.game.moves.push(move.move);
    this.game.positions.push(move.position);
    saveGame(this.game);
    this.last = Match.points(move);
    this.via = move.path.via;
    this.hint = false;
    announce(`${who} plays ${move.move}`);
    await this.load();
  }

  private begin(opponent: Opponent, you: Side): void {
    const start = this.here;
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
    this.last = [];
    saveGame(this.game);
    if (this.from) go({ view: 'play', ruleset: this.context.ruleset.id }, true);
    else void this.load();
    this.match.board.focus();
  }

  private takeBack(): void {
    const { game } = this;
    if (!game || game.moves.length === 0) return;
    // Against a level, back to one's own turn; a game given up is only taken up again.
    const given = game.result?.reason === 'resigned';
    game.result = null;
    if (!given) {
      const mine = game.opponent !== 'person' && this.answer?.side === game.you && game.moves.length > 1;
      for (let i = 0; i < (mine ? 2 : 1); i += 1) {
        game.moves.pop();
        game.positions.pop();
      }
    }
    this.last = [];
    this.hint = false;
    saveGame(game);
    void this.load();
  }

  private resign(): void {
    if (!this.game || !this.answer) return;
    const loser = this.game.opponent === 'person' ? this.answer.side : this.game.you;
    this.game.result = { winner: other(loser), reason: 'resigned' };
    this.asked += 1;
    saveGame(this.game);
    this.draw();
  }

  private draw(): void {
    const { answer, game } = this;
    if (!answer) return;
    const open = game !== null && !game.result && !this.levelMoves;
    const values = (game?.hints ?? false) || this.hint;
    this.match.seat(game?.you ?? 'white');
    this.match.show(answer, open, values && open, this.last, this.via);
    this.via = [];
    for (const side of ['white', 'black'] as const) {
      const name =
        !game || game.opponent === 'person' ? undefined : side === game.you ? 'you' : opponentName(game.opponent);
      this.match.trays[side].show(game?.result ? { ...answer, finished: game.result } : answer, name);
    }
    if (!game) refill(this.panel, inviteForm(this.context.ruleset, this.from, { begin: (o, y) => this.begin(o, y) }));
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
    refill(
      this.panel,
      h(
        'p',
        { class: `headline ${over ? 'over' : ''}`, 'data-status': over ? 'over' : 'on' },
        h('strong', null, status),
      ),
      values ? h('p', { class: 'note' }, `${capital(answer.side)} ${verb(answer)}.`) : null,
      h(
        'div',
        { class: 'tools' },
        over ? null : hintButton,
        over ? null : evaluation,
        button('Take back', () => this.takeBack(), { disabled: game.moves.length === 0 }),
        over ? null : this.giveUp,
      ),
      over
        ? h(
            'div',
            { class: 'tools' },
            button(
              'Review this game',
              () => {
                sendToReview(game.ruleset, game.start, game.moves);
                go({ view: 'review', ruleset: game.ruleset });
              },
              { class: 'primary' },
            ),
          )
        : null,
      values ? this.list.el : null,
      record(game.moves),
      h(
        'div',
        { class: 'tools' },
        button('New game', () => {
          dropGame(game.ruleset);
          this.game = null;
          this.last = [];
          void this.load();
        }),
        button('Save to a file', () => download(`${game.ruleset}.game`, gameText(game)), {
          disabled: game.moves.length === 0,
        }),
      ),
    );
    if (values) this.list.show(answer.moves);
  }

  private fail(error: unknown): void {
    const box = h('div');
    complain(box, error);
    refill(
      this.panel,
      box,
      h(
        'div',
        { class: 'tools' },
        button('Try again', () => void this.load()),
      ),
    );
  }
}
