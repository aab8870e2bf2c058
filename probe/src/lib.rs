//! Looks up positions in a database: who wins, how fast, and by which move?
//!
//! ```no_run
//! use endmill_games::{Notation, morris};
//! use endmill_probe::Database;
//!
//! let database = Database::open("data/db", morris::nine())?;
//! let position = database.game().parse_position("W:Wa1,d1,g7:Bb2,b4,d6")?;
//! println!("{}", database.probe(&position)?);
//! for ranked in database.moves(&position)? {
//!     println!("{:?} {:?}", ranked.turn, ranked.value);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Database`] finds the table of a position in its `table_set`, which keeps a bounded number of
//! files open; `lookup` turns the rank of the position into an outcome or a value, through a bounded
//! `cache` of decoded blocks; distances that a compact database leaves out are `derived` from the
//! turns. No other module knows how values are stored.
//!
//! An answer is a *proved* value, or an error that names the file at fault. A finished game has a
//! value too: a loss in 0 plies for the side to move, or a draw if a rule says so.
//!
//! Programs that know the game only at run time use an [`AnyDatabase`], with texts or setups.
//! [`answers`] has the types of its answers, which serialise.
//!
//! All questions take `&self`; any number of threads may ask. `docs/probing.md` is the guide for
//! authors of engines.

pub mod answers;
mod any;
mod blocks;
mod cache;
mod cached;
mod coverage;
mod database;
mod derived;
mod draw_rank;
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

pub use endmill_dbformat::StoredRank;
pub use endmill_games::Verdict;
pub use endmill_games::value::Score;

pub use any::{AnyDatabase, AnyGame, open_any, rules_only};
pub use cached::Cached;
pub use coverage::{Coverage, CoveredTable};
pub use database::Database;
pub use draw_rank::DrawRank;
pub use error::{ProbeError, Result};
pub use input::{PositionInput, TurnInput};
pub use line::{Line, LineEnd, Step};
pub use moves::{RankedTurn, TurnOrder, TurnValue};
pub use options::{Access, Options};
pub use prober::{ProbeContext, Prober};
pub use review::Advisor;
pub use sample::{Random, SampleFilter};
