//! Every pointer of every function of the C interface may be null: the error names it.

#![allow(unsafe_code, reason = "calls the library as C does")]

mod called;
mod small;

use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use called::{answer, c, open};
use endmill::*;

#[test]
fn null_pointers_are_refused_by_name() {
    let handle = open("nine");
    let position = endmill_morris(0b111, 0b111000, 0, 0);
    let (good, text) = (&raw const position, c("start"));
    let (path, mut room) = (c("."), [0; 8]);
    let (mut value, mut out, mut count) = (MaybeUninit::uninit(), MaybeUninit::uninit(), 0);
    let (mut end, mut coverage) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let (value, out) = (value.as_mut_ptr(), out.as_mut_ptr());
    let (end, coverage): (_, *mut Coverage) = (end.as_mut_ptr(), coverage.as_mut_ptr());
    let mut opened = null_mut();
    let refused = |name: &str, call: &mut dyn FnMut(*mut Error) -> Status| {
        let (status, _, text) = answer(|_: *mut (), error| call(error)).unwrap_err();
        assert_eq!(status, Status::BadArgument, "{name}");
        assert_eq!(text, format!("{name} is null"));
        assert_eq!(call(null_mut()), Status::BadArgument, "{name}");
    };
    // SAFETY: all pointers are good or null.
    unsafe {
        let db: *const Database = handle.0;
        let none: *const Database = null();
        refused("directory", &mut |e| {
            endmill_open(null(), text.as_ptr(), null(), &mut opened, e)
        });
        refused("ruleset", &mut |e| {
            endmill_open(path.as_ptr(), null(), null(), &mut opened, e)
        });
        refused("database", &mut |e| {
            endmill_open(path.as_ptr(), text.as_ptr(), null(), null_mut(), e)
        });
        refused("ruleset", &mut |e| {
            endmill_open_rules(null(), &mut opened, e)
        });
        refused("database", &mut |e| {
            endmill_open_rules(text.as_ptr(), null_mut(), e)
        });
        let position = &mut position.clone();
        refused("database", &mut |e| {
            endmill_read_position(none, text.as_ptr(), position, e)
        });
        refused("text", &mut |e| {
            endmill_read_position(db, null(), position, e)
        });
        refused("position", &mut |e| {
            endmill_read_position(db, text.as_ptr(), null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_write_position(none, good, room.as_mut_ptr(), 8, e)
        });
        refused("position", &mut |e| {
            endmill_write_position(db, null(), room.as_mut_ptr(), 8, e)
        });
        refused("buffer", &mut |e| {
            endmill_write_position(db, good, null_mut(), 0, e)
        });
        let turn = Path {
            taken: 0,
            from: HAND,
            to: 0,
            via_count: 0,
            via: [0; VIA],
        };
        refused("database", &mut |e| endmill_start(none, position, e));
        refused("position", &mut |e| endmill_start(db, null_mut(), e));
        refused("database", &mut |e| {
            endmill_play(none, good, &turn, position, e)
        });
        refused("position", &mut |e| {
            endmill_play(db, null(), &turn, position, e)
        });
        refused("turn", &mut |e| endmill_play(db, good, null(), position, e));
        refused("after", &mut |e| {
            endmill_play(db, good, &turn, null_mut(), e)
        });
        refused("turn", &mut |e| {
            endmill_play_text(db, good, null(), position, e)
        });
        refused("after", &mut |e| {
            endmill_play_text(db, good, text.as_ptr(), null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_cached_outcome(none, good, out, e)
        });
        refused("position", &mut |e| {
            endmill_cached_outcome(db, null(), out, e)
        });
        refused("outcome", &mut |e| {
            endmill_cached_outcome(db, good, null_mut(), e)
        });
        refused("database", &mut |e| endmill_covers(none, good, e));
        refused("position", &mut |e| endmill_covers(db, null(), e));
        refused("database", &mut |e| endmill_probe(none, good, value, e));
        refused("position", &mut |e| endmill_probe(db, null(), value, e));
        refused("value", &mut |e| endmill_probe(db, good, null_mut(), e));
        refused("database", &mut |e| {
            endmill_probe_outcome(none, good, out, e)
        });
        refused("position", &mut |e| {
            endmill_probe_outcome(db, null(), out, e)
        });
        refused("outcome", &mut |e| {
            endmill_probe_outcome(db, good, null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_moves(none, good, null_mut(), 0, &mut count, e)
        });
        refused("position", &mut |e| {
            endmill_moves(db, null(), null_mut(), 0, &mut count, e)
        });
        refused("turns", &mut |e| {
            endmill_moves(db, good, null_mut(), 1, &mut count, e)
        });
        refused("count", &mut |e| {
            endmill_moves(db, good, null_mut(), 0, null_mut(), e)
        });
        refused("database", &mut |e| {
            endmill_best_line(none, good, null_mut(), 0, &mut count, end, e)
        });
        refused("position", &mut |e| {
            endmill_best_line(db, null(), null_mut(), 0, &mut count, end, e)
        });
        refused("turns", &mut |e| {
            endmill_best_line(db, good, null_mut(), 1, &mut count, null_mut(), e)
        });
        refused("count", &mut |e| {
            endmill_best_line(db, good, null_mut(), 0, null_mut(), end, e)
        });
        refused("database", &mut |e| endmill_coverage(none, coverage, e));
        refused("coverage", &mut |e| endmill_coverage(db, null_mut(), e));
        endmill_close(null_mut());
    }
}
