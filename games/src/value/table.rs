//! The values of a table in memory: two bytes each, one byte each if no distance is too long, or
//! two bits each if only outcomes are needed.
//!
//! Smaller forms let more of the tables stay resident that later tables depend on.

use std::ops::Range;

use super::node::{NodeValue, TurnScore};
use crate::bits::prefetch;

/// The number of outcomes in a byte of [`TableValues::Outcomes`].
pub const OUTCOMES_PER_BYTE: usize = 4;

/// The longest distance that fits a byte.
const MAX_BYTE_PLIES: u16 = 254;

/// Two bits: 0 draw, 1 loss, 2 win. Without a distance, a loss stands for 0 plies and a win for 1,
/// the least possible.
const OUTCOMES: [NodeValue; 4] = [
    NodeValue::DRAW,
    NodeValue::decided(0),
    NodeValue::decided(1),
    NodeValue::DRAW,
];

/// The scores of the four outcomes in a byte.
static OUTCOME_SCORES: [[TurnScore; OUTCOMES_PER_BYTE]; 256] = {
    let mut all = [[TurnScore::NONE; OUTCOMES_PER_BYTE]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut place = 0;
        while place < OUTCOMES_PER_BYTE {
            all[byte][place] = OUTCOMES[byte >> (2 * place) & 3].score();
            place += 1;
        }
        byte += 1;
    }
    all
};

/// The score of a value in a byte.
static BYTE_SCORES: [TurnScore; 256] = {
    let mut all = [TurnScore::NONE; 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = NodeValue::from_byte(byte as u8).score();
        byte += 1;
    }
    all
};

