//! The result does not depend on the memory: with next to none every group is solved in scratch
//! files, those of morris row by row.

use endmill_games::draughts::Draughts;
use endmill_games::morris::{Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_layout::{Layout, Solved};
use endmill_solver::Budget;
use rayon::ThreadPoolBuilder;

use crate::solution::Solution;

fn assert_same_in_scratch_files<G: Game + Layout>(game: &G, pieces: u32) {
    let plenty = Solution::new(game, pieces);
    // Nothing; a row or two of a table; some of them.
    for (threads, limit) in [(1, 0), (2, 40_000), (7, 400_000)] {
        let directory = tempfile::tempdir().unwrap();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let budget = Budget::new(limit, directory.path().into());
        let little = pool.install(|| Solution::within(&budget, game, pieces));
        for table in plenty.tables() {
            assert!(
                plenty.nodes(table) == little.nodes(table),
                "{table} with {limit} bytes and {threads} threads"
            );
        }
    }
}

#[test]
fn draughts_do_not_depend_on_memory() {
    assert_same_in_scratch_files(&Draughts::new(), 4);
}

#[test]
fn morris_does_not_depend_on_memory() {
    for rules in RULESETS.iter() {
        let pieces = match rules.id.as_str() {
            "three" | "six" => 12,
            _ => 7,
        };
        assert_same_in_scratch_files(&Morris::new(rules), pieces);
    }
}
