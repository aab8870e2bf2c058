//! How a solved table is held in memory: as codes, in a byte each if no plies are too long for
//! that, or as outcomes alone, four in a byte.
//!
//! A table takes a half or an eighth of the memory this way, so that more of those which the next
//! ones depend on can stay there.

use std::ops::Range;

use crate::group::{Appeal, Code};
use crate::value::Value;

/// The most plies that fit a byte.
const MOST_SHORT_PLIES: u16 = 254;

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
    /// The same, as [`shorten`] writes them.
    Short(&'a [u8]),
    /// Outcomes alone, as [`pack`] writes them.
    Outcomes(&'a [u8]),
}

impl Values<'_> {
    /// The value of a node; without plies a loss counts as 0 plies and a win as 1.
    #[inline(always)]
    pub fn code(&self, node: usize) -> Code {
        match self {
            Values::Codes(codes) => codes[node],
            Values::Short(bytes) => lengthened(bytes[node]),
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
            Values::Short(bytes) => {
                let short = bytes[nodes].iter();
                appeals.extend(short.map(|&byte| lengthened(byte).appeal()));
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

/// A code in a byte: 0 for a draw, otherwise the plies plus one, which tell a win from a loss;
/// `None` if they are too many.
#[inline(always)]
pub fn shorten(code: Code) -> Option<u8> {
    let plies = code.0 & Code::PLIES;
    match code.0 & Code::DECIDED {
        0 => Some(0),
        _ => (plies <= MOST_SHORT_PLIES).then(|| plies as u8 + 1),
    }
}

/// The code that was [shortened](shorten) to a byte.
#[inline(always)]
const fn lengthened(byte: u8) -> Code {
    match byte {
        0 => Code::DRAW,
        _ => Code(Code::DECIDED | (byte as u16 - 1)),
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
    fn what_is_shortened_is_the_same_unless_it_is_too_long() {
        let values = [
            Value::Draw,
            Value::Loss(0),
            Value::Win(1),
            Value::Loss(254),
            Value::Win(253),
        ];
        let codes = values.map(Code::new);
        let bytes = codes.map(|code| shorten(code).unwrap());
        let short = Values::Short(&bytes);
        let mut appeals = Vec::new();
        short.appeals(1..5, &mut appeals);
        for (node, &code) in codes.iter().enumerate() {
            assert_eq!(short.code(node), code);
            assert!(node == 0 || appeals[node - 1] == code.appeal());
        }
        assert_eq!(shorten(Code::new(Value::Win(255))), None);
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
