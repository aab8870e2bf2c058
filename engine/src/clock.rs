//! Time controls and clocks.

use std::time::Duration;

/// The number of moves for which a clock must last, if nothing else is known.
const MOVES_TO_COME: u32 = 30;

/// Returns the time to spend on one move: a share of what is left, and most of the increment, but
/// never more than half of what is left.
pub fn time_for_move(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> Duration {
    // With a time control ahead one share is kept in reserve: the last move may not use it all up.
    let shares = moves_to_go.map_or(MOVES_TO_COME, |moves| moves.min(MOVES_TO_COME - 1) + 1);
    (left / shares + increment * 3 / 4).min(left / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_divided_among_the_moves_to_come() {
        let ms = Duration::from_millis;
        let time = |left, increment, moves| time_for_move(ms(left), ms(increment), moves);
        assert_eq!(time(60_000, 0, None), ms(2_000));
        assert_eq!(time(60_000, 400, None), ms(2_300));
        assert_eq!(time(60_000, 0, Some(1)), ms(30_000));
        assert_eq!(time(60_000, 0, Some(5)), ms(10_000));
        assert_eq!(time(60_000, 0, Some(300)), ms(2_000));
        // A later increment cannot be spent now.
        assert_eq!(time(100, 5_000, None), ms(50));
        assert_eq!(time(0, 0, None), ms(0));
    }
}
