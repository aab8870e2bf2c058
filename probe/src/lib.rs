//! Looks positions up in a database: who wins from here, how fast, and by which move?
//!
//! ```no_run
//! use games::{Game, morris};
//! use probe::Database;
//!
//! let rules = morris::RULESETS.iter().find(|rules| rules.id == "nine").expect("it is there");
//! let database = Database::open("data/db".as_ref(), morris::Morris::new(rules))?;
//! let position = database.game().parse_position("W:Wa1,d1,g7:Bb2,b4,d6")?;
//! println!("{}", database.probe(&position)?);
//! for ranked in database.moves(&position)? {
//!     println!("{:?} {:?}", ranked.turn, ranked.answer);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a question: [`Database`] finds the table of a position in its `shelf`, which keeps a
//! bounded number of files open; `lookup` turns the position's number into an outcome or a value,
//! through a bounded `cache` of decoded blocks. Nothing else here knows how values are stored.
//!
//! An answer is a value that is *proved*, or an error that says which file stands in the way. A
//! finished game is a value: its side to move has lost in 0 plies (or drawn, where a rule says so).
//!
//! All questions take `&self`, from as many threads as there are. `docs/plug-in.md` is the guide
//! for authors of engines.

mod cache;
mod coverage;
mod database;
mod error;
mod line;
mod lookup;
mod moves;
mod options;
mod sample;
mod shelf;
mod verdict;

pub use coverage::{Coverage, Covered};
pub use database::Database;
pub use error::{ProbeError, Result};
pub use line::{Line, LineEnd, Step};
pub use moves::{Answer, Ranked};
pub use options::{Access, Options};
pub use sample::Wanted;
pub use verdict::Verdict;
