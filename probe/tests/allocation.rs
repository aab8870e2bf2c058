//! Searches probe millions of times: probing an outcome must not allocate.

#![allow(unsafe_code, reason = "replaces the allocator")]

mod small;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use endmill_games::Outcome;
use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_probe::{Access, Database};
use endmill_testkit::{MAPPED, SlowSolution, frugal};
use small::{solved_draughts, solved_three, three};

/// Counts what each thread allocates.
struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: all calls are passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Probes once to open files, grow buffers and fill the cache, then counts.
fn allocates_nothing<G: Game>(solved: &SlowSolution<G>, game: impl Fn() -> G) {
    let directory = solved.written();
    let positions: Vec<G::Position> = solved.positions().collect();
    let caches = [0, 64 << 20];
    let ways = [MAPPED, Access::POSITIONED];
    for (access, cache_bytes) in ways
        .iter()
        .flat_map(|&way| caches.map(|bytes| (way, bytes)))
    {
        let mut options = frugal(access);
        options.cache_bytes = cache_bytes;
        options.open_files = 100;
        let database = Database::open_with(directory.path(), game(), &options).unwrap();
        let ask_all = || {
            let outcome = |position| database.probe_outcome(position).unwrap();
            let outcomes = positions.iter().map(outcome);
            outcomes
                .filter(|&outcome| outcome == Some(Outcome::Win))
                .count()
        };
        let wins = ask_all();
        let before = COUNT.get();
        assert_eq!(ask_all(), wins);
        assert_eq!(COUNT.get() - before, 0);
    }
}

#[test]
fn probing_an_outcome_allocates_nothing_in_morris() {
    allocates_nothing(&solved_three(), three);
}

#[test]
fn probing_an_outcome_allocates_nothing_in_draughts() {
    allocates_nothing(&solved_draughts(), Draughts::new);
}
