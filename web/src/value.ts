// Values of positions and moves as letters, as words, and in order.
import type { DrawRank, Move, Outcome, Side, Worth } from './types';
import { other } from './types';

const LETTER: Record<Outcome, string> = { win: 'W', draw: 'D', loss: 'L' };
const RANK: Record<Outcome, number> = { win: 2, draw: 1, loss: 0 };
const HEADING: Record<Outcome, string> = { win: 'Winning', draw: 'Drawing', loss: 'Losing' };

/** The groups of moves: known outcomes, estimates, unknown values. */
export type Kind = Outcome | 'estimate' | 'unknown';

export function kindOf(worth: Worth): Kind {
  return outcomeOf(worth) ?? (worth.estimate ? 'estimate' : 'unknown');
}

/** The outcome by the tables, or proved by a search. */
function outcomeOf(worth: Worth): Outcome | null {
  return worth.outcome ?? worth.estimate?.outcome ?? null;
}

/** The distance, of a ranked draw its score; a proof by search gives only an upper bound. */
export function distance(worth: Worth): string {
  if (worth.draw_rank) return rankScore(worth.draw_rank);
  if (worth.outcome) return worth.plies === null ? '' : String(worth.plies);
  return worth.estimate?.outcome && worth.estimate.plies !== null ? `≤${worth.estimate.plies}` : '';
}

export function heading(kind: Kind): string {
  if (kind === 'estimate') return 'Estimated by search';
  return kind === 'unknown' ? 'Not in the database' : HEADING[kind];
}

/** The score of a draw: `+59`, or `+0.012` if it is a fraction. */
export function rankScore(rank: DrawRank): string {
  if (rank.score === 0) return '0';
  const size = Math.abs(rank.score);
  return `${rank.score > 0 ? '+' : '−'}${Number.isInteger(size) ? size : size.toPrecision(2)}`;
}

/** Who presses in a draw, and where the game heads. */
export function pressing(rank: DrawRank, side: Side): string {
  const presser = rank.score > 0 ? side : other(side);
  const presses = rank.score === 0 ? 'neither side presses' : `${presser === 'white' ? 'White' : 'Black'} presses`;
  const [first] = rank.tables;
  if (!first) return presses;
  const tables = rank.tables.length === 1 ? first : `${first} … ${rank.tables.at(-1)}`;
  if (rank.conversion_plies === null) return `${presses}: the game stays in ${tables}`;
  return `${presses}: heads for ${tables}, first step in ${plies(rank.conversion_plies)}`;
}

/** For a badge: `W 13`, `D`, `D +59`, `L 8`, `W ≤9`, `+0.4`, `?`. */
export function short(worth: Worth): string {
  const outcome = outcomeOf(worth);
  if (outcome) return `${LETTER[outcome]} ${distance(worth)}`.trim();
  return worth.estimate ? score(worth.estimate.score) : '?';
}

/** The score of a search, in men. */
export function score(points: number): string {
  const size = (Math.abs(points) / 100).toFixed(1);
  return `${size === '0.0' ? '' : points > 0 ? '+' : '−'}${size}`;
}

/** Whether a search finds neither side ahead. */
export const even = (worth: Worth): boolean => kindOf(worth) === 'estimate' && score(worth.estimate!.score) === '0.0';

export const plies = (n: number): string => (n === 1 ? '1 ply' : `${n} plies`);

/** The value as a noun, after a colon: `win in 13 plies`, `a draw`, `about +0.1 men (search)`. */
export function noun(worth: Worth): string {
  const { estimate } = worth;
  if (worth.outcome) return named(worth.outcome, worth.plies, ' in ');
  if (estimate?.outcome) return `${named(estimate.outcome, estimate.plies, ' in at most ')} (search)`;
  if (even(worth)) return 'about even';
  return estimate ? `about ${score(estimate.score)} men (search)` : 'not in the database';
}

function named(outcome: Outcome, distance: number | null, within: string): string {
  return outcome === 'draw' ? 'a draw' : `${outcome}${distance === null ? '' : within + plies(distance)}`;
}

/** The value as a verb: `wins in 13 plies`. */
export function verb(worth: Worth): string {
  const distance = worth.plies === null ? '' : ` in ${plies(worth.plies)}`;
  switch (worth.outcome) {
    case 'win':
      return `wins${distance}`;
    case 'draw':
      return 'draws';
    case 'loss':
      return worth.plies === 0 ? 'has lost' : `loses${distance}`;
    default:
      if (worth.estimate?.outcome) {
        const most = worth.estimate.plies === null ? '' : ` in at most ${plies(worth.estimate.plies)}`;
        return `${{ win: 'wins', draw: 'draws', loss: 'loses' }[worth.estimate.outcome]}${most}, by search`;
      }
      if (even(worth)) return 'is about even';
      return worth.estimate ? `is worth about ${score(worth.estimate.score)} men (search)` : 'is unknown';
  }
}

/** Best first, for the side that chooses: a quick win, a draw, a slow loss. */
export function better(a: Worth, b: Worth): number {
  return strength(b) - strength(a);
}

function strength(worth: Worth): number {
  const outcome = outcomeOf(worth);
  // An unknown value is better than a known loss.
  if (outcome === null) return worth.estimate ? worth.estimate.score / 100 : -1000;
  const plies = (worth.outcome ? worth.plies : worth.estimate?.plies) ?? 5000;
  // Close to 0, where a search sees a draw.
  const drawn = worth.draw_rank ? Math.atan(worth.draw_rank.score) / 1000 : 0;
  const within = outcome === 'win' ? -plies : outcome === 'loss' ? plies : drawn;
  return (RANK[outcome] - 1) * 100000 + within;
}

export interface Group {
  kind: Kind;
  /** One row per distance. */
  rows: { worth: Worth; moves: Move[] }[];
  count: number;
}

/** The moves by outcome, best first, then by distance, symmetric ones together. */
export function grouped(moves: Move[]): Group[] {
  const groups: Group[] = [];
  for (const move of moves.slice().sort((a, b) => better(a, b) || a.class - b.class)) {
    const kind = kindOf(move);
    let group = groups.find((g) => g.kind === kind);
    if (!group) groups.push((group = { kind, rows: [], count: 0 }));
    group.count += 1;
    const label = short(move);
    const row = group.rows.at(-1);
    if (row && short(row.worth) === label) row.moves.push(move);
    else group.rows.push({ worth: move, moves: [move] });
  }
  return groups;
}
