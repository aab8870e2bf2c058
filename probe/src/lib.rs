//! Looks positions up in a database: who wins from here, how fast, and by which move?
//!
//! ```no_run
//! use endmill_games::{Notation, morris};
//! use endmill_probe::Database;
//!
//! let database = Database::open("data/db", morris::nine())?;
//! let position = database.game().parse_position("W:Wa1,d1,g7:Bb2,b4,d6")?;
//! println!("{}", database.probe(&position)?);
//! for ranked in database.moves(&position)? {
//!     println!("{:?} {:?}", ranked.turn, ranked.answer);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a question: [`Database`] finds the table of a position in its `table_set`, which keeps a
//! bounded number of files open; `lookup` turns the position's number into an outcome or a value,
//! through a bounded `cache` of decoded blocks; distances that a compact database leaves out are
//! `derived` from the turns. Nothing else here knows how values are stored.
//!
//! An answer is a value that is *proved*, or an error that says which file stands in the way. A
//! finished game is a value: its side to move has lost in 0 plies (or drawn, where a rule says so).
//!
//! Whoever knows the game only at run time asks an [`AnyDatabase`], by texts or by setups;
//! [`answers`] has what it answers, ready to be serialised.
//!
//! All questions take `&self`, from as many threads as there are. `docs/plug-in.md` is the guide
//! for authors of engines.

pub mod answers;
mod any;
mod blocks;
mod cache;
mod cached;
mod coverage;
mod database;
mod derived;
mod error;
mod input;
mod line;
mod lookup;
mod moves;
mod options;
mod prober;
mod review;
mod sample;
mod table_set;

pub use endmill_games::Verdict;

pub use any::{AnyDatabase, AnyGame, open_any, rules_only};
pub use cached::Cached;
pub use coverage::{Coverage, CoveredTable};
pub use database::Database;
pub use error::{ProbeError, Result};
pub use input::{PositionInput, TurnInput};
pub use line::{Line, LineEnd, Step};
pub use moves::{RankedTurn, TurnOrder, TurnValue};
pub use options::{Access, Options};
pub use prober::{ProbeContext, Prober};
pub use review::Advisor;
pub use sample::{Random, SampleFilter};
