//! How a solved table is held in memory: as codes, or as outcomes alone, four in a byte.
//!
//! A table whose plies nobody asks for takes an eighth of the memory this way, so that all tables
//! which the next ones depend on can stay there.

use std::ops::Range;

use crate::group::{Appeal, Code};
use crate::value::Value;

/// Outcomes in a byte.
pub const OUTCOMES_PER_BYTE: usize = 4;

const DRAW: u8 = 0;
const LOSS: u8 = 1;
const WIN: u8 = 2;

/// What each of the two bits stands for; plies that nobody asks for are the least there can be.
const CODES: [Code; 4] = [
    Code::DRAW,
    Code(Code::DECIDED),
    Code(Code::DECIDED | 1),
    Code::DRAW,
];

/// All four of a byte.
static APPEALS: [[Appeal; OUTCOMES_PER_BYTE]; 256] = {
    let mut all = [[Appeal::NONE; OUTCOMES_PER_BYTE]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut place = 0;
        while place < OUTCOMES_PER_BYTE {
            all[byte][place] = CODES[byte >> (2 * place) & 3].appeal();
            place += 1;
        }
        byte += 1;
    }
    all
};

/// The values of a table's nodes, row after row.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// With plies.
    Codes(&'a [Code]),
    /// Outcomes alone, as [`pack`] writes them.
    Outcomes(&'a [u8]),
}

impl Values<'_> {
    /// The value of a node; without plies a loss counts as 0 plies and a win as 1.
    #[inline(always)]
    pub fn code(&self, node: usize) -> Code {
        match self {
            Values::Codes(codes) => codes[node],
            Values::Outcomes(bytes) => {
                let byte = bytes[node / OUTCOMES_PER_BYTE];
                CODES[usize::from(byte >> (2 * (node % OUTCOMES_PER_BYTE)) & 3)]
            }
        }
    }

    /// Replaces `appeals` by those of a range of nodes.
    pub fn appeals(&self, nodes: Range<usize>, appeals: &mut Vec<Appeal>) {
        appeals.clear();
        match self {
            Values::Codes(codes) => {
                appeals.extend(codes[nodes].iter().map(|code| code.appeal()));
            }
            Values::Outcomes(bytes) => {
                let first = nodes.start / OUTCOMES_PER_BYTE;
                let bytes = &bytes[first..nodes.end.div_ceil(OUTCOMES_PER_BYTE)];
                let before = nodes.start % OUTCOMES_PER_BYTE;
                appeals.reserve(bytes.len() * OUTCOMES_PER_BYTE);
                for &byte in bytes {
                    appeals.extend_from_slice(&APPEALS[usize::from(byte)]);
                }
                appeals.copy_within(before.., 0);
                appeals.truncate(nodes.len());
            }
        }
    }
}

/// Writes the outcomes of up to four nodes into a byte.
#[inline(always)]
pub fn pack(codes: &[Code]) -> u8 {
    let mut byte = 0;
    for (place, code) in codes.iter().enumerate() {
        let decided = code.0 & Code::DECIDED != 0;
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
pub fn outcome_alone(value: Value) -> Code {
    match value {
        Value::Draw => Code::DRAW,
        Value::Loss(_) => CODES[usize::from(LOSS)],
        Value::Win(_) => CODES[usize::from(WIN)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let codes = values.map(Code::new);
        let bytes: Vec<u8> = codes.chunks(OUTCOMES_PER_BYTE).map(pack).collect();
        let packed = Values::Outcomes(&bytes);
        for (node, &value) in values.iter().enumerate() {
            assert_eq!(packed.code(node), outcome_alone(value));
            assert_eq!(packed.code(node).value().outcome(), value.outcome());
        }
        let mut appeals = Vec::new();
        for range in [0..7, 1..6, 3..4, 5..5] {
            packed.appeals(range.clone(), &mut appeals);
            let expected: Vec<Appeal> = range.map(|node| packed.code(node).appeal()).collect();
            assert_eq!(appeals, expected);
        }
    }
}
