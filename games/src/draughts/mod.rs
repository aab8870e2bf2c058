//! English draughts (checkers): the rules, and how positions are written and numbered.
//!
//! | file | idea |
//! |---|---|
//! | `board` | squares as bits, seen by the side to move |
//! | `moves` | steps, captures, and what they do |
//! | `unmoves` | steps reversed |
//! | `table` | material, and the order in which tables are solved |
//! | `index` | the numbering: slices of equal men, kings within |
//! | `features`, `scan` | features for the codecs |
//! | `estimate` | the evaluation |
//! | `setup` | setups to positions and back |
//! | `notation` | PDN positions and turns, table names |
//! | `diagram` | the board drawn on a console |
//!
//! The rules, as in the match play of the English game: captures are mandatory, with a free choice
//! between them; a capture continues until the piece can jump no further; no piece is jumped twice,
//! and jumped pieces leave the board when the turn is over; men move and capture forwards only; a
//! man that reaches the last row becomes a king, and that ends the turn; a side that cannot move
//! loses.

pub mod board;
mod diagram;
mod estimate;
mod features;
mod index;
pub mod moves;
mod notation;
mod scan;
mod setup;
mod table;
mod unmoves;
mod words;

pub use board::{Position, Side};
pub use moves::Turn;
pub use table::{Material, Table};

use crate::bits::Bits;
use crate::clipboard;
use crate::colour::Colour;
use crate::description::Description;
use crate::diagram::Diagram;
use crate::ending::Ending;
use crate::error::{ParseError, Problem};
use crate::geometry::Geometry;
use crate::notation::{Interchange, Notation};
use crate::path::Path;
use crate::piece::PieceKind;
use crate::reading::Reading;
use crate::rules::Rules;
use crate::rules_file::Mistake;
use crate::ruleset::OwnRules;
use crate::setup::Setup;
use crate::transform::Transform;
use crate::value::Value;

/// English draughts.
#[derive(Clone, Debug)]
pub struct Draughts {
    bits: Bits,
    blocks: Box<index::Blocks>,
}

/// The name and value of every rule in which kinds of draughts differ.
const OPTIONS: [(&str, &str); 8] = [
    (
        "board",
        "32 squares, 1-4 the first row, 1 touches 5 and 6, 4 touches 8",
    ),
    (
        "start",
        "black men 1-12, white men 21-32, black moves first, to higher squares",
    ),
    ("men", "one step forwards, capture forwards"),
    ("kings", "one step any way, capture any way, do not fly"),
    (
        "captures",
        "mandatory, free choice, multiple jumps completed",
    ),
    (
        "jumped pieces",
        "once each, lifted after the turn, the start square counts as empty",
    ),
    ("crowning", "on the last row, ends the turn"),
    ("end", "no turn loses, endless play draws"),
];

impl Draughts {
    /// The ruleset's id.
    pub const ID: &'static str = "draughts";

    /// The instructions of this processor.
    #[inline]
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// Detects the processor and sets up the numbering.
    pub fn new() -> Draughts {
        Draughts {
            bits: Bits::detect(),
            blocks: index::blocks(),
        }
    }
}

/// The ids of the rulesets: there is one.
pub fn ids() -> impl Iterator<Item = &'static str> {
    std::iter::once(Draughts::ID)
}

/// The game of a ruleset, if it is one of these.
pub fn of(ruleset: crate::Ruleset) -> Option<Draughts> {
    (ruleset.id() == Draughts::ID).then(Draughts::new)
}

/// Draughts has no rules files.
pub fn read_rules(_: &str) -> Option<Result<OwnRules, Vec<Mistake>>> {
    None
}

impl Default for Draughts {
    fn default() -> Draughts {
        Draughts::new()
    }
}

impl Rules for Draughts {
    type Position = Position;
    type Turn = Turn;

    fn description(&self) -> Description {
        Description {
            id: Draughts::ID.to_owned(),
            game: "draughts",
            title: "English draughts (checkers)".to_owned(),
            points: 32,
            edges: 49,
            symmetries: 1,
            men: table::MOST,
            options: OPTIONS
                .map(|(name, value)| (name, value.to_owned()))
                .to_vec(),
            words: words::WORDS.map(str::to_owned).to_vec(),
            ..Description::default()
        }
    }

    fn rules_text(&self) -> String {
        let rules = OPTIONS.map(|(name, value)| format!("{name}: {value}\n"));
        format!("{} numbering=2\n{}", Draughts::ID, rules.concat())
    }

    fn start(&self) -> Position {
        Position::START
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.colour
    }

    fn finished(&self, position: &Position) -> Option<Value> {
        (!moves::can_move(position)).then_some(Value::LOST)
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        self.finished(position)?;
        Some(Ending {
            winner: Some(position.colour.other()),
            reason: if position.own.pieces() == 0 {
                "no pieces"
            } else {
                "no turn"
            },
        })
    }

    fn turns(&self, position: &Position, turns: &mut Vec<Turn>) {
        moves::turns(position, turns);
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        moves::play(position, turn)
    }

    fn visit_routes(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        moves::visit_routes(position, |turn| visit(moves::play(position, &turn)));
    }

    fn count_routes(&self, position: &Position) -> u64 {
        moves::count_routes(position)
    }
}

impl Notation for Draughts {
    const KINDS: &'static [PieceKind] = setup::KINDS;

    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        notation::parse_position(&clipboard::bare(text))
    }

    fn format_position(&self, position: &Position) -> String {
        notation::format_position(position)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, ParseError> {
        notation::parse_turn(position, text)
    }

    fn format_turn(&self, position: &Position, turn: &Turn) -> String {
        notation::format_turn(position, turn)
    }

    fn legal(&self, setup: &Setup) -> Result<Position, Problem> {
        setup::legal(setup)
    }

    fn setup(&self, position: &Position) -> Setup {
        setup::setup(position)
    }

    fn diagram(&self, position: &Position) -> Diagram {
        diagram::draw(position)
    }

    fn geometry(&self) -> Geometry {
        diagram::geometry()
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Reading<Turn>, ParseError> {
        notation::read_turn(position, text)
    }

    fn path(&self, position: &Position, turn: &Turn) -> Path {
        notation::path(position, turn)
    }

    /// Positions are stored as the side to move sees them, so only the colour changes.
    fn transformed(&self, position: &Position, by: Transform) -> Result<Position, Problem> {
        match by {
            Transform::Swap => Ok(Position {
                colour: position.colour.other(),
                ..*position
            }),
            Transform::Flip | Transform::Mirror => Err(by.not_in(Draughts::ID)),
        }
    }
}

impl Interchange for Draughts {
    /// PDN gives only the first and the last square of a capture where that is enough.
    fn record_turn(&self, position: &Position, turn: &Turn) -> String {
        notation::short_turn(position, turn)
    }
}
