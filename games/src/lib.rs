//! The games: rules, turns, un-moves, notation and the numbering of positions.
//!
//! Each job has a small trait, so code for "any game" depends on no more than it needs:
//!
//! | trait | what it says | who needs it |
//! |---|---|---|
//! | [`Rules`] | positions, turns, play, whose move, when the game is over | everyone |
//! | [`Numbering`] | tables, sizes, rank and unrank | solver, files, probe |
//! | [`Features`] | what a codec may look at, what is not stored | solver, files, probe |
//! | [`Notation`] | texts, setups, drawings | programs |
//! | [`Interchange`] | what other programs write | engine protocols, records |
//! | [`Evaluate`] | how good a position looks | engine |
//! | [`Unmoves`] | turns taken back | the laws |
//!
//! [`Game`] is the sum of the first five. Required methods make a game right; methods with a
//! default make it fast, or smaller on disk.
//!
//! How a position flows through the crate: a text is [parsed](Notation::parse_position) into a
//! legal position; its [table](Numbering::table_of) and [rank](Numbering::rank) locate its stored
//! value; [`turns`](Rules::turns) and [`play`](Rules::play) lead forwards to the positions that
//! decide its value.
//!
//! [`Ruleset::visit`] is the one place where an id known only at run time becomes a type.

pub mod bits;
pub mod by_turns;
mod clipboard;
mod colour;
pub mod combinadics;
mod description;
mod diagram;
pub mod draughts;
mod ending;
mod error;
mod evaluate;
mod features;
mod game;
mod geometry;
mod memory;
pub mod morris;
mod notation;
mod numbering;
mod path;
mod perft;
mod piece;
mod reading;
mod rules;
mod rules_file;
mod ruleset;
mod scanner;
mod setup;
mod transform;
pub mod value;

pub use colour::Colour;
pub use description::Description;
pub use diagram::{Charset, Diagram, Mark};
pub use ending::Ending;
pub use error::{ParseError, Problem, RulesetError, UnknownRuleset, UnknownTransform};
pub use evaluate::Evaluate;
pub use features::{Cost, Feature, Features, NEAR, VIEWS};
pub use game::Game;
pub use geometry::{Geometry, Place, PlaceKind};
pub use memory::{Clock, Memory};
pub use notation::{Begun, Interchange, Notation};
pub use numbering::{Numbering, Pieces, Unmoves, parse_tables};
pub use path::Path;
pub use perft::{divide, perft};
pub use piece::{KINDS, PieceKind};
pub use reading::{Partial, Reading};
pub use rules::Rules;
pub use rules_file::{LONGEST_ID, Mistake, RulesFileError};
pub use ruleset::{OwnRules, Ruleset, Visitor, rulesets};
pub use setup::{MEMORY, Setup};
pub use transform::Transform;
pub use value::{Outcome, Value, Verdict};

/// The methods of all traits, for code that works on a game of a known type. [`Game`] is the only
/// name in scope: the others are common words.
pub mod prelude {
    pub use crate::Game;
    pub use crate::{
        Evaluate as _, Features as _, Interchange as _, Notation as _, Numbering as _, Rules as _,
        Unmoves as _,
    };
}
