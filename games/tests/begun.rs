//! Positions in the middle of a turn, in the FEN of the common morris programs: a mill is closed,
//! and the man to remove is not chosen yet.

use std::collections::HashSet;

use endmill_games::morris::{Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_games::{Colour, Reading};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

const RINGS: [&str; 3] = [
    "d5 e5 e4 e3 d3 c3 c4 c5",
    "d6 f6 f4 f2 d2 b2 b4 b6",
    "d7 g7 g4 g1 d1 a1 a4 a7",
];

type Position = <Morris as endmill_games::Rules>::Position;

/// Returns the FEN after some words of a turn, as Sanmill writes it.
fn fen(game: &Morris, before: &Position, words: &[String], pending: usize) -> String {
    let geometry = game.geometry();
    let setup = game.setup(before);
    let mover = setup.to_move as usize;
    let mut men = setup.pieces[0];
    let mut hand = setup.hand[0];
    let bit = |name: &str| {
        let place = geometry.places.iter().position(|place| place.name == name);
        1_u64 << place.unwrap()
    };
    match words[0].split_once('-') {
        Some((from, to)) => men[mover] ^= bit(from) | bit(to),
        None => {
            men[mover] |= bit(&words[0]);
            hand[mover] -= 1;
        }
    }
    for removed in &words[1..] {
        men[1 - mover] &= !bit(&removed[1..]);
    }
    let ring = |ring: &str| {
        let points = ring.split(' ').map(|name| match bit(name) {
            bit if men[0] & bit != 0 => 'O',
            bit if men[1] & bit != 0 => '@',
            _ => '*',
        });
        points.collect::<String>()
    };
    let phase = if before.hand()[0] > 0 { 'p' } else { 'm' };
    let (side, removals) = match setup.to_move {
        Colour::White => ('w', [pending, 0]),
        Colour::Black => ('b', [0, pending]),
    };
    format!(
        "{} {side} {phase} r {} {} {} {} {} {} 0 0 0 0 0 0 5",
        RINGS.map(ring).join("/"),
        men[0].count_ones(),
        hand[0],
        men[1].count_ones(),
        hand[1],
        removals[0],
        removals[1],
    )
}

/// In random games of every ruleset of these points: the removals that are left lead to the same
/// positions as in the game. Only where a broken mill is remembered it may be refused.
#[test]
fn pending_removals_lead_where_the_game_leads() {
    for rules in RULESETS.iter().filter(|rules| rules.id != "three") {
        let game = Morris::new(rules);
        if game.geometry().places.len() != 24 {
            continue;
        }
        let mut random = StdRng::seed_from_u64(1);
        let (mut read, mut turns) = (0, Vec::new());
        for _ in 0..12 {
            let mut position = game.start();
            for _ in 0..120 {
                game.turns(&position, &mut turns);
                let taking: Vec<_> = turns
                    .iter()
                    .filter(|turn| game.is_capture(&position, turn))
                    .collect();
                // A ban that is older than the turn is not in a FEN.
                let shown = position.banned() == 0;
                if let Some(&&turn) = taking.choose(&mut random).filter(|_| shown) {
                    let words = game.turn_words(&position, &turn);
                    let said = &words[..random.random_range(1..words.len())];
                    let text = fen(&game, &position, said, words.len() - said.len());
                    let in_game = taking.iter().filter(|&&turn| {
                        let words = game.turn_words(&position, turn);
                        said.iter().all(|word| words.contains(word))
                    });
                    let in_game: HashSet<_> =
                        in_game.map(|turn| game.play(&position, turn)).collect();
                    match game.parse_begun(&text) {
                        Ok((before, Some(begun))) => {
                            let turns = begun.answers.iter().map(|(_, turn)| turn);
                            let found: HashSet<_> =
                                turns.map(|turn| game.play(&before, turn)).collect();
                            assert_eq!(found, in_game, "{}: {text}", rules.id);
                            let whole = begun.words.concat();
                            let again = game.read_turn(&before, &whole);
                            assert_eq!(again, Ok(Reading::Partial(begun)));
                            read += 1;
                        }
                        Err(error) if rules.bans_broken_mills => {
                            let refused = error.to_string();
                            assert!(refused.starts_with("a removal is pending: "), "{refused}");
                        }
                        other => panic!("{}: {text}: {other:?}", rules.id),
                    }
                    assert!(game.parse_position(&text).is_err());
                }
                let Some(turn) = turns.choose(&mut random) else {
                    break;
                };
                position = game.play(&position, turn);
            }
        }
        assert!(read > 10, "{}: {read}", rules.id);
    }
}

#[test]
fn a_removal_is_pending_only_where_a_mill_is_closed() {
    let game = endmill_testkit::morris("nine");
    let refused = |fen: &str| game.parse_begun(fen).unwrap_err().to_string();
    assert_eq!(
        refused("OO******/@@@*****/******** w m r 2 0 3 0 1 0"),
        "no removal can be pending: no move of this side closes a mill and leads to this board \
         (character 32)"
    );
    // Nine men's morris takes one man, whatever was closed.
    let closed = |count| format!("OO*****O/*@*@****/******** w p r 3 6 2 7 {count} 0");
    assert!(game.parse_begun(&closed(1)).is_ok());
    assert!(game.parse_begun(&closed(2)).is_err());
    let (position, begun) = game.parse_begun("W:Wa1,d1,b2:Bb4,d6,d7").unwrap();
    assert_eq!(game.format_position(&position), "W:Wa1,d1,b2:Bb4,d6,d7");
    assert_eq!(begun, None);
}
