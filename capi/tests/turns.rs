//! Moves in numbers, played through the C interface, and answers from the cache.

#![allow(unsafe_code, reason = "calls the library as C does")]

mod called;
mod small;

use std::collections::HashSet;
use std::ptr::{null, null_mut};

use called::{
    Handle, answer, c, moves, open, open_with, outcome, read, rules_alone, text_of, write,
};
use endmill::*;

type Answered<T> = Result<T, (Status, i32, String)>;

fn play(handle: &Handle, position: &Position, turn: &Path) -> Answered<Position> {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_play(handle.0, position, turn, out, error) })
}

fn play_text(handle: &Handle, position: &Position, turn: &str) -> Answered<Position> {
    let turn = c(turn);
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_play_text(handle.0, position, turn.as_ptr(), out, error) })
}

fn cached(handle: &Handle, position: &Position) -> Answered<Outcome> {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_cached_outcome(handle.0, position, out, error) })
}

fn start(handle: &Handle) -> Position {
    // SAFETY: all pointers are good.
    answer(|out, error| unsafe { endmill_start(handle.0, out, error) }).unwrap()
}

/// Plays games from the start, and tries every move of each position in both forms.
fn turns_are_played(id: &str, handle: &Handle) {
    for seed in 0..5 {
        let mut position = start(handle);
        for ply in 0..80 {
            let (status, turns, count) = moves(handle, &position, 1024);
            assert_eq!(status, Status::Ok);
            if count == 0 {
                break;
            }
            let mut seen = HashSet::new();
            let mut next = position;
            for (i, turn) in turns.iter().enumerate() {
                let (path, text) = (turn.path, text_of(&turn.text));
                assert!(seen.insert((path.from, path.to, path.taken)), "{id} {text}");
                let after = play(handle, &position, &path).unwrap();
                assert_eq!(
                    play_text(handle, &position, &text),
                    Ok(after),
                    "{id} {text}"
                );
                assert_ne!(after.to_move, position.to_move);
                if i == (ply * 7 + seed) % count {
                    next = after;
                }
            }
            position = next;
        }
    }
}

#[test]
fn turns_in_numbers_are_played_like_their_texts() {
    for id in ["nine", "draughts"] {
        turns_are_played(id, &open(id));
    }
    for id in ["lasker", "six", "three"] {
        turns_are_played(id, &rules_alone(id).unwrap());
    }
}

#[test]
fn a_placed_man_comes_from_the_hand_and_a_mill_takes_a_man() {
    let handle = open("nine");
    let first = Path {
        taken: 0,
        from: HAND,
        to: 0,
        via_count: 0,
        via: [0; VIA],
    };
    let placed = play(&handle, &start(&handle), &first).unwrap();
    assert_eq!(write(&handle, &placed), "B:Wa1:B:H8,9");
    let position = read(&handle, "W:Wa1,d1,g4:Bb2,b4,d6").unwrap();
    let taking = Path {
        taken: 1 << 10,
        from: 14,
        to: 2,
        ..first
    };
    let after = play(&handle, &position, &taking).unwrap();
    assert_eq!(write(&handle, &after), "B:Wa1,d1,g1:Bb2,d6");
    assert_eq!(play_text(&handle, &position, "g4-g1xb4"), Ok(after));
    // In place.
    let mut here = position;
    let at = &raw mut here;
    // SAFETY: all pointers are good.
    let status = unsafe { endmill_play(handle.0, at, &taking, at, null_mut()) };
    assert_eq!((status, here), (Status::Ok, after));
}

#[test]
fn a_capture_tells_the_squares_on_its_way() {
    let handle = open("draughts");
    let position = read(&handle, "B:W14,15,22,23:BK10").unwrap();
    let (_, turns, count) = moves(&handle, &position, 16);
    assert_eq!(count, 1);
    let path = turns[0].path;
    assert_eq!((path.from, path.to, path.via_count), (9, 9, 3));
    assert_eq!(path.taken, 1 << 13 | 1 << 14 | 1 << 21 | 1 << 22);
    // The way is not looked at, the ends and what is taken are.
    let other_way = Path {
        via_count: 0,
        via: [0; VIA],
        ..path
    };
    let after = play(&handle, &position, &other_way).unwrap();
    assert_eq!(write(&handle, &after), "W:W:BK10");
    let shorter = Path {
        taken: 1 << 13,
        ..path
    };
    let (status, at, text) = play(&handle, &position, &shorter).unwrap_err();
    assert_eq!((status, at), (Status::BadTurn, -1));
    assert!(text.contains("no turn has these places"), "{text}");
}

#[test]
fn bad_turns_are_refused_with_the_place() {
    let handle = open("nine");
    let (status, at, _) = play_text(&handle, &start(&handle), "z9").unwrap_err();
    assert_eq!((status, at), (Status::BadTurn, 0));
    let over = read(&handle, "W:Wa1,d1:Bb2,b4,d6").unwrap();
    let (status, _, text) = play_text(&handle, &over, "a1-a4").unwrap_err();
    assert_eq!(status, Status::BadTurn, "{text}");
    let illegal = endmill_morris(0b100, 0b111, 0, 0);
    let (status, _, _) = play_text(&handle, &illegal, "a1-a4").unwrap_err();
    assert_eq!(status, Status::BadPosition);
}

#[test]
fn the_cache_answers_once_it_was_filled_and_only_then() {
    let handle = open_with("nine", null()).unwrap();
    let position = read(&handle, "W:Wa1,d1,g4:Bb2,b4,d6").unwrap();
    assert_eq!(cached(&handle, &position).unwrap_err().0, Status::NotCached);
    let known = outcome(&handle, &position).unwrap();
    assert_eq!(cached(&handle, &position), Ok(known));
    let unknown = start(&handle);
    let refused = cached(&handle, &unknown).unwrap_err();
    assert_eq!(refused.0, Status::TableMissing);
}
