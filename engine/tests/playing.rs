//! The promises of the engine: it finds forced wins, keeps what the database promises, and answers the
//! same questions alike.

use std::sync::atomic::AtomicBool;

use endmill_engine::{Choice, Engine, Level, Limits, Player, Report, Score, add_estimates, play};
use endmill_games::draughts::Draughts;
use endmill_games::morris::Morris;
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_probe::answers::PositionAnswer;
use endmill_probe::{Database, SampleFilter};
use endmill_testkit::{Built, morris, plies};

/// The whole game of `three`.
fn three() -> Built<Morris> {
    Built::new(morris("three"), None, &plies(true))
}

/// Flying against flying.
fn nine() -> Built<Morris> {
    Built::new(morris("nine"), 6, &plies(true))
}

fn draughts() -> Built<Draughts> {
    Built::new(Draughts::new(), 3, &plies(true))
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn choose<G: Game>(
    engine: &mut Engine<G>,
    position: &G::Position,
    limits: &Limits,
) -> Option<Choice<G>> {
    engine.choose(position, &[], limits, &AtomicBool::new(false), &mut |_| {})
}

/// Some positions of every table.
fn sample<G: Game>(
    database: &Database<G>,
    wanted: SampleFilter,
    count: usize,
) -> Vec<(G::Position, Value)> {
    let tables = database.coverage().tables.into_iter();
    let sampled = tables.flat_map(|covered| {
        let of_table = database.sample(covered.table, &wanted, count, 7).unwrap();
        of_table.into_iter()
    });
    let valued = sampled.map(|(position, verdict)| (position, verdict.value().unwrap()));
    let going = valued.filter(|(position, _)| database.game().finished(position).is_none());
    let found: Vec<_> = going.collect();
    assert!(!found.is_empty(), "{wanted:?}");
    found
}

/// The search does not use the database that judges it.
fn finds_forced_wins<G: Game>(small: &Built<G>, most_plies: u16) {
    let database = &small.database;
    for plies in 1..=most_plies {
        let wanted = SampleFilter {
            outcome: None,
            plies: Some(plies),
        };
        for (position, _) in sample(database, wanted, 3) {
            let mut engine = Engine::new(database.game(), None, Level::High, 1);
            let choice = choose(&mut engine, &position, &nodes(2_000_000)).unwrap();
            let expected = match plies % 2 {
                1 => Score::WinIn(plies),
                _ => Score::LossIn(plies),
            };
            let text = database.game().format_position(&position);
            assert_eq!(choice.score, expected, "{text}");
            assert!(choice.proved, "{text}");
            assert_eq!(choice.line.len(), usize::from(plies), "{text}");
        }
    }
}

#[test]
fn the_search_finds_wins_and_losses_with_their_plies() {
    finds_forced_wins(&three(), 6);
    finds_forced_wins(&draughts(), 9);
    finds_forced_wins(&nine(), 5);
}

/// The side that does not lose plays perfectly: it wins won positions within the stated plies, against
/// perfect defence in exactly these, and does not lose drawn ones.
fn keeps_its_promise<G: Game>(small: &Built<G>, opponent: Level, count: usize) {
    let database = &small.database;
    let game = database.game();
    let player = |level: Level| Player {
        engine: Engine::new(game, Some(database), level, 5).with_memory(1 << 16),
        limits: nodes(200),
    };
    for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
        let wanted = SampleFilter {
            outcome: Some(outcome),
            plies: None,
        };
        for (position, value) in sample(database, wanted, count) {
            let (mut ours, mut theirs) = (player(Level::Perfect), player(opponent));
            let begins = outcome != Outcome::Loss;
            let players = match begins {
                true => [&mut ours, &mut theirs],
                false => [&mut theirs, &mut ours],
            };
            let played = play(game, &position, players, 400);
            let text = game.format_position(&position);
            let Some(plies) = value.plies() else {
                assert_ne!(played.outcome, Outcome::Loss, "{text}");
                continue;
            };
            assert_eq!(played.outcome, outcome, "{text}");
            let (took, stated) = (played.turns.len(), usize::from(plies));
            assert!(took <= stated, "{text} took {took} plies, not {stated}");
            assert!(took == stated || opponent != Level::Perfect, "{text}");
        }
    }
}

#[test]
fn the_perfect_level_keeps_what_the_database_says() {
    let (three, nine, draughts) = (three(), nine(), draughts());
    for opponent in Level::ALL {
        keeps_its_promise(&three, opponent, 5);
        keeps_its_promise(&nine, opponent, 20);
        keeps_its_promise(&draughts, opponent, 2);
    }
}

