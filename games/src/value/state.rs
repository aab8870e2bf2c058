//! The state of a node while its group is solved.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use thiserror::Error;

use super::{NodeValue, TurnScore, Value};

/// The state of a node while its group is solved, in two bytes. One word holds everything about a
/// node, so that an un-move touches one cache line.
///
/// ```text
/// 10pp pppp pppp pppp   decided at ply p (odd: win, even: loss)
/// 11pp pppp pppp pppp   pending: decided at ply p at the latest, by an outside win, or by a loss of
///                       which the longest line is an outside one
/// 0100 0000 0000 0000   safe: an outside turn draws
/// 0100 0000 0000 0001   drawn: an outside turn draws, and there are no inside turns
/// 00ll llll llcc cccc   counting: c inside turns are not known to lose; all outside turns lose, the
///                       longest at ply 2·l
/// ```
///
/// When the group is solved, [`settle`](NodeState::settle) turns what is not decided into draws, and
/// the states have become [`NodeValue`]s. What bit 14 means here ends with that: in a [`NodeValue`] it
/// is the mark of nodes that were resolved when they were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct NodeState(u16);

/// A [`NodeState`] that several threads may write.
#[derive(Debug)]
#[repr(transparent)]
pub struct AtomicState(AtomicU16);

const DECIDED: u16 = NodeValue::DECIDED;
const PLIES: u16 = NodeValue::PLIES;
/// Set in nodes that are pending, safe or drawn: outside turns say more than counting can.
const OUTSIDE: u16 = 0x4000;
const KIND: u16 = DECIDED | OUTSIDE;
const COUNT_BITS: u32 = 6;
const COUNT: u16 = (1 << COUNT_BITS) - 1;
/// The longest outside loss that fits beside a count.
const LONGEST_OUTSIDE_LOSS: u16 = 2 * 0xff;

/// Why a node does not fit the two bytes of its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Misfit {
    /// Too many inside turns.
    #[error("a position has more than {COUNT} moves that change no material")]
    InsideTurns,
    /// Too many plies.
    #[error("a position is decided after more than {PLIES} plies")]
    Plies,
    /// Too many plies beside a count of inside turns.
    #[error(
        "in a position every move that changes material loses, but takes more than \
         {LONGEST_OUTSIDE_LOSS} plies"
    )]
    OutsideLoss,
}

impl NodeState {
    /// Drawn for good. It also fills places that stand for no node.
    pub const DRAWN: NodeState = NodeState(OUTSIDE | 1);
    const SAFE: NodeState = NodeState(OUTSIDE);

    /// Decided at a ply.
    #[inline(always)]
    pub const fn decided(ply: u16) -> NodeState {
        NodeState(DECIDED | ply)
    }

    /// Decided at a ply at the latest.
    #[inline(always)]
    pub const fn pending(ply: u16) -> NodeState {
        NodeState(DECIDED | OUTSIDE | ply)
    }

    /// The state of a node with a number of inside turns and a best outside turn, before anything is
    /// propagated. A node without inside turns is final from the start.
    pub fn seeded(inside: u16, outside: TurnScore) -> Result<NodeState, Misfit> {
        // Most nodes have inside turns only.
        if outside == TurnScore::NONE && (1..=COUNT).contains(&inside) {
            return Ok(NodeState(inside));
        }
        let outside = outside.value();
        if outside
            .and_then(Value::plies)
            .is_some_and(|plies| plies > PLIES)
        {
            return Err(Misfit::Plies);
        }
        let state = match (outside, inside) {
            (None, 0) => NodeState::decided(0),
            (Some(Value::Draw), 0) => NodeState::DRAWN,
            (Some(Value::Win(plies) | Value::Loss(plies)), 0) => NodeState::decided(plies),
            (None, count) => NodeState(count),
            (Some(Value::Win(plies)), _) => NodeState::pending(plies),
            (Some(Value::Draw), _) => NodeState::SAFE,
            (Some(Value::Loss(plies)), count) => {
                if plies > LONGEST_OUTSIDE_LOSS {
                    return Err(Misfit::OutsideLoss);
                }
                NodeState((plies / 2) << COUNT_BITS | count)
            }
        };
        match inside <= COUNT {
            true => Ok(state),
            false => Err(Misfit::InsideTurns),
        }
    }

    /// The ply at which a pending or decided node is decided.
    #[inline(always)]
    pub fn ply(self) -> Option<u16> {
        (self.0 & DECIDED != 0).then_some(self.0 & PLIES)
    }

    /// The latest ply at which outside turns may decide a node.
    pub fn latest(self) -> u16 {
        match self.0 & KIND {
            0 => self.outside_loss(),
            OUTSIDE => 0, // safe or drawn
            _ => self.0 & PLIES,
        }
    }

    /// Returns true if the node is decided at a ply, or pending and due then.
    #[inline(always)]
    pub fn is_due(self, ply: u16) -> bool {
        self.0 & !OUTSIDE == DECIDED | ply
    }

