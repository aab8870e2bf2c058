//! What a position is: rules, turns, un-moves, notation and the numbering of positions, for every
//! game Endmill knows.
//!
//! A position takes this way through the crate: a text is [read](Game::parse_position) into a
//! legal position; its [table](Game::table_of) and [rank](Game::rank) say where its value is
//! stored; [`turns`](Game::turns) and [`play`](Game::play) lead forwards to the positions that
//! decide its value, [`unmoves`](Game::unmoves) backwards to those that depend on it.
//!
//! Everything that works on "any game" is generic over [`Game`]; [`Ruleset::visit`] is the one
//! place where an id known only at run time becomes a type.

mod bits;
mod clue;
mod combinadics;
mod diagram;
pub mod draughts;
mod error;
mod game;
pub mod group;
pub mod morris;
mod perft;
mod reading;
mod resolve;
mod ruleset;
mod scanner;
mod setup;
mod value;
pub mod values;

pub use clue::{Clue, NEAR, VIEWS};
pub use diagram::{Charset, Diagram, Mark};
pub use error::{ParseError, Problem, UnknownRuleset};
pub use game::{Colour, Cost, Description, Game};
pub use perft::{divide, perft};
pub use reading::{Partial, Reading};
pub use resolve::best_turn;
pub use ruleset::{Ruleset, Visitor, rulesets};
pub use setup::Setup;
pub use value::{Outcome, Value};