#[test]
fn without_plies_the_outcome_is_kept() {
    let small = Built::new(Draughts::new(), 3, &plies(false));
    let (database, game) = (&small.database, small.database.game());
    for covered in database.coverage().tables {
        let positions = database.sample(covered.table, &SampleFilter::default(), 10, 3);
        for (position, verdict) in positions.unwrap() {
            let mut engine = Engine::new(game, Some(database), Level::Perfect, 1);
            let Some(choice) = choose(&mut engine, &position, &nodes(100)) else {
                continue;
            };
            let after = game.play(&position, &choice.turn);
            let text = game.format_position(&position);
            let outcome = verdict.outcome();
            let kept = database.probe_outcome(&after).unwrap().map(|after| -after);
            assert_eq!(kept, Some(outcome), "{text}");
            assert!(choice.proved, "{text}");
            assert_eq!(choice.score.outcome(), Some(outcome), "{text}");
        }
    }
}

/// Positions with four pieces; the database has up to three.
#[test]
fn with_the_database_more_is_proved_by_the_same_nodes() {
    let small = draughts();
    let (database, game) = (&small.database, small.database.game());
    let tables = game.tables(Some(4)).into_iter();
    let four = tables.filter(|&table| game.pieces(table).on_board == 4);
    let positions = four.flat_map(|table| {
        let size = game.size(table);
        let spread = (0..10).map(move |i| size / 10 * i + 7);
        spread.map(move |index| game.unrank(table, index))
    });
    let positions: Vec<_> = positions
        .filter(|position| game.finished(position).is_none())
        .collect();
    let proved = |database: Option<&Database<Draughts>>| {
        let proves = |position: &&_| {
            let mut engine = Engine::new(game, database, Level::Perfect, 1).with_memory(1 << 16);
            choose(&mut engine, position, &nodes(300)).unwrap().proved
        };
        positions.iter().filter(proves).count()
    };
    let (alone, with) = (proved(None), proved(Some(database)));
    let all = positions.len();
    assert!(with > alone + all / 10, "{alone} and {with} of {all}");
}

fn game_of<G: Game>(game: &G, level: Level, seed: u64) -> Vec<G::Turn> {
    let player = |seed| Player {
        engine: Engine::new(game, None, level, seed),
        limits: nodes(500),
    };
    let (mut first, mut second) = (player(seed), player(seed + 1));
    play(game, &game.start(), [&mut first, &mut second], 40).turns
}

#[test]
fn the_same_seed_plays_the_same_game_and_another_seed_another() {
    let (nine, draughts) = (morris("nine"), Draughts::new());
    for level in Level::ALL {
        assert_eq!(game_of(&nine, level, 1), game_of(&nine, level, 1));
        assert_ne!(game_of(&nine, level, 1), game_of(&nine, level, 2));
        assert_eq!(game_of(&draughts, level, 1), game_of(&draughts, level, 1));
        assert_ne!(game_of(&draughts, level, 1), game_of(&draughts, level, 2));
    }
}

/// A turn that wins in three plies is worse if it repeats a position.
#[test]
fn coming_back_to_an_earlier_position_is_a_draw() {
    let small = three();
    let (database, game) = (&small.database, small.database.game());
    let wanted = SampleFilter {
        outcome: None,
        plies: Some(3),
    };
    let only = |position: &G3| {
        let moves = database.moves(position).unwrap();
        let wins = moves.iter().filter(|ranked| {
            let verdict = ranked.value.verdict().unwrap();
            verdict.outcome() == Outcome::Win
        });
        let wins: Vec<_> = wins.map(|ranked| (ranked.turn, ranked.after)).collect();
        <[_; 1]>::try_from(wins).ok()
    };
    let all = sample(database, wanted, usize::MAX);
    let quiet = all.iter().find_map(|(position, _)| {
        let [(turn, after)] = only(position)?;
        game.is_inside(position, &turn)
            .then_some((*position, turn, after))
    });
    let (position, turn, after) = quiet.expect("a win by one quiet turn");
    let never = AtomicBool::new(false);
    let search = |history: &[G3]| {
        let mut engine = Engine::new(game, None, Level::High, 1);
        let choice = engine.choose(&position, history, &nodes(20_000), &never, &mut |_| {});
        choice.unwrap()
    };
    let first = search(&[]);
    assert_eq!((first.turn, first.score), (turn, Score::WinIn(3)));
    let again = search(&[after]);
    assert_ne!(again.score.outcome(), Some(Outcome::Win));
}

type G3 = endmill_games::morris::Position;

#[test]
fn a_damaged_database_is_reported_and_not_used() {
    let small = draughts();
    let directory = small.directory.path().join("draughts");
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "wld") {
            std::fs::write(&path, b"not a table").unwrap();
        }
    }
    let database = Database::open(small.directory.path(), Draughts::new()).unwrap();
    let game = database.game();
    let mut engine = Engine::new(game, Some(&database), Level::Perfect, 1);
    let position = game.parse_position("B:WK29:BK14,K22").unwrap();
    let choice = choose(&mut engine, &position, &nodes(1_000)).unwrap();
    // Captures that end the game need no file.
    assert!(matches!(choice.score, Score::Win | Score::WinIn(3)));
    let trouble = engine.take_error().expect("it is told");
    assert_eq!(trouble.code(), "file_damaged");
    assert!(engine.take_error().is_none());
}

