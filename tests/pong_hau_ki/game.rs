//! Pong hau k'i: rules and numbering, and nothing else.
//!
//! Two men each stand on four of the five points of a square and its centre. A turn moves a man
//! along a line to the free point; a side that cannot move loses. The one table is its own partner.

use endmill_games::{Colour, Description, Features, Numbering, Pieces, Rules, Value};
use endmill_layout::PlainLayout;

/// The neighbours of each point as a set: the upper corners 0 and 1, the centre 2, the lower corners
/// 3 and 4. No line joins the upper corners.
const NEIGHBOURS: [u8; 5] = [0b01100, 0b10100, 0b11011, 0b10101, 0b01110];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The points of White's men and of Black's, as sets.
    pub men: [u8; 2],
    pub to_move: Colour,
}

const TABLE: &str = "2v2";

pub struct PongHauKi;

/// All ways to place two men each, those of the side to move first.
fn boards() -> impl Iterator<Item = [u8; 2]> {
    let pairs = || (0..32_u8).filter(|men| men.count_ones() == 2);
    let boards = pairs().flat_map(move |own| pairs().map(move |other| [own, other]));
    boards.filter(|[own, other]| own & other == 0)
}

impl Rules for PongHauKi {
    type Position = Position;
    /// The point that a man leaves.
    type Turn = u8;

    fn description(&self) -> Description {
        Description {
            id: "pong-hau-ki".to_owned(),
            ..Description::default()
        }
    }

    fn rules_text(&self) -> String {
        "pong hau k'i, numbering=1".to_owned()
    }

    fn start(&self) -> Position {
        let (men, to_move) = ([0b11000, 0b00011], Colour::White);
        Position { men, to_move }
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.to_move
    }

    fn finished(&self, position: &Position) -> Option<Value> {
        let mut turns = Vec::new();
        self.turns(position, &mut turns);
        turns.is_empty().then_some(Value::LOST)
    }

    fn turns(&self, position: &Position, turns: &mut Vec<u8>) {
        let own = position.men[position.to_move as usize];
        let free = !(position.men[0] | position.men[1]);
        let can_move = |&from: &u8| own >> from & 1 == 1 && NEIGHBOURS[from as usize] & free != 0;
        turns.clear();
        turns.extend((0..5).filter(can_move));
    }

    fn play(&self, position: &Position, from: &u8) -> Position {
        let free = 0b11111 & !(position.men[0] | position.men[1]);
        let mut men = position.men;
        men[position.to_move as usize] ^= free | 1 << from;
        let to_move = position.to_move.other();
        Position { men, to_move }
    }
}

impl Numbering for PongHauKi {
    type Table = &'static str;

    fn tables(&self, pieces: Option<u32>) -> Vec<&'static str> {
        Vec::from_iter((pieces.unwrap_or(4) >= 4).then_some(TABLE))
    }

    fn size(&self, _: &str) -> u64 {
        boards().count() as u64
    }

    fn pieces(&self, _: &str) -> Pieces {
        Pieces::on_board(4)
    }

    fn partner(&self, _: &str) -> &'static str {
        TABLE
    }

    fn outside(&self, _: &str) -> Vec<&'static str> {
        Vec::new()
    }

    fn table_of(&self, _: &Position) -> Option<&'static str> {
        Some(TABLE)
    }

    fn rank(&self, position: &Position) -> u64 {
        let [own, other] = [position.to_move, position.to_move.other()];
        let board = [own, other].map(|side| position.men[side as usize]);
        boards().position(|known| known == board).unwrap() as u64
    }

    fn unrank(&self, _: &str, index: u64) -> Position {
        let (men, to_move) = (boards().nth(index as usize).unwrap(), Colour::White);
        Position { men, to_move }
    }
}

impl Features for PongHauKi {}

impl PlainLayout for PongHauKi {}
