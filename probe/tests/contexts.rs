//! Probing with the caller's buffers, and answers from the cache.

mod small;

use endmill_games::Outcome;
use endmill_games::prelude::*;
use endmill_probe::{Cached, Database, Options, ProbeContext};
use endmill_testkit::{MAPPED, SlowSolution, all_ways, frugal};
use small::{solved_draughts, solved_three, three};

/// One context serves all databases in turn: a question to one changes nothing in another.
#[test]
fn a_context_of_the_caller_gives_the_answers_of_the_thread() {
    let (three_solved, draughts) = (solved_three(), solved_draughts());
    let (three_written, draughts_written) = (three_solved.written(), draughts.written());
    let mut context = ProbeContext::default();
    for (way, database) in all_ways(three_written.path(), three) {
        let database = database.unwrap();
        let other = Database::open(
            draughts_written.path(),
            endmill_games::draughts::Draughts::new(),
        );
        let other = other.unwrap();
        let mut others = draughts.positions();
        for position in three_solved.positions() {
            let mut prober = database.prober(&mut context);
            let verdict = prober.probe(&position).unwrap();
            assert_eq!(
                verdict.value(),
                Some(three_solved.value(&position)),
                "{way}"
            );
            let outcome = prober.probe_outcome(&position).unwrap();
            assert_eq!(outcome, Some(verdict.outcome()), "{way}");
            let turns = |moves: Vec<endmill_probe::RankedTurn<_>>| -> Vec<_> {
                moves
                    .iter()
                    .map(|ranked| (ranked.turn, ranked.value.clone()))
                    .collect()
            };
            let moves = turns(prober.moves(&position).unwrap());
            assert_eq!(moves, turns(database.moves(&position).unwrap()), "{way}");
            let line = prober.line(&position).unwrap();
            assert_eq!(line.last, database.line(&position).unwrap().last, "{way}");
            if let Some(position) = others.next() {
                let asked = other.prober(&mut context).probe(&position).unwrap();
                assert_eq!(asked.value(), Some(draughts.value(&position)), "{way}");
            }
        }
    }
}

/// Asks the cache before and after a question that fills it.
fn cached_agrees<G: Game>(solved: &SlowSolution<G>, game: G) {
    let directory = solved.written();
    let database = Database::open(directory.path(), game).unwrap();
    let (mut later, mut all) = (0, 0);
    for position in solved.positions() {
        let right = Cached::Known(solved.value(&position).outcome());
        let before = database.cached_outcome(&position);
        assert!(before == right || before == Cached::NotNow);
        later += u32::from(before == Cached::NotNow);
        database.probe_outcome(&position).unwrap();
        assert_eq!(database.cached_outcome(&position), right);
        all += 1;
    }
    assert!(later > 0 && later < all, "{later} of {all}");
}

#[test]
fn the_cache_answers_only_what_was_asked_before() {
    cached_agrees(&solved_three(), three());
    cached_agrees(&solved_draughts(), endmill_games::draughts::Draughts::new());
}

#[test]
fn without_a_cache_the_answer_is_not_now_even_after_asking() {
    let solved = solved_three();
    let directory = solved.written();
    let options = frugal(MAPPED);
    let database = Database::open_with(directory.path(), three(), &options).unwrap();
    let position = three().parse_position("W:Wa1,b1,c3:Bc1,a2,b2").unwrap();
    database.probe(&position).unwrap();
    assert_eq!(database.cached_outcome(&position), Cached::NotNow);
}

/// Values with plies are as good as outcomes.
#[test]
fn plies_in_the_cache_answer_for_outcomes() {
    let solved = solved_three();
    let directory = solved.written();
    let database = Database::open_with(directory.path(), three(), &Options::default()).unwrap();
    let position = three().parse_position("W:Wa1,b1,c3:Bc1,a2,b2").unwrap();
    let verdict = database.probe(&position).unwrap();
    let expected = Cached::Known(verdict.outcome());
    assert_eq!(database.cached_outcome(&position), expected);
}

#[test]
fn without_a_table_a_value_is_missing_but_a_finished_game_is_known() {
    let database = Database::without_tables(three());
    let game = database.game();
    assert_eq!(database.cached_outcome(&game.start()), Cached::Missing);
    assert!(database.probe(&game.start()).unwrap_err().is_missing());
    let over = game.parse_position("W:Wa1,b1:Bc1,a2,b2").unwrap();
    let lost = Cached::Known(Outcome::Loss);
    assert_eq!(database.cached_outcome(&over), lost);
    // A turn that captures the opponent's third man wins without any table.
    let won = game.parse_position("W:Wa1,b1,c2:Ba3,b2,b3").unwrap();
    let at_once = Cached::Known(Outcome::Win);
    assert_eq!(database.cached_outcome(&won), at_once);
    assert_eq!(database.probe_outcome(&won).unwrap(), Some(Outcome::Win));
    assert!(database.coverage().tables.is_empty());
}
