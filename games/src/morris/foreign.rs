//! Translates turns from the move lists of other morris programs.
//!
//! `a1->a4` instead of `a1-a4`, and two ways without names, both for the boards of 24 points, with
//! points that correspond by name as in their FEN:
//!
//! - numbers, as the lists of the game site PlayOK have them: 1 to 24 in reading order from the
//!   row 7, `5` places, `5-6` moves, `5x12` and `5-6x12` take;
//! - rings and spokes, as older lists of Sanmill have them: `(3,1)` is the first point of the
//!   outer ring, counted clockwise from `d7`; `(3,1)->(2,1)` moves, `-(1,2)` after it takes.

use super::board::Board;
use super::fen::RINGS;

/// The points by their numbers, from 1.
const NUMBERED: [&str; 24] = [
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3",
    "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
];

/// Returns the turn in our notation, if it is in one of these notations.
pub(super) fn turn(board: &Board, text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return text.contains("->").then(|| text.replace("->", "-"));
    }
    if board.points() != NUMBERED.len() {
        return None;
    }
    if text.starts_with('(') {
        return in_rings(&text);
    }
    let (step, taken) = match text.split_once('x') {
        Some((step, taken)) => (step, Some(taken)),
        None => (text.as_str(), None),
    };
    let step = match step.split_once('-') {
        Some((from, to)) => format!("{}-{}", numbered(from)?, numbered(to)?),
        None => numbered(step)?.to_owned(),
    };
    match taken {
        Some(taken) => Some(format!("{step}x{}", numbered(taken)?)),
        None => Some(step),
    }
}

fn numbered(text: &str) -> Option<&'static str> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number: usize = text.parse().ok().filter(|_| digits)?;
    NUMBERED.get(number.checked_sub(1)?).copied()
}

fn in_rings(text: &str) -> Option<String> {
    let mut rest = text;
    let mut ours = point(&mut rest)?.to_owned();
    if let Some(after) = rest.strip_prefix("->") {
        rest = after;
        ours = format!("{ours}-{}", point(&mut rest)?);
    }
    if let Some(after) = rest.strip_prefix(['-', 'x']) {
        rest = after;
        ours = format!("{ours}x{}", point(&mut rest)?);
    }
    rest.is_empty().then_some(ours)
}

/// Takes `(3,1)`.
fn point(text: &mut &str) -> Option<&'static str> {
    let [b'(', ring, b',', spoke, b')', ..] = text.as_bytes() else {
        return None;
    };
    let index = |digit: u8| usize::from(digit.wrapping_sub(b'1'));
    let name = RINGS.get(index(*ring))?.get(index(*spoke))?;
    *text = &text[5..];
    Some(name)
}
