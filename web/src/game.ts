// A game at this device: its turns, who plays, how it ended. Kept by the browser, so that closing the page loses nothing.
import { keep, kept } from './store';
import type { Finished, Level, Side } from './types';

export type Opponent = Level | 'person';

export interface SavedGame {
  ruleset: string;
  start: string;
  moves: string[];
  /** The start and the position after every turn. */
  positions: string[];
  opponent: Opponent;
  /** The side of the person at the device; with two persons, the side at the bottom. */
  you: Side;
  /** An end that the position does not show: given up, or drawn by repetition. */
  result: Finished | null;
  hints: boolean;
}

const key = (ruleset: string): string => `game.${ruleset}`;

/** The game that the browser has of a ruleset; null if there is none, or if what it has is no game. */
export function savedGame(ruleset: string): SavedGame | null {
  const game = kept<Partial<SavedGame> | null>(key(ruleset));
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

/** Who is to move, as the server writes it at the beginning of a position. */
export const moverOf = (position: string): Side => (position.startsWith('B') ? 'black' : 'white');

export function saveGame(game: SavedGame): void {
  keep(key(game.ruleset), game);
}

export const dropGame = (ruleset: string): void => keep(key(ruleset), null);

/** Endless play is a draw in every ruleset; it is taken for endless when a position comes for the third time. */
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

/** Gives a text to the reader as a file. */
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
  person: 'Two at this device',
};

export const opponentName = (opponent: Opponent): string => LEVELS[opponent];

const DRAWN: Record<string, string> = {
  agreement: 'both agreed',
  repetition: 'the position came for the third time',
  'too long': 'the game has become too long',
};

/** `White wins: Black has too few men` and the like. */
export function ending({ winner, reason }: Finished, you?: Side | null): string {
  if (!winner) return `A draw: ${DRAWN[reason] ?? reason}`;
  const who = you ? (winner === you ? 'You win' : 'You lose') : `${winner === 'white' ? 'White' : 'Black'} wins`;
  return `${who}: ${explain(reason, winner, you)}`;
}

function explain(reason: string, winner: Side, you?: Side | null): string {
  const loser = winner === 'white' ? 'Black' : 'White';
  const yours = you !== null && you !== undefined && you !== winner;
  const has = yours ? 'you have' : `${loser} has`;
  switch (reason) {
    case 'too few men':
      return `${has} too few men left`;
    case 'no turn':
      return `${has} no turn left`;
    case 'resigned':
      return `${yours ? 'you' : loser} gave up`;
    case 'time':
      return `${yours ? 'your' : `${loser}’s`} time is up`;
    default:
      return reason;
  }
}
