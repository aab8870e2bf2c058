//! Answers as data: what the program prints with `--json`, and what a server, a Python package and
//! the C interface hand on.
//!
//! Every type serialises (serde) with the field names that `docs/plug-in.md` promises: later
//! versions may add fields, none is renamed or removed. Texts are in the first notation of the
//! game. Fields that a program in Rust wants in a better form than JSON has are public too, and
//! not serialised.
//!
//! | file | answers |
//! |---|---|
//! | `value` | what a position or a turn is worth |
//! | `state` | what stands where, whose move it is, whether the game is over |
//! | `turn` | a turn: its text, its places, where it leads |
//! | `position` | a position with all its turns |
//! | `line`, `tree`, `sample` | the questions of the same names |
//! | `review` | a game with what each turn was worth |
//! | `statistics`, `coverage` | what a database holds |
//! | `ruleset` | what a ruleset is, and its board |
//! | `plan` | what a build would do |
//! | `refusal` | why there is no answer |

mod coverage;
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
