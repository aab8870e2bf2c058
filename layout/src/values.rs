//! How a solved table is held in memory: as codes, in a byte each if no plies are too long for
//! that, or as outcomes alone, four in a byte.
//!
//! A table takes a half or an eighth of the memory this way, so that more of those which the next
//! ones depend on can stay there.

use std::ops::Range;

use endmill_games::Value;
use endmill_games::bits::prefetch;

use crate::node_value::{NodeValue, TurnScore};

/// The most plies that fit a byte.
const MOST_SHORT_PLIES: u16 = 254;

/// Outcomes in a byte.
pub const OUTCOMES_PER_BYTE: usize = 4;

const DRAW: u8 = 0;
const LOSS: u8 = 1;
const WIN: u8 = 2;

/// What each of the two bits stands for; plies that nobody asks for are the least there can be.
const CODES: [NodeValue; 4] = [
    NodeValue::DRAW,
    NodeValue(NodeValue::DECIDED),
    NodeValue(NodeValue::DECIDED | 1),
    NodeValue::DRAW,
];

/// All four of a byte.
static SCORES: [[TurnScore; OUTCOMES_PER_BYTE]; 256] = {
    let mut all = [[TurnScore::NONE; OUTCOMES_PER_BYTE]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut place = 0;
        while place < OUTCOMES_PER_BYTE {
            all[byte][place] = CODES[byte >> (2 * place) & 3].score();
            place += 1;
        }
        byte += 1;
    }
    all
};

/// Of a short value.
static SHORT_SCORES: [TurnScore; 256] = {
    let mut all = [TurnScore::NONE; 256];
    let mut byte = 0;
    while byte < 256 {
        all[byte] = lengthened(byte as u8).score();
        byte += 1;
    }
    all
};

/// The values of a table's nodes, row after row.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// With plies.
    Codes(&'a [NodeValue]),
    /// The same, as [`shorten`] writes them.
    Short(&'a [u8]),
    /// Outcomes alone, as [`pack`] writes them.
    Outcomes(&'a [u8]),
}

impl<'a> Values<'a> {
    /// The value of a node; without plies a loss counts as 0 plies and a win as 1.
    #[inline(always)]
    pub fn code(&self, node: usize) -> NodeValue {
        match self {
            Values::Codes(codes) => codes[node],
            Values::Short(bytes) => lengthened(bytes[node]),
            Values::Outcomes(bytes) => {
                let byte = bytes[node / OUTCOMES_PER_BYTE];
                CODES[usize::from(byte >> (2 * (node % OUTCOMES_PER_BYTE)) & 3)]
            }
        }
    }

    /// How good it is to lead to a node. Without a branch on what is there, which would be guessed
    /// wrong as often as not.
    #[inline(always)]
    pub fn score(&self, node: usize) -> TurnScore {
        match self {
            Values::Codes(codes) => codes[node].score(),
            Values::Short(bytes) => SHORT_SCORES[usize::from(bytes[node])],
            Values::Outcomes(bytes) => {
                let byte = bytes[node / OUTCOMES_PER_BYTE];
                SCORES[usize::from(byte)][node % OUTCOMES_PER_BYTE]
            }
        }
    }

    /// Asks for a node that will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, node: usize) {
        match self {
            Values::Codes(codes) => prefetch(&codes[node]),
            Values::Short(bytes) => prefetch(&bytes[node]),
            Values::Outcomes(bytes) => prefetch(&bytes[node / OUTCOMES_PER_BYTE]),
        }
    }

    /// The values of a range of nodes: where they are, if they are held as codes, otherwise in
    /// `buffer`.
    #[inline]
    pub fn codes<'b>(&self, nodes: Range<usize>, buffer: &'b mut Vec<NodeValue>) -> &'b [NodeValue]
    where
        'a: 'b,
    {
        match *self {
            Values::Codes(codes) => &codes[nodes],
            _ => {
                buffer.clear();
                buffer.extend(nodes.map(|node| self.code(node)));
                buffer
            }
        }
    }

    /// Replaces `scores` by those of a range of nodes.
    pub fn scores(&self, nodes: Range<usize>, scores: &mut Vec<TurnScore>) {
        scores.clear();
        match self {
            Values::Codes(codes) => {
                scores.extend(codes[nodes].iter().map(|code| code.score()));
            }
            Values::Short(bytes) => {
                let short = bytes[nodes].iter();
                scores.extend(short.map(|&byte| SHORT_SCORES[usize::from(byte)]));
            }
            Values::Outcomes(bytes) => {
                let first = nodes.start / OUTCOMES_PER_BYTE;
                let bytes = &bytes[first..nodes.end.div_ceil(OUTCOMES_PER_BYTE)];
                let before = nodes.start % OUTCOMES_PER_BYTE;
                scores.reserve(bytes.len() * OUTCOMES_PER_BYTE);
                for &byte in bytes {
                    scores.extend_from_slice(&SCORES[usize::from(byte)]);
                }
                scores.copy_within(before.., 0);
                scores.truncate(nodes.len());
            }
        }
    }
}

