//! Positions as rows of numbers: sets of places by side, without colours.
//!
//! The side to move comes first. Bit i is place i of the board. In draughts, where men move forwards,
//! the board is seen from the side to move, so bit i is square i + 1 if Black is to move.

use endmill_games::morris::{BANNED, QUIET};
use endmill_games::{Colour, Game, PieceKind, Problem, Setup, Transform};

/// A position, unchecked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The pieces of the side to move.
    pub mover: u32,
    /// The pieces of the other side.
    pub opponent: u32,
    /// The men in hand, of the side to move and of the other.
    pub hands: [u8; 2],
    /// The kings of both sides.
    pub kings: u32,
    /// Plies since the last removal, if a rule counts them.
    pub quiet: u8,
}

/// The kings among the kinds of pieces of a game.
pub fn kings_of<G: Game>() -> Option<usize> {
    let mut kinds = G::KINDS.iter();
    kinds.position(|kind| *kind == PieceKind::KING)
}

impl Row {
    /// The legal position of a row; `kings` is [`kings_of`] the game.
    pub fn position<G: Game>(self, game: &G, kings: Option<usize>) -> Result<G::Position, Problem> {
        let to_move = self.to_move(kings);
        let mut setup = Setup::empty(to_move);
        let (own, other) = (to_move as usize, to_move.other() as usize);
        for (side, set) in [(own, self.mover), (other, self.opponent)] {
            setup.pieces[0][side] = u64::from(set & !self.kings);
            if let Some(kings) = kings {
                setup.pieces[kings][side] = u64::from(set & self.kings);
            }
        }
        setup.hand[0][own] = self.hands[0].into();
        setup.hand[0][other] = self.hands[1].into();
        setup.memory[QUIET] = self.quiet.into();
        if self.kings != 0 {
            self.check_kings(game, kings)?;
        }
        game.legal(&setup)
    }

    /// The side that can be to move. While men are placed in turn, that is Black if it has one more
    /// in hand than White; otherwise colours do not matter.
    fn to_move(self, kings: Option<usize>) -> Colour {
        let [own, other] = self.hands;
        if kings.is_some() || own == other.wrapping_add(1) {
            Colour::Black
        } else {
            Colour::White
        }
    }

    fn check_kings<G: Game>(self, game: &G, kings: Option<usize>) -> Result<(), Problem> {
        if kings.is_none() {
            return Err(Problem::NotInThisGame {
                what: PieceKind::KING.plural,
                ruleset: game.description().id,
            });
        }
        let alone = self.kings & !(self.mover | self.opponent);
        if alone != 0 {
            return Err(Problem::NoPiece {
                kind: PieceKind::KING.name,
                name: format!("bit {}", alone.trailing_zeros()),
            });
        }
        Ok(())
    }

    /// The row of a position. Fails if it has banned lines, which rows cannot represent.
    pub fn of<G: Game>(game: &G, position: &G::Position) -> Result<Row, Problem> {
        let kings = kings_of::<G>();
        let seen = match (kings, game.to_move(position)) {
            (Some(_), Colour::White) => game.transformed(position, Transform::Swap)?,
            _ => *position,
        };
        let setup = game.setup(&seen);
        if setup.memory[BANNED] != 0 {
            return Err(Problem::NotInThisGame {
                what: "rows for positions with banned lines: probe them one by one",
                ruleset: game.description().id,
            });
        }
        let (own, other) = (setup.to_move, setup.to_move.other());
        // Boards have at most 32 places, and no side has 256 men.
        let hand = |side: Colour| setup.hand[0][side as usize] as u8;
        let crowned = |kings: usize| setup.pieces[kings].iter().fold(0, |all, set| all | set);
        Ok(Row {
            mover: setup.occupied(own) as u32,
            opponent: setup.occupied(other) as u32,
            hands: [hand(own), hand(other)],
            kings: kings.map_or(0, crowned) as u32,
            quiet: u8::try_from(setup.memory[QUIET]).unwrap_or(u8::MAX),
        })
    }
}
