// A game on this device. The browser stores it, so that closing the page loses nothing.
import { store, stored } from './store';
import type { Finished, Level, Side } from './types';

export type Opponent = Level | 'person';

export interface SavedGame {
  ruleset: string;
  start: string;
  moves: string[];
  /** The start and the position after every move. */
  positions: string[];
  opponent: Opponent;
  /** The side of the user; with two players, the side at the bottom. */
  you: Side;
  /** A result that the position does not show: resignation or repetition. */
  result: Finished | null;
  hints: boolean;
}

const key = (ruleset: string): string => `game.${ruleset}`;

/** The stored game of a ruleset; null if there is none, or if it is damaged. */
export function savedGame(ruleset: string): SavedGame | null {
  const game = stored<Partial<SavedGame> | null>(key(ruleset));
  return isGame(game) ? game : null;
}

function isGame(game: Partial<SavedGame> | null): game is SavedGame {
  const texts = (list: unknown): list is string[] =>
    Array.isArray(list) && list.every((text) => typeof text === 'string');
  return (
    typeof game?.ruleset === 'string' &&
    typeof game.start === 'string' &&
    texts(game.moves) &&
    texts(game.positions) &&
    game.positions.length > 0 &&
    Object.hasOwn(LEVELS, String(game.opponent)) &&
    (game.you === 'white' || game.you === 'black')
  );
}

/** The side to move, from the first letter of a position. */
export const moverOf = (position: string): Side => (position.startsWith('B') ? 'black' : 'white');

export function saveGame(game: SavedGame): void {
  store(key(game.ruleset), game);
}

export const dropGame = (ruleset: string): void => store(key(ruleset), null);

/** Threefold repetition is a draw in every ruleset. */
export function repeated(positions: string[]): boolean {
  const last = positions.at(-1);
  return positions.filter((position) => position === last).length >= 3;
}

/** The game in the format that the program saves and loads. */
export function gameText(game: Pick<SavedGame, 'ruleset' | 'start' | 'moves' | 'result'>): string {
  const lines = ['endmill game 1', `ruleset ${game.ruleset}`, `start ${game.start}`, ...game.moves];
  if (game.result?.reason === 'resigned' && game.result.winner) {
    lines.push(`resigned ${game.result.winner === 'white' ? 'black' : 'white'}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Downloads a text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const LEVELS: Record<Opponent, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  perfect: 'Perfect',
  person: 'Two players, this device',
};

export const opponentName = (opponent: Opponent): string => LEVELS[opponent];

const DRAWN: Record<string, string> = {
  agreement: 'agreed by both sides',
  repetition: 'threefold repetition',
  'too long': 'too many moves',
  'quiet limit': 'too many moves without a removal',
  'full board': 'the board is full',
};

/** For example `White wins: Black has too few men`. */
export function ending({ winner, reason }: Finished, you?: Side | null): string {
  const why = explain({ winner, reason }, you);
  if (!winner) return `A draw: ${why}`;
  const who = you ? (winner === you ? 'You win' : 'You lose') : `${winner === 'white' ? 'White' : 'Black'} wins`;
  return `${who}: ${why}`;
}

/** Why a game is over. */
export function explain({ winner, reason }: Finished, you?: Side | null): string {
  if (!winner) return DRAWN[reason] ?? reason;
  const loser = winner === 'white' ? 'Black' : 'White';
  const yours = you !== null && you !== undefined && you !== winner;
  const has = yours ? 'you have' : `${loser} has`;
  switch (reason) {
    case 'too few men':
      return `${has} too few men`;
    case 'no turn':
      return `${has} no legal move`;
    case 'resigned':
      return `${yours ? 'you' : loser} resigned`;
    case 'time':
      return `${yours ? 'you' : loser} ran out of time`;
    default:
      return reason;
  }
}
