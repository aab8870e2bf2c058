//! Un-moves: the positions before an inside turn.
//!
//! Inside turns are steps without crowning, so the piece is of the same kind as before: men step
//! back towards their own side, kings any way. Captures are mandatory, so the step was legal only
//! if there was nothing to capture.

use super::Draughts;
use super::board::{Direction, Position, singles};
use super::moves::jumpers;
use crate::numbering::Unmoves;

impl Unmoves for Draughts {
    fn unmoves(&self, position: &Position, before: &mut Vec<Position>) {
        before.clear();
        // A side without pieces lost them by a capture.
        if position.own.pieces() == 0 {
            return;
        }
        // In the frame of the side that made the move.
        let after = position.turned();
        let empty = after.empty();
        for way in Direction::ALL {
            let stepped = after.own.going(way) & way.step(empty);
            for to in singles(stepped) {
                let change = to | way.reverse().step(to);
                let mut earlier = after;
                if after.own.kings & to != 0 {
                    earlier.own.kings ^= change;
                } else {
                    earlier.own.men ^= change;
                }
                if jumpers(&earlier) == 0 {
                    before.push(earlier);
                }
            }
        }
    }
}
