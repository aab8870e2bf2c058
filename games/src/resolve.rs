//! What a position is worth by its turns: the rule for values that are not stored.
//!
//! The probe and the loader use it, each with its own idea of what it knows about the position
//! after a turn.

use crate::rules::Rules;

/// The best of a position's turns, `None` if it has none. `worth` says what a turn that leads to a
/// position is worth for the side that makes it; once one is worth `most`, no other is asked for.
/// Allocates nothing, if [`Rules::visit_routes`] does not.
pub fn best_turn<G: Rules, W: Copy + Ord, E>(
    game: &G,
    position: &G::Position,
    most: W,
    mut worth: impl FnMut(&G::Position) -> Result<W, E>,
) -> Result<Option<W>, E> {
    let mut best = None;
    let mut failed = None;
    game.visit_routes(position, &mut |after| {
        if failed.is_some() || best >= Some(most) {
            return;
        }
        match worth(&after) {
            Ok(worth) => best = best.max(Some(worth)),
            Err(error) => failed = Some(error),
        }
    });
    failed.map_or(Ok(best), Err)
}
