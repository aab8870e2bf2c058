//! Answers as data: the JSON of the program and the server, and the source of the answers of the Python
//! package and the C interface.
//!
//! Every type serialises (serde) with the field names that `docs/json.md` promises: later
//! versions may add fields, but never rename or remove one. Texts are in the first notation of the
//! game. Fields that are not serialised give Rust programs a better form of the same data.
//!
//! | file | answers |
//! |---|---|
//! | `value` | the value of a position or a turn |
//! | `state` | the men on the board, the side to move, whether the game is over |
//! | `turn` | a turn: its text, its places, where it leads |
//! | `position` | a position with all its turns |
//! | `draw_rank` | how good a draw is |
//! | `line`, `tree`, `sample` | the commands of the same names |
//! | `review` | a game with the value of each turn |
//! | `statistics`, `coverage` | the contents of a database |
//! | `ruleset` | a ruleset and its board |
//! | `plan` | the work and cost of a build |
//! | `refusal` | errors |

mod coverage;
mod draw_rank;
mod line;
mod plan;
mod position;
mod refusal;
mod review;
mod ruleset;
mod sample;
mod state;
mod statistics;
mod tree;
mod turn;
mod value;

pub use coverage::CoverageAnswer;
pub use draw_rank::{DrawRankAnswer, PerhapsRank, RankCount};
pub use line::LineAnswer;
pub use plan::{PlanAnswer, PlanTotal, PlannedTable};
pub use position::{MoveAnswer, PositionAnswer};
pub use refusal::{Reason, Refusal};
pub use review::{
    Mistake, Opinion, RecordProblemAnswer, ReviewAnswer, ReviewSummary, ReviewedTurn, SideSummary,
};
pub use ruleset::{BoardAnswer, GeometryAnswer, MemoryAnswer, PlaceAnswer, RulesetAnswer};
pub use sample::{SampleAnswer, SampledPosition};
pub use state::{Head, Man, StateAnswer};
pub use statistics::{HandLayer, StatisticsAnswer, TableAnswer};
pub use tree::{Branch, TreeAnswer};
pub use turn::{PathAnswer, TurnAnswer};
pub use value::{Estimate, ValueAnswer};

pub(crate) use statistics::sorted_tables;
pub(crate) use turn::PlaceNames;
