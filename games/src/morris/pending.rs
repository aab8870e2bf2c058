//! Positions in the middle of a turn: a mill is closed, and the man to remove is not yet chosen.
//!
//! A [`Position`] is always between turns, so a turn that leads here must be found. Any such turn
//! will do, as long as all of them lead to the same positions after the removal.

use std::collections::HashSet;

use super::Morris;
use super::fen::Pending;
use super::moves::points;
use super::position::{Position, Turn};
use super::position_text::MEN;
use crate::error::{ParseError, Problem};
use crate::notation::Notation;
use crate::reading::{Partial, Reading};
use crate::rules::Rules;
use crate::setup::Setup;

impl Morris {
    /// Returns a position and the beginning of a turn, for a board on which the side to move has
    /// closed a mill. Fails if several turns lead there with different consequences, because the
    /// rules remember the mill that was broken.
    pub(super) fn beginning_of(
        &self,
        shown: &Setup,
        pending: &Pending,
    ) -> Result<(Position, Partial<Turn>), ParseError> {
        let mut found: Option<(Position, Partial<Turn>, HashSet<Position>)> = None;
        for (before, turn) in self.beginnings(shown, pending.moving) {
            let read = self.read_turn(&before, &self.format_turn(&before, &turn));
            let Ok(Reading::Partial(begun)) = read else {
                continue;
            };
            let turns = || begun.answers.iter().map(|(_, turn)| turn);
            let removes = |count| turns().all(|turn| turn.removed.count_ones() == count);
            if !pending.count.is_none_or(removes) {
                continue;
            }
            let after = turns().map(|turn| self.play(&before, turn)).collect();
            match &found {
                None => found = Some((before, begun, after)),
                Some((_, _, same)) if *same == after => {}
                Some(_) => return Err(ParseError::at(pending.at, removal_pending())),
            }
        }
        let found = found.map(|(before, begun, _)| (before, begun));
        found.ok_or_else(|| ParseError::at(pending.at, no_mill_closed()))
    }

    /// Returns legal positions, each with a turn that may lead to the board with a closed mill, the
    /// likelier kind of turn first.
    fn beginnings(&self, shown: &Setup, moving: bool) -> Vec<(Position, Turn)> {
        let mover = shown.to_move as usize;
        let [own, theirs] = [mover, 1 - mover].map(|side| shown.pieces[MEN][side] as u32);
        let before = |to: u8, from: Option<u8>| {
            let mut setup = *shown;
            setup.pieces[MEN][mover] &= !(1 << to);
            match from {
                Some(from) => setup.pieces[MEN][mover] |= 1 << from,
                None => setup.hand[MEN][mover] = setup.hand[MEN][mover].saturating_add(1),
            }
            let turn = Turn {
                from,
                to,
                removed: 0,
            };
            Some((self.legal(&setup).ok()?, turn))
        };
        let free = self.board.all() & !(own | theirs);
        let closing = || points(self.board.in_mills(own));
        let placed = closing().filter_map(|to| before(to, None));
        let moved = closing().flat_map(|to| points(free).map(move |from| (to, from)));
        let moved = moved.filter_map(|(to, from)| before(to, Some(from)));
        match moving {
            false => placed.chain(moved).collect(),
            true => moved.chain(placed).collect(),
        }
    }
}

/// The error for a position in the middle of a turn.
pub(super) fn removal_pending() -> Problem {
    Problem::Impossible {
        what: "a removal is pending".to_owned(),
        why: "give the position before the turn or after the removal".to_owned(),
    }
}

/// The error for a pending removal on a board where no mill can have been closed.
fn no_mill_closed() -> Problem {
    Problem::Impossible {
        what: "no removal can be pending".to_owned(),
        why: "no move of this side closes a mill and leads to this board".to_owned(),
    }
}