/// The values of a table's nodes, row after row.
#[derive(Clone, Copy, Debug)]
pub enum TableValues<'a> {
    /// Outcomes only, as [`NodeValue::pack_outcomes`] writes them.
    Outcomes(&'a [u8]),
    /// Exact values, as [`NodeValue::to_byte`] writes them.
    Bytes(&'a [u8]),
    /// Exact values.
    Nodes(&'a [NodeValue]),
}

impl<'a> TableValues<'a> {
    /// Returns the value of a node; of an outcome, a loss in 0 plies or a win in 1.
    #[inline(always)]
    pub fn node(&self, node: usize) -> NodeValue {
        match self {
            TableValues::Nodes(nodes) => nodes[node],
            TableValues::Bytes(bytes) => NodeValue::from_byte(bytes[node]),
            TableValues::Outcomes(bytes) => {
                let byte = bytes[node / OUTCOMES_PER_BYTE];
                OUTCOMES[usize::from(byte >> (2 * (node % OUTCOMES_PER_BYTE)) & 3)]
            }
        }
    }

    /// Returns the score of a turn to a node. This does not branch on the value, which would be
    /// mispredicted half of the time.
    #[inline(always)]
    pub fn score(&self, node: usize) -> TurnScore {
        match self {
            TableValues::Nodes(nodes) => nodes[node].score(),
            TableValues::Bytes(bytes) => BYTE_SCORES[usize::from(bytes[node])],
            TableValues::Outcomes(bytes) => {
                let byte = bytes[node / OUTCOMES_PER_BYTE];
                OUTCOME_SCORES[usize::from(byte)][node % OUTCOMES_PER_BYTE]
            }
        }
    }

    /// Prefetches a node.
    #[inline(always)]
    pub fn prefetch(&self, node: usize) {
        match self {
            TableValues::Nodes(nodes) => prefetch(&nodes[node]),
            TableValues::Bytes(bytes) => prefetch(&bytes[node]),
            TableValues::Outcomes(bytes) => prefetch(&bytes[node / OUTCOMES_PER_BYTE]),
        }
    }

    /// Returns the values of a range of nodes, unpacked into `buffer` if necessary.
    #[inline]
    pub fn nodes<'b>(&self, nodes: Range<usize>, buffer: &'b mut Vec<NodeValue>) -> &'b [NodeValue]
    where
        'a: 'b,
    {
        match *self {
            TableValues::Nodes(all) => &all[nodes],
            _ => {
                buffer.clear();
                buffer.extend(nodes.map(|node| self.node(node)));
                buffer
            }
        }
    }

    /// Replaces `scores` with those of a range of nodes.
    pub fn scores(&self, nodes: Range<usize>, scores: &mut Vec<TurnScore>) {
        scores.clear();
        match self {
            TableValues::Nodes(all) => {
                scores.extend(all[nodes].iter().map(|node| node.score()));
            }
            TableValues::Bytes(bytes) => {
                let bytes = bytes[nodes].iter();
                scores.extend(bytes.map(|&byte| BYTE_SCORES[usize::from(byte)]));
            }
            TableValues::Outcomes(bytes) => {
                let first = nodes.start / OUTCOMES_PER_BYTE;
                let bytes = &bytes[first..nodes.end.div_ceil(OUTCOMES_PER_BYTE)];
                let before = nodes.start % OUTCOMES_PER_BYTE;
                scores.reserve(bytes.len() * OUTCOMES_PER_BYTE);
                for &byte in bytes {
                    scores.extend_from_slice(&OUTCOME_SCORES[usize::from(byte)]);
                }
                scores.copy_within(before.., 0);
                scores.truncate(nodes.len());
            }
        }
    }
}

impl NodeValue {
    /// Returns the value in a byte, or `None` if its distance is too long: 0 for a draw, otherwise
    /// the plies plus one.
    #[inline(always)]
    pub fn to_byte(self) -> Option<u8> {
        match self.is_decided() {
            false => Some(0),
            true => (self.plies() <= MAX_BYTE_PLIES).then(|| self.plies() as u8 + 1),
        }
    }

    /// The inverse of [`NodeValue::to_byte`].
    #[inline(always)]
    const fn from_byte(byte: u8) -> NodeValue {
        match byte {
            0 => NodeValue::DRAW,
            _ => NodeValue::decided(byte as u16 - 1),
        }
    }

    /// Packs the outcomes of up to four nodes into a byte.
    #[inline(always)]
    pub fn pack_outcomes(nodes: &[NodeValue]) -> u8 {
        let mut byte = 0;
        for (place, node) in nodes.iter().enumerate() {
            let outcome = match (node.is_decided(), node.plies() & 1) {
                (false, _) => 0,
                (true, 0) => 1,
                (true, _) => 2,
            };
            byte |= outcome << (2 * place);
        }
        byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    #[test]
    fn a_byte_holds_the_value_unless_the_distance_is_too_long() {
        let values = [
            Value::Draw,
            Value::Loss(0),
            Value::Win(1),
            Value::Loss(254),
            Value::Win(253),
        ];
        let nodes = values.map(NodeValue::new);
        let bytes = nodes.map(|node| node.to_byte().unwrap());
        let packed = TableValues::Bytes(&bytes);
        let mut scores = Vec::new();
        packed.scores(1..5, &mut scores);
        for (i, &node) in nodes.iter().enumerate() {
            assert_eq!(packed.node(i), node);
            assert_eq!(packed.score(i), node.score());
            assert_eq!(TableValues::Nodes(&nodes).score(i), node.score());
            assert!(i == 0 || scores[i - 1] == node.score());
        }
        assert_eq!(NodeValue::new(Value::Win(255)).to_byte(), None);
    }

    #[test]
    fn two_bits_hold_the_outcome() {
        let values = [
            Value::Draw,
            Value::Loss(0),
            Value::Win(1),
            Value::Loss(204),
            Value::Win(203),
            Value::Draw,
            Value::Win(3),
        ];
        let nodes = values.map(NodeValue::new);
        let bytes = nodes.chunks(OUTCOMES_PER_BYTE);
        let bytes: Vec<u8> = bytes.map(NodeValue::pack_outcomes).collect();
        let packed = TableValues::Outcomes(&bytes);
        for (i, &value) in values.iter().enumerate() {
            let shortest = NodeValue::new(Value::shortest(value.outcome()));
            assert_eq!(packed.node(i), shortest);
            assert_eq!(packed.score(i), shortest.score());
        }
        let mut scores = Vec::new();
        for range in [0..7, 1..6, 3..4, 5..5] {
            packed.scores(range.clone(), &mut scores);
            let expected: Vec<TurnScore> = range.map(|node| packed.node(node).score()).collect();
            assert_eq!(scores, expected);
        }
    }
}
