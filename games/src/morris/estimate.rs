//! Static evaluation of morris positions.
//!
//! Men count most; then mills that can be closed at once, which win a man; then standing mills,
//! mobility, and blocked men. Men in hand count as men: placements change a side's men on the
//! board, not its total.

use super::Morris;
use super::moves::points;
use super::position::{Position, Turn};
use crate::evaluate::Evaluate;

/// A man, on the board or in hand.
const MAN: i32 = 100;
/// A standing mill.
const MILL: i32 = 12;
/// A mill that the side to move can close with this turn.
const CLOSES_NOW: i32 = 60;
/// A mill that the other side can close with its next turn; it may still be prevented.
const CLOSES_NEXT: i32 = 30;
/// Each further mill that the same side can close: it closes only one per turn.
const CLOSES_TOO: i32 = 15;
/// A free point next to a man.
const STEP: i32 = 3;
/// A man without a free point next to it.
const SHUT_IN: i32 = 6;

impl Evaluate for Morris {
    fn evaluate(&self, position: &Position) -> i32 {
        self.estimate_side(position, 0, CLOSES_NOW) - self.estimate_side(position, 1, CLOSES_NEXT)
    }

    fn is_capture(&self, _: &Position, turn: &Turn) -> bool {
        turn.removed != 0
    }
}

impl Morris {
    /// Evaluates one side (0 = the side to move); its first closable mill is worth `closes`.
    fn estimate_side(&self, position: &Position, side: usize, closes: i32) -> i32 {
        let men = position.men[side];
        let total = position.total(side);
        let lines = self.board.lines().iter();
        let mills = lines.filter(|&&line| men & line == line).count() as i32;
        let closable = match self.closable_mills(position, side) {
            0 => 0,
            mills => closes + (mills - 1) * CLOSES_TOO,
        };
        let room = if self.flies(total) {
            0
        } else {
            self.room(men, self.free(position))
        };
        total as i32 * MAN + mills * MILL + closable + room
    }

    /// Returns how many mills a side could close with one placement or step if it were to move.
    fn closable_mills(&self, position: &Position, side: usize) -> i32 {
        let men = position.men[side];
        let free = self.free(position);
        let places = position.hand[side] > 0;
        let moves = !places || self.rules.moves_while_placing;
        let flies = self.flies(position.total(side));
        let can_fill = |line: u32| {
            let gap = line & !men;
            if gap.count_ones() != 1 || gap & free == 0 {
                return false;
            }
            let near = match flies {
                true => self.board.all(),
                false => self.board.neighbours(gap.trailing_zeros() as u8),
            };
            places || (moves && men & !line & near != 0)
        };
        let lines = self.board.lines().iter().enumerate();
        let free_to_close = lines.filter(|(number, _)| position.banned >> number & 1 == 0);
        free_to_close.filter(|&(_, &line)| can_fill(line)).count() as i32
    }

    fn room(&self, men: u32, free: u32) -> i32 {
        let rooms = points(men).map(|man| match free & self.board.neighbours(man) {
            0 => -SHUT_IN,
            near => near.count_ones() as i32 * STEP,
        });
        rooms.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::morris::RULESETS;
    use crate::prelude::*;

    fn nine() -> Morris {
        let rules = RULESETS.iter().find(|rules| rules.id == "nine");
        Morris::new(rules.unwrap())
    }

    fn of(text: &str) -> i32 {
        let game = nine();
        game.evaluate(&game.parse_position(text).unwrap())
    }

    /// a1 and d1 wait for g4 to come to g1.
    #[test]
    fn a_mill_to_be_closed_counts_more_for_the_side_to_move() {
        let men = ":Wa1,d1,g4,b2:Bf6,b6,d3,e5";
        let (white, black) = (of(&format!("W{men}")), of(&format!("B{men}")));
        assert_eq!(white + black, CLOSES_NOW - CLOSES_NEXT);
    }

    #[test]
    fn men_in_hand_count() {
        assert_eq!(of("start"), 0);
        let (more, less) = (of("W:Wa1,d2:Bd6:H7,7"), of("W:Wa1,d2:Bd6,f4:H7,7"));
        assert!(more > MAN / 2 && less < MAN / 2, "{more} {less}");
    }

    #[test]
    fn men_that_are_shut_in_count_less() {
        let game = nine();
        let corner = points(game.board.all()).find(|&point| game.board.name(point) == "a1");
        let corner = corner.unwrap();
        let room = |free: u32| game.room(1 << corner, free);
        assert_eq!(room(game.board.all()), 2 * STEP);
        assert_eq!(room(!game.board.neighbours(corner)), -SHUT_IN);
    }
}
