//! The state of a node while the draws of its group are ranked.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::state::Misfit;
use super::{DrawScores, Ranked, ScoreNumber};

/// The state of a node while the draws of its group are ranked, in four bytes.
///
/// A draw that does not stay in its table *converts*: the side that gains by leaving hurries, the other
/// delays. Its *class* counts from the most extreme rank towards the table's own score; the two
/// directions are counted separately, since no position converts in both.
///
/// ```text
/// 00cc cccc …… eeee eeee eeee e   counting: c inside turns are not known to lose ground; the best exit,
///                                 if any, is of class e (all ones: none)
/// 0100 … 0000                     safe: an exit is worth the table's own score; or not seeded yet
/// 10ge eeee eeee eeee pppp …      decided: converts in p plies with class e; g: the side to move gains
/// 11ge eeee eeee eeee 0000 … 01   pending: the same, unless something better turns up before
/// 1001 1111 1111 1111 0000 … 00   stays: a draw, whatever happens elsewhere
/// 1001 1111 1111 1111 0000 … 01   won
/// 1001 1111 1111 1111 0000 … 10   lost
/// ```
///
/// What is counting or safe in the end stays in the table for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct DrawState(u32);

/// A [`DrawState`] that several threads may write.
#[derive(Debug)]
#[repr(transparent)]
pub struct AtomicDrawState(AtomicU32);

const KIND: u32 = 3 << 30;
const COUNTING: u32 = 0;
const OPEN: u32 = 1 << 30;
const DECIDED: u32 = 2 << 30;
const PENDING: u32 = 3 << 30;
const GAINS: u32 = 1 << 29;
const CLASS_BITS: u32 = 13;
const NO_CLASS: u32 = (1 << CLASS_BITS) - 1;
const PLY_BITS: u32 = 16;
const COUNT_SHIFT: u32 = 24;
const COUNT: u32 = 63;

const _: () = assert!(2 * DrawScores::MOST < NO_CLASS as usize);

/// How a draw leaves its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The side to move gains by it: its rank is better than the table's own score.
    pub gains: bool,
    /// 0 for the most extreme rank in this direction.
    pub class: u16,
    /// Plies to the exit.
    pub plies: u16,
}

impl Conversion {
    /// The class and direction of a rank, in a table with this score of its own; `None` for that.
    pub fn of_rank(
        scores: &DrawScores,
        own: ScoreNumber,
        rank: ScoreNumber,
    ) -> Option<(bool, u16)> {
        match rank.cmp(&own) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some((true, (scores.most() - rank) as u16)),
            std::cmp::Ordering::Less => Some((false, (scores.most() + rank) as u16)),
        }
    }

    /// The inverse of [`of_rank`](Conversion::of_rank).
    pub fn rank(self, scores: &DrawScores) -> ScoreNumber {
        match self.gains {
            true => scores.most() - self.class as ScoreNumber,
            false => self.class as ScoreNumber - scores.most(),
        }
    }
}

impl DrawState {
    /// A draw that stays whatever happens elsewhere.
    pub const STAYS: DrawState = DrawState(DECIDED | NO_CLASS << PLY_BITS);
    /// Won.
    pub const WON: DrawState = DrawState(DrawState::STAYS.0 | 1);
    /// Lost.
    pub const LOST: DrawState = DrawState(DrawState::STAYS.0 | 2);
    /// A draw that is not seeded yet.
    pub const UNSEEDED: DrawState = DrawState(OPEN);
    /// An exit is worth the table's own score.
    const SAFE: DrawState = DrawState(OPEN);