#[test]
fn a_finished_game_has_no_turn_and_a_stopped_search_has_one() {
    let game = morris("nine");
    let mut engine = Engine::new(&game, None, Level::Perfect, 1);
    let over = game.parse_position("W:Wa1,d1:Ba7,d7,g7").unwrap();
    assert!(choose(&mut engine, &over, &nodes(1_000)).is_none());
    let stop = AtomicBool::new(true);
    let start = game.start();
    let stopped = engine.choose(&start, &[], &Limits::default(), &stop, &mut |_| {});
    let mut turns = Vec::new();
    game.turns(&start, &mut turns);
    assert!(turns.contains(&stopped.unwrap().turn));
    for most in [0, 1, 30, 5_000] {
        let choice = choose(&mut engine, &start, &nodes(most)).unwrap();
        assert!(
            choice.nodes <= most && turns.contains(&choice.turn),
            "{most}"
        );
    }
}

#[test]
fn a_search_reports_every_depth_it_finishes() {
    let game = Draughts::new();
    let mut engine = Engine::new(&game, None, Level::High, 1);
    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let mut depths = Vec::new();
    let never = AtomicBool::new(false);
    let start = game.start();
    let choice = engine.choose(&start, &[], &limits, &never, &mut |report| {
        depths.push(report.depth);
        let mut position = start;
        for turn in &report.line {
            let mut turns = Vec::new();
            game.turns(&position, &mut turns);
            assert!(turns.contains(turn), "a line of legal turns");
            position = game.play(&position, turn);
        }
    });
    assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
    assert_eq!(choice.unwrap().depth, 6);
}

/// However the search ends, and whichever of several similar turns is chosen.
#[test]
fn the_last_report_is_about_the_choice() {
    let game = morris("nine");
    let start = game.start();
    let mut others = 0;
    for level in [Level::Low, Level::Medium, Level::High] {
        for most in [30, 100, 300, 1000, 3000] {
            for seed in 0..6 {
                let mut engine = Engine::new(&game, None, level, seed);
                let mut reports = Vec::new();
                let mut report = |found: &Report<_>| reports.push(found.line[0]);
                let stop = AtomicBool::new(false);
                let choice = engine.choose(&start, &[], &nodes(most), &stop, &mut report);
                let choice = choice.unwrap();
                assert_eq!(choice.line[0], choice.turn);
                assert_eq!(reports.last(), Some(&choice.turn), "{level} {most} {seed}");
                others += usize::from(reports.len() as u32 > choice.depth);
            }
        }
    }
    assert!(
        others > 0,
        "every choice was that of a depth that was finished"
    );
}

/// A short version of what `endmill bench engine match` measures.
#[test]
fn higher_levels_win() {
    let game = Draughts::new();
    let mut turns = Vec::new();
    game.turns(&game.start(), &mut turns);
    for (better, worse) in [(Level::Medium, Level::Low), (Level::High, Level::Medium)] {
        let player = |level: Level, seed| Player {
            engine: Engine::new(&game, None, level, seed),
            limits: Limits {
                nodes: level.limits().nodes.min(Some(10_000)),
                ..level.limits()
            },
        };
        let points = turns.iter().map(|turn| {
            let start = game.play(&game.start(), turn);
            let (mut better, mut worse) = (player(better, 1), player(worse, 2));
            match play(&game, &start, [&mut better, &mut worse], 200).outcome {
                Outcome::Win => 2,
                Outcome::Draw => 1,
                Outcome::Loss => 0,
            }
        });
        let points: usize = points.sum();
        assert!(points > turns.len() * 5 / 4, "{better} - {worse}: {points}");
    }
}

/// Moves beyond the tables have estimates, and the position has that of the best of them.
#[test]
fn a_position_is_worth_as_much_as_its_best_move() {
    let small = draughts();
    let (database, game) = (&small.database, small.database.game());
    let never = AtomicBool::new(false);
    let mut answer = PositionAnswer::ask(database, &game.start(), true).unwrap();
    add_estimates(database, &mut answer, 3_000, &never).unwrap();
    let moves = answer.moves.as_deref().unwrap();
    let scores = moves.iter().map(|turn| turn.estimate.unwrap().score);
    assert_eq!(answer.estimate.unwrap().score, scores.max().unwrap());

    // If every move is known there is nothing to estimate.
    let known = game.parse_position("B:WK15:BK1,K2").unwrap();
    let mut answer = PositionAnswer::ask(database, &known, true).unwrap();
    let before = answer.clone();
    add_estimates(database, &mut answer, 3_000, &never).unwrap();
    assert_eq!(answer, before);

    // Without its moves a position is searched itself.
    let mut answer = PositionAnswer::ask(database, &game.start(), false).unwrap();
    add_estimates(database, &mut answer, 3_000, &never).unwrap();
    assert!(answer.estimate.is_some());
}
