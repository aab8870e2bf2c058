//! Outcomes, five to a byte: digits to base 3, the first position lowest (3⁵ = 243 ≤ 256).
//!
//! A *don't care* repeats the outcome before it, which makes runs longer.

use endmill_games::Outcome;

use super::Malformed;

const PER_BYTE: usize = 5;
const WEIGHTS: [u8; PER_BYTE] = [1, 3, 9, 27, 81];
/// Bytes below this are five digits.
const BYTES: usize = 243;

pub(super) fn packed_length(count: usize) -> usize {
    count.div_ceil(PER_BYTE)
}

/// Replaces `packed` by the packed entries. Positions missing in the last byte are zeros.
pub(super) fn pack(entries: &[Option<Outcome>], packed: &mut Vec<u8>) {
    let filled: Vec<Outcome> = filled(entries).collect();
    packed.clear();
    packed.extend(filled.chunks(PER_BYTE).map(|five| {
        let digits = five.iter().zip(WEIGHTS);
        let digits = digits.map(|(&outcome, weight)| weight * digit(outcome));
        digits.sum::<u8>()
    }));
}

/// The entries as unpacking yields them.
pub(super) fn filled(entries: &[Option<Outcome>]) -> impl Iterator<Item = Outcome> {
    let first = entries.iter().flatten().next().copied();
    let mut last = first.unwrap_or(Outcome::Loss);
    entries.iter().map(move |entry| {
        last = entry.unwrap_or(last);
        last
    })
}

/// Appends `count` outcomes.
pub(super) fn unpack(
    packed: &[u8],
    count: usize,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Malformed> {
    if packed.len() != packed_length(count) {
        return Err(Malformed);
    }
    outcomes.reserve(packed.len() * PER_BYTE);
    for &byte in packed {
        outcomes.extend_from_slice(DIGITS.get(usize::from(byte)).ok_or(Malformed)?);
    }
    outcomes.truncate(count);
    Ok(())
}

fn digit(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Loss => 0,
        Outcome::Draw => 1,
        Outcome::Win => 2,
    }
}

/// The five outcomes of every byte.
static DIGITS: [[Outcome; PER_BYTE]; BYTES] = digits();

const fn digits() -> [[Outcome; PER_BYTE]; BYTES] {
    const OUTCOMES: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];
    let mut digits = [[Outcome::Loss; PER_BYTE]; BYTES];
    let mut byte = 0;
    while byte < BYTES {
        let mut place = 0;
        while place < PER_BYTE {
            digits[byte][place] = OUTCOMES[byte / WEIGHTS[place] as usize % 3];
            place += 1;
        }
        byte += 1;
    }
    digits
}
