//! The morris family: boards and rules as data, one implementation of
//! [`Game`](crate::Game) for all of them.
//!
//! [`board`] is the ground: points, edges, lines; [`symmetry`] follows from it. [`rules`] lists the
//! rulesets, [`rules_file`] reads one of a user. [`moves`] has turns beside un-moves, `memory` what a
//! position remembers; `tables` says which material can arise;
//! [`rows`], [`columns`] and [`index`] number the positions of a table; `features` says what there is
//! to see in a position, `estimate` how good it looks; `notation`, `fen` and `diagram` are the
//! texts. What is public beyond the traits is what the layout for solving stands on.

pub mod board;
pub mod columns;
mod diagram;
mod estimate;
mod features;
mod fen;
mod foreign;

pub mod index;
mod memory;
pub mod moves;
mod notation;
mod pending;

mod position;
pub mod rows;
pub mod rules;
pub mod rules_file;
pub mod symmetry;

mod tables;
mod transform;
mod turn_text;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use self::board::Board;
use self::index::TableNumbering;
use self::moves::points;
pub use self::position::{Force, Position, Table, Turn};
use self::rows::Rows;
pub use self::rules::{
    RULESETS, Variant, find, ids, lasker, nine, nine_nofly, of, six, three, twelve,
};
use crate::bits::Bits;
use crate::clipboard;
use crate::colour::Colour;
use crate::description::Description;
use crate::diagram::Diagram;
use crate::ending::Ending;
use crate::error::{ParseError, Problem};
use crate::evaluate::Evaluate;
use crate::features::{Feature, Features};
use crate::geometry::Geometry;
use crate::notation::{Begun, Notation};
use crate::numbering::{Cost, Numbering, Unmoves};
use crate::reading::Reading;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::transform::Transform;
use crate::value::Value;

/// More men than any ruleset gives a side, plus one.
const SIZES: usize = 13;

/// A morris game with its rules. What numbering needs is worked out when first asked for.
#[derive(Debug)]
pub struct Morris {
    rules: Arc<Variant>,
    board: Board,
    bits: Bits,
    /// By men.
    rows: [OnceLock<Rows>; SIZES],
    /// By men on the row side, then by men on the column side.
    numberings: [[OnceLock<TableNumbering>; SIZES]; SIZES],
    reached: OnceLock<BTreeSet<Table>>,
    /// The fewest men with which a side can cause a ban, if any can.
    fewest_to_ban: Option<u32>,
}

impl Morris {
    /// Sets up a ruleset.
    pub fn new(rules: &Variant) -> Morris {
        let mut game = Morris {
            rules: Arc::new(rules.clone()),
            board: Board::new(&rules.board),
            bits: Bits::detect(),
            rows: Default::default(),
            numberings: Default::default(),
            reached: OnceLock::new(),
            fewest_to_ban: None,
        };
        game.fewest_to_ban = game.fewest_to_ban();
        game
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How sets of points are squeezed on this processor.
    #[inline]
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Variant {
        &self.rules
    }
}

impl Rules for Morris {
    type Position = Position;
    type Turn = Turn;

    fn description(&self) -> Description {
        Description {
            id: self.rules.id.clone(),
            game: "morris",
            title: self.rules.title.clone(),
            points: self.board.points() as u32,
            edges: self.board.edges(),
            lines: self.board.lines().len() as u32,
            symmetries: self.board.symmetries().len() as u32,
            men: u32::from(self.rules.men),
            quiet_limit: (self.rules.quiet_limit > 0).then(|| self.rules.quiet_limit.into()),
            bans: self.rules.bans_broken_mills,
            options: self.rules.options(),
            words: self.rules.in_words(),
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
            quiet: 0,
            banned: 0,
        }
    }

    /// Where the rules look back the known counts are those of whole sequences.
    fn counts_ended_games(&self) -> bool {
        self.rules.quiet_limit == 0 && !self.rules.bans_broken_mills
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.turn
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

    fn visit_routes(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        self.visit_turns(position, |turn| visit(self.after(position, &turn)));
    }

    fn count_routes(&self, position: &Position) -> u64 {
        self.count_turns(position)
    }
}

impl Numbering for Morris {
    type Table = Table;

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

