//! Questions that change between tables, as users ask them: nothing that a reader caches of one
//! table may affect the answers about another.

mod program;
mod questions;
mod solved;

use std::sync::LazyLock;
use std::thread;

use endmill_games::Value;
use endmill_games::draughts::Draughts;
use endmill_games::morris::Morris;
use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_probe::LineEnd;
use endmill_solver::Sample;
use endmill_testkit::morris;
use program::json;
use questions::{Questions, Subject, Way};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use solved::seeded;

/// All tables with up to eight men, on the board and in hand.
static NINE: LazyLock<Subject<Morris>> = LazyLock::new(|| {
    let options = ["--men", "8", "--placing-plies"];
    Subject::new("interleaved-nine", || morris("nine"), &options)
});

/// One king or man against four pieces, with the tables that follow: the smallest draughts tables
/// that have one outcome each and hardly differ otherwise.
static DRAUGHTS: LazyLock<Subject<Draughts>> = LazyLock::new(|| {
    let options = ["--tables", "01v40,40v01,13v01,01v13"];
    Subject::new("interleaved-draughts", Draughts::new, &options)
});

/// The whole game.
static SIX: LazyLock<Subject<Morris>> =
    LazyLock::new(|| Subject::new("interleaved-six", || morris("six"), &[]));

/// Probes all tables with one outcome at the same numbers, in every order, and others in between.
fn alike_are_told_apart<G: Game + Layout>(subject: &Subject<G>, questions: usize) {
    let mut tables = subject.constant.clone();
    assert!(tables.len() > 1, "no two tables are alike");
    let game = &subject.solved.game;
    let largest = tables.iter().map(|&table| game.size(table)).max().unwrap();
    let mut rng = seeded();
    for way in Way::all().filter(|way| way.threads == 1) {
        let database = subject.open(&way);
        for _ in 0..questions.div_ceil(tables.len()) {
            let number = rng.random_range(0..largest);
            tables.shuffle(&mut rng);
            for &table in &tables {
                let position = subject.position(table, number);
                subject.compare(&database, &position, rng.random(), &way);
                if rng.random_ratio(1, 8) {
                    let other = *subject.solved.tables.choose(&mut rng).unwrap();
                    let position = subject.position(other, number);
                    subject.compare(&database, &position, rng.random(), &way);
                }
            }
        }
    }
}

#[test]
fn tables_of_nine_with_one_outcome_are_not_confused() {
    alike_are_told_apart(&NINE, 20_000);
}

#[test]
fn tables_of_draughts_with_one_outcome_are_not_confused() {
    alike_are_told_apart(&DRAUGHTS, 20_000);
}

#[test]
fn tables_of_six_with_one_outcome_are_not_confused() {
    alike_are_told_apart(&SIX, 20_000);
}

fn every_way_answers_as_solved<G: Game + Layout>(subject: &Subject<G>, questions: usize) {
    for way in Way::all() {
        subject.ask(&way, questions, 16);
    }
}

#[test]
fn walks_over_all_tables_of_nine_are_answered_as_solved() {
    every_way_answers_as_solved(&NINE, 20_000);
}

#[test]
fn walks_over_all_tables_of_draughts_are_answered_as_solved() {
    every_way_answers_as_solved(&DRAUGHTS, 20_000);
}

#[test]
fn walks_over_all_tables_of_six_are_answered_as_solved() {
    every_way_answers_as_solved(&SIX, 20_000);
}

/// One thread probes two databases alternately at the same numbers.
fn two_at_once<G: Game + Layout, H: Game + Layout>(
    one: &Subject<G>,
    other: &Subject<H>,
    spells: usize,
) {
    let mut rng = seeded();
    for cache_bytes in [0, 64 << 20] {
        let way = Way {
            cache_bytes,
            ..Way::ONE_THREAD
        };
        let databases = (one.open(&way), other.open(&way));
        let mut questions = (Questions::new(one, 16, 0), Questions::new(other, 16, 1));
        for _ in 0..spells {
            let number = rng.random_range(0..1 << 16);
            questions.0.start_spell(number);
            questions.1.start_spell(number);
            for _ in 0..16 {
                let position = questions.0.next();
                one.compare(&databases.0, &position, rng.random(), &way);
                let position = questions.1.next();
                other.compare(&databases.1, &position, rng.random(), &way);
            }
        }
    }
}

