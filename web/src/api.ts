// Asking the server.
import type {
  GameState,
  LineAnswer,
  Level,
  Man,
  NewGame,
  PositionAnswer,
  Puzzle,
  Reply,
  Review,
  Ruleset,
  Side,
  TableAnswer,
  TableRow,
} from './types';

/** What the server refused, in its words. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Where in the text the mistake is, if it is one of writing. */
    readonly at: number | null,
    readonly status: number,
  ) {
    super(message);
  }

  /** Whether the same question may be answered another time: the server was away or busy. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, init);
  } catch {
    throw new Refusal('offline', 'The server does not answer. Is it running?', null, 0);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const wait = response.headers.get('retry-after');
  const text = answer?.message ?? `The server answered with status ${response.status}`;
  throw new Refusal(
    answer?.error ?? 'io',
    wait ? `${text}; try again in ${wait} s` : text,
    answer?.at ?? null,
    response.status,
  );
}

const query = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');

// Positions seen lately, so that going back and stepping through a line are instant.
const seen = new Map<string, Promise<PositionAnswer>>();

export const rulesets = (): Promise<Ruleset[]> => ask('rulesets');

/** The position with its turns; `values` false asks for the turns alone. */
export function probe(ruleset: string, position: string, values = true): Promise<PositionAnswer> {
  const path = `${ruleset}/probe?${query({ position, ...(values ? {} : { values: 'no' }) })}`;
  let answer = seen.get(path);
  if (!answer) {
    answer = ask<PositionAnswer>(path);
    seen.set(path, answer);
    answer.catch(() => seen.delete(path));
    if (seen.size > 300) seen.delete(seen.keys().next().value!);
  }
  return answer;
}

/** Forgets what was asked: the database has grown. */
export const forget = (): void => seen.clear();

export const line = (ruleset: string, position: string): Promise<LineAnswer> =>
  ask(`${ruleset}/line?${query({ position })}`);

/** Positions without their turns; one that cannot be read is left out. */
export async function batch(ruleset: string, positions: string[]): Promise<PositionAnswer[]> {
  const answers = await ask<PositionAnswer[]>(`${ruleset}/batch`, { positions });
  return answers.filter((a) => Array.isArray(a.men));
}

export const tables = (ruleset: string): Promise<TableRow[]> => ask(`${ruleset}/tables`);
export const table = (ruleset: string, name: string): Promise<TableAnswer> =>
  ask(`${ruleset}/tables/${encodeURIComponent(name)}`);
export const puzzle = (ruleset: string, plies: number, seed: number): Promise<Puzzle> =>
  ask(`${ruleset}/puzzle?${query({ plies, seed })}`);
export const review = (ruleset: string, game: { text: string } | { moves: string[]; start: string }): Promise<Review> =>
  ask(`${ruleset}/review`, game);
export const read = (ruleset: string, text: string): Promise<{ position: string }> =>
  ask(`${ruleset}/read?${query({ text })}`);
export const transform = (
  ruleset: string,
  position: string,
  by: 'flip' | 'mirror' | 'swap',
): Promise<{ position: string }> => ask(`${ruleset}/transform?${query({ position, by })}`);
export const reply = (ruleset: string, position: string, history: string[], level: Level): Promise<Reply> =>
  ask(`${ruleset}/move`, { position, history, level });

export interface Setup {
  men: Man[];
  hand: [number, number];
  side: Side;
  quiet?: number;
  banned?: string[];
}

export const setup = (ruleset: string, men: Setup): Promise<{ position: string }> => ask(`${ruleset}/setup`, men);

export interface Terms {
  ruleset: string;
  start?: string;
  clock: { minutes: number; increment_seconds: number } | null;
  side: Side | 'random';
}

export const newGame = (terms: Terms): Promise<NewGame> => ask('games', terms);
export const game = (id: string): Promise<GameState> => ask(`games/${encodeURIComponent(id)}`);