    /// A draw with a number of inside turns that do not lose, and the best of its exits, before anything
    /// is propagated. Inside turns to lost positions may be among them if they are
    /// [discounted](AtomicDrawState::discount) later.
    pub fn seeded(
        inside: u16,
        exit: Option<ScoreNumber>,
        own: ScoreNumber,
        scores: &DrawScores,
    ) -> Result<DrawState, Misfit> {
        if u32::from(inside) > COUNT {
            return Err(Misfit::InsideTurns);
        }
        let count = u32::from(inside) << COUNT_SHIFT;
        let Some(exit) = exit else {
            return Ok(DrawState(count | NO_CLASS));
        };
        Ok(match Conversion::of_rank(scores, own, exit) {
            None if inside == 0 => DrawState::STAYS,
            None => DrawState::SAFE,
            // Whatever un-moves lead here, they are no turns: it cannot change any more.
            Some((gains, class)) if inside == 0 => DrawState::decided(gains, class, 1),
            Some((true, class)) => DrawState::pending(true, class),
            Some((false, class)) => DrawState(count | u32::from(class)),
        })
    }

    fn decided(gains: bool, class: u16, plies: u16) -> DrawState {
        let gains = if gains { GAINS } else { 0 };
        DrawState(DECIDED | gains | u32::from(class) << PLY_BITS | u32::from(plies))
    }

    fn pending(gains: bool, class: u16) -> DrawState {
        DrawState(DrawState::decided(gains, class, 1).0 | PENDING)
    }

    /// How the node converts, if that is decided, or pending.
    #[inline(always)]
    pub fn conversion(self) -> Option<Conversion> {
        let class = self.0 >> PLY_BITS & NO_CLASS;
        (self.0 & DECIDED != 0 && class != NO_CLASS).then_some(Conversion {
            gains: self.0 & GAINS != 0,
            class: class as u16,
            plies: self.0 as u16,
        })
    }

    /// Returns true if the node is decided like this, or pending and due now.
    #[inline(always)]
    pub fn is_due(self, due: Conversion) -> bool {
        self.0 & !(PENDING ^ DECIDED) == DrawState::decided(due.gains, due.class, due.plies).0
    }

    /// Returns true if nothing can change the node any more.
    #[inline(always)]
    pub fn is_final(self) -> bool {
        self.0 & KIND == DECIDED
    }

    /// Returns true if the node counts its turns.
    #[inline(always)]
    pub fn is_counting(self) -> bool {
        self.0 & KIND == COUNTING
    }

    /// The state of a pending node that is due.
    pub fn due(self) -> DrawState {
        DrawState(self.0 & !(PENDING ^ DECIDED))
    }

    /// The value of a node of a ranked group, in a table with this score of its own.
    pub fn ranked(self, own: ScoreNumber, scores: &DrawScores) -> Ranked {
        match self {
            DrawState::WON => Ranked::Win,
            DrawState::LOST => Ranked::Loss,
            _ => {
                let rank = self.conversion().map(|conversion| conversion.rank(scores));
                Ranked::Draw(rank.unwrap_or(own))
            }
        }
    }
}

impl AtomicDrawState {
    /// Decides that a node with a turn to one that loses ground gains with this class. Returns true if
    /// that is news: an exit of the same class is sooner.
    #[inline(always)]
    pub fn gain(&self, class: u16, plies: u16) -> bool {
        let before = DrawState(self.0.load(Relaxed));
        let news = !before.is_final() && before != DrawState::pending(true, class);
        if news {
            let decided = DrawState::decided(true, class, plies);
            self.0.store(decided.0, Relaxed);
        }
        news
    }

    /// Counts off turns to nodes that gain. If none is left, the node loses ground: in `plies` with this
    /// class, or by its best exit if that is better. Then it returns how.
    #[inline(always)]
    pub fn count_off(&self, turns: u16, class: u16, plies: u16) -> Option<Conversion> {
        let exit = self.less(turns)?;
        let lost = match exit {
            // Its exit takes one ply, and is the longest of that class only if nothing else is.
            Some(exit) if exit > class => DrawState::pending(false, exit),
            _ => DrawState::decided(false, class, plies),
        };
        self.0.store(lost.0, Relaxed);
        lost.conversion()
    }

