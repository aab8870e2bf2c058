//! How positions and turns are written, drawn and handed over.

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

/// A position, and the turn that has begun in it.
pub type Begun<G> = (<G as Rules>::Position, Option<Partial<<G as Rules>::Turn>>);

/// Texts, setups and drawings. Whatever is written is read back as the same thing.
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

    /// The position that a setup shows, if it can stand on the board between two turns.
    fn legal(&self, setup: &Setup) -> Result<Self::Position, Problem>;

    /// The setup of a position: the inverse of [`legal`](Notation::legal).
    fn setup(&self, position: &Self::Position) -> Setup;

    /// Draws the board with its men for a console.
    fn diagram(&self, position: &Self::Position) -> Diagram;

    /// Where the places of the board are, for programs that draw it themselves.
    fn geometry(&self) -> Geometry;

    /// What a position remembers of earlier turns: nothing, unless a game says otherwise.
    fn memory(&self, _position: &Self::Position) -> Memory {
        Memory::default()
    }

    /// Reads what a person types at the board. Unlike [`parse_turn`](Notation::parse_turn) it
    /// takes the beginning of a legal turn too, where the rest can be asked for.
    fn read_turn(
        &self,
        position: &Self::Position,
        text: &str,
    ) -> Result<Reading<Self::Turn>, ParseError> {
        self.parse_turn(position, text).map(Reading::Whole)
    }

    /// A legal turn by the places of a [`Setup`]. As it stands it is right for turns that move or
    /// place one man and never end where they begin.
    fn path(&self, position: &Self::Position, turn: &Self::Turn) -> Path {
        let after = self.play(position, turn);
        Path::between(&self.setup(position), &self.setup(&after))
    }

    /// A position seen otherwise, worth the same; refused where the game has no such symmetry, or
    /// where the position could not arise like this.
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
    /// Reads a position that may be in the middle of a turn, as the line protocols of engines give
    /// it: the position before the turn, and what has been said of the turn. Games whose notations
    /// show no such position read as [`parse_position`](Notation::parse_position) does.
    fn parse_begun(&self, text: &str) -> Result<Begun<Self>, ParseError> {
        Ok((self.parse_position(text)?, None))
    }

    /// Reads a turn as other programs write it into their records, and gives it as this game
    /// writes turns; `None` if it is none of theirs. Whether it is legal is not asked.
    fn turn_elsewhere(&self, _text: &str) -> Option<String> {
        None
    }

    /// Writes a turn as records of games have it: [`format_turn`](Notation::format_turn), unless
    /// there is a shorter way that means the same.
    fn record_turn(&self, position: &Self::Position, turn: &Self::Turn) -> String {
        self.format_turn(position, turn)
    }

    /// The words of a turn as the line protocols of engines write it. Put together they are
    /// [`format_turn`](Notation::format_turn).
    fn turn_words(&self, position: &Self::Position, turn: &Self::Turn) -> Vec<String> {
        vec![self.format_turn(position, turn)]
    }
}
