//! The morris family: boards and rules as data, one implementation of [`Game`] for all of them.
//!
//! [`board`] is the ground: points, edges, lines and the symmetries that follow. [`rules`] lists
//! the rulesets. `moves` has turns beside un-moves; `tables` says which material can arise; `rows`,
//! `columns` and `index` number the positions of a table; `group` lays them out for solving, `seed`,
//! `unsteps` and `forward` look at a row's turns before, while and after it is solved; `placing`
//! sweeps the tables with men in hand, by `shadow` where a set of men gets one more; `clues` says
//! what there is to see in a position, `evaluate` how good it looks; `notation`, `fen` and `diagram`
//! are the texts.

pub mod board;
mod clues;
mod columns;
mod diagram;
mod evaluate;
mod fen;
mod forward;
mod group;
mod index;
mod moves;
mod notation;
mod placing;
mod position;
mod rows;
pub mod rules;
mod seed;
mod shadow;
mod squeezed;
mod tables;
mod unsteps;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use self::board::Board;
pub use self::group::MorrisGroup;
use self::index::Numbering;
pub use self::position::{Force, Position, Table, Turn};
use self::rows::Rows;
pub use self::rules::{RULESETS, Rules};
use crate::bits::Bits;
use crate::clue::Clue;
use crate::diagram::Diagram;
use crate::error::{ParseError, Problem};
use crate::game::{Colour, Cost, Description, Game};
use crate::reading::Reading;
use crate::setup::Setup;
use crate::value::Value;

/// More men than any ruleset gives a side, plus one.
const SIZES: usize = 13;

/// A morris game with its rules. What numbering needs is worked out when first asked for.
#[derive(Debug)]
pub struct Morris {
    rules: &'static Rules,
    board: Board,
    bits: Bits,
    /// By men.
    rows: [OnceLock<Rows>; SIZES],
    /// By men on the row side, then by men on the column side.
    numberings: [[OnceLock<Numbering>; SIZES]; SIZES],
    reached: OnceLock<BTreeSet<Table>>,
}

impl Morris {
    /// Sets up a ruleset.
    pub fn new(rules: &'static Rules) -> Morris {
        Morris {
            rules,
            board: Board::new(rules.board),
            bits: Bits::detect(),
            rows: Default::default(),
            numberings: Default::default(),
            reached: OnceLock::new(),
        }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The rules.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }
}

impl Game for Morris {
    type Position = Position;
    type Turn = Turn;
    type Table = Table;
    type Group<'g> = MorrisGroup<'g>;

    fn description(&self) -> Description {
        let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let Rules {
            flying,
            moves_while_placing,
            full_board_draws,
            ..
        } = *self.rules;
        Description {
            id: self.rules.id.to_owned(),
            game: "morris",
            title: self.rules.title.to_owned(),
            points: self.board.points() as u32,
            edges: self.board.edges(),
            lines: self.board.lines().len() as u32,
            symmetries: self.board.symmetries().len() as u32,
            men: u32::from(self.rules.men),
            options: vec![
                ("flying", yes_no(flying)),
                ("moves-while-placing", yes_no(moves_while_placing)),
                ("full-board-draws", yes_no(full_board_draws)),
            ],
        }
    }

    fn rules_text(&self) -> String {
        self.rules.text()
    }

    fn start(&self) -> Position {
        Position {
            men: [0; 2],
            hand: [self.rules.men; 2],
            turn: Colour::White,
        }
    }

    fn tables(&self, pieces: Option<u32>) -> Vec<Table> {
        let reached = self.reached_tables().iter().copied();
        let wanted = reached.filter(|&table| match pieces {
            Some(most) => table.in_hand() == 0 && self.pieces(table) <= most,
            None => true,
        });
        self.in_solving_order(wanted.collect())
    }

    fn size(&self, table: Table) -> u64 {
        index::count_orbits(&self.board, table.mover.men, table.opponent.men)
    }

    fn partner(&self, table: Table) -> Table {
        table.swapped()
    }

    fn solved_together(&self, table: Table) -> Vec<Table> {
        let partner = table.swapped();
        let both = partner != table && self.reached_tables().contains(&partner);
        if both && self.steps_in(table) {
            vec![table, partner]
        } else {
            vec![table]
        }
    }

    fn has_inside_turns(&self, table: Table) -> bool {
        table.in_hand() == 0 || self.rules.moves_while_placing
    }

