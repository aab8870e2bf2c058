// Requests to the server.
import type {
  CreatedGame,
  EngineMove,
  GameState,
  Level,
  LineAnswer,
  NewGame,
  Position,
  PositionAnswer,
  PositionText,
  Puzzle,
  ReviewedGame,
  Ruleset,
  SetupRequest,
  Table,
} from './types';

/** A request that the server refused. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** The position of the error in the text, if there is one. */
    readonly at: number | null,
    readonly status: number,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later: the server is unreachable or busy. */
  get isTemporary(): boolean {
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
    throw new ApiError('offline', 'The server cannot be reached.', null, 0);
  }
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  const wait = response.headers.get('retry-after');
  const text = answer?.message ?? `The server answered with status ${response.status}`;
  throw new ApiError(
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

// Recent positions, so that going back and stepping through a line are instant.
const cache = new Map<string, Promise<PositionAnswer>>();

export const rulesets = (): Promise<Ruleset[]> => ask('rulesets');

/** The position with its moves; `values` false asks for the moves alone. */
export function probe(ruleset: string, position: string, values = true): Promise<PositionAnswer> {
  const path = `${ruleset}/probe?${query({ position, ...(values ? {} : { values: 'no' }) })}`;
  let answer = cache.get(path);
  if (!answer) {
    answer = ask<PositionAnswer>(path);
    cache.set(path, answer);
    answer.catch(() => cache.delete(path));
    if (cache.size > 300) cache.delete(cache.keys().next().value!);
  }
  return answer;
}

/** Clears the cache: the database has onNewTables. */
export const clearCache = (): void => cache.clear();

export const line = (ruleset: string, position: string): Promise<LineAnswer> =>
  ask(`${ruleset}/line?${query({ position })}`);

/** Positions without their moves; those that cannot be read are omitted. */
export async function batch(ruleset: string, positions: string[]): Promise<Position[]> {
  const answers = await ask<Position[]>(`${ruleset}/batch`, { positions });
  return answers.filter((a) => Array.isArray(a.men));
}

export const tables = (ruleset: string): Promise<Table[]> => ask(`${ruleset}/tables`);
export const table = (ruleset: string, name: string): Promise<Table> =>
  ask(`${ruleset}/tables/${encodeURIComponent(name)}`);
export const puzzle = (ruleset: string, plies: number, seed: number): Promise<Puzzle> =>
  ask(`${ruleset}/puzzle?${query({ plies, seed })}`);
export const review = (
  ruleset: string,
  game: { text: string } | { moves: string[]; start: string },
): Promise<ReviewedGame> => ask(`${ruleset}/review`, game);
export const read = (ruleset: string, text: string): Promise<PositionText> => ask(`${ruleset}/read?${query({ text })}`);
export const transform = (ruleset: string, position: string, by: 'flip' | 'mirror' | 'swap'): Promise<PositionText> =>
  ask(`${ruleset}/transform?${query({ position, by })}`);
export const reply = (ruleset: string, position: string, history: string[], level: Level): Promise<EngineMove> =>
  ask(`${ruleset}/move`, { position, history, level });

export const setup = (ruleset: string, board: SetupRequest): Promise<PositionText> => ask(`${ruleset}/setup`, board);

export const newGame = (game: NewGame): Promise<CreatedGame> => ask('games', game);
export const game = (id: string): Promise<GameState> => ask(`games/${encodeURIComponent(id)}`);
