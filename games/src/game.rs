//! The one trait that a solver, a probe and an engine work on without knowing the game.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::Range;

use crate::clue::Clue;
use crate::diagram::Diagram;
use crate::error::{ParseError, Problem};
use crate::group::Group;
use crate::reading::Reading;
use crate::setup::Setup;
use crate::value::Value;

/// The two sides, as texts name them. Tables do not know colours: they see the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Moves first in morris.
    White,
    /// Moves first in draughts.
    Black,
}

impl Colour {
    /// The other side.
    pub fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }

    /// `W` or `B`, as positions are written.
    pub fn letter(self) -> char {
        match self {
            Colour::White => 'W',
            Colour::Black => 'B',
        }
    }
}

/// What a ruleset is, for people and for programs that list rulesets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The id that commands take.
    pub id: String,
    /// `morris` or `draughts`: the game that the ruleset is an instance of.
    pub game: &'static str,
    /// One line for people.
    pub title: String,
    /// Places on the board.
    pub points: u32,
    /// Pairs of neighbouring places.
    pub edges: u32,
    /// Lines on which a mill can stand (0 where there are no mills).
    pub lines: u32,
    /// Symmetries by which positions are counted as one.
    pub symmetries: u32,
    /// Men of each side at the start.
    pub men: u32,
    /// Name and value of every rule that distinguishes this ruleset from its relatives.
    pub options: Vec<(&'static str, String)>,
}

impl Description {
    /// In what another ruleset differs from this one, as `flying: no instead of yes`; nothing if
    /// only their names differ.
    pub fn differences(&self, other: &Description) -> Vec<String> {
        if self.game != other.game {
            return vec![format!("game: {} instead of {}", other.game, self.game)];
        }
        let facts = |of: &Description| {
            let counts = [
                ("points", of.points),
                ("edges", of.edges),
                ("lines", of.lines),
                ("men", of.men),
            ];
            let counts = counts.map(|(name, count)| (name, count.to_string()));
            [&counts[..], &of.options].concat()
        };
        let pairs = facts(self).into_iter().zip(facts(other));
        pairs
            .filter(|(own, theirs)| own != theirs)
            .map(|((name, own), (_, theirs))| format!("{name}: {theirs} instead of {own}"))
            .collect()
    }
}

/// What a position takes, for estimates before building: measured, see docs/results.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Of one processor, solving and storing.
    pub nanoseconds: f64,
    /// On disk.
    pub bytes: f64,
}

