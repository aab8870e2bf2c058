//! The probe agrees with a separate solver, for every way to read the files.

mod small;

use std::ops::ControlFlow;

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_probe::{Access, Database, LineEnd, Options, SampleFilter, TurnValue};
use endmill_testkit::{SlowSolution, all_ways};
use small::{solved_draughts, solved_three, three};

/// The orbits of all tables that can be reached from the start, including 3v3.
const POSITIONS_OF_THREE: usize = 564;

fn every_probe_equals_the_solver<G: Game>(solved: &SlowSolution<G>, game: impl Fn() -> G) {
    let directory = solved.written();
    for (way, database) in all_ways(directory.path(), game) {
        let database = database.unwrap();
        // Twice: the second time answers come from the cache.
        for position in solved.positions().chain(solved.positions()) {
            let value = solved.value(&position);
            let text = || format!("{way}: {}", solved.game.format_position(&position));
            assert_eq!(
                database.probe(&position).unwrap().value(),
                Some(value),
                "{}",
                text()
            );
            let outcome = database.probe_outcome(&position).unwrap();
            assert_eq!(outcome, Some(value.outcome()), "{}", text());
        }
    }
}

#[test]
fn every_position_of_three_is_answered_as_solved_through_all_read_ways() {
    let solved = solved_three();
    assert_eq!(solved.positions().count(), POSITIONS_OF_THREE);
    every_probe_equals_the_solver(&solved, three);
}

#[test]
fn every_ending_of_one_against_one_in_draughts_is_answered_as_solved() {
    every_probe_equals_the_solver(&solved_draughts(), Draughts::new);
}

#[test]
fn symmetric_positions_have_one_answer() {
    let solved = solved_three();
    let directory = solved.written();
    let database = Database::open(directory.path(), three()).unwrap();
    for position in solved.positions() {
        for image in solved.game.images(&position) {
            let verdict = database.probe(&image).unwrap();
            assert_eq!(verdict.value(), Some(solved.value(&position)));
        }
    }
}

fn moves_are_ranked<G: Game>(solved: &SlowSolution<G>, database: &Database<G>) {
    let mut turns = Vec::new();
    for position in solved.positions() {
        let moves = database.moves(&position).unwrap();
        solved.game.turns(&position, &mut turns);
        assert_eq!(moves.len(), turns.len());
        let values: Vec<Value> = moves
            .iter()
            .map(|ranked| {
                assert_eq!(solved.game.play(&position, &ranked.turn), ranked.after);
                let value = ranked.value.verdict().unwrap().value().unwrap();
                assert_eq!(value, solved.value(&ranked.after).one_turn_earlier());
                value
            })
            .collect();
        assert!(values.is_sorted_by(|a, b| a >= b));
        let place = |i: usize| turns.iter().position(|turn| *turn == moves[i].turn);
        let ties = (1..moves.len()).filter(|&i| values[i - 1] == values[i]);
        assert!(ties.into_iter().all(|i| place(i - 1) < place(i)));
        if let Some(best) = values.first() {
            assert_eq!(*best, solved.value(&position));
        }
    }
}

#[test]
fn turns_come_best_first_and_ties_in_the_order_of_the_game() {
    let (three_solved, draughts) = (solved_three(), solved_draughts());
    let directory = three_solved.written();
    draughts.write(
        directory.path(),
        &endmill_dbformat::Rules::of(&draughts.game),
    );
    moves_are_ranked(
        &three_solved,
        &Database::open(directory.path(), three()).unwrap(),
    );
    let database = Database::open(directory.path(), Draughts::new()).unwrap();
    moves_are_ranked(&draughts, &database);
}

