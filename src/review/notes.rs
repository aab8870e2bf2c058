//! A review as comments and annotations in PDN.

use endmill_probe::answers::{Mistake, ReviewAnswer, ReviewedTurn};
use endmill_records::Sheet;

use super::words::{estimated, missing, remark, valued};

/// The beginning of our comments: a new review replaces the old ones.
const SIGN: &str = "endmill: ";

/// The game with the value of every move and the best moves.
pub fn noted(review: &ReviewAnswer) -> Sheet {
    let mut sheet = review.sheet.clone();
    for (turn, reviewed) in sheet.turns.iter_mut().zip(&review.turns) {
        turn.comments.retain(|comment| !comment.starts_with(SIGN));
        turn.comments.push(format!("{SIGN}{}", comment(reviewed)));
        if let Some(nag) = annotation(reviewed).filter(|nag| !turn.nags.contains(nag)) {
            turn.nags.push(nag);
        }
    }
    sheet.opening.retain(|comment| !comment.starts_with(SIGN));
    let last = match sheet.turns.last_mut() {
        Some(last) => &mut last.comments,
        None => &mut sheet.opening,
    };
    for problem in &review.problems {
        last.push(format!("{SIGN}the text ends here: {problem}"));
    }
    sheet
}

/// The annotation in PDN: `??`, `?`, `?!`, or the star of an only move.
fn annotation(turn: &ReviewedTurn) -> Option<u16> {
    match turn.mistake {
        Some(Mistake::WinToLoss | Mistake::DrawToLoss) => Some(4),
        Some(Mistake::WinToDraw) => Some(2),
        None if turn.plies_lost.is_some_and(|lost| lost > 0) => Some(6),
        None if turn.ground_lost.is_some() => Some(6),
        None => turn.only_move.then_some(7),
    }
}

fn comment(turn: &ReviewedTurn) -> String {
    let worth = match (&turn.after, &turn.estimate) {
        (Some(value), _) => valued(value),
        (None, Some(estimate)) => format!("{}, {}", estimated(estimate), missing(turn)),
        (None, None) => missing(turn),
    };
    match remark(turn) {
        remark if remark.is_empty() => worth,
        remark => format!("{worth}; {remark}"),
    }
}
