// The answers of the server, as it sends them.

export type Side = 'white' | 'black';
export type Outcome = 'win' | 'draw' | 'loss';

export interface Point {
  name: string;
  x: number;
  y: number;
}

export interface Geometry {
  kind: 'points' | 'squares';
  width: number;
  height: number;
  points: Point[];
  edges: [number, number][];
  lines: number[][];
}

export interface Building {
  done: number;
  of: number;
  phase: string;
  seconds_left: number | null;
}

export interface Ruleset {
  id: string;
  game: string;
  title: string;
  men: number;
  board: { symmetries: number };
  options: Record<string, string>;
  geometry: Geometry;
  start: string;
  coverage: { tables: number; complete_to: number | null; whole_game: boolean };
  building: Building | null;
  /** What a position remembers besides the men; absent where the rules look only at the board. */
  memory?: { quiet: number | null; bans: boolean };
}

export interface Value {
  outcome: Outcome;
  plies: number | null;
}

export interface Estimate {
  score: number;
  depth: number;
  outcome: Outcome | null;
  plies: number | null;
}

/** What is known of a position or a turn: a value, an estimate, or neither. */
export interface Worth {
  outcome: Outcome | null;
  plies: number | null;
  estimate?: Estimate | null;
}

export interface Man {
  at: string;
  side: Side;
  kind: 'man' | 'king';
}

export interface Path {
  from: string | null;
  to: string;
  via: string[];
  taken: string[];
}

export interface Move extends Worth {
  move: string;
  missing: string | null;
  position: string;
  class: number;
  path: Path;
}

export interface Finished {
  winner: Side | null;
  reason: string;
}

export interface PositionAnswer extends Worth {
  ruleset: string;
  position: string;
  table: string | null;
  side: Side;
  finished: Finished | null;
  men: Man[];
  hand: [number, number];
  quiet?: number;
  banned?: string[];
  moves: Move[];
  /** `table_missing` where the table is named but not there. */
  error?: string;
  message?: string;
}

export interface LineAnswer extends Worth {
  position: string;
  line: string[];
  end: 'finished' | 'repetition' | 'cut';
  positions: string[];
  values: Value[];
}

export interface TableRow {
  table: string;
  positions: number;
  win: number;
  loss: number;
  draw: number;
  longest_win: number;
  longest_loss: number;
  longest_win_position?: string;
  longest_loss_position?: string;
  wld_bytes: number;
  dtw_bytes: number | null;
  wld_checksum?: string | null;
  dtw_checksum?: string | null;
  pieces: number;
  in_hand: number;
  leads_to: string[];
}

export interface TableAnswer extends TableRow {
  plies?: Record<string, number>;
}

export interface Puzzle {
  position: string;
  plies: number;
  solution: string;
}

export type Mistake = 'win_to_draw' | 'win_to_loss' | 'draw_to_loss';

export interface ReviewedTurn {
  move: string;
  side: Side;
  before: Value | null;
  after: Value | null;
  best: string[];
  mistake: Mistake | null;
  plies_lost: number | null;
  only_move: boolean;
  position: string;
  /** What a search thinks of the turn, where the tables do not know. */
  estimate?: Estimate;
  /** What a search would have played, where the tables do not know. */
  estimated_best?: Estimate & { move: string };
}

export interface Review {
  start: string;
  turns: ReviewedTurn[];
  result: Finished | null;
  problems: string[];
}

export interface Reply {
  move: string;
  position: string;
}

export type Level = 'low' | 'medium' | 'high' | 'perfect';

export interface Clock {
  white_ms: number;
  black_ms: number;
  running: Side | null;
  increment_ms: number;
}

export interface Offers {
  draw: Side | null;
  takeback: Side | null;
  rematch: Side | null;
}

export interface GameState {
  id: string;
  ruleset: string;
  start: string;
  turns: string[];
  positions: string[];
  seq: number;
  to_move: Side | null;
  clock: Clock | null;
  result: Finished | null;
  offers: Offers;
  rematch_id: string | null;
  present: { white: boolean; black: boolean; watchers: number };
  last_turn_unix_ms: number;
}

export interface NewGame {
  id: string;
  seats: { white: string; black: string };
  links: { white: string; black: string; watch: string };
  you: Side;
}

export const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');
