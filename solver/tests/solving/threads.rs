//! The result does not depend on the number of threads.

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_layout::Layout;
use rayon::ThreadPoolBuilder;

use crate::solution::Solution;

fn assert_same_with_any_threads<G: Game + Layout>(game: &G, pieces: u32) {
    let solutions = [1, 2, 7].map(|threads| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| Solution::new(game, pieces))
    });
    let [alone, others @ ..] = &solutions;
    for table in alone.tables() {
        for other in others {
            assert!(alone.nodes(table) == other.nodes(table), "{table}");
        }
    }
}

#[test]
fn draughts_do_not_depend_on_the_number_of_threads() {
    assert_same_with_any_threads(&Draughts::new(), 4);
}

#[test]
fn morris_does_not_depend_on_the_number_of_threads() {
    for (id, pieces) in [("nine", 7), ("nine-nofly", 7), ("six", 12)] {
        assert_same_with_any_threads(&endmill_testkit::morris(id), pieces);
    }
}
