//! The result does not depend on the memory: with next to none every group is solved in scratch
//! files, those of morris row by row.

use endmill_games::draughts::Draughts;
use endmill_games::morris::{Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_solver::Budget;
use rayon::ThreadPoolBuilder;

use crate::solution::Solution;

/// Numbers of threads, and bytes: nothing, a row or two of a table, some of them.
const LITTLE: [(usize, u64); 3] = [(1, 0), (2, 40_000), (7, 400_000)];

fn assert_same_in_scratch_files<G: Game + Layout>(game: &G, pieces: u32, little: &[(usize, u64)]) {
    let plenty = Solution::new(game, pieces);
    for &(threads, limit) in little {
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
    assert_same_in_scratch_files(&Draughts::new(), 4, &LITTLE);
}

#[test]
fn morris_does_not_depend_on_memory() {
    for (id, pieces) in [("nine", 7), ("nine-nofly", 7), ("six", 12)] {
        assert_same_in_scratch_files(&endmill_testkit::morris(id), pieces, &LITTLE);
    }
}

#[test]
fn no_ruleset_depends_on_memory() {
    for rules in RULESETS.iter() {
        assert_same_in_scratch_files(&Morris::new(rules), 6, &LITTLE[1..2]);
    }
}
