// The page's names for the answers of the server, whose types are generated (`npm run types`).
import type * as schema from './schema';

export type {
  Estimate,
  GameState,
  Level,
  LineAnswer,
  Man,
  Mistake,
  NewGame,
  Outcome,
  PositionText,
  Puzzle,
  ReviewedGame,
  ReviewedTurn,
  SetupRequest,
} from './schema';

export type Clock = schema.ClockAnswer;
export type CreatedGame = schema.CreatedGame;
export type EngineMove = schema.EngineMove;
export type Finished = schema.Finished;
export type Geometry = schema.GeometryAnswer;
export type Move = schema.MoveAnswer;
export type Path = schema.PathAnswer;
export type Point = schema.PlaceAnswer;
export type Side = schema.Colour;
export type Value = schema.ValueAnswer;

/** A ruleset of the server, which always has the coverage of its database. */
export type Ruleset = schema.RulesetStatus & { coverage: schema.CoverageAnswer };
/** What is known of a position or a move: a value, an estimate, or neither. */
export type Worth = Value & Pick<schema.PositionAnswer, 'estimate' | 'draw_rank'>;
/** How good a draw is. */
export type DrawRank = schema.DrawRankAnswer;
/** A position without its moves. */
export type Position = schema.PositionAnswer;
/** A position with its moves. */
export type PositionAnswer = Position & { moves: Move[] };
/** A table, with the fields that only answers about several tables together omit. */
export type Table = schema.TableAnswer & { table: string; pieces: number; in_hand: number; leads_to: string[] };

export const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');
