// A game by link: the same board, with the server as referee.
import * as api from './api';
import { Clocks } from './clock';
import { Connection, type Status } from './connection';
import { button, h, keepFocus, setChildren, confirmButton } from './dom';
import { download, ending, gameText } from './game';
import { keepSeat, seats } from './invite';
import { after, Match } from './match';
import { record } from './record';
import { reviewButton } from './review';
import { go, href, type Route } from './route';
import { other, type GameState, type Move, type PositionAnswer, type Ruleset, type Side } from './types';
import { announce, capital, showError, copy, say, table, type Context, type View } from './view';

const STATUS: Record<Status, string> = {
  connecting: 'Connecting…',
  open: '',
  lost: 'Connection lost. Reconnecting…',
  elsewhere: 'This seat is open in another window.',
  gone: 'There is no such game, or it has been deleted.',
};

/** What the opponent has declined: an offer that is gone without having been accepted. */
export function declined(before: GameState, now: GameState, you: Side): string | null {
  const who = capital(other(you));
  const gone = (offer: keyof GameState['offers']) => before.offers[offer] === you && now.offers[offer] !== you;
  if (gone('rematch') && !now.rematch_id) return `${who} declined the rematch.`;
  const back = now.turns.length < before.turns.length;
  if (now.result || back) return null;
  if (gone('draw')) return `${who} declined the draw.`;
  // The own next move withdraws the offer.
  const mine = now.turns.length > before.turns.length && now.to_move !== you;
  return gone('takeback') && !mine ? `${who} declined the takeback.` : null;
}

export class Friend implements View {
  readonly el = h('div');
  /** Kept when the panel is redrawn: it may have been pressed once. */
  private readonly resignButton = confirmButton('Resign', 'Really resign?', () => this.line.send('resign'));
  private readonly line: Connection;
  private readonly clocks = new Clocks();
  private readonly panel = h('div', { class: 'side' });
  private readonly secret: string | null;
  private match: Match | null = null;
  private ruleset: Ruleset | null = null;
  private game: GameState | null = null;
  private you: Side | null = null;
  private answer: PositionAnswer | null = null;
  private status: Status = 'connecting';
  private sent: Move | null = null;
  private last: Move | null = null;
  private declined: string | null = null;
  private asked = 0;

  constructor(private readonly context: Context) {
    const { game, secret } = context.route;
    this.secret = secret ?? null;
    document.title = 'A game by link · Endmill';
    setChildren(this.el, h('h1', { class: 'hidden' }, 'A game by link'), h('p', { class: 'note' }, STATUS.connecting));
    this.line = new Connection(game!, this.secret, {
      state: (state, you) => void this.receive(state, you),
      status: (status) => this.setStatus(status),
      refused: (message) => {
        this.sent = null;
        say(capital(message));
      },
    });
  }

  update(_: Route): void {}

  leave(): void {
    this.line.close();
    this.clocks.stop();
    this.asked += 1;
  }

  private setStatus(status: Status): void {
    if (status === this.status) return;
    this.status = status;
    if (this.game) this.draw();
    else if (status !== 'connecting') showError(this.el, STATUS[status] || 'Connected.');
  }

  private async receive(state: GameState, you: Side | null): Promise<void> {
    const turn = (this.asked += 1);
    const before = this.game;
    this.game = state;
    this.you = you;
    this.clocks.show(state.clock);
    if (!this.match && !this.begin(state)) return;
    if (state.rematch_id && state.rematch_id !== before?.rematch_id) this.keepSeat(state.rematch_id, state.ruleset);
    this.noteDeclined(before, state);
    if (state.positions.length !== before?.positions.length) this.sent = null;
    try {
      const ask = (back: number) => api.probe(state.ruleset, state.positions.at(back) ?? state.start, false);
      const [answer, previous] = await Promise.all([ask(-1), state.turns.length ? ask(-2) : null]);
      if (turn !== this.asked) return;
      this.last = previous?.moves.find((move) => move.move === state.turns.at(-1)) ?? null;
      this.answer = answer;
      this.draw();
      this.announceChange(before, state);
    } catch (error) {
      if (turn === this.asked) showError(this.panel, error);
    }
  }

