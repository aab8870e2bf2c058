//! How positions and turns are read, written and drawn.

use crate::diagram::Diagram;
use crate::error::{ParseError, Problem};
use crate::geometry::Geometry;
use crate::memory::Memory;
use crate::path::Path;
use crate::piece::PieceKind;
use crate::reading::{Partial, Reading};
use crate::rules::Rules;
use crate::setup::Setup;
use crate::transform::Transform;

/// A position, and the beginning of a turn in it.
pub type Begun<G> = (<G as Rules>::Position, Option<Partial<<G as Rules>::Turn>>);

/// Texts, setups and drawings. Everything that is written can be read back.
pub trait Notation: Rules {
    /// The kinds of pieces, in the order of those of a [`Setup`].
    const KINDS: &'static [PieceKind] = &[PieceKind::MAN];

    /// Reads a position in any of the notations of the game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, ParseError>;

    /// Writes a position in the first notation of the game.
    fn format_position(&self, position: &Self::Position) -> String;

    /// Reads a turn that is legal in `position`.
    fn parse_turn(&self, position: &Self::Position, text: &str) -> Result<Self::Turn, ParseError>;

    /// Writes a turn.
    fn format_turn(&self, position: &Self::Position, turn: &Self::Turn) -> String;

    /// Returns the position of a setup, if it can arise between two turns.
    fn legal(&self, setup: &Setup) -> Result<Self::Position, Problem>;

    /// Returns the setup of a position: the inverse of [`legal`](Notation::legal).
    fn setup(&self, position: &Self::Position) -> Setup;

    /// Draws the board with its men for a console.
    fn diagram(&self, position: &Self::Position) -> Diagram;

    /// Returns where the places of the board are, for programs that draw it themselves.
    fn geometry(&self) -> Geometry;

    /// Returns what a position remembers of earlier turns: nothing by default.
    fn memory(&self, _position: &Self::Position) -> Memory {
        Memory::default()
    }

    /// Reads what a person types at the board. Unlike [`parse_turn`](Notation::parse_turn) it also
    /// accepts the beginning of a legal turn, where the rest can be asked for.
    fn read_turn(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Reading<Self::Turn>, ParseError> {
        self.parse_turn(position, text).map(Reading::Whole)
    }

    /// Returns a legal turn as the places of a [`Setup`]. The default is right for turns that move
    /// or place one man and never end where they begin.
    fn path(&self, position: &Self::Position, turn: &Self::Turn) -> Path {
        let after = self.play(position, turn);
        Path::between(&self.setup(position), &self.setup(&after))
    }

    /// Returns a transformed position of the same value; fails if the game has no such symmetry, or
    /// if the transformed position cannot arise.
    fn transformed(
        &self,
        position: &Self::Position,
        by: Transform,
    ) -> Result<Self::Position, Problem> {
        let _ = position;
        Err(by.not_in(&self.description().id))
    }
}

/// How other programs write positions and turns: engine protocols and game records.
pub trait Interchange: Notation {
    /// Reads a position that may be in the middle of a turn, as engine protocols send it: returns
    /// the position before the turn, and the beginning of the turn. The default is
    /// [`parse_position`](Notation::parse_position).
    fn parse_begun(&self, text: &str) -> Result<Begun<Self>, ParseError> {
        Ok((self.parse_position(text)?, None))
    }

    /// Translates a turn from the notation of other programs to that of this game; `None` if it is
    /// not in such a notation. Does not check whether it is legal.
    fn turn_elsewhere(&self, _text: &str) -> Option<String> {
        None
    }

    /// Writes a turn for game records: [`format_turn`](Notation::format_turn), unless there is a
    /// shorter unambiguous form.
    fn record_turn(&self, position: &Self::Position, turn: &Self::Turn) -> String {
        self.format_turn(position, turn)
    }

    /// The words of a turn in engine protocols. Concatenated they are
    /// [`format_turn`](Notation::format_turn).
    fn turn_words(&self, position: &Self::Position, turn: &Self::Turn) -> Vec<String> {
        vec![self.format_turn(position, turn)]
    }
}
