//! The proof by turns: every value from its successors, by the plain rules, position by position.
//!
//! A position is made from its number. If the game is over there, the rules give its value.
//! Otherwise it is the best of the values that its turns lead to, each a ply earlier and seen from
//! the other side. If all stored values of a table equal these, and the tables outside that its turns
//! lead to are right, then the table is right: `docs/verification.md` says why.
//!
//! This module knows no layouts, rows, seeds or un-moves. A table is an array of values by number. Of
//! a game it uses the rules (`finished`, `turns`, `play`) and the numbering (`table_of`, `rank`,
//! `unrank`), and it proves that every position has the number that it was made from. [`by_turns`]
//! is a second implementation on purpose: a proof must not use [`endmill_games::by_turns`], with
//! which the values were made.

use std::time::{Duration, Instant};

use endmill_games::{Numbering, Value};
use rayon::prelude::*;

use crate::mismatch::Mismatch;
use crate::plan::Plan;
use crate::sample::Sample;
use crate::{Progress, SolveError};

/// Positions that one task derives.
const POSITIONS_PER_TASK: u64 = 1 << 16;

/// The value of a position by its turns; `stored` returns the value of a position that has a table.
/// Others are finished, or derived in the same way: the recursion ends because what a position
/// remembers lasts only a few plies.
pub(crate) fn by_turns<G: Numbering>(
    game: &G,
    position: &G::Position,
    turns: &mut Vec<G::Turn>,
    stored: &impl Fn(G::Table, &G::Position) -> Value,
) -> Value {
    if let Some(value) = game.finished(position) {
        return value;
    }
    game.turns(position, turns);
    let worth = turns.iter().map(|turn| {
        let after = game.play(position, turn);
        let value = match game.table_of(&after) {
            Some(table) => stored(table, &after),
            // The game is over, or the position remembers something that no table holds.
            None => by_turns(game, &after, &mut Vec::new(), stored),
        };
        value.one_turn_earlier()
    });
    worth.max().unwrap_or(Value::LOST)
}

/// The claim that all values of a table are right.
pub(crate) struct Claim<'a, G: Numbering, S> {
    pub(crate) game: &'a G,
    pub(crate) table: G::Table,
    /// The value of the position of a number, in this table and in those that its turns lead to.
    pub(crate) stored: S,
    /// Whether the plies of all of them are known; otherwise outcomes are compared.
    pub(crate) plies: bool,
}

impl<G: Numbering, S: Fn(G::Table, u64) -> Value + Sync> Claim<'_, G, S> {
    /// Derives every position of the table; fails at the first that differs.
    pub(crate) fn prove(&self, progress: &impl Progress) -> Result<(), SolveError> {
        let size = self.game.size(self.table);
        let tasks = (0..size.div_ceil(POSITIONS_PER_TASK)).into_par_iter();
        let failure = tasks.find_map_first(|task| {
            if progress.stopped() {
                return Some(SolveError::Stopped);
            }
            let first = task * POSITIONS_PER_TASK;
            let end = size.min(first + POSITIONS_PER_TASK);
            let mut turns = Vec::new();
            let mismatch = (first..end).find_map(|index| self.mismatch(index, &mut turns));
            progress.derived(end - first);
            mismatch.map(SolveError::Differs)
        });
        failure.map_or(Ok(()), Err)
    }

    /// Returns what is wrong with the position of a number, if anything.
    fn mismatch(&self, index: u64, turns: &mut Vec<G::Turn>) -> Option<Mismatch> {
        let Claim { game, table, .. } = *self;
        let position = game.unrank(table, index);
        if game.table_of(&position) != Some(table) || game.rank(&position) != index {
            let table = table.to_string();
            return Some(Mismatch::Number { table, index });
        }
        let stored = (self.stored)(table, index);
        let value = |table, after: &G::Position| (self.stored)(table, game.rank(after));
        let derived = by_turns(game, &position, turns, &value);
        let same = match self.plies {
            true => stored == derived,
            false => stored.outcome() == derived.outcome(),
        };
        (!same).then(|| Mismatch::Value {
            table: table.to_string(),
            index,
            stored,
            derived,
        })
    }
}

/// Measures how long one thread takes to prove a position by turns, with a sample of all tables: it
/// makes turns and ranks successors, but looks up no values.
pub fn time_by_turns<G: Numbering>(game: &G, plan: &Plan<G::Table>) -> Duration {
    const POSITIONS: u64 = 20_000;
    let tables = || plan.groups.iter().flat_map(|group| &group.tables);
    let (mut turns, mut derived) = (Vec::new(), 0);
    let number = |_, position: &G::Position| {
        std::hint::black_box(game.rank(position));
        Value::Draw
    };
    let started = Instant::now();
    for &(table, size) in tables() {
        let share = u128::from(POSITIONS) * u128::from(size) / plan.positions().max(1);
        let sample = Sample {
            positions: share as u64 + 1,
            seed: 0,
        };
        for i in 0..sample.count(size) {
            let position = game.unrank(table, sample.index(size, i));
            std::hint::black_box(game.rank(&position));
            std::hint::black_box(by_turns(game, &position, &mut turns, &number));
            derived += 1;
        }
    }
    started.elapsed().div_f64(f64::from(derived.max(1)))
}