  /** Prepares the view for the ruleset, which the first state names. */
  private begin(state: GameState): boolean {
    const ruleset = this.context.rulesets.find((r) => r.id === state.ruleset);
    if (!ruleset) {
      showError(this.el, `This server has no ruleset “${state.ruleset}”, which this game needs.`);
      return false;
    }
    this.ruleset = ruleset;
    this.context.played(ruleset.id);
    this.match = new Match(ruleset, { play: (move) => this.play(move) });
    this.keepSeat(state.id, ruleset.id);
    setChildren(
      this.el,
      table(
        this.match.board.el,
        this.match.trays.black.el,
        this.match.trays.white.el,
        h('h1', { class: 'hidden' }, `${ruleset.title}, a game by link`),
        this.panel,
      ),
    );
    return true;
  }

  /** Stores the seat in the list of games by link. A rematch has the same secrets. */
  private keepSeat(id: string, ruleset: string): void {
    const { secret } = this;
    if (!this.you || !secret) return;
    const kept = seats().find((seat) => seat.id === id && seat.secret === secret);
    const now = seats().find((seat) => seat.id === this.game?.id && seat.secret === secret);
    const { friend, since } = kept ?? { friend: now?.friend, since: Date.now() };
    keepSeat({ id, secret, friend, ruleset, since });
  }

  /** Announces a change to a screen reader. */
  private announceChange(before: GameState | null, now: GameState): void {
    const turn = now.turns.at(-1);
    if (before && turn && now.turns.length > before.turns.length) {
      const who = now.result ? '' : `${capital(other(now.to_move ?? 'white'))} played `;
      announce(now.result ? `${turn}. ${ending(now.result, this.you)}` : `${who}${turn}`);
    } else if (now.result && !before?.result) announce(ending(now.result, this.you));
    if (now.rematch_id && !before?.rematch_id && this.secret && before) {
      go({ view: 'game', ruleset: now.ruleset, game: now.rematch_id, secret: this.secret });
    }
  }

  /** Shows that the opponent has declined an offer. */
  private noteDeclined(before: GameState | null, now: GameState): void {
    const said = before && this.you ? declined(before, now, this.you) : null;
    if (said) {
      this.declined = said;
      say(said);
    } else if (now.turns.length !== before?.turns.length || now.result || Object.values(now.offers).includes(this.you))
      this.declined = null;
  }

  private play(move: Move): void {
    if (!this.game) return;
    this.sent = move;
    this.line.send('play', { seq: this.game.seq, move: move.move });
    this.draw();
  }

  private draw(): void {
    const { game, answer, match } = this;
    if (!game || !answer || !match) return;
    const mine = this.you !== null && game.to_move === this.you && !game.result;
    match.seat(this.you ?? 'white');
    if (this.sent && game.positions.at(-1) !== this.sent.position) {
      // Shown before the server confirms it.
      match.board.mark([]);
      match.board.show(after(answer, this.sent), true, this.sent.path.via);
      match.board.last(Match.points(this.sent));
    } else {
      match.show(
        answer,
        mine && this.status !== 'elsewhere',
        false,
        Match.points(this.last ?? undefined),
        this.last?.path.via,
      );
    }
    for (const side of ['white', 'black'] as const) {
      const there = game.present[side];
      match.trays[side].show(
        game.result ? { ...answer, finished: game.result } : answer,
        side === this.you ? 'you' : there ? 'online' : 'offline',
        this.clocks[side],
      );
    }
    keepFocus(this.panel, () => this.drawPanel(game, mine));
  }

