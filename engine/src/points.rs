//! The scale on which the search compares positions, from the side to move.
//!
//! ```text
//!   WIN - n    the game is won after n plies
//! KNOWN - n    the database says won after n plies
//!         0    a draw by repetition, by rule or by the database
//!         …    an estimate: never 0, never beyond MOST
//! ```
//! and the same below 0. A shorter way to a win is better than a longer one, and a draw differs from
//! an even position.

use endmill_games::Outcome;

use crate::score::Score;

/// Greater than anything.
pub(crate) const INFINITE: i32 = 2_000_000;
/// The game is won at the root.
const WIN: i32 = 1_000_000;
/// The database says that the root is won.
const KNOWN: i32 = 900_000;
/// The greatest estimate.
const MOST: i32 = 800_000;
/// More plies than any search reaches.
const MAX_PLIES: i32 = 10_000;

/// A draw.
pub(crate) const DRAW: i32 = 0;

/// The side to move has lost, the given number of plies after the root.
pub(crate) fn lost(ply: u32) -> i32 {
    ply as i32 - WIN
}

/// The outcome by the database, the given number of plies after the root.
pub(crate) fn known(outcome: Outcome, ply: u32) -> i32 {
    match outcome {
        Outcome::Win => KNOWN - ply as i32,
        Outcome::Draw => DRAW,
        Outcome::Loss => ply as i32 - KNOWN,
    }
}

/// The evaluation of a position by its game.
pub(crate) fn estimated(points: i32) -> i32 {
    match points.clamp(-MOST, MOST) {
        DRAW => 1,
        points => points,
    }
}

/// Whether a side certainly wins.
pub(crate) fn is_decided(points: i32) -> bool {
    points.abs() > MOST
}

/// Points for the transposition table, counted from the node instead of the root.
pub(crate) fn from_node(points: i32, ply: u32) -> i32 {
    match points {
        _ if !is_decided(points) => points,
        _ if points > 0 => points + ply as i32,
        _ => points - ply as i32,
    }
}

/// The inverse of [`from_node`].
pub(crate) fn from_root(points: i32, ply: u32) -> i32 {
    match points {
        _ if !is_decided(points) => points,
        _ if points > 0 => points - ply as i32,
        _ => points + ply as i32,
    }
}

/// The public score of points at the root.
pub(crate) fn score(points: i32) -> Score {
    let (size, wins) = (points.abs(), points > 0);
    match (size, wins) {
        (DRAW, _) => Score::Draw,
        (..=MOST, _) => Score::Points(points),
        (size, true) if size > WIN - MAX_PLIES => Score::WinIn((WIN - size) as u16),
        (size, false) if size > WIN - MAX_PLIES => Score::LossIn((WIN - size) as u16),
        (_, true) => Score::Win,
        (_, false) => Score::Loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_ordered_by_preference() {
        let best_first = [
            -lost(1),
            -lost(31),
            known(Outcome::Win, 1),
            known(Outcome::Win, 31),
            estimated(i32::MAX),
            estimated(0),
            DRAW,
            estimated(i32::MIN + 1),
            known(Outcome::Loss, 31),
            known(Outcome::Loss, 2),
            lost(30),
            lost(0),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b), "{best_first:?}");
    }

    #[test]
    fn points_become_scores() {
        assert_eq!(score(-lost(7)), Score::WinIn(7));
        assert_eq!(score(lost(8)), Score::LossIn(8));
        assert_eq!(score(known(Outcome::Win, 3)), Score::Win);
        assert_eq!(score(known(Outcome::Loss, 3)), Score::Loss);
        assert_eq!(score(known(Outcome::Draw, 3)), Score::Draw);
        assert_eq!(score(estimated(-120)), Score::Points(-120));
    }

    #[test]
    fn points_are_converted_back() {
        for points in [lost(9), known(Outcome::Win, 9), estimated(44), DRAW] {
            assert_eq!(from_root(from_node(points, 5), 5), points);
        }
        assert_eq!(from_root(from_node(lost(9), 5), 7), lost(11));
    }
}
