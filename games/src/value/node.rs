//! The value of a node in two bytes, and the score of a turn to it.

use super::Value;

/// The value of a node of a solved table, in two bytes.
///
/// Bit 15 is set if the node is decided, and then the low 14 bits are the plies. Otherwise it is a
/// draw. Bit 14 says how the value was read, see [`NodeValue::RESOLVED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct NodeValue(pub u16);

impl NodeValue {
    /// Set in decided nodes.
    pub const DECIDED: u16 = 0x8000;
    /// The bits of the plies.
    pub const PLIES: u16 = 0x3fff;
    /// Set in nodes that were not stored but [resolved](crate::Features::is_resolved) when
    /// their table was read. It says nothing about the value.
    pub const RESOLVED: u16 = 0x4000;
    /// Endless play.
    pub const DRAW: NodeValue = NodeValue(0);

    /// The value that is decided after a number of plies: odd for a win, even for a loss.
    pub(super) const fn decided(plies: u16) -> NodeValue {
        NodeValue(NodeValue::DECIDED | plies)
    }

    /// Packs a value.
    ///
    /// # Panics
    /// Panics if the plies do not fit 14 bits.
    pub fn new(value: Value) -> NodeValue {
        NodeValue::try_new(value).unwrap_or_else(|| panic!("{value} does not fit 14 bits"))
    }

    /// Packs a value, or returns `None` if the plies do not fit 14 bits.
    pub fn try_new(value: Value) -> Option<NodeValue> {
        match value.plies() {
            None => Some(NodeValue::DRAW),
            Some(plies) => {
                (plies <= NodeValue::PLIES).then_some(NodeValue(NodeValue::DECIDED | plies))
            }
        }
    }

    /// Appends values. Returns false if some plies do not fit 14 bits; then what was appended is
    /// meaningless.
    pub fn extend(nodes: &mut Vec<NodeValue>, values: &[Value]) -> bool {
        let mut longest = 0;
        nodes.extend(values.iter().map(|value| {
            // The outcome is unpredictable, so this is branchless.
            let decided = u16::from(*value != Value::Draw).wrapping_neg();
            let plies = value.plies().unwrap_or(0);
            longest |= plies;
            NodeValue((NodeValue::DECIDED | plies) & decided)
        }));
        longest <= NodeValue::PLIES
    }

    /// Unpacks the value.
    #[inline]
    pub fn value(self) -> Value {
        match (self.is_decided(), self.plies()) {
            (false, _) => Value::Draw,
            (true, plies) if plies % 2 == 0 => Value::Loss(plies),
            (true, plies) => Value::Win(plies),
        }
    }

    /// Returns true unless the node is a draw.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.0 & NodeValue::DECIDED != 0
    }

    /// The plies of a decided node; meaningless for a draw.
    #[inline(always)]
    pub const fn plies(self) -> u16 {
        self.0 & NodeValue::PLIES
    }

    /// The score of a turn to this node.
    #[inline(always)]
    pub const fn score(self) -> TurnScore {
        // The outcome is unpredictable, so this is branchless: a win of the other side counts its
        // plies from the bottom, a loss counts them from the top, and a draw is between them.
        let plies = self.0 & NodeValue::PLIES;
        let lost = (plies & 1).wrapping_sub(1);
        let decided = ((self.0 as i16) >> 15) as u16;
        TurnScore(((plies ^ lost) & decided) | (TurnScore::DRAW.0 & !decided))
    }

    /// The score of the best turn of a node with this value.
    #[inline(always)]
    pub const fn best_turn(self) -> TurnScore {
        let plies = self.0 & NodeValue::PLIES;
        let won = (plies & 1).wrapping_neg();
        let decided = ((self.0 as i16) >> 15) as u16;
        TurnScore(((plies.saturating_sub(1) ^ won) & decided) | (TurnScore::DRAW.0 & !decided))
    }

    /// Fills in nodes from their best turns. Returns false if some plies do not fit 14 bits; then
    /// what was written is meaningless.
    pub fn fill(nodes: &mut [NodeValue], best: impl Iterator<Item = TurnScore>) -> bool {
        let mut longest = 0;
        for (node, TurnScore(score)) in nodes.iter_mut().zip(best) {
            // Branchless, so that the compiler vectorises it. No turn is a loss in 0.
            let won = u16::from(score > TurnScore::DRAW.0).wrapping_neg();
            let decided = u16::from(score != TurnScore::DRAW.0).wrapping_neg();
            let plies = ((score ^ won) + u16::from(score != TurnScore::NONE.0)) & decided;
            longest |= plies;
            *node = NodeValue((NodeValue::DECIDED & decided) | plies);
        }
        longest <= NodeValue::PLIES
    }

    /// Returns true if each node has the value that follows from its best turn. Branchless, so that
    /// the compiler vectorises it.
    pub fn follow_from(nodes: &[NodeValue], best: &[TurnScore]) -> bool {
        let pairs = nodes.iter().zip(best);
        let differ = pairs.fold(0, |any, (node, best)| any | (node.best_turn().0 ^ best.0));
        differ == 0
    }

    /// The same for a table that was read: a node must be [resolved](NodeValue::RESOLVED) if and
    /// only if its best turn is [`TurnScore::RESOLVED`].
    pub fn read_follow_from(nodes: &[NodeValue], best: &[TurnScore]) -> bool {
        let pairs = nodes.iter().zip(best);
        let differ = pairs.fold(0, |any, (node, best)| {
            let resolved = (node.0 >> 14 & 1).wrapping_neg();
            let own = (node.best_turn().0 & !resolved) | (TurnScore::RESOLVED.0 & resolved);
            any | (own ^ best.0)
        });
        differ == 0
    }

    /// Returns the same value, marked if it was resolved when its table was read.
    #[inline(always)]
    pub const fn marked(self, resolved: bool) -> NodeValue {
        NodeValue(self.0 | (NodeValue::RESOLVED * resolved as u16))
    }

    /// Returns true if the node was resolved when its table was read.
    pub fn is_resolved(self) -> bool {
        self.0 & NodeValue::RESOLVED != 0
    }
}