    fn pieces(&self, table: Table) -> u32 {
        u32::from(table.mover.men + table.opponent.men)
    }

    fn partner(&self, table: Table) -> Table {
        table.swapped()
    }

    fn outside(&self, table: Table) -> Vec<Table> {
        self.tables_after(table)
    }

    fn table_of(&self, position: &Position) -> Option<Table> {
        let numbered = position.total(0) >= 3 && position.banned == 0;
        numbered.then(|| self.table_with_count(position))
    }

    fn rank(&self, position: &Position) -> u64 {
        self.index_of(position)
    }

    fn unrank(&self, table: Table, index: u64) -> Position {
        self.position_of(table, index)
    }

    fn pieces_in_hand(&self, table: Table) -> u32 {
        u32::from(table.in_hand())
    }

    fn solved_together(&self, table: Table) -> Vec<Table> {
        let partner = table.swapped();
        let both = partner != table && self.reached_tables().contains(&partner);
        if both && self.steps_in(table) && self.has_inside_turns(table) {
            vec![table, partner]
        } else {
            vec![table]
        }
    }

    fn has_inside_turns(&self, table: Table) -> bool {
        table.quiet.is_none() && self.steps_in_group(table)
    }

    fn is_inside(&self, position: &Position, turn: &Turn) -> bool {
        let quiet = turn.from.is_some() && turn.removed == 0;
        quiet && !self.counts_quiet(position.material())
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        let symmetries = self.board.symmetries().iter();
        symmetries
            .map(|symmetry| position.carried(symmetry))
            .collect()
    }

    fn parse_table(&self, text: &str) -> Result<Table, ParseError> {
        self.read_table(text)
    }

    fn parse_tables(&self, text: &str) -> Result<Vec<Table>, ParseError> {
        self.read_tables(text)
    }

    fn cost(&self, table: Table, plies: bool) -> Cost {
        // Measured: the moving and the placing tables of nine men's morris, and without plies the
        // placing tables of twelve men's; in Lasker's game, where men move while others are in hand,
        // all tables up to ten men; with a count, morabaraba up to eleven men; with bans, its tables
        // of ten to twelve men, 245, 370 and 600 nanoseconds, and beyond that a guess. Guessed too:
        // placements that take several men, which are worked out turn by turn.
        let moving = table.in_hand() == 0;
        let nanoseconds = match (self.has_inside_turns(table), moving, plies) {
            (_, false, _) if self.rules.removes_for_each_mill => 2500.0,
            (false, true, _) => 160.0,
            (true, true, _) if self.may_leave_bans(table) => {
                let men = table.mover.men + table.opponent.men;
                (150.0 * (f64::from(men) - 8.0)).max(230.0)
            }
            (true, true, _) => 230.0,
            (true, false, _) => 520.0,
            (false, false, true) => 120.0,
            (false, false, false) => 60.0,
        };
        let bytes = match (self.has_inside_turns(table), plies) {
            _ if table.quiet.is_some() => 0.03,
            (true, true) => 0.265,
            (true, false) => 0.045,
            (false, true) => 0.28,
            (false, false) => 0.048,
        };
        Cost { nanoseconds, bytes }
    }
}

impl Unmoves for Morris {
    fn unmoves(&self, position: &Position, positions: &mut Vec<Position>) {
        positions.clear();
        self.visit_unmoves(position, |before| positions.push(before));
    }
}

impl Features for Morris {
    /// A position with a ban is never stored.
    fn is_resolved(&self, position: &Position) -> bool {
        position.banned != 0 && self.value_if_finished(position).is_none()
    }

    /// What has a number has no ban.
    fn stores_every_one(&self, _: Table) -> bool {
        true
    }

    /// The side with more men waits for the other: its turns lead to tables in which the side to
    /// move has fewer men. With as many men on either side that fails where a man is moved, but
    /// where every turn places one, every second layer of men in hand leads to the next.
    fn leaves_plies_out(&self, table: Table) -> bool {
        let (mover, opponent) = (table.mover.total(), table.opponent.total());
        let leads_to_next_layer = table.in_hand() % 2 == 1 && !self.steps_in_group(table);
        // Positions with a ban are decided two turns ahead.
        let one_turn_ahead = !self.may_leave_bans(table);
        one_turn_ahead && (mover > opponent || (mover == opponent && leads_to_next_layer))
    }