  private drawPanel(game: GameState, mine: boolean): void {
    const { you } = this;
    const waiting = you ? `${capital(other(you))}’s turn` : `${capital(game.to_move ?? '')} to move`;
    const text = game.result ? ending(game.result, you) : mine ? (this.sent ? 'Sent…' : 'Your turn') : waiting;
    const { watchers } = game.present;
    const trouble = STATUS[this.status];
    document.title = `${mine ? '● ' : ''}${text} · ${this.ruleset?.title} · Endmill`;
    setChildren(
      this.panel,
      h(
        'p',
        {
          class: `headline ${game.result ? 'over' : ''}`,
          'data-status': game.result ? 'over' : 'on',
          'data-line': this.status,
        },
        h('strong', null, text),
      ),
      h('p', { class: 'trouble', role: 'status' }, trouble),
      this.status === 'elsewhere'
        ? h(
            'div',
            { class: 'tools' },
            button('Play here', () => this.line.reopen(), { class: 'primary' }),
          )
        : null,
      this.match?.status ?? null,
      this.offers(game),
      this.rematch(game),
      this.invitation(game),
      you && !game.result
        ? h(
            'div',
            { class: 'tools' },
            button('Ask for a takeback', () => this.line.send('takeback'), {
              disabled: game.turns.length === 0 || game.offers.takeback === you,
            }),
            button('Offer a draw', () => this.line.send('draw'), { disabled: game.offers.draw === you }),
            this.resignButton,
          )
        : null,
      game.result
        ? h(
            'div',
            { class: 'tools' },
            reviewButton(game.ruleset, game.start, game.turns),
            you && !game.rematch_id
              ? button('Rematch', () => this.line.send('rematch'), { disabled: game.offers.rematch === you })
              : null,
          )
        : null,
      record(game.turns),
      h(
        'div',
        { class: 'tools' },
        button(
          'Copy the spectator link',
          () => void copy(location.origin + href({ view: 'game', ruleset: '', game: game.id }), 'Link'),
        ),
        game.turns.length
          ? button('Save to a file', () =>
              download(
                `${game.ruleset}.game`,
                gameText({
                  ruleset: game.ruleset,
                  start: game.start,
                  moves: game.turns,
                  result: game.result,
                }),
              ),
            )
          : null,
      ),
      h(
        'p',
        { class: 'note' },
        you ? `You play ${capital(you)}` : 'You are watching',
        watchers === 0 ? '.' : watchers === 1 ? ' (1 spectator).' : ` (${watchers} spectators).`,
      ),
    );
  }

  private offers(game: GameState): HTMLElement | null {
    const { you } = this;
    if (!you) return null;
    const friend = other(you);
    const asked =
      game.offers.draw === friend && !game.result
        ? ['draw', `${capital(friend)} offers a draw.`]
        : game.offers.takeback === friend && !game.result
          ? ['takeback', `${capital(friend)} asks to take back the last move.`]
          : game.offers.rematch === friend && game.result
            ? ['rematch', `${capital(friend)} offers a rematch with sides swapped.`]
            : null;
    if (asked) {
      return h(
        'div',
        { class: 'offer', role: 'alert' },
        h('p', null, asked[1]!),
        h(
          'div',
          { class: 'tools' },
          button('Accept', () => this.line.send(asked[0] === 'rematch' ? 'rematch' : `accept_${asked[0]}`), {
            class: 'primary',
          }),
          button('Decline', () => this.line.send('decline')),
        ),
      );
    }
    const mine =
      game.offers.draw === you
        ? 'You offered a draw.'
        : game.offers.takeback === you
          ? 'You asked for a takeback.'
          : game.offers.rematch === you
            ? 'You offered a rematch.'
            : this.declined;
    return mine ? h('p', { class: 'note' }, mine) : null;
  }

  /** The link to the rematch, for a player who was offline when it was agreed. */
  private rematch(game: GameState): HTMLElement | null {
    if (!game.rematch_id) return null;
    const secret = this.you && this.secret ? this.secret : undefined;
    return h(
      'div',
      { class: 'offer' },
      h('p', null, secret ? 'A rematch was agreed, with sides swapped.' : 'The players agreed on a rematch.'),
      h(
        'div',
        { class: 'tools' },
        h(
          'a',
          {
            class: 'button primary',
            href: href({ view: 'game', ruleset: game.ruleset, game: game.rematch_id, secret }),
          },
          secret ? 'Go to the rematch' : 'Watch the rematch',
        ),
      ),
    );
  }

  /** The link to send, until the friend has joined. */
  private invitation(game: GameState): HTMLElement | null {
    const seat = seats().find((s) => s.id === game.id && s.secret === this.secret);
    if (!this.you || !seat?.friend || game.present[other(this.you)] || game.result) return null;
    const link = location.origin + href({ view: 'game', ruleset: '', game: game.id, secret: seat.friend });
    return h(
      'div',
      { class: 'offer' },
      h(
        'p',
        null,
        game.turns.length
          ? 'Your friend is offline. The link to the seat:'
          : 'Send this link to your friend. It opens the other seat.',
      ),
      h('p', { class: 'text' }, h('code', { 'data-link': 'friend' }, link)),
      h(
        'div',
        { class: 'tools' },
        button('Copy the link', () => void copy(link, 'Link'), { class: 'primary' }),
        'share' in navigator
          ? button('Share', () => void navigator.share({ title: this.ruleset?.title, url: link }).catch(() => {}))
          : null,
      ),
    );
  }
}