#[test]
fn two_rulesets_are_open_at_once() {
    two_at_once(&NINE, &SIX, 1_000);
    let three = Subject::new("interleaved-three", || morris("three"), &[]);
    two_at_once(&DRAUGHTS, &three, 1_000);
}

#[test]
fn two_directories_of_one_ruleset_are_open_at_once() {
    let options = ["--tables", "13v01"];
    let few = Subject::new("interleaved-few", Draughts::new, &options);
    assert!(few.solved.tables.len() < DRAUGHTS.solved.tables.len());
    two_at_once(&DRAUGHTS, &few, 1_000);
}

/// From random positions of random tables, by two threads.
fn lines_end_as_stated<G: Game + Layout>(subject: &Subject<G>, count: usize) {
    let database = subject.open(&Way::ONE_THREAD);
    thread::scope(|scope| {
        for seed in 0..2 {
            let database = &database;
            scope.spawn(move || {
                let mut questions = Questions::new(subject, 16, seed);
                for _ in 0..count / 2 {
                    let start = questions.next();
                    let text = subject.solved.game.format_position(&start);
                    let line = database.line(&start);
                    let line = line.unwrap_or_else(|error| panic!("{text}: {error}"));
                    let value = subject.solved.value(&start);
                    let finished = line.end == LineEnd::Finished;
                    match value {
                        Value::Draw => assert!(!finished, "{text}"),
                        Value::Win(plies) | Value::Loss(plies) => {
                            assert_eq!(line.steps.len(), usize::from(plies), "{text}");
                            assert!(finished, "{text}");
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn twenty_thousand_lines_end_as_stated() {
    lines_end_as_stated(&SIX, 6_000);
    lines_end_as_stated(&NINE, 6_000);
    lines_end_as_stated(&DRAUGHTS, 8_000);
}

#[test]
fn verify_asks_the_probe_for_positions_of_every_table() {
    let tables = DRAUGHTS.solved.tables.iter();
    let sizes = tables.map(|&table| DRAUGHTS.solved.game.size(table) as usize);
    let expected: usize = sizes.map(|size| size.min(Sample::KNOWN_PER_TABLE)).sum();
    let path = DRAUGHTS.solved.path();
    let report = json(&["verify", "draughts", "--sample", "0"], path);
    assert_eq!(report["asked"], expected);
    let shown = ["swept by rows", "sampled by turns (0 per table)"];
    assert_eq!(report["shown"], serde_json::json!(shown));
    assert_eq!(report["consistent_only"], false);
}

/// With a cache, questions come in long runs, so that it answers most of them; without one, each
/// question decodes, and there are fewer. Returns the number of questions.
#[cfg(feature = "long-tests")]
fn long_spells_are_answered_as_solved<G: Game + Layout>(subject: &Subject<G>) -> usize {
    const CACHED: usize = 8_000_000;
    const UNCACHED: usize = 700_000;
    let id = subject.solved.game.description().id;
    let tables = subject.solved.tables.len();
    let mut all = 0;
    for way in Way::all().filter(|way| way.access.is_mapped()) {
        let (count, per_spell) = match way.cache_bytes {
            0 => (UNCACHED, 16),
            _ => (CACHED, 4_000),
        };
        let started = std::time::Instant::now();
        subject.ask(&way, count, per_spell);
        let seconds = started.elapsed().as_secs_f64();
        println!("{id}, {tables} tables, {way}: {count} questions, {seconds:.1} s");
        all += count;
    }
    all
}

/// Three rulesets, one thread and eight, caches of 0, 1 and 64 MiB: 8 million questions for each of
/// the 12 ways with a cache and 700,000 for each of the 6 without, 100.2 million in total.
///
/// `cargo test --release --features long-tests --test interleaved -- --nocapture long_`
#[cfg(feature = "long-tests")]
#[test]
fn long_hundred_million_answers_are_the_solvers() {
    let six = Subject::new("interleaved-long-six", || morris("six"), &[]);
    let six = long_spells_are_answered_as_solved(&six);
    let whole = ["--pieces", "5"];
    let draughts = Subject::new("interleaved-long-draughts", Draughts::new, &whole);
    let draughts = long_spells_are_answered_as_solved(&draughts);
    let ten = ["--men", "10", "--placing-plies"];
    let nine = Subject::new("interleaved-long-nine", || morris("nine"), &ten);
    let nine = long_spells_are_answered_as_solved(&nine);
    let all = six + draughts + nine;
    println!("{all} questions: {six} about six, {draughts} about draughts, {nine} about nine");
    assert!(all >= 100_000_000);
}
