//! English draughts (checkers): the rules, and how positions are written and numbered.
//!
//! | file | idea |
//! |---|---|
//! | `board` | squares as bits, seen by the side to move |
//! | `moves` | steps, captures, and what they do |
//! | `unmoves` | steps taken back |
//! | `table` | material, and the order in which tables are solved |
//! | `index` | the numbering: slices of equal men, kings within |
//! | `view` | slices as rows and columns |
//! | `group` | tables laid out for solving: parts of equal men |
//! | `seed` | what is known of a part before it is solved |
//! | `clues` | how positions look, for the codec |
//! | `evaluate` | how good a position looks |
//! | `setup` | from sets of squares by colours to a position and back |
//! | `notation` | PDN positions and turns, table names |
//! | `diagram` | the board drawn on a console |
//!
//! The rules, as in the match play of the English game: captures are mandatory, any of them may be
//! chosen; a capture goes on until the piece can jump no further; no piece is jumped twice, and
//! the pieces jumped leave the board when the turn is over; men go and capture forwards only; a
//! man that reaches the last row becomes a king, and that ends the turn; who cannot move has lost.

mod board;
mod clues;
mod diagram;
mod evaluate;
mod forward;
mod group;
mod index;
mod look;
mod moves;
mod notation;
mod seed;
mod setup;
mod table;
mod unmoves;
mod view;

pub use board::{Position, Side};
pub use group::{DraughtsGroup, DraughtsPart};
pub use moves::Turn;
pub use table::{Material, Table};

use std::ops::Range;

use crate::bits::Bits;
use crate::clue::Clue;
use crate::diagram::Diagram;
use crate::error::{ParseError, Problem};
use crate::game::{Colour, Cost, Description, Game};
use crate::reading::Reading;
use crate::setup::Setup;
use crate::value::Value;

/// English draughts.
#[derive(Clone, Debug)]
pub struct Draughts {
    bits: Bits,
    blocks: Box<index::Blocks>,
}

/// Name and value of every rule in which kinds of draughts differ.
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

    /// Looks at the processor and sets up the numbering.
    pub fn new() -> Draughts {
        Draughts {
            bits: Bits::detect(),
            blocks: index::blocks(),
        }
    }
}

impl Default for Draughts {
    fn default() -> Draughts {
        Draughts::new()
    }
}

impl Game for Draughts {
    type Position = Position;
    type Turn = Turn;
    type Table = Table;
    type Group<'g> = DraughtsGroup<'g>;

    fn description(&self) -> Description {
        Description {
            id: Draughts::ID.to_owned(),
            game: "draughts",
            title: "English draughts (checkers)".to_owned(),
            points: 32,
            edges: 49,
            lines: 0,
            symmetries: 1,
            men: table::MOST,
            options: OPTIONS
                .map(|(name, value)| (name, value.to_owned()))
                .to_vec(),
        }
    }

    fn rules_text(&self) -> String {
        let rules = OPTIONS.map(|(name, value)| format!("{name}: {value}\n"));
        format!("{} numbering=2\n{}", Draughts::ID, rules.concat())
    }

    fn start(&self) -> Position {
        Position::START
    }

    /// Without a limit all 8,100 tables, the start position's included: each of them can be
    /// numbered, though most are too large to be solved.
    fn tables(&self, pieces: Option<u32>) -> Vec<Table> {
        Table::up_to(pieces.unwrap_or(2 * table::MOST))
    }

    fn size(&self, table: Table) -> u64 {
        self.table_size(table)
    }

    fn partner(&self, table: Table) -> Table {
        table.partner()
    }

    fn solved_together(&self, table: Table) -> Vec<Table> {
        let partner = table.partner();
        if partner == table {
            vec![table]
        } else {
            vec![table, partner]
        }
    }

    fn cost(&self, _: Table, plies: bool) -> Cost {
        // All tables with up to six pieces.
        Cost {
            nanoseconds: 420.0,
            bytes: if plies { 0.17 } else { 0.012 },
        }
    }

    fn outside(&self, table: Table) -> Vec<Table> {
        table.outside()
    }

    fn pieces(&self, table: Table) -> u32 {
        table.pieces()
    }

    fn group(&self, table: Table) -> DraughtsGroup<'_> {
        DraughtsGroup::new(self, table)
    }

    fn table_of(&self, position: &Position) -> Option<Table> {
        Table::of(position)
    }

    #[inline]
    fn rank(&self, position: &Position) -> u64 {
        self.rank_position(position)
    }

    #[inline]
    fn unrank(&self, table: Table, index: u64) -> Position {
        self.unrank_position(table, index)
    }

    fn node(&self, position: &Position) -> usize {
        self.rank(position) as usize
    }

    fn stabiliser(&self, _: &Position) -> u32 {
        1
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        vec![*position]
    }

    /// Captures are mandatory: whoever can capture makes no other turn.
    #[inline]
    fn is_resolved(&self, position: &Position) -> bool {
        moves::jumpers(position) != 0
    }

    fn resolved_from(&self, table: Table) -> Vec<Table> {
        table.after_captures()
    }

    fn clues(&self, table: Table, range: Range<u64>, clues: &mut Vec<Clue>) {
        assert!(range.end <= self.size(table), "{table} has fewer positions");
        clues.clear();
        self.clues_of(table, range, clues);
    }

    fn finished(&self, position: &Position) -> Option<Value> {
        (!moves::can_move(position)).then_some(Value::LOST)
    }

    fn turns(&self, position: &Position, turns: &mut Vec<Turn>) {
        moves::turns(position, turns);
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        moves::play(position, turn)
    }

    fn is_inside(&self, _: &Position, turn: &Turn) -> bool {
        turn.captured() == 0 && !turn.crowns()
    }

    fn is_capture(&self, _: &Position, turn: &Turn) -> bool {
        turn.captured() != 0
    }

    fn evaluate(&self, position: &Position) -> i32 {
        evaluate::estimate(position)
    }

    fn unmoves(&self, position: &Position, positions: &mut Vec<Position>) {
        unmoves::unmoves(position, positions);
    }

    fn visit_routes(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        moves::visit_routes(position, |turn| visit(moves::play(position, &turn)));
    }

    fn count_routes(&self, position: &Position) -> u64 {
        moves::count_routes(position)
    }

    fn legal(&self, setup: &Setup) -> Result<Position, Problem> {
        setup::legal(setup)
    }

    fn setup(&self, position: &Position) -> Setup {
        setup::setup(position)
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.colour
    }

    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        notation::parse_position(text)
    }

    fn format_position(&self, position: &Position) -> String {
        notation::format_position(position)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, ParseError> {
        notation::parse_turn(position, text)
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Reading<Turn>, ParseError> {
        notation::read_turn(position, text)
    }

    fn format_turn(&self, position: &Position, turn: &Turn) -> String {
        notation::format_turn(position, turn)
    }

    fn parse_table(&self, text: &str) -> Result<Table, ParseError> {
        notation::parse_table(text)
    }

    fn diagram(&self, position: &Position) -> Diagram {
        diagram::draw(position)
    }
}