/// How good a turn is for the side that makes it: fast wins are greatest, then slow wins, draws,
/// slow losses, fast losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TurnScore(u16);

impl TurnScore {
    /// No turn, which is less than any turn.
    pub const NONE: TurnScore = TurnScore(0);
    /// Not looked up, because the node was [resolved](NodeValue::RESOLVED) when its table was read.
    /// No turn has this score, which is between the longest loss and a draw.
    pub const RESOLVED: TurnScore = TurnScore(0x4000);
    /// The turn leads to a draw.
    pub const DRAW: TurnScore = TurnScore(0x8000);
    /// The turn ends the game.
    pub const WINS_AT_ONCE: TurnScore = TurnScore(u16::MAX);

    /// The value for the side that makes the turn; `None` for [`TurnScore::NONE`].
    pub fn value(self) -> Option<Value> {
        match self {
            TurnScore::NONE => None,
            TurnScore::DRAW => Some(Value::Draw),
            TurnScore(plies) if plies < TurnScore::DRAW.0 => Some(Value::Loss(plies + 1)),
            TurnScore(rest) => Some(Value::Win(u16::MAX - rest + 1)),
        }
    }

    /// The score of a turn to a position whose best turn has this score.
    #[inline]
    pub fn for_other_side(self) -> TurnScore {
        match self {
            TurnScore::NONE => TurnScore::WINS_AT_ONCE,
            TurnScore::DRAW => TurnScore::DRAW,
            TurnScore(plies) if plies < TurnScore::DRAW.0 => TurnScore(!(plies + 1)),
            TurnScore(rest) => TurnScore(!rest + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_holds_its_value() {
        for value in [
            Value::LOST,
            Value::Loss(290),
            Value::Draw,
            Value::Win(1),
            Value::Win(289),
        ] {
            assert_eq!(NodeValue::new(value).value(), value);
            let score = NodeValue::new(value).score();
            assert_eq!(score.value(), Some(value.one_turn_earlier()));
            let best = NodeValue::new(value).best_turn();
            assert_eq!(best.value().unwrap_or(Value::LOST), value);
            assert_eq!(best.for_other_side(), score);
            let mut nodes = [NodeValue::DRAW];
            assert!(NodeValue::fill(&mut nodes, [best].into_iter()));
            assert_eq!(nodes, [NodeValue::new(value)]);
            assert!(NodeValue::follow_from(&nodes, &[best]));
        }
    }

    #[test]
    fn read_nodes_are_resolved_where_their_turns_say_so() {
        let stored = [Value::Loss(2), Value::Draw, Value::Win(0x3fff)].map(NodeValue::new);
        let best = stored.map(NodeValue::best_turn);
        assert!(NodeValue::read_follow_from(&stored, &best));
        for (node, best) in stored.into_iter().zip(best) {
            let resolved = node.marked(true);
            assert_eq!(resolved.value(), node.value());
            assert_eq!(resolved.score(), node.score());
            let mark = TurnScore::RESOLVED;
            assert!(NodeValue::read_follow_from(&[resolved], &[mark]));
            assert!(!NodeValue::read_follow_from(&[resolved], &[best]));
            assert!(!NodeValue::read_follow_from(&[node], &[mark]));
        }
    }

    #[test]
    fn plies_that_do_not_fit_are_noticed() {
        let deepest = NodeValue::new(Value::Win(NodeValue::PLIES)).score();
        assert!(!NodeValue::fill(
            &mut [NodeValue::DRAW; 2],
            [TurnScore::DRAW, deepest].into_iter()
        ));
    }

    #[test]
    fn scores_order_turns_as_values_order_positions() {
        let values = [0, 2, 4, 290].map(Value::Loss).into_iter();
        let values = values
            .chain([Value::Draw])
            .chain([1, 3, 289].map(Value::Win));
        let values: Vec<Value> = values.collect();
        for &a in &values {
            for &b in &values {
                let by_value = a.one_turn_earlier().cmp(&b.one_turn_earlier());
                let by_score = NodeValue::new(a).score().cmp(&NodeValue::new(b).score());
                assert_eq!(by_score, by_value);
            }
        }
        assert!(TurnScore::NONE < NodeValue::new(Value::Win(1)).score());
    }
}
