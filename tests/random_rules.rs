//! Random rules files, built, proved by turns and probed. The tests of `games` and `solver` check that
//! they obey the laws and agree with a slow solver.

#[path = "../games/tests/laws/random.rs"]
mod random;

use endmill_games::morris::{Morris, Position};
use endmill_games::prelude::*;
use endmill_games::{Ruleset, Value};
use endmill_probe::Database;
use endmill_solver::{Budget, Plan, Sample, VerifyLevel};
use endmill_testkit::{build, plies};
use tempfile::TempDir;

/// The largest number of tables in a small ruleset.
const SMALL: usize = 40;
/// The number of small rulesets to build; writing files takes time.
const BUILT: usize = 15;

/// The value of the best turn by the probe, including turns that begin or end bans.
fn by_turns(database: &Database<Morris>, position: &Position) -> Value {
    let game = database.game();
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let worth = turns.iter().map(|turn| {
        let after = database.probe(&game.play(position, turn)).unwrap();
        after.value().unwrap().one_turn_earlier()
    });
    worth.max().or(game.finished(position)).unwrap()
}

/// Builds a ruleset, proves it, and probes some positions and their successors.
fn is_built_proved_and_probed(game: Morris) {
    let directory = TempDir::new().unwrap();
    let store = build(directory.path(), &game, None, &plies(true));
    let plan = Plan::new(&game, &game.tables(None));
    let (budget, sample) = (Budget::unlimited(), Sample::default());
    let proved = endmill_solver::prove(&game, &store, &plan, &budget, sample, &()).unwrap();
    assert_eq!(
        (proved.level, proved.left_out.len()),
        (VerifyLevel::Right, 0)
    );
    let database = Database::open(directory.path(), game).unwrap();
    let game = database.game();
    for known in proved.known.iter().step_by(7) {
        let position = game.unrank(known.table, known.index);
        let text = || format!("{} {}", game.rules().id, game.format_position(&position));
        let read = database.probe(&position).unwrap().value();
        assert_eq!(read, Some(known.value), "{}", text());
        assert_eq!(by_turns(&database, &position), known.value, "{}", text());
        let mut turns = Vec::new();
        game.turns(&position, &mut turns);
        let after = turns.iter().map(|turn| game.play(&position, turn));
        for banned in after.filter(|after| after.banned() != 0) {
            let value = database.probe(&banned).unwrap().value();
            assert_eq!(value, Some(by_turns(&database, &banned)), "{}", text());
        }
    }
}

#[test]
fn small_random_rulesets_are_built_proved_and_probed() {
    let mut small = 0;
    for number in 0..random::FILES {
        let text = random::rules_file(number);
        let ruleset = Ruleset::from_toml("random", &text).expect(&text);
        let game = endmill_games::morris::of(ruleset).unwrap();
        if small < BUILT && game.tables(None).len() <= SMALL {
            is_built_proved_and_probed(game);
            small += 1;
        }
    }
    assert_eq!(small, BUILT);
}