    fn features(&self, table: Table, range: Range<u64>, features: &mut Vec<Feature>) {
        self.features_of(table, range, features);
    }
}

impl Notation for Morris {
    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let text = clipboard::bare(text);
        if text.trim().eq_ignore_ascii_case("start") {
            return Ok(self.start());
        }
        let setup = if fen::is_fen(&text) {
            let fen = self.read_fen(&text)?;
            if let Some(pending) = fen.pending {
                return Err(ParseError::at(pending.at, Problem::PendingRemoval));
            }
            fen.setup
        } else {
            self.read_setup(&text)?
        };
        Ok(self.legal(&setup)?)
    }

    fn parse_begun(&self, text: &str) -> Result<Begun<Morris>, ParseError> {
        let bare = clipboard::bare(text);
        if fen::is_fen(&bare) {
            let fen = self.read_fen(&bare)?;
            if let Some(pending) = &fen.pending {
                let (before, begun) = self.beginning_of(&fen.setup, pending)?;
                return Ok((before, Some(begun)));
            }
        }
        Ok((self.parse_position(text)?, None))
    }

    fn format_position(&self, position: &Position) -> String {
        self.write_position(position)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, ParseError> {
        self.read_legal_turn(position, text)
    }

    fn format_turn(&self, _: &Position, turn: &Turn) -> String {
        self.write_turn(turn)
    }

    fn legal(&self, setup: &Setup) -> Result<Position, Problem> {
        self.legal_position(setup)
    }

    fn setup(&self, position: &Position) -> Setup {
        self.setup_of(position)
    }

    fn diagram(&self, position: &Position) -> Diagram {
        self.draw(position)
    }

    fn quiet_limit(&self, position: &Position) -> Option<u32> {
        let counts = self.counts_quiet(position.material());
        counts.then(|| self.rules.quiet_limit.into())
    }

    fn bans(&self, position: &Position) -> Vec<(Colour, String)> {
        let banned = self.board.members(position.banned);
        let owner = |line: usize| match position.men[0] & self.board.lines()[line] {
            0 => position.turn.other(),
            _ => position.turn,
        };
        banned
            .map(|line| (owner(line), self.name_of_line(line)))
            .collect()
    }

    fn geometry(&self) -> Geometry {
        self.board.geometry()
    }

    fn in_hand(&self, position: &Position, side: Colour) -> u32 {
        u32::from(position.hand[usize::from(side != position.turn)])
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Reading<Turn>, ParseError> {
        self.read_partial_turn(position, text)
    }

    fn turn_elsewhere(&self, text: &str) -> Option<String> {
        foreign::turn(&self.board, text)
    }

    /// A removal is a word of its own, as in the common morris programs: `a1-a4 xg7`.
    fn turn_words(&self, _: &Position, turn: &Turn) -> Vec<String> {
        let step = Turn {
            removed: 0,
            ..*turn
        };
        let removals = points(turn.removed).map(|point| format!("x{}", self.board.name(point)));
        std::iter::once(self.write_turn(&step))
            .chain(removals)
            .collect()
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        let value = self.finished(position)?;
        let decided = value.plies().is_some();
        Some(Ending {
            winner: decided.then(|| position.turn.other()),
            reason: match () {
                () if position.total(0) < 3 => "too few men",
                () if self.free(position) == 0 => "full board",
                () if self.can_turn(position) => "quiet limit",
                () => "no turn",
            },
        })
    }

    fn transformed(&self, position: &Position, by: Transform) -> Result<Position, Problem> {
        self.transform(position, by)
    }
}

impl Evaluate for Morris {
    fn evaluate(&self, position: &Position) -> i32 {
        self.estimate(position)
    }

    fn is_capture(&self, _: &Position, turn: &Turn) -> bool {
        turn.removed != 0
    }
}
