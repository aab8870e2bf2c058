//! A compact database gives the same answers through the C interface.

#![allow(unsafe_code, reason = "calls the library as C does")]

mod called;
mod small;

use std::path::Path as FilePath;
use std::ptr::null;

use called::{Handle, answer, c, moves, probe, read, text_of};
use endmill::*;
use endmill_games::prelude::*;
use endmill_solver::BuildOptions;
use endmill_testkit::build;
use small::nine;

/// Builds all tables with up to seven men and opens them.
fn built(compact: bool) -> Handle {
    let name = if compact { "compact" } else { "full" };
    let directory = FilePath::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let options = BuildOptions {
        compact,
        ..BuildOptions::default()
    };
    let store = build(&directory, &nine(), 7, &options);
    assert_eq!(store.leaves_plies_out("4v3").unwrap(), compact);
    let (directory, ruleset) = (c(directory.to_str().unwrap()), c("nine"));
    // SAFETY: all pointers are good.
    let opened = answer(|out, error| unsafe {
        endmill_open(directory.as_ptr(), ruleset.as_ptr(), null(), out, error)
    });
    opened.map(Handle).unwrap()
}

#[test]
fn a_compact_database_answers_the_same() {
    let game = nine();
    let [full, compact] = [false, true].map(built);
    for name in ["3v3", "4v3", "3v4"] {
        let table = game.parse_table(name).unwrap();
        for index in (0..game.size(table)).step_by(2503) {
            let text = game.format_position(&game.unrank(table, index));
            let position = read(&full, &text).unwrap();
            let value = probe(&full, &position);
            assert_eq!(value, probe(&compact, &position), "{text}");
            let turns = |handle| {
                let (status, turns, _) = moves(handle, &position, 256);
                assert_eq!(status, Status::Ok);
                let moves = turns.iter().map(|turn| (text_of(&turn.text), turn.value));
                moves.collect::<Vec<_>>()
            };
            assert_eq!(turns(&full), turns(&compact), "{text}");
        }
    }
}
