//! Turns and un-moves of morris, position by position.

use super::Morris;
use super::position::{Position, Turn};
use crate::value::Value;

/// The elements of a set of points, lowest first.
pub(super) fn points(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let point = set.trailing_zeros() as u8;
            set &= set - 1;
            point
        })
    })
}

impl Morris {
    /// The free points.
    pub(super) fn free(&self, position: &Position) -> u32 {
        self.board.all() & !(position.men[0] | position.men[1])
    }

    /// Whether the side to move may move a man on the board.
    pub(super) fn may_move(&self, position: &Position) -> bool {
        position.hand[0] == 0 || self.rules.moves_while_placing
    }

    /// Whether a side with so many men, on the board and in hand, may fly.
    pub(super) fn flies(&self, total: u32) -> bool {
        self.rules.flying && total == 3
    }

    /// The free points to which the man on `from` of a side with `total` men can move.
    pub(super) fn reach(&self, from: u8, free: u32, total: u32) -> u32 {
        if self.flies(total) {
            free
        } else {
            free & self.board.neighbours(from)
        }
    }

    /// The men of a set that may be taken when a mill closes: those outside mills, or all if all
    /// are in mills.
    pub(super) fn removable(&self, men: u32) -> u32 {
        let loose = men & !self.board.in_mills(men);
        if loose == 0 { men } else { loose }
    }

    /// Visits every placement and step of the side to move, with whether it closes a mill.
    fn visit_steps(&self, position: &Position, mut visit: impl FnMut(Option<u8>, u8, bool)) {
        let total = position.total(0);
        if total < 3 {
            return;
        }
        let own = position.men[0];
        let free = self.free(position);
        if position.hand[0] > 0 {
            for to in points(free) {
                visit(None, to, self.board.closes_mill(own, to));
            }
        }
        if self.may_move(position) {
            for from in points(own) {
                let others = own & !(1 << from);
                for to in points(self.reach(from, free, total)) {
                    visit(Some(from), to, self.board.closes_mill(others, to));
                }
            }
        }
    }

    pub(super) fn can_turn(&self, position: &Position) -> bool {
        let free = self.free(position);
        let total = position.total(0);
        let can_move = || points(position.men[0]).any(|from| self.reach(from, free, total) != 0);
        total >= 3 && free != 0 && (position.hand[0] > 0 || (self.may_move(position) && can_move()))
    }

    pub(super) fn value_if_finished(&self, position: &Position) -> Option<Value> {
        if self.can_turn(position) {
            return None;
        }
        let full = self.free(position) == 0;
        if full && self.rules.full_board_draws && position.total(0) >= 3 {
            return Some(Value::Draw);
        }
        Some(Value::LOST)
    }

    pub(super) fn visit_turns(&self, position: &Position, mut visit: impl FnMut(Turn)) {
        let removable = self.removable(position.men[1]);
        self.visit_steps(position, |from, to, closes| {
            let quiet = Turn {
                from,
                to,
                removed: None,
            };
            if !closes || removable == 0 {
                return visit(quiet);
            }
            for point in points(removable) {
                visit(Turn {
                    removed: Some(point),
                    ..quiet
                });
            }
        });
    }

    pub(super) fn count_turns(&self, position: &Position) -> u64 {
        let removals = self.removable(position.men[1]).count_ones().max(1);
        let mut count = 0;
        self.visit_steps(position, |_, _, closes| {
            count += if closes { u64::from(removals) } else { 1 };
        });
        count
    }

    pub(super) fn after(&self, position: &Position, turn: &Turn) -> Position {
        let lifted = turn.from.map_or(0, |from| 1 << from);
        let taken = turn.removed.map_or(0, |point| 1 << point);
        let placed = u8::from(turn.from.is_none());
        Position {
            men: [
                position.men[1] & !taken,
                position.men[0] & !lifted | 1 << turn.to,
            ],
            hand: [position.hand[1], position.hand[0] - placed],
            turn: position.turn.other(),
        }
    }

    /// Every position from which a step without removal leads here. The side that made it is the
    /// one not to move now. A step that closes a mill is a capture, so the man on `to` must not
    /// stand in one; unless the other side had nothing on the board to take.
    pub(super) fn visit_unmoves(&self, position: &Position, mut visit: impl FnMut(Position)) {
        let [theirs, own] = position.men;
        let [their_hand, own_hand] = position.hand;
        let steps_allowed = self.rules.moves_while_placing || (own_hand == 0 && their_hand == 0);
        let total = position.total(1);
        if !steps_allowed || total < 3 {
            return;
        }
        let free = self.free(position);
        for to in points(own) {
            let others = own & !(1 << to);
            if theirs != 0 && self.board.closes_mill(others, to) {
                continue;
            }
            for from in points(self.reach(to, free, total)) {
                visit(Position {
                    men: [others | 1 << from, theirs],
                    hand: [own_hand, their_hand],
                    turn: position.turn.other(),
                });
            }
        }
    }
}