/// A code in a byte: 0 for a draw, otherwise the plies plus one, which tell a win from a loss;
/// `None` if they are too many.
#[inline(always)]
pub fn shorten(code: NodeValue) -> Option<u8> {
    let plies = code.0 & NodeValue::PLIES;
    match code.0 & NodeValue::DECIDED {
        0 => Some(0),
        _ => (plies <= MOST_SHORT_PLIES).then(|| plies as u8 + 1),
    }
}

/// The code that was [shortened](shorten) to a byte.
#[inline(always)]
const fn lengthened(byte: u8) -> NodeValue {
    match byte {
        0 => NodeValue::DRAW,
        _ => NodeValue(NodeValue::DECIDED | (byte as u16 - 1)),
    }
}

/// Writes the outcomes of up to four nodes into a byte.
#[inline(always)]
pub fn pack(codes: &[NodeValue]) -> u8 {
    let mut byte = 0;
    for (place, code) in codes.iter().enumerate() {
        let decided = code.0 & NodeValue::DECIDED != 0;
        let won = code.0 & 1 != 0;
        let outcome = match (decided, won) {
            (false, _) => DRAW,
            (true, false) => LOSS,
            (true, true) => WIN,
        };
        byte |= outcome << (2 * place);
    }
    byte
}

/// A value without its plies: what is left of it when it is packed.
pub fn outcome_alone(value: Value) -> NodeValue {
    match value {
        Value::Draw => NodeValue::DRAW,
        Value::Loss(_) => CODES[usize::from(LOSS)],
        Value::Win(_) => CODES[usize::from(WIN)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shortened_is_the_same_unless_it_is_too_long() {
        let values = [
            Value::Draw,
            Value::Loss(0),
            Value::Win(1),
            Value::Loss(254),
            Value::Win(253),
        ];
        let codes = values.map(NodeValue::new);
        let bytes = codes.map(|code| shorten(code).unwrap());
        let short = Values::Short(&bytes);
        let mut scores = Vec::new();
        short.scores(1..5, &mut scores);
        for (node, &code) in codes.iter().enumerate() {
            assert_eq!(short.code(node), code);
            assert_eq!(short.score(node), code.score());
            assert_eq!(Values::Codes(&codes).score(node), code.score());
            assert!(node == 0 || scores[node - 1] == code.score());
        }
        assert_eq!(shorten(NodeValue::new(Value::Win(255))), None);
    }

    #[test]
    fn what_is_packed_keeps_its_outcome() {
        let values = [
            Value::Draw,
            Value::Loss(0),
            Value::Win(1),
            Value::Loss(204),
            Value::Win(203),
            Value::Draw,
            Value::Win(3),
        ];
        let codes = values.map(NodeValue::new);
        let bytes: Vec<u8> = codes.chunks(OUTCOMES_PER_BYTE).map(pack).collect();
        let packed = Values::Outcomes(&bytes);
        for (node, &value) in values.iter().enumerate() {
            assert_eq!(packed.code(node), outcome_alone(value));
            assert_eq!(packed.score(node), outcome_alone(value).score());
            assert_eq!(packed.code(node).value().outcome(), value.outcome());
        }
        let mut scores = Vec::new();
        for range in [0..7, 1..6, 3..4, 5..5] {
            packed.scores(range.clone(), &mut scores);
            let expected: Vec<TurnScore> = range.map(|node| packed.code(node).score()).collect();
            assert_eq!(scores, expected);
        }
    }
}