    /// Returns true if nothing can change the node any more.
    #[inline(always)]
    pub fn is_final(self) -> bool {
        self.0 & KIND == DECIDED || self == NodeState::DRAWN
    }

    /// Returns true if the node counts its turns.
    #[inline(always)]
    pub fn is_counting(self) -> bool {
        self.0 & KIND == 0
    }

    /// The turns of a counting node that are not known to lose.
    #[inline(always)]
    pub fn count(self) -> u16 {
        self.0 & COUNT
    }

    /// The state of a counting node with fewer turns that are not known to lose.
    #[inline(always)]
    pub fn less(self, turns: u16) -> NodeState {
        NodeState(self.0 - turns)
    }

    /// The longest outside loss of a counting node.
    #[inline(always)]
    pub fn outside_loss(self) -> u16 {
        (self.0 >> COUNT_BITS) * 2
    }

    /// The state of a counting node whose last turn turned out to lose at `ply`.
    #[inline(always)]
    pub fn lost(self, ply: u16) -> NodeState {
        let outside = self.outside_loss();
        if outside > ply {
            NodeState::pending(outside)
        } else {
            NodeState::decided(ply)
        }
    }

    /// Turns the states of a solved group into values: what is not decided is a draw. Afterwards each
    /// state has the bits of its [`NodeValue`].
    pub fn settle(states: &mut [NodeState]) {
        for state in states {
            state.0 = NodeValue::from(*state).0;
        }
    }
}

impl From<NodeState> for NodeValue {
    /// The value of a node of a solved group.
    #[inline(always)]
    fn from(state: NodeState) -> NodeValue {
        // Branchless, so that the compiler vectorises it.
        let decided = ((state.0 as i16) >> 15) as u16;
        NodeValue(state.0 & (DECIDED | PLIES) & decided)
    }
}

impl AtomicState {
    /// Decides that a node with a turn to a lost one is won at `ply`. Returns true if that is news.
    #[inline(always)]
    pub fn win(&self, ply: u16) -> bool {
        let news = !NodeState(self.0.load(Relaxed)).is_final();
        if news {
            self.0.store(NodeState::decided(ply).0, Relaxed);
        }
        news
    }

    /// Counts off turns to nodes that are won. If none is left, the node is lost at `ply` or later;
    /// then it returns when. Without `SHARED` no other thread may write the node at this time, and it
    /// takes no atomic instruction.
    #[inline(always)]
    pub fn count_off<const SHARED: bool>(&self, turns: u16, ply: u16) -> Option<u16> {
        let mut before = NodeState(self.0.load(Relaxed));
        if !before.is_counting() {
            return None;
        }
        if SHARED {
            before = NodeState(self.0.fetch_sub(turns, Relaxed));
        } else {
            self.0.store(before.less(turns).0, Relaxed);
        }
        if before.count() != turns {
            return None;
        }
        let lost = before.lost(ply);
        self.0.store(lost.0, Relaxed);
        lost.ply()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeded(inside: u16, outside: Value) -> NodeState {
        // The score of a turn to a position, whose value is seen by the other side.
        let score = match outside {
            Value::Draw => TurnScore::DRAW,
            Value::Win(plies) => NodeValue::new(Value::Loss(plies - 1)).score(),
            Value::Loss(plies) => NodeValue::new(Value::Win(plies - 1)).score(),
        };
        NodeState::seeded(inside, score).unwrap()
    }

    #[test]
    fn a_node_is_lost_when_all_turns_lose() {
        let mut states = [seeded(3, Value::Loss(6)), seeded(2, Value::Loss(20))];
        let nodes = states.map(|state| AtomicState(AtomicU16::new(state.0)));
        assert_eq!(nodes[0].count_off::<true>(2, 4), None);
        assert_eq!(nodes[0].count_off::<false>(1, 8), Some(8));
        // The longest outside loss holds it back.
        assert_eq!(nodes[1].count_off::<true>(2, 8), Some(20));
        for (state, node) in states.iter_mut().zip(nodes) {
            *state = NodeState(node.0.into_inner());
        }
        assert!(states[0].is_final() && !states[1].is_final());
        assert!(states[1].is_due(20) && !states[1].is_due(8));
        NodeState::settle(&mut states);
        let values = states.map(|state| NodeValue(state.0).value());
        assert_eq!(values, [Value::Loss(8), Value::Loss(20)]);
    }

    #[test]
    fn what_is_not_decided_is_a_draw() {
        let mut states = [
            seeded(5, Value::Loss(6)),
            seeded(5, Value::Draw),
            seeded(0, Value::Draw),
        ];
        NodeState::settle(&mut states);
        assert!(states.iter().all(|&state| state.0 == NodeValue::DRAW.0));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let seeded =
            |inside, value| NodeState::seeded(inside, NodeValue::new(value).score()).unwrap_err();
        assert_eq!(seeded(64, Value::Draw), Misfit::InsideTurns);
        assert_eq!(seeded(1, Value::Win(511)), Misfit::OutsideLoss);
        assert_eq!(seeded(1, Value::Win(PLIES)), Misfit::Plies);
    }
}