#[test]
fn best_against_best_ends_in_exactly_the_stated_plies() {
    let solved = solved_three();
    let directory = solved.written();
    let database = Database::open(directory.path(), three()).unwrap();
    for position in solved.positions() {
        let value = solved.value(&position);
        let line = database.line(&position).unwrap();
        match value.plies() {
            Some(plies) => {
                assert_eq!(line.steps.len(), usize::from(plies));
                assert_eq!(line.end, LineEnd::Finished);
                assert_eq!(solved.game.finished(&line.last), Some(Value::LOST));
            }
            None => {
                assert!(line.end != LineEnd::Finished || solved.value(&line.last) == Value::Draw)
            }
        }
        let first = database.moves(&position).unwrap().into_iter().next();
        let first = first.map(|ranked| ranked.turn);
        assert_eq!(line.steps.first().map(|step| step.turn), first);
        assert_eq!(
            database.best(&position).unwrap().map(|best| best.turn),
            first
        );
    }
}

/// A winner who plays `best` needs no more plies than stated, against any defence.
#[test]
fn no_defence_lasts_longer_than_stated() {
    let solved = solved_three();
    let directory = solved.written();
    let database = Database::open(directory.path(), three()).unwrap();
    let mut turns = Vec::new();
    for start in solved.positions() {
        let Value::Win(plies) = solved.value(&start) else {
            continue;
        };
        for defence in 0..8 {
            let (mut position, mut played) = (start, 0);
            while let Some(best) = database.best(&position).unwrap() {
                position = best.after;
                played += 1;
                solved.game.turns(&position, &mut turns);
                let Some(count) = (!turns.is_empty()).then_some(turns.len()) else {
                    break;
                };
                let reply = turns[(defence * 7 + usize::from(played) * 3) % count];
                position = solved.game.play(&position, &reply);
                played += 1;
            }
            assert!(played <= plies);
        }
    }
}

#[test]
fn a_finished_game_is_lost_in_0_and_has_no_turns() {
    let solved = solved_three();
    let database = Database::without_tables(three());
    let two_men = solved.game.parse_position("W:Wa1,b1:Ba2,b2,c2").unwrap();
    assert_eq!(database.probe(&two_men).unwrap().value(), Some(Value::LOST));
    assert_eq!(
        database.probe_outcome(&two_men).unwrap(),
        Some(Outcome::Loss)
    );
    assert!(database.moves(&two_men).unwrap().is_empty());
    assert!(database.best(&two_men).unwrap().is_none());
    assert_eq!(database.line(&two_men).unwrap().end, LineEnd::Finished);
}

#[test]
fn eight_threads_agree_with_the_solver() {
    let solved = solved_three();
    let directory = solved.written();
    for (way, database) in all_ways(directory.path(), three) {
        let database = database.unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let (solved, database) = (&solved, &database);
                scope.spawn(move || {
                    let all: Vec<_> = solved.positions().collect();
                    for i in 0..4 * all.len() {
                        let position = &all[(i * 37 + thread * 71) % all.len()];
                        let verdict = database.probe(position).unwrap();
                        assert_eq!(verdict.value(), Some(solved.value(position)), "{way}");
                        let outcome = database.probe_outcome(position).unwrap();
                        assert_eq!(outcome, Some(verdict.outcome()), "{way}");
                    }
                });
            }
        });
    }
}

#[test]
fn a_sample_fits_its_filter_and_depends_on_its_seed() {
    let solved = solved_three();
    let directory = solved.written();
    let database = Database::open(directory.path(), three()).unwrap();
    for (&table, values) in &solved.values {
        for outcome in [
            None,
            Some(Outcome::Win),
            Some(Outcome::Draw),
            Some(Outcome::Loss),
        ] {
            for plies in [None, Some(0), Some(1), Some(2), Some(5)] {
                let wanted = SampleFilter { outcome, plies };
                let fits = |value: &&Value| {
                    outcome.is_none_or(|outcome| value.outcome() == outcome)
                        && (plies.is_none() || value.plies() == plies)
                };
                let fitting = values.iter().filter(fits).count();
                for count in [1, 5, 1000] {
                    let sample = database.sample(table, &wanted, count, 1).unwrap();
                    assert_eq!(sample.len(), fitting.min(count));
                    for (position, verdict) in &sample {
                        let value = solved.value(position);
                        assert_eq!(verdict.value(), Some(value));
                        assert!(fits(&&value));
                    }
                    assert_eq!(database.sample(table, &wanted, count, 1).unwrap(), sample);
                }
            }
        }
    }
    let table = solved.game.parse_table("3v3").unwrap();
    let sample = |seed| {
        database
            .sample(table, &SampleFilter::default(), 3, seed)
            .unwrap()
    };
    assert!((2..20).any(|seed| sample(seed) != sample(1)));
}