    fn cost(&self, table: Table, plies: bool) -> Cost {
        // The moving and the placing tables of nine men's morris; in Lasker's game, where men move
        // while others are in hand, all tables up to ten men.
        let nanoseconds = match (self.has_inside_turns(table), table.in_hand() > 0, plies) {
            (true, false, _) => 280.0,
            (true, true, _) => 520.0,
            (false, _, true) => 220.0,
            (false, _, false) => 160.0,
        };
        let bytes = match (self.has_inside_turns(table), plies) {
            (true, true) => 0.265,
            (true, false) => 0.045,
            (false, true) => 0.28,
            (false, false) => 0.048,
        };
        Cost { nanoseconds, bytes }
    }

    fn outside(&self, table: Table) -> Vec<Table> {
        self.tables_after(table)
    }

    fn pieces(&self, table: Table) -> u32 {
        u32::from(table.mover.men + table.opponent.men)
    }

    fn pieces_in_hand(&self, table: Table) -> u32 {
        u32::from(table.in_hand())
    }

    fn group(&self, table: Table) -> MorrisGroup<'_> {
        MorrisGroup::new(self, table)
    }

    fn table_of(&self, position: &Position) -> Option<Table> {
        (position.total(0) >= 3).then(|| position.material())
    }

    fn rank(&self, position: &Position) -> u64 {
        self.index_of(position)
    }

    fn unrank(&self, table: Table, index: u64) -> Position {
        self.position_of(table, index)
    }

    fn node(&self, position: &Position) -> usize {
        self.node_of(position)
    }

    fn stabiliser(&self, position: &Position) -> u32 {
        let images = self.images(position).into_iter();
        images.filter(|image| image == position).count() as u32
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        let symmetries = self.board.symmetries().iter();
        symmetries
            .map(|symmetry| Position {
                men: position.men.map(|men| symmetry.apply(men)),
                ..*position
            })
            .collect()
    }

    fn clues(&self, table: Table, range: Range<u64>, clues: &mut Vec<Clue>) {
        self.clues_of(table, range, clues);
    }

    fn finished(&self, position: &Position) -> Option<Value> {
        self.value_if_finished(position)
    }

    fn turns(&self, position: &Position, turns: &mut Vec<Turn>) {
        turns.clear();
        self.visit_turns(position, |turn| turns.push(turn));
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        self.after(position, turn)
    }

    fn is_inside(&self, _: &Position, turn: &Turn) -> bool {
        turn.from.is_some() && turn.removed.is_none()
    }

    fn is_capture(&self, _: &Position, turn: &Turn) -> bool {
        turn.removed.is_some()
    }

    fn evaluate(&self, position: &Position) -> i32 {
        self.estimate(position)
    }

    fn unmoves(&self, position: &Position, positions: &mut Vec<Position>) {
        positions.clear();
        self.visit_unmoves(position, |before| positions.push(before));
    }

    fn visit_routes(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        self.visit_turns(position, |turn| visit(self.after(position, &turn)));
    }

    fn count_routes(&self, position: &Position) -> u64 {
        self.count_turns(position)
    }

    fn legal(&self, setup: &Setup) -> Result<Position, Problem> {
        self.legal_position(setup)
    }

    fn setup(&self, position: &Position) -> Setup {
        self.setup_of(position)
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.turn
    }

    fn in_hand(&self, position: &Position, side: Colour) -> u32 {
        u32::from(position.hand[usize::from(side != position.turn)])
    }

    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        if text.trim().eq_ignore_ascii_case("start") {
            return Ok(self.start());
        }
        let setup = if fen::is_fen(text) {
            self.read_fen(text)?
        } else {
            self.read_setup(text)?
        };
        Ok(self.legal(&setup)?)
    }

    fn format_position(&self, position: &Position) -> String {
        self.write_position(position)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, ParseError> {
        self.read_legal_turn(position, text)
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Reading<Turn>, ParseError> {
        self.read_partial_turn(position, text)
    }

    fn format_turn(&self, _: &Position, turn: &Turn) -> String {
        self.write_turn(turn)
    }

    /// A removal is a word of its own, as in the common morris programs: `a1-a4 xg7`.
    fn turn_words(&self, _: &Position, turn: &Turn) -> Vec<String> {
        let step = Turn {
            removed: None,
            ..*turn
        };
        let removal = turn
            .removed
            .map(|point| format!("x{}", self.board.name(point)));
        std::iter::once(self.write_turn(&step))
            .chain(removal)
            .collect()
    }

    fn parse_table(&self, text: &str) -> Result<Table, ParseError> {
        self.read_table(text)
    }

    fn diagram(&self, position: &Position) -> Diagram {
        self.draw(position)
    }
}
