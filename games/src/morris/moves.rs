//! Turns and un-moves of morris, position by position.

use std::ops::ControlFlow;

use super::Morris;
use super::position::{Position, Turn};
use crate::combinadics::subsets;
use crate::numbering::Unmoves;

/// Returns the members of a set of points, lowest first.
#[inline]
pub fn points(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let point = set.trailing_zeros() as u8;
            set &= set - 1;
            point
        })
    })
}

impl Morris {
    /// Returns the free points.
    pub(super) fn free(&self, position: &Position) -> u32 {
        self.board.all() & !(position.men[0] | position.men[1])
    }

    /// Returns whether the side to move may move a man on the board.
    pub(super) fn may_move(&self, position: &Position) -> bool {
        position.hand[0] == 0 || self.rules.moves_while_placing
    }

    /// Returns whether a side with `total` men, on the board and in hand, may fly.
    #[inline]
    pub fn flies(&self, total: u32) -> bool {
        self.rules.flying && total == 3
    }

    /// Returns the free points to which the man on `from` of a side with `total` men can move.
    #[inline]
    pub fn reach(&self, from: u8, free: u32, total: u32) -> u32 {
        if self.flies(total) {
            free
        } else {
            free & self.board.neighbours(from)
        }
    }

    /// Returns the men of a set that may be removed when a mill closes: those outside mills, or all
    /// if all are in mills or the rules allow it.
    #[inline]
    pub fn removable(&self, men: u32) -> u32 {
        if self.rules.takes_any {
            return men;
        }
        let loose = men & !self.board.in_mills(men);
        if loose == 0 { men } else { loose }
    }

    /// Visits every set of men that may be removed together when a turn closes some mills, in a
    /// fixed order: one man per mill or one man, depending on the rules. In a set of several, each
    /// man must be removable after the others before it, in some order.
    pub(super) fn visit_removals(&self, men: u32, mills: u32, mut visit: impl FnMut(u32)) {
        let _ = self.visit_removals_until(men, mills, |taken| {
            visit(taken);
            ControlFlow::Continue(())
        });
    }

    /// Like [`visit_removals`](Morris::visit_removals), until `visit` breaks.
    fn visit_removals_until(
        &self,
        men: u32,
        mills: u32,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let count = self.taken_by(men, mills);
        if count <= 1 {
            return points(self.removable(men)).try_for_each(|point| visit(1 << point));
        }
        for chosen in subsets(men.count_ones(), count) {
            let taken = self.bits.pdep(chosen, men);
            if self.can_take_all(men, taken) {
                visit(taken)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns how many men a turn that closes some mills removes.
    #[inline]
    pub(super) fn taken_by(&self, men: u32, mills: u32) -> u32 {
        let most = if self.rules.removes_for_each_mill {
            mills
        } else {
            mills.min(1)
        };
        most.min(men.count_ones())
    }

    /// Returns whether men can be removed one after the other, in some order.
    pub(super) fn can_take_all(&self, men: u32, taken: u32) -> bool {
        let mut first = points(taken & self.removable(men));
        taken == 0
            || first.any(|point| self.can_take_all(men & !(1 << point), taken & !(1 << point)))
    }

    /// Visits every placement and step of the side to move that no ban forbids, with the number of
    /// mills that it closes, until `visit` breaks.
    pub(super) fn visit_steps(
        &self,
        position: &Position,
        mut visit: impl FnMut(Option<u8>, u8, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let total = position.total(0);
        if total < 3 {
            return ControlFlow::Continue(());
        }
        let own = position.men[0];
        let free = self.free(position);
        let mut arrive = |from, others, to| {
            if position.banned == 0 || self.ban_on(position, others, to).is_none() {
                return visit(from, to, self.board.mills_closed(others, to));
            }
            ControlFlow::Continue(())
        };
        if position.hand[0] > 0 {
            for to in points(free) {
                arrive(None, own, to)?;
            }
        }
        if self.may_move(position) {
            for from in points(own) {
                let others = own & !(1 << from);
                for to in points(self.reach(from, free, total)) {
                    arrive(Some(from), others, to)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether the side to move has a turn, ignoring the limit of quiet plies.
    pub(super) fn can_turn(&self, position: &Position) -> bool {
        if position.banned != 0 {
            let first = self.visit_steps(position, |_, _, _| ControlFlow::Break(()));
            return first.is_break();
        }
        let free = self.free(position);
        let total = position.total(0);
        let can_move = || points(position.men[0]).any(|from| self.reach(from, free, total) != 0);
        total >= 3 && free != 0 && (position.hand[0] > 0 || (self.may_move(position) && can_move()))
    }

    /// Visits every turn.
    pub fn visit_turns(&self, position: &Position, mut visit: impl FnMut(Turn)) {
        let _ = self.visit_turns_until(position, |turn| {
            visit(turn);
            ControlFlow::Continue(())
        });
    }

    /// Visits every turn until `visit` breaks.
    pub fn visit_turns_until(
        &self,
        position: &Position,
        mut visit: impl FnMut(Turn) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.at_quiet_limit(position) {
            return ControlFlow::Continue(());
        }
        let theirs = position.men[1];
        self.visit_steps(position, |from, to, mills| {
            if mills == 0 || theirs == 0 {
                let removed = 0;
                return visit(Turn { from, to, removed });
            }
            self.visit_removals_until(theirs, mills, |removed| visit(Turn { from, to, removed }))
        })
    }

    /// Visits every turn that brings a man from a point or the hand to another point, if no ban
    /// forbids it. The game must not be over.
    pub fn visit_turns_by(
        &self,
        position: &Position,
        from: Option<u8>,
        to: u8,
        mut visit: impl FnMut(Turn),
    ) {
        let others = position.men[0] & !from.map_or(0, |from| 1 << from);
        let mills = self.board.mills_closed(others, to);
        if self.ban_on(position, others, to).is_some() {
            return;
        }
        match self.taken_by(position.men[1], mills) {
            0 => visit(Turn {
                from,
                to,
                removed: 0,
            }),
            _ => self.visit_removals(position.men[1], mills, |removed| {
                visit(Turn { from, to, removed });
            }),
        }
    }
}

impl Unmoves for Morris {
    /// An inside turn is a step without removal by the side that is now not to move. A step that
    /// closes a mill removes a man, so the man on `to` must not stand in a mill, unless the other
    /// side had no man on the board.
    fn unmoves(&self, position: &Position, positions: &mut Vec<Position>) {
        positions.clear();
        let [theirs, own] = position.men;
        let [their_hand, own_hand] = position.hand;
        let steps_allowed = self.rules.moves_while_placing || (own_hand == 0 && their_hand == 0);
        let total = position.total(1);
        if !steps_allowed || total < 3 || self.counts_quiet(position.material()) {
            return;
        }
        let free = self.free(position);
        for to in points(own) {
            let others = own & !(1 << to);
            if theirs != 0 && self.board.closes_mill(others, to) {
                continue;
            }
            for from in points(self.reach(to, free, total)) {
                positions.push(Position {
                    men: [others | 1 << from, theirs],
                    hand: [own_hand, their_hand],
                    turn: position.turn.other(),
                    quiet: 0,
                    banned: 0,
                });
            }
        }
    }

    fn images(&self, position: &Position) -> Vec<Position> {
        let symmetries = self.board.symmetries().iter();
        symmetries
            .map(|symmetry| position.carried(symmetry))
            .collect()
    }
}
