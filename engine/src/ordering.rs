//! Turn ordering: a good turn early cuts off most of the others.
//!
//! First the best turn of an earlier search, then captures, then turns that refuted another turn at
//! the same distance from the root (*killers*), then by the number of refutations (*history*).

use std::cmp::Reverse;

use endmill_games::Evaluate;

use crate::memory::hash;

const BEST: u32 = u32::MAX;
const CAPTURE: u32 = u32::MAX - 1;
const KILLER: u32 = u32::MAX - 2;
/// Beyond this limit the history is halved.
const MOST_HISTORY: u32 = 1 << 24;
/// The number of counters; sharing one costs time but not correctness.
const COUNTERS: usize = 1 << 12;

/// What earlier nodes say about turns.
pub(crate) struct Ordering<T> {
    /// For each ply.
    killers: Vec<[Option<T>; 2]>,
    history: Vec<u32>,
}

impl<T: Copy + Eq + std::hash::Hash> Ordering<T> {
    pub(crate) fn new() -> Ordering<T> {
        Ordering {
            killers: Vec::new(),
            history: vec![0; COUNTERS],
        }
    }

    /// Forgets the killers, which belong to another root, and half of the history.
    pub(crate) fn begin_search(&mut self) {
        self.killers.clear();
        self.halve();
    }

    /// Fills `order` with the indices of `turns`, the most promising first.
    pub(crate) fn sort<G: Evaluate<Turn = T>>(
        &self,
        game: &G,
        position: &G::Position,
        turns: &[T],
        best: Option<usize>,
        ply: u32,
        order: &mut Vec<(u32, u16)>,
    ) {
        let killers = self.killers.get(ply as usize).copied().unwrap_or_default();
        order.clear();
        order.extend(turns.iter().enumerate().map(|(place, turn)| {
            let promise = if Some(place) == best {
                BEST
            } else if game.is_capture(position, turn) {
                CAPTURE
            } else if killers.contains(&Some(*turn)) {
                KILLER
            } else {
                self.history[counter(turn)]
            };
            (promise, place as u16)
        }));
        order.sort_unstable_by_key(|&(promise, place)| (Reverse(promise), place));
    }

    /// A turn without capture refuted the turn before it.
    pub(crate) fn refuted(&mut self, turn: &T, ply: u32, depth: u32) {
        let ply = ply as usize;
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(*turn) {
            *killers = [Some(*turn), killers[0]];
        }
        let count = &mut self.history[counter(turn)];
        *count += depth * depth;
        if *count > MOST_HISTORY {
            self.halve();
        }
    }

    fn halve(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 2);
    }
}

fn counter(turn: &impl std::hash::Hash) -> usize {
    hash(turn) as usize % COUNTERS
}
