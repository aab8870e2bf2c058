//! Small games, solved slowly and written with several blocks per table.

#![allow(dead_code, reason = "each test file uses a part")]

use endmill_games::draughts::Draughts;
use endmill_games::morris::Morris;
use endmill_games::prelude::*;
use endmill_testkit::SlowSolution;

pub fn three() -> Morris {
    endmill_testkit::morris("three")
}

/// The whole game of `three`, with placing.
pub fn solved_three() -> SlowSolution<Morris> {
    let tables = three().tables(None);
    SlowSolution::new(three(), tables)
}

/// One piece against one.
pub fn solved_draughts() -> SlowSolution<Draughts> {
    let tables = Draughts::new().tables(Some(2));
    SlowSolution::new(Draughts::new(), tables)
}
