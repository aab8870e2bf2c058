//! The value of captures that leave a ban, by the plain rules and with few look-ups.
//!
//! A ban can only harm the side that it binds. Suppose that the side to move may not close some
//! mills, its own bans, and that the other side may not close others with its next turn. With more
//! own bans the side to move has fewer turns, so it is not better off. With more bans of the other
//! side it has the same turns, each to a position in which that side is not better off, so it is
//! not worse off.
//!
//! - So a capture that leaves a ban is worth no more than without the ban: rows give that bound,
//!   and if another turn is at least as good, nothing else is needed.
//! - Otherwise the position after it is worth, for its side to move, no less than the stored value
//!   without the ban. A turn after which the ban forbids nothing is worth no more than that; the
//!   others are searched, and one good reply refutes a turn.

use std::ops::ControlFlow;

use endmill_games::by_turns::score_of;
use endmill_games::morris::{Position, Table};
use endmill_games::{Numbering, Rules, Value};

use super::group::MorrisGroup;
use crate::{Layout, NodeValue, Solved, TurnScore};

/// How a step that closes a mill is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Capture {
    /// By rows.
    Plain,
    /// It leaves a ban: rows give only an upper bound.
    Banning,
    /// It removes several men: rows give nothing.
    Several,
}

impl MorrisGroup<'_> {
    /// Returns how a step that closes a mill is evaluated; `own` are the men of its side before it.
    pub(super) fn kind_of_capture(&self, own: u32, [from, to]: [u8; 2]) -> Capture {
        let (rules, board) = (self.game.rules(), self.game.board());
        let others = own & !(1 << from);
        if rules.removes_for_each_mill && board.mills_closed(others, to) > 1 {
            Capture::Several
        } else if rules.bans_broken_mills && board.closes_mill(others, from) {
            Capture::Banning
        } else {
            Capture::Plain
        }
    }

    /// Returns the best of `floor` and the turns with a step that closes a mill.
    pub(super) fn best_capture(
        &self,
        position: &Position,
        [from, to]: [u8; 2],
        floor: TurnScore,
        solved: &impl Solved<Table>,
    ) -> TurnScore {
        let mut best = floor;
        self.game.visit_turns_by(position, Some(from), to, |turn| {
            let next = self.game.play(position, &turn);
            best = best.max(self.score_above(best, &next, solved));
        });
        best
    }

    /// Returns the score of leading to a position if it is more than `floor`; otherwise any score
    /// up to `floor`.
    fn score_above(
        &self,
        floor: TurnScore,
        position: &Position,
        solved: &impl Solved<Table>,
    ) -> TurnScore {
        let scale = solved.scale();
        let stored = |table, position: &Position| {
            let node = self.game.node(position);
            solved.values(table).node(node)
        };
        if position.banned() == 0 {
            return score_of(self.game, position, scale, &stored);
        }
        let is_bound = self.game.is_bound(position);
        let without = position.without_bans();
        let mut best = match self.game.table_of(&without) {
            Some(table) if !is_bound => stored(table, &without).best_turn_on(scale),
            _ => TurnScore::NONE,
        };
        let mut has_turns = false;
        let _ = self.game.visit_turns_until(position, |turn| {
            has_turns = true;
            if best.for_other_side_on(scale) <= floor {
                return ControlFlow::Break(());
            }
            let next = self.game.play(position, &turn);
            if is_bound || self.game.is_bound(&next) {
                best = best.max(self.score_above(best, &next, solved));
            }
            ControlFlow::Continue(())
        });
        match has_turns {
            true => best.for_other_side_on(scale),
            false => {
                let value = self.game.finished(position);
                NodeValue::new(value.unwrap_or(Value::LOST)).score()
            }
        }
    }
}
