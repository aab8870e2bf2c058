//! A compact database through the C interface: nothing changes for those who call it.

mod called;
mod small;

use std::ptr::null;

use called::{Handle, answer, c, moves, open, probe, read, text_of};
use endmill::*;
use endmill_dbformat::{Rules, Store};
use endmill_games::prelude::*;
use endmill_solver::{Budget, DatabaseForm, convert};
use small::{database, nine};

#[test]
fn a_compact_database_answers_the_same() {
    let game = nine();
    let compact = database().with_file_name("compact");
    let [from, to] = [&database(), &compact].map(|directory| {
        std::fs::create_dir_all(directory).unwrap();
        Store::new(directory, Rules::of(&game))
    });
    let form = DatabaseForm::Compact;
    let done = convert(&game, &from, &to, form, &Budget::unlimited(), &()).unwrap();
    // With up to 6 men no side has more: 3 against 3.
    assert!(done.converted.is_empty() && done.kept.is_empty());

    let full = open("nine");
    let (directory, ruleset) = (c(compact.to_str().unwrap()), c("nine"));
    // SAFETY: all pointers are good.
    let opened = answer(|out, error| unsafe {
        endmill_open(directory.as_ptr(), ruleset.as_ptr(), null(), out, error)
    });
    let compact = opened.map(Handle).unwrap();
    let table = game.parse_table("3v3").unwrap();
    for index in (0..game.size(table)).step_by(997) {
        let text = game.format_position(&game.unrank(table, index));
        let position = read(&full, &text).unwrap();
        assert_eq!(
            probe(&full, &position),
            probe(&compact, &position),
            "{text}"
        );
        let turns = |handle| {
            let (status, turns, _) = moves(handle, &position, 256);
            assert_eq!(status, Status::Ok);
            let turns = turns.iter();
            turns.map(|turn| text_of(&turn.text)).collect::<Vec<_>>()
        };
        assert_eq!(turns(&full), turns(&compact), "{text}");
    }
}
