// The form for a new game: opponent, side, clock.
import * as api from './api';
import { button, h, whileBusy } from './dom';
import { choice } from './editor';
import { opponentName, type Opponent, type SavedGame } from './game';
import { dialog } from './paste';
import { go, href } from './route';
import { store, stored, storedOneOf } from './store';
import type { Ruleset, Side } from './types';
import { showError } from './view';

type Against = Opponent | 'friend';

/** A game by link in which this browser has a seat. */
export interface Seat {
  id: string;
  secret: string;
  ruleset: string;
  /** The other seat's secret, only in the browser that created the game. */
  friend?: string;
  since: number;
}

export function seats(): Seat[] {
  const list = stored<unknown>('seats');
  return Array.isArray(list) ? list.filter(isSeat) : [];
}

const isSeat = (seat: Partial<Seat> | null): seat is Seat =>
  typeof seat?.id === 'string' &&
  typeof seat.secret === 'string' &&
  typeof seat.ruleset === 'string' &&
  typeof seat.since === 'number';

export function keepSeat(seat: Seat): void {
  const rest = seats().filter((s) => s.id !== seat.id || s.secret !== seat.secret);
  store('seats', [seat, ...rest].slice(0, 20));
}

/** Asks before a new game replaces one in progress: `old` resumes it, `new` deletes it. */
export async function askToReplace(game: SavedGame): Promise<'old' | 'new' | ''> {
  const turns = game.moves.length === 1 ? '1 move' : `${game.moves.length} moves`;
  const el = h(
    'dialog',
    { 'aria-labelledby': 'replace-title' },
    h('h2', { id: 'replace-title' }, 'Game in progress'),
    h('p', null, `${opponentName(game.opponent)}, ${turns} played. Starting a new game deletes it.`),
    h(
      'div',
      { class: 'tools end' },
      button('Cancel', () => el.close('')),
      button('Start a new game', () => el.close('new')),
      button('Resume', () => el.close('old'), { class: 'primary' }),
    ),
  );
  return (await dialog(el)) as 'old' | 'new' | '';
}

const LEVELS: Opponent[] = ['low', 'medium', 'high', 'perfect'];
const CLOCKS: [string, { minutes: number; increment_seconds: number } | null][] = [
  ['None', null],
  ['3 min + 2 s', { minutes: 3, increment_seconds: 2 }],
  ['10 min + 5 s', { minutes: 10, increment_seconds: 5 }],
  ['30 min', { minutes: 30, increment_seconds: 0 }],
];

interface Calls {
  begin(opponent: Opponent, you: Side): void;
}

export function inviteForm(ruleset: Ruleset, start: string | undefined, calls: Calls): HTMLElement {
  let against = storedOneOf<Against>('against', [...LEVELS, 'person', 'friend'], 'medium');
  let side = storedOneOf<Side | 'random'>('side', ['white', 'black', 'random'], 'white');
  let clock = 0;
  const trouble = h('div');
  const el = h('section', { class: 'invite', 'aria-label': 'New game' });

  const begin = async () => {
    store('against', against);
    store('side', side);
    if (against !== 'friend') {
      calls.begin(against, side === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : side);
      return;
    }
    try {
      const game = await api.newGame({ ruleset: ruleset.id, start, clock: CLOCKS[clock]![1], side });
      const mine = game.seats[game.you];
      const friend = game.seats[game.you === 'white' ? 'black' : 'white'];
      keepSeat({ id: game.id, secret: mine, friend, ruleset: ruleset.id, since: Date.now() });
      go({ view: 'game', ruleset: ruleset.id, game: game.id, secret: mine });
    } catch (error) {
      showError(trouble, error);
    }
  };

  const clocks = choice(
    'Clock',
    'clock',
    CLOCKS.map(([label], i) => ({ label, name: label, on: i === clock, pick: () => (clock = i) })),
  );
  const sync = () => {
    clocks.hidden = against !== 'friend';
    go_.textContent = against === 'friend' ? 'Create the game' : 'Start';
  };
  const go_ = button('Start', () => void whileBusy(go_, against === 'friend' ? 'Creating the game…' : 'Start', begin), {
    class: 'primary',
  });
  const pick = (name: Against) => () => {
    against = name;
    sync();
  };
  el.append(
    h('h2', null, start ? 'Play from this position' : 'A new game'),
    choice(
      'Against the program',
      'against',
      LEVELS.map((name) => ({
        label: opponentName(name),
        name: opponentName(name),
        on: against === name,
        pick: pick(name),
      })),
    ),
    choice('Against a person', 'against', [
      {
        label: 'Two players, this device',
        name: 'Two players, this device',
        on: against === 'person',
        pick: pick('person'),
      },
      { label: 'A friend, by link', name: 'A friend, by link', on: against === 'friend', pick: pick('friend') },
    ]),
    choice(
      'You play',
      'seat',
      (['white', 'black', 'random'] as const).map((name) => ({
        label: name === 'white' ? 'White' : name === 'black' ? 'Black' : 'Random',
        name,
        on: side === name,
        pick: () => (side = name),
      })),
    ),
    clocks,
    h('div', { class: 'tools' }, go_),
    trouble,
  );
  const mine = seats()
    .filter((s) => s.ruleset === ruleset.id)
    .slice(0, 5);
  if (mine.length > 0) {
    el.append(
      h('h3', null, 'Your games by link'),
      h(
        'ul',
        { class: 'plain' },
        ...mine.map((s) =>
          h(
            'li',
            null,
            h(
              'a',
              { href: href({ view: 'game', ruleset: ruleset.id, game: s.id, secret: s.secret }) },
              new Date(s.since).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
            ),
          ),
        ),
      ),
    );
  }
  sync();
  return el;
}
