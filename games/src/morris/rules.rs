//! The rulesets of the morris family: rules as data.

use super::board::{BoardSpec, NINE, SIX, THREE, TWELVE};

/// What distinguishes one ruleset from another. All share: closing a mill removes exactly one
/// opposing man, even if two mills close at once; a man in a mill may be taken only if all
/// opposing men are in mills; who must move and cannot, loses; who has fewer than three men on
/// the board and in hand, loses; endless play is a draw.
#[derive(Debug)]
pub struct Rules {
    /// The id that commands take.
    pub id: &'static str,
    /// One line for people.
    pub title: &'static str,
    /// Points, edges and lines.
    pub board: &'static BoardSpec,
    /// Men of each side.
    pub men: u8,
    /// With three men left, on the board and in hand, a man may move to any free point.
    pub flying: bool,
    /// A turn may move a man while there are still men in hand.
    pub moves_while_placing: bool,
    /// A full board is a draw; elsewhere it cannot arise.
    pub full_board_draws: bool,
}

/// Every ruleset of the family.
pub static RULESETS: [Rules; 6] = [
    Rules {
        id: "nine",
        title: "Nine men's morris",
        board: &NINE,
        men: 9,
        flying: true,
        moves_while_placing: false,
        full_board_draws: false,
    },
    Rules {
        id: "nine-nofly",
        title: "Nine men's morris without flying",
        board: &NINE,
        men: 9,
        flying: false,
        moves_while_placing: false,
        full_board_draws: false,
    },
    Rules {
        id: "twelve",
        title: "Twelve men's morris",
        board: &TWELVE,
        men: 12,
        flying: true,
        moves_while_placing: false,
        full_board_draws: true,
    },
    Rules {
        id: "lasker",
        title: "Lasker morris (ten men, place or move)",
        board: &NINE,
        men: 10,
        flying: true,
        moves_while_placing: true,
        full_board_draws: false,
    },
    Rules {
        id: "six",
        title: "Six men's morris",
        board: &SIX,
        men: 6,
        flying: true,
        moves_while_placing: false,
        full_board_draws: false,
    },
    Rules {
        id: "three",
        title: "Three men's morris",
        board: &THREE,
        men: 3,
        flying: false,
        moves_while_placing: false,
        full_board_draws: false,
    },
];

impl Rules {
    /// A text that changes whenever a rule changes, in a form that does not depend on the code.
    /// `numbering` is the version of the numbering of positions and of their clues.
    pub fn text(&self) -> String {
        format!(
            "morris numbering=1 men={} flying={} moves-while-placing={} full-board-draws={} lines={} spokes={}",
            self.men,
            self.flying,
            self.moves_while_placing,
            self.full_board_draws,
            self.board.lines.join(","),
            self.board.spokes.join(","),
        )
    }
}