#[test]
fn a_table_is_visited_position_by_position_until_break() {
    let solved = solved_three();
    let directory = solved.written();
    let database = Database::open(directory.path(), three()).unwrap();
    let table = solved.game.parse_table("3v3").unwrap();
    let mut shown = Vec::new();
    database
        .for_each(table, |position, verdict| {
            assert_eq!(verdict, database.probe(position).unwrap());
            shown.push(verdict.value().unwrap());
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(shown, solved.values[&table]);
    let mut count = 0;
    let visit = |_: &_, _| {
        count += 1;
        match count {
            10 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    database.for_each(table, visit).unwrap();
    assert_eq!(count, 10);
}

#[test]
fn coverage_lists_the_tables() {
    let (three_solved, draughts) = (solved_three(), solved_draughts());
    let directory = three_solved.written();
    draughts.write(
        directory.path(),
        &endmill_dbformat::Rules::of(&draughts.game),
    );
    let coverage = Database::open(directory.path(), three())
        .unwrap()
        .coverage();
    assert_eq!(coverage.tables.len(), three_solved.values.len());
    assert!(coverage.tables.iter().all(|covered| covered.has_plies));
    assert_eq!(coverage.complete_to, 6);
    assert!(coverage.whole_game);
    let coverage = Database::open(directory.path(), Draughts::new())
        .unwrap()
        .coverage();
    assert_eq!(coverage.complete_to, 2);
    assert!(!coverage.whole_game);
}

/// Files of another ruleset, plies without outcomes, or no directory at all are no tables.
#[test]
fn a_directory_without_tables_is_refused_unless_that_is_allowed() {
    let directory = solved_draughts().written();
    let place = directory.path();
    std::fs::create_dir(place.join("three")).unwrap();
    std::fs::write(place.join("three/3v3.dtw"), b"").unwrap();
    for place in [place, &place.join("nowhere")] {
        let Err(refused) = Database::open(place, three()) else {
            panic!("{} is opened", place.display());
        };
        let text = format!("{} has no tables of three", place.display());
        assert_eq!(refused.to_string(), text);
        assert_eq!(
            (refused.code(), refused.file(), refused.is_missing()),
            ("no_tables", Some(place), true)
        );
        let options = Options {
            allow_empty: true,
            ..Options::default()
        };
        let empty = Database::open_with(place, three(), &options).unwrap();
        let coverage = empty.coverage();
        assert!(coverage.tables.is_empty() && !coverage.whole_game);
    }
}

/// Under Linux, `/proc/self/fd` lists the open files.
#[cfg(target_os = "linux")]
#[test]
fn the_number_of_open_files_is_bounded() {
    let solved = solved_three();
    let directory = solved.written();
    let open_files = || {
        let links = std::fs::read_dir("/proc/self/fd").unwrap();
        let files = links.filter_map(|link| std::fs::read_link(link.unwrap().path()).ok());
        files
            .filter(|file| file.starts_with(directory.path()))
            .count()
    };
    let options = Options {
        access: Access::POSITIONED,
        cache_bytes: 0,
        open_files: 6,
        ..Options::default()
    };
    let database = Database::open_with(directory.path(), three(), &options).unwrap();
    assert_eq!(open_files(), 0);
    let mut most = 0;
    for position in solved.positions() {
        database.probe(&position).unwrap();
        most = most.max(open_files());
    }
    assert_eq!(most, 6);
}

#[test]
fn an_answer_is_sent_between_threads() {
    fn sent<T: Send + Sync>() {}
    sent::<Database<Draughts>>();
    sent::<TurnValue>();
    sent::<endmill_probe::ProbeError>();
}
