//! Counts the leaves of the game tree: the usual check of a move generator.

use crate::rules::Rules;

/// Returns the number of ways to make `depth` plies from `position`. A game that ends earlier
/// counts as one, or not at all: see [`Rules::counts_ended_games`]. Different routes of a capture
/// count separately.
pub fn perft<G: Rules>(game: &G, position: &G::Position, depth: u32) -> u64 {
    if depth == 0 || (game.counts_ended_games() && game.finished(position).is_some()) {
        return 1;
    }
    if depth == 1 {
        return game.count_routes(position);
    }
    let mut leaves = 0;
    game.visit_routes(position, &mut |next| {
        leaves += perft(game, &next, depth - 1)
    });
    leaves
}

/// [`perft`] split by the first turn, in the order of [`Rules::turns`]. Routes of one capture that
/// end alike add up under their common turn, so the counts sum to the total.
pub fn divide<G: Rules>(game: &G, position: &G::Position, depth: u32) -> Vec<(G::Turn, u64)> {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let mut counts: Vec<(G::Turn, u64)> = turns.iter().map(|&turn| (turn, 0)).collect();
    let after: Vec<G::Position> = turns.iter().map(|turn| game.play(position, turn)).collect();
    game.visit_routes(position, &mut |next| {
        let which = after.iter().position(|&known| known == next);
        let which = which.expect("a route leads where its turn leads");
        counts[which].1 += perft(game, &next, depth.saturating_sub(1));
    });
    counts
}