/// A game with its options fixed: rules, moves, notation, and the numbering of positions.
///
/// # Tables
///
/// A [`Table`](Game::Table) is the set of all positions with the same material, seen from the side
/// to move; colours do not matter. [`rank`](Game::rank) numbers its positions without holes,
/// symmetric positions as one. An *inside* turn changes no material and leads into the
/// [`partner`](Game::partner) table; every other turn leads *outside*, to a table that can be
/// solved before, or to a finished game that has no table.
///
/// # Laws
///
/// `games/tests/laws.rs` holds every ruleset to these:
/// - `rank(unrank(t, i)) == i` for every `i < size(t)`, and `unrank` gives canonical positions;
/// - every symmetric image of a position has its rank;
/// - for positions P and Q, (inside turns from P into the orbit of Q) · |S(Q)| =
///   (un-moves from Q into the orbit of P) · |S(P)|, where |S| is
///   [`stabiliser`](Game::stabiliser);
/// - a [resolved](Game::is_resolved) position has turns, they all lead into tables of
///   [`resolved_from`](Game::resolved_from) or end the game, and its clue says so;
/// - what is printed is read back as the same thing, and the setup of a position is legal and is
///   that position.
pub trait Game: Send + Sync + Sized + 'static {
    /// A legal position with its side to move. A finished game is a legal position.
    type Position: Copy + Eq + Hash + Debug + Send + Sync;
    /// A whole turn, removals and multiple jumps included.
    type Turn: Copy + Eq + Hash + Debug + Send + Sync;
    /// The material of both sides, seen from the side to move.
    type Table: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// A table and its partner laid out for solving.
    type Group<'g>: Group<Table = Self::Table>
    where
        Self: 'g;

    /// What this ruleset is.
    fn description(&self) -> Description;

    /// A text that changes whenever a rule changes: what the fingerprint in a file is made from.
    fn rules_text(&self) -> String;

    /// The position in which a game starts.
    fn start(&self) -> Self::Position;

    // Tables

    /// All tables with at most so many pieces on the board and none in hand; without a limit
    /// every table of the ruleset. A table comes after all tables that its outside turns lead to.
    fn tables(&self, pieces: Option<u32>) -> Vec<Self::Table>;

    /// The exact number of positions of a table, symmetric ones counted once.
    fn size(&self, table: Self::Table) -> u64;

    /// The table that inside turns lead to: the same material with the other side to move.
    fn partner(&self, table: Self::Table) -> Self::Table;

    /// The tables that are solved together with `table`: itself, and its partner if inside turns
    /// lead there.
    fn solved_together(&self, table: Self::Table) -> Vec<Self::Table>;

    /// Whether inside turns lead from `table` or from the tables it is solved together with. If
    /// not, its values follow at once from those of the tables outside.
    fn has_inside_turns(&self, _table: Self::Table) -> bool {
        true
    }

    /// What a position of a table takes on average, with plies or outcomes only.
    fn cost(&self, table: Self::Table, plies: bool) -> Cost;

    /// The tables that outside turns of `table` may lead to, without repetition.
    fn outside(&self, table: Self::Table) -> Vec<Self::Table>;

    /// Pieces on the board in every position of the table.
    fn pieces(&self, table: Self::Table) -> u32;

    /// Men that both sides together have still to place in every position of the table.
    fn pieces_in_hand(&self, _table: Self::Table) -> u32 {
        0
    }

    /// Lays a table and its partner out for solving; the same group for either.
    fn group(&self, table: Self::Table) -> Self::Group<'_>;

    // Numbering

    /// The table of a position; `None` if the game is finished by too few men, or if there are
    /// too many pieces for a numbering in 64 bits.
    fn table_of(&self, position: &Self::Position) -> Option<Self::Table>;

    /// The number of a position within its table.
    ///
    /// # Panics
    /// May panic (or return nonsense) for a position without a table.
    fn rank(&self, position: &Self::Position) -> u64;

    /// The canonical position of a number, with the first player to move where that is possible.
    ///
    /// # Panics
    /// If `index >= size(table)`.
    fn unrank(&self, table: Self::Table, index: u64) -> Self::Position;

    /// The node of a position in the layout of its table's [group](Game::group), counted from
    /// the table's first.
    fn node(&self, position: &Self::Position) -> usize;

    /// How many symmetries of the board leave the position as it is (1 without symmetry).
    fn stabiliser(&self, position: &Self::Position) -> u32;

    /// The images of a position under all symmetries of the board, the position included.
    fn images(&self, position: &Self::Position) -> Vec<Self::Position>;

    /// Whether the value of a position is not stored: it has turns, all of them lead outside, and
    /// whoever asks for the value reads it from there ([`best_turn`](crate::best_turn)). A
    /// predicate on the position alone; [`Clue::resolved`] says the same of many positions.
    fn is_resolved(&self, _: &Self::Position) -> bool {
        false
    }

    /// The tables that turns from [resolved](Game::is_resolved) positions of a table may lead to:
    /// without them it cannot be read as a whole. None if every position is stored.
    fn resolved_from(&self, _: Self::Table) -> Vec<Self::Table> {
        Vec::new()
    }

    /// Replaces `clues` by what there is to see in the positions of a range: see [`Clue`]. A game
    /// that has nothing to say and stores every position leaves this as it is.
    ///
    /// # Panics
    /// If the range ends after `size(table)`.
    fn clues(&self, table: Self::Table, range: Range<u64>, clues: &mut Vec<Clue>) {
        assert!(range.end <= self.size(table), "{table} has fewer positions");
        clues.clear();
        clues.resize(
            range.end.saturating_sub(range.start) as usize,
            Clue::default(),
        );
    }

    // Turns

    /// The value of a position in which the game is over: [`Value::LOST`], or a draw where a rule
    /// says so. `None` while the side to move can move.
    fn finished(&self, position: &Self::Position) -> Option<Value>;

    /// Replaces `turns` by all legal turns in a fixed order; none if the game is finished.
    /// Different routes of a capture that end alike and take the same men are one turn.
    fn turns(&self, position: &Self::Position, turns: &mut Vec<Self::Turn>);

    /// The position after a legal turn, the other side to move.
    fn play(&self, position: &Self::Position, turn: &Self::Turn) -> Self::Position;

    /// Whether a turn changes no material.
    fn is_inside(&self, position: &Self::Position, turn: &Self::Turn) -> bool;

    /// Whether a turn takes an opposing man.
    fn is_capture(&self, position: &Self::Position, turn: &Self::Turn) -> bool;

    /// How good a position looks for its side to move, without looking ahead: 100 is about one
    /// man. For positions in which the game is not over; who needs the truth asks a database.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// Replaces `positions` by every position from which an inside turn leads to `position`, once
    /// for each such turn. Un-moves that differ by a symmetry of `position` all count: see the
    /// third law.
    fn unmoves(&self, position: &Self::Position, positions: &mut Vec<Self::Position>);

    /// Visits the position after each turn; unlike [`turns`](Game::turns), different routes of
    /// one capture are visited apart. What perft counts.
    fn visit_routes(&self, position: &Self::Position, visit: &mut dyn FnMut(Self::Position));

    /// How often [`visit_routes`](Game::visit_routes) would visit, counted in bulk.
    fn count_routes(&self, position: &Self::Position) -> u64;

    // Setups and notation

    /// The position that a setup shows, if it can stand on the board between two turns.
    fn legal(&self, setup: &Setup) -> Result<Self::Position, Problem>;

    /// The setup of a position: the inverse of [`legal`](Game::legal).
    fn setup(&self, position: &Self::Position) -> Setup;

    /// The side to move.
    fn to_move(&self, position: &Self::Position) -> Colour;

    /// Men that a side has still to place on the board.
    fn in_hand(&self, position: &Self::Position, side: Colour) -> u32 {
        let _ = (position, side);
        0
    }

    /// Reads a position in any of the notations of the game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, ParseError>;

    /// Writes a position in the first notation of the game.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Reads a turn that is legal in `position`.
    fn parse_turn(&self, position: &Self::Position, text: &str) -> Result<Self::Turn, ParseError>;

    /// Reads what a person types at the board. Unlike [`parse_turn`](Game::parse_turn) it takes
    /// the beginning of a legal turn too, where the rest can be asked for.
    fn read_turn(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Reading<Self::Turn>, ParseError> {
        self.parse_turn(position, text).map(Reading::Whole)
    }

    /// Writes a turn.
    fn format_turn(&self, position: &Self::Position, turn: &Self::Turn) -> String;

    /// The words of a turn as the line protocols of engines write it. Put together they are
    /// [`format_turn`](Game::format_turn).
    fn turn_words(&self, position: &Self::Position, turn: &Self::Turn) -> Vec<String> {
        vec![self.format_turn(position, turn)]
    }

    /// Reads the name of a table, as its `Display` writes it.
    fn parse_table(&self, text: &str) -> Result<Self::Table, ParseError>;

    /// Draws the board with its men for a console.
    fn diagram(&self, position: &Self::Position) -> Diagram;
}
