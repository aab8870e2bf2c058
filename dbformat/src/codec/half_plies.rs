//! Plies, given the outcomes: a byte for each won or lost position.
//!
//! A win is odd and a loss even, so half of the plies, rounded down, is enough. First come the
//! bytes of the wins, then those of the losses, each in the order of positions: the two have
//! different statistics. 255 stands for "more": the half-plies of those positions follow as u16,
//! in the same order.

use endmill_games::{Outcome, Value};

use super::Malformed;

/// Stands for half-plies of 255 and more.
const MORE: u8 = u8::MAX;
const WIDE: usize = 2;

/// Replaces `packed` by the packed plies. A value that is not stored repeats the one before it
/// in its stream.
pub(super) fn pack(outcomes: &[Outcome], values: &[Option<Value>], packed: &mut Vec<u8>) {
    assert_eq!(outcomes.len(), values.len());
    packed.clear();
    let mut wide = Vec::new();
    for stream in [Outcome::Win, Outcome::Loss] {
        let mut last = 0;
        for (_, value) in outcomes
            .iter()
            .zip(values)
            .filter(|(outcome, _)| **outcome == stream)
        {
            if let Some(value) = value {
                assert_eq!(value.outcome(), stream, "coded for another outcome");
                last = value.plies().unwrap_or(0) / 2;
            }
            match u8::try_from(last) {
                Ok(half) if half != MORE => packed.push(half),
                _ => {
                    packed.push(MORE);
                    wide.extend(last.to_le_bytes());
                }
            }
        }
    }
    packed.extend(wide);
}

/// The most that packing could take.
pub(super) fn longest_packed(outcomes: &[Outcome]) -> usize {
    decided(outcomes) * (1 + WIDE)
}

/// Appends the values of all positions.
pub(super) fn unpack(
    packed: &[u8],
    outcomes: &[Outcome],
    values: &mut Vec<Value>,
) -> Result<(), Malformed> {
    let wins = outcomes
        .iter()
        .filter(|&&outcome| outcome == Outcome::Win)
        .count();
    let (halves, wide) = packed
        .split_at_checked(decided(outcomes))
        .ok_or(Malformed)?;
    let (wins, losses) = halves.split_at(wins);
    let more = |halves: &[u8]| halves.iter().filter(|&&half| half == MORE).count();
    let (wide_wins, wide_losses) = wide.split_at_checked(WIDE * more(wins)).ok_or(Malformed)?;
    if wide_losses.len() != WIDE * more(losses) {
        return Err(Malformed);
    }
    let too_wide = |half: &[u8; WIDE]| u16::from_le_bytes(*half) > u16::MAX / 2;
    if wide.as_chunks().0.iter().any(too_wide) {
        return Err(Malformed);
    }
    let mut wins = Stream::new(wins, wide_wins);
    let mut losses = Stream::new(losses, wide_losses);
    values.reserve(outcomes.len());
    values.extend(outcomes.iter().map(|outcome| match outcome {
        Outcome::Draw => Value::Draw,
        Outcome::Win => Value::Win(2 * wins.next() + 1),
        Outcome::Loss => Value::Loss(2 * losses.next()),
    }));
    Ok(())
}

fn decided(outcomes: &[Outcome]) -> usize {
    outcomes
        .iter()
        .filter(|&&outcome| outcome != Outcome::Draw)
        .count()
}

/// The half-plies of the wins, or of the losses.
struct Stream<'a> {
    halves: std::slice::Iter<'a, u8>,
    wide: std::slice::Iter<'a, [u8; WIDE]>,
}

impl<'a> Stream<'a> {
    fn new(halves: &'a [u8], wide: &'a [u8]) -> Stream<'a> {
        Stream {
            halves: halves.iter(),
            wide: wide.as_chunks().0.iter(),
        }
    }

    /// The next half-plies. There are as many as asked for: they have been counted.
    fn next(&mut self) -> u16 {
        match self.halves.next() {
            Some(&MORE) => self.wide.next().map_or(0, |&half| u16::from_le_bytes(half)),
            Some(&half) => half.into(),
            None => 0,
        }
    }
}
