//! The value of a node in two bytes, and how good it is to lead there.

use endmill_games::Value;

/// What a finished node is worth, in two bytes: the working form of a [`Value`].
///
/// Bit 15 says that the node is decided, the low 14 bits are the plies; everything else is a draw
/// once the group is solved. While it is being solved, the solver keeps its counts there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct NodeValue(pub u16);

impl NodeValue {
    /// Set in decided nodes.
    pub const DECIDED: u16 = 0x8000;
    /// The bits of the plies.
    pub const PLIES: u16 = 0x3fff;
    /// Set in nodes that were not stored but [resolved](endmill_games::Features::is_resolved) when
    /// their table was read. It says nothing about the value.
    pub const RESOLVED: u16 = 0x4000;
    /// Endless play.
    pub const DRAW: NodeValue = NodeValue(0);

    /// A value as a code.
    ///
    /// # Panics
    /// If the plies do not fit 14 bits.
    pub fn new(value: Value) -> NodeValue {
        NodeValue::try_new(value).unwrap_or_else(|| panic!("{value} does not fit a code"))
    }

    /// A value as a code; `None` if the plies do not fit 14 bits.
    pub fn try_new(value: Value) -> Option<NodeValue> {
        match value.plies() {
            None => Some(NodeValue::DRAW),
            Some(plies) => {
                (plies <= NodeValue::PLIES).then_some(NodeValue(NodeValue::DECIDED | plies))
            }
        }
    }

    /// Appends values as codes; whether the plies of all of them fit 14 bits. If not, what was
    /// appended is of no use.
    pub fn extend(codes: &mut Vec<NodeValue>, values: &[Value]) -> bool {
        let mut longest = 0;
        codes.extend(values.iter().map(|value| {
            // Without a branch that nothing would foretell.
            let decided = u16::from(*value != Value::Draw).wrapping_neg();
            let plies = value.plies().unwrap_or(0);
            longest |= plies;
            NodeValue((NodeValue::DECIDED | plies) & decided)
        }));
        longest <= NodeValue::PLIES
    }

    /// The value of a node of a solved group.
    #[inline]
    pub fn value(self) -> Value {
        let plies = self.0 & NodeValue::PLIES;
        match self.0 & (NodeValue::DECIDED | 1) {
            NodeValue::DECIDED => Value::Loss(plies),
            x if x == NodeValue::DECIDED | 1 => Value::Win(plies),
            _ => Value::Draw,
        }
    }

    /// How good it is for the other side to lead here: greater is better, and [`TurnScore::NONE`]
    /// is less than anything.
    #[inline(always)]
    pub const fn score(self) -> TurnScore {
        // Without a branch, since nothing foretells which it would be: a win of the other side
        // counts its plies, a loss counts them from the top, a draw is between them.
        let plies = self.0 & NodeValue::PLIES;
        let lost = (plies & 1).wrapping_sub(1);
        let decided = ((self.0 as i16) >> 15) as u16;
        TurnScore(((plies ^ lost) & decided) | (TurnScore::DRAW.0 & !decided))
    }

    /// How good the best turn of a node is that has this value.
    #[inline(always)]
    pub const fn best_turn(self) -> TurnScore {
        let plies = self.0 & NodeValue::PLIES;
        let won = (plies & 1).wrapping_neg();
        let decided = ((self.0 as i16) >> 15) as u16;
        TurnScore(((plies.saturating_sub(1) ^ won) & decided) | (TurnScore::DRAW.0 & !decided))
    }

    /// Gives nodes the values that their best turns give them; whether the plies of all of them fit
    /// 14 bits. If not, what was written is of no use.
    pub fn fill(nodes: &mut [u16], best: impl Iterator<Item = TurnScore>) -> bool {
        let mut longest = 0;
        for (node, TurnScore(score)) in nodes.iter_mut().zip(best) {
            // Without a branch, so that the compiler does several at once. No turn is a loss at 0.
            let won = u16::from(score > TurnScore::DRAW.0).wrapping_neg();
            let decided = u16::from(score != TurnScore::DRAW.0).wrapping_neg();
            let plies = ((score ^ won) + u16::from(score != TurnScore::NONE.0)) & decided;
            longest |= plies;
            *node = (NodeValue::DECIDED & decided) | plies;
        }
        longest <= NodeValue::PLIES
    }

    /// Whether each of these nodes has the value that its best turn gives it. Without a branch for
    /// each, so that the compiler compares several at once.
    pub fn follow_from(nodes: &[NodeValue], best: &[TurnScore]) -> bool {
        let pairs = nodes.iter().zip(best);
        let differ = pairs.fold(0, |any, (node, best)| any | (node.best_turn().0 ^ best.0));
        differ == 0
    }

    /// The same for a table that was read: whether exactly those nodes were
    /// [resolved](NodeValue::RESOLVED) whose best turn is called [so](TurnScore::RESOLVED).
    pub fn read_follow_from(nodes: &[NodeValue], best: &[TurnScore]) -> bool {
        let pairs = nodes.iter().zip(best);
        let differ = pairs.fold(0, |any, (node, best)| {
            let resolved = (node.0 >> 14 & 1).wrapping_neg();
            let own = (node.best_turn().0 & !resolved) | (TurnScore::RESOLVED.0 & resolved);
            any | (own ^ best.0)
        });
        differ == 0
    }

    /// Whether it was resolved when its table was read.
    pub fn is_resolved(self) -> bool {
        self.0 & NodeValue::RESOLVED != 0
    }
}

/// How good a turn is for the side that makes it, on one scale: a fast win is the greatest, then
/// slow wins, a draw, slow losses, fast losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TurnScore(u16);

impl TurnScore {
    /// No turn at all.
    pub const NONE: TurnScore = TurnScore(0);
    /// Not looked up: the node was [resolved](NodeValue::RESOLVED) when its table was read. No node
    /// gives a turn this score, which is between the longest loss and a draw.
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

    /// How good it is for the other side to lead to a position whose best turn is as good as this.
    /// The better that turn, the worse.
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
    fn a_code_keeps_its_value() {
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
            let mut nodes = [0];
            assert!(NodeValue::fill(&mut nodes, [best].into_iter()));
            assert_eq!(nodes, [NodeValue::new(value).0]);
            assert!(NodeValue::follow_from(&[NodeValue(nodes[0])], &[best]));
        }
    }

    #[test]
    fn nodes_that_were_read_are_resolved_where_their_turns_say_so() {
        let stored = [Value::Loss(2), Value::Draw, Value::Win(0x3fff)].map(NodeValue::new);
        let best = stored.map(NodeValue::best_turn);
        assert!(NodeValue::read_follow_from(&stored, &best));
        for (node, best) in stored.into_iter().zip(best) {
            let resolved = NodeValue(node.0 | NodeValue::RESOLVED);
            assert_eq!(resolved.value(), node.value());
            assert_eq!(resolved.score(), node.score());
            let called = TurnScore::RESOLVED;
            assert!(NodeValue::read_follow_from(&[resolved], &[called]));
            assert!(!NodeValue::read_follow_from(&[resolved], &[best]));
            assert!(!NodeValue::read_follow_from(&[node], &[called]));
        }
    }

    #[test]
    fn plies_that_fit_no_code_are_noticed() {
        let deepest = NodeValue::new(Value::Win(NodeValue::PLIES)).score();
        assert!(!NodeValue::fill(
            &mut [0; 2],
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
