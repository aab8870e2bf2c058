//! The law between turns and un-moves.

use endmill_games::{Numbering, Unmoves};
use rand::Rng;
use rand::rngs::StdRng;

use crate::numbering::distinct;

/// All images of a position share its number. (So they all unrank to this one position: it is
/// canonical.)
pub fn images<G: Unmoves>(game: &G, table: G::Table, index: u64, position: &G::Position) {
    let images = game.images(position);
    for image in &images {
        assert_eq!(game.table_of(image), Some(table), "{image:?}");
        assert_eq!(game.rank(image), index, "{image:?}");
    }
    assert!(images.contains(position), "{position:?}");
    let stabiliser = game.stabiliser(position) as usize;
    assert_eq!(distinct(&images) * stabiliser, images.len(), "{position:?}");
}

/// Where the inside turns of a position lead.
fn inside_successors<G: Numbering>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    turns.retain(|turn| game.is_inside(position, turn));
    turns.iter().map(|turn| game.play(position, turn)).collect()
}

fn predecessors<G: Unmoves>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut positions = Vec::new();
    game.unmoves(position, &mut positions);
    positions
}

/// The third law on every inside edge from and to a position.
pub fn edges_balance<G: Unmoves>(game: &G, position: &G::Position) {
    for next in inside_successors(game, position) {
        edge_balances(game, position, &next);
    }
    for previous in predecessors(game, position) {
        edge_balances(game, &previous, position);
    }
}

/// Turns from P into the orbit of Q · |S(Q)| = un-moves from Q into the orbit of P · |S(P)|. Here
/// Q is known to follow P, so each must also list the other itself, by one turn.
fn edge_balances<G: Unmoves>(game: &G, p: &G::Position, q: &G::Position) {
    let (turns, unmoves) = (inside_successors(game, p), predecessors(game, q));
    let (once, back) = (count(&turns, |x| x == q), count(&unmoves, |x| x == p));
    assert_eq!((once, back), (1, 1), "{p:?} to {q:?}");
    let table = game.table_of(p);
    let strangers = count(&unmoves, |x| game.table_of(x) != table);
    assert_eq!(strangers, 0, "{p:?} to {q:?}");

    let (rank_p, rank_q) = (game.rank(p), game.rank(q));
    let forwards = count(&turns, |x| game.rank(x) == rank_q) * game.stabiliser(q);
    let backwards = count(&unmoves, |x| game.rank(x) == rank_p) * game.stabiliser(p);
    assert_eq!(forwards, backwards, "{p:?} to {q:?}");
}

fn count<T>(list: &[T], wanted: impl Fn(&T) -> bool) -> u32 {
    list.iter().filter(|x| wanted(x)).count() as u32
}

/// The third law on all edges from a table to its partner, in one pass over each.
///
/// Give every Q a random weight of 64 bits. For each P the sum over all Q of
/// weight(Q) · (turns(P→Q)·|S(Q)| − unmoves(Q→P)·|S(P)|) is 0 if the law holds; if it is broken for
/// any Q, chance makes the sum 0 about once in 2⁶⁰ times.
pub fn edges_balance_in_bulk<G: Unmoves>(game: &G, table: G::Table, rng: &mut StdRng) {
    let partner = game.partner(table);
    let weights: Vec<u64> = (0..game.size(partner)).map(|_| rng.random()).collect();
    let stabilisers = |table| -> Vec<u64> {
        let positions = (0..game.size(table)).map(|index| game.unrank(table, index));
        positions
            .map(|position| game.stabiliser(&position).into())
            .collect()
    };
    let (of_p, of_q) = (stabilisers(table), stabilisers(partner));

    let mut sums = vec![0u64; of_p.len()];
    for (p, sum) in sums.iter_mut().enumerate() {
        for next in inside_successors(game, &game.unrank(table, p as u64)) {
            let q = game.rank(&next) as usize;
            *sum = sum.wrapping_add(weights[q].wrapping_mul(of_q[q]));
        }
    }
    for (q, weight) in weights.iter().enumerate() {
        for previous in predecessors(game, &game.unrank(partner, q as u64)) {
            let p = game.rank(&previous) as usize;
            sums[p] = sums[p].wrapping_sub(weight.wrapping_mul(of_p[p]));
        }
    }
    let broken = sums.iter().position(|&sum| sum != 0);
    let broken = broken.map(|p| game.unrank(table, p as u64));
    assert_eq!(broken, None, "turns and un-moves of {table} do not balance");
}