    /// Counts off turns to won nodes, before anything is propagated. If none is left, the best exit
    /// decides; then it returns how.
    #[inline(always)]
    pub fn discount(&self, turns: u16) -> Option<Conversion> {
        // A draw without an exit has a turn to a draw.
        let lost = DrawState::pending(false, self.less(turns)??);
        self.0.store(lost.0, Relaxed);
        lost.conversion()
    }

    /// Counts off turns of a counting node. Returns its exit if none is left.
    #[inline(always)]
    fn less(&self, turns: u16) -> Option<Option<u16>> {
        if !DrawState(self.0.load(Relaxed)).is_counting() {
            return None;
        }
        let turns = u32::from(turns);
        let before = self.0.fetch_sub(turns << COUNT_SHIFT, Relaxed);
        if before >> COUNT_SHIFT & COUNT != turns {
            return None;
        }
        let exit = before & NO_CLASS;
        Some((exit != NO_CLASS).then_some(exit as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Score;

    fn atomic(state: DrawState) -> AtomicDrawState {
        AtomicDrawState(AtomicU32::new(state.0))
    }

    #[test]
    fn a_draw_loses_ground_when_all_its_turns_do() {
        let scores = DrawScores::new((1..=4).map(|i| Score::new(i, 1))).unwrap();
        let seeded = |inside, exit| DrawState::seeded(inside, exit, 1, &scores).unwrap();
        // Its exit is better than where the turns lead.
        let node = atomic(seeded(2, Some(0)));
        assert_eq!(node.count_off(1, 2, 5), None);
        let exit = Conversion {
            gains: false,
            class: 4,
            plies: 1,
        };
        assert_eq!(node.count_off(1, 2, 5), Some(exit));
        assert_eq!(exit.rank(&scores), 0);
        assert!(DrawState(node.0.into_inner()).is_due(exit));
        // Or of the same class, and then the turns last longer.
        let node = atomic(seeded(1, Some(0)));
        let turns = node.count_off(1, 4, 7).unwrap();
        assert_eq!((turns.class, turns.plies), (4, 7));
        // A turn to a won position does not count.
        let node = atomic(seeded(3, Some(-4)));
        assert_eq!(node.discount(2), None);
        assert_eq!(node.discount(1).map(|own| own.rank(&scores)), Some(-4));
    }

    #[test]
    fn an_exit_is_sooner_than_turns_of_the_same_class() {
        let scores = DrawScores::new([Score::new(1, 2)]).unwrap();
        let exit = DrawState::seeded(3, Some(1), 0, &scores).unwrap();
        let node = atomic(exit);
        assert!(!node.gain(0, 2));
        assert_eq!(DrawState(node.0.into_inner()), exit);
        // A more extreme class comes first, whatever it takes.
        let exit = DrawState::seeded(3, Some(0), -1, &scores).unwrap();
        let node = atomic(exit);
        assert!(node.gain(0, 9));
        let conversion = DrawState(node.0.into_inner()).conversion().unwrap();
        assert_eq!((conversion.class, conversion.plies), (0, 9));
    }

    #[test]
    fn what_is_not_decided_stays() {
        let scores = DrawScores::new([Score::new(1, 2)]).unwrap();
        for (inside, exit) in [(3, None), (2, Some(0)), (0, Some(0)), (4, Some(-1))] {
            let state = DrawState::seeded(inside, exit, 0, &scores).unwrap();
            assert_eq!(
                state.ranked(0, &scores),
                Ranked::Draw(0),
                "{inside} {exit:?}"
            );
        }
        let leaves = DrawState::seeded(4, Some(1), 0, &scores).unwrap();
        assert_eq!(leaves.ranked(0, &scores), Ranked::Draw(1));
        assert!(!leaves.is_final() && leaves.due().is_final());
        assert_eq!(
            DrawState::seeded(64, None, 0, &scores),
            Err(Misfit::InsideTurns)
        );
    }
}
