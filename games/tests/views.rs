//! What programs that show a game rely on: turns by places, other views, why a game is over.

use std::collections::HashSet;

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Colour, Ending, Ruleset, Transform, Value, Visitor, rulesets};

/// The positions of a game in which the seed chooses the turns.
fn walk<G: Game>(game: &G, plies: usize, seed: usize, mut visit: impl FnMut(&G::Position)) {
    let mut position = game.start();
    let mut turns = Vec::new();
    for ply in 0..plies {
        visit(&position);
        game.turns(&position, &mut turns);
        let Some(turn) = turns.get((ply * 7 + seed * 13) % turns.len().max(1)) else {
            return;
        };
        position = game.play(&position, turn);
    }
}

struct Check;

impl Visitor for Check {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let id = game.description().id;
        let names = game.geometry().places;
        let mut turns = Vec::new();
        for seed in 0..40 {
            walk(&game, 120, seed, |position| {
                game.turns(position, &mut turns);
                let mut seen = HashSet::new();
                for turn in &turns {
                    let path = game.path(position, turn);
                    let text = game.format_turn(position, turn);
                    assert!(
                        seen.insert((path.from, path.to, path.taken)),
                        "{id}: {text} is like another turn"
                    );
                    let name = |place: u8| names[usize::from(place)].name.as_str();
                    assert!(text.contains(name(path.to)), "{id}: {text}");
                    assert!(path.from.is_none_or(|from| text.starts_with(name(from))));
                    let capture = game.is_capture(position, turn);
                    assert_eq!(path.taken_places().count() > 0, capture, "{id}: {text}");
                    let after = game.setup(&game.play(position, turn));
                    let opponent = game.to_move(position).other();
                    let before = game.setup(position).occupied(opponent);
                    let left = after.occupied(opponent);
                    assert_eq!(before & !path.taken, left, "{id}: {text}");
                }
                views_are_worth_the_same(&game, position);
            });
        }
    }
}

/// A view twice is the position again, and has as many turns; symmetries keep the rank.
fn views_are_worth_the_same<G: Game>(game: &G, position: &G::Position) {
    for by in Transform::ALL {
        let Ok(image) = game.transformed(position, by) else {
            continue;
        };
        assert_eq!(game.transformed(&image, by), Ok(*position));
        assert_eq!(game.count_routes(&image), game.count_routes(position));
        let places = [position, &image].map(|position| {
            let table = game.table_of(position);
            table.map(|table| (table, game.rank(position)))
        });
        assert_eq!(places[0], places[1]);
        let recoloured = game.to_move(&image) != game.to_move(position);
        assert_eq!(recoloured, by == Transform::Swap);
    }
}

#[test]
fn turns_by_places_and_other_views_hold_for_every_ruleset() {
    for ruleset in rulesets() {
        ruleset.visit(Check);
    }
}

struct See(&'static str, Transform);

impl Visitor for See {
    type Output = Result<String, String>;

    fn visit<G: Game>(self, game: G) -> Result<String, String> {
        let position = game.parse_position(self.0).unwrap();
        let image = game.transformed(&position, self.1);
        let image = image.map_err(|problem| problem.to_string())?;
        Ok(game.format_position(&image))
    }
}

#[test]
fn views_are_what_their_names_say() {
    let see = |id, text, by| Ruleset::find(id).unwrap().visit(See(text, by));
    let text = "W:Wa1,d1,b4:Bg7,f6,e3";
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(
        see("nine", text, Transform::Flip),
        ok("W:Wb4,a7,d7:Bg1,f2,e5")
    );
    assert_eq!(
        see("nine", text, Transform::Mirror),
        ok("W:Wd1,g1,f4:Bc3,b6,a7")
    );
    assert_eq!(
        see("nine", text, Transform::Swap),
        ok("B:We3,f6,g7:Ba1,d1,b4")
    );
    assert_eq!(
        see("draughts", "B:WK5,31:B1,K14", Transform::Swap),
        ok("W:WK19,32:B2,K28")
    );
    assert_eq!(
        see("draughts", "B:WK5:BK14", Transform::Mirror),
        Err("draughts has no symmetry of left and right".to_owned())
    );
    // White places first.
    assert!(see("nine", "start", Transform::Swap).is_err());
}

#[test]
fn a_finished_game_says_why() {
    struct Why(&'static str);
    impl Visitor for Why {
        type Output = Option<Ending>;
        fn visit<G: Game>(self, game: G) -> Option<Ending> {
            let position = game.parse_position(self.0).unwrap();
            let ending = game.ending(&position);
            assert_eq!(ending.is_some(), game.finished(&position).is_some());
            if let Some(ending) = ending {
                let drawn = game.finished(&position) == Some(Value::Draw);
                assert_eq!(ending.winner.is_none(), drawn);
            }
            ending
        }
    }
    let why = |id, text| Ruleset::find(id).unwrap().visit(Why(text));
    let won = |winner, reason| {
        Some(Ending {
            winner: Some(winner),
            reason,
        })
    };
    assert_eq!(
        why("nine", "W:Wa1,d1:Bb2,b4,d6"),
        won(Colour::Black, "too few men")
    );
    assert_eq!(
        why("nine", "W:Wa1,d1,g1,g7:Ba4,d2,g4,d7"),
        won(Colour::Black, "no turn")
    );
    assert_eq!(why("nine", "start"), None);
    assert_eq!(why("draughts", "B:WK5:B"), won(Colour::White, "no pieces"));
}

/// A king that comes back to where it started has moved all the same.
#[test]
fn a_capture_in_a_circle_has_its_places() {
    let game = Draughts::new();
    let position = game.parse_position("B:W14,15,22,23:BK10").unwrap();
    let mut turns = Vec::new();
    game.turns(&position, &mut turns);
    let path = game.path(&position, &turns[0]);
    assert_eq!((path.from, path.to), (Some(9), 9));
    assert_eq!(path.via.len(), 3);
    assert_eq!(path.taken, 1 << 13 | 1 << 14 | 1 << 21 | 1 << 22);
}
