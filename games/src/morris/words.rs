//! The rules of a ruleset in words.

use super::rules::Variant;

impl Variant {
    /// The rules in words, a paragraph each.
    pub fn in_words(&self) -> Vec<String> {
        let men = [
            "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ];
        let men = men.get(usize::from(self.men) - 3).unwrap_or(&"several");
        let mut words = vec![format!(
            "Each side has {men} men in hand; the board is empty. White moves first."
        )];
        let mut say = |text: &str| words.push(text.to_owned());
        say(match self.moves_while_placing {
            true => {
                "A turn places a man from the hand on a free point, or moves a man along a line of \
                 the board to the next point if that is free; with an empty hand it moves."
            }
            false => {
                "While a side has men in hand, its turn is to place one on a free point. After that \
                 it moves a man along a line of the board to the next point if that is free."
            }
        });
        say(match self.removes_for_each_mill {
            false => {
                "Three men of one side next to each other on a straight line of the board are a \
                 mill. A side that closes a mill, by placing or moving, removes one opposing man \
                 from the board in the same turn: one, even if two mills close at once."
            }
            true => {
                "Three men of one side next to each other on a straight line of the board are a \
                 mill. A side that closes mills, by placing or moving, removes an opposing man from \
                 the board in the same turn for each of them, one after the other, while any are \
                 left."
            }
        });
        say(match self.takes_any {
            false => {
                "A man in a mill may be removed only if all men of its side on the board are in mills."
            }
            true => "A man in a mill may be removed like any other.",
        });
        say(match self.flying {
            true => {
                "A side that has only three men left, on the board and in hand together, flies: it \
                 moves a man to any free point."
            }
            false => "No flying: even with three men, a man moves only to the next point.",
        });
        if self.bans_broken_mills {
            say(
                "A side that breaks a mill to close another one, and removes a man, may not close \
                 the broken mill with its next turn.",
            );
        }
        say(
            "A side with fewer than three men, on the board and in hand together, or that cannot \
             move, loses.",
        );
        if self.quiet_limit > 0 {
            words.push(format!(
                "While a side has three men and no men are in hand, the game is a draw after {} \
                 plies in a row without a removal.",
                self.quiet_limit
            ));
        }
        let can_be_full = 2 * usize::from(self.men) == self.board.places().len();
        words.push(
            match (self.full_board_draws, can_be_full) {
                (true, _) => {
                    "If the board is full when the last man has been placed, the game is a draw; so \
                     is endless play."
                }
                (false, true) => {
                    "If the board is full when the last man has been placed, the side to move \
                     loses. Endless play is a draw."
                }
                (false, false) => "Endless play is a draw.",
            }
            .to_owned(),
        );
        words
    }
}
