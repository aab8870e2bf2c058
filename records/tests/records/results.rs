//! Results: the points of the first player of the game come first.

use std::fs;
use std::path::PathBuf;

use endmill_games::{Colour, Game, Visitor, rulesets};
use endmill_records::GameResult;

use super::{Seen, one, seen};

const ENGLISH: &str = include_str!("../../../tests/fixtures/results/english.pdn");
const MORRIS: &str = include_str!("../../../tests/fixtures/results/morris.pdn");

fn winner(name: &str) -> Option<Colour> {
    match name {
        "white" => Some(Colour::White),
        "black" => Some(Colour::Black),
        "draw" => None,
        name => panic!("{name:?} is not a winner"),
    }
}

fn tag<'a>(game: &'a Seen, name: &str) -> &'a str {
    let found = game.tags.iter().find(|(tag, _)| tag == name);
    &found.unwrap_or_else(|| panic!("no {name} in {game:?}")).1
}

/// Every game of the corpus names its winner by colour. Games that are over on the board have the
/// winner of the rules. All keep their result when they are written and read back.
#[test]
fn the_corpus_is_read_and_written_by_the_first_player() {
    for (text, first, games) in [(ENGLISH, Colour::Black, 23), (MORRIS, Colour::White, 9)] {
        let read = seen(text);
        assert_eq!(read.len(), games);
        let mut kinds = Vec::new();
        for game in read {
            let game = game.unwrap_or_else(|error| panic!("{error}"));
            let (event, named) = (tag(&game, "Event"), winner(tag(&game, "Winner")));
            assert_eq!(game.winner, Some(named), "game {event}");
            let by_rules = ["no pieces", "no turn", "too few men"].contains(&tag(&game, "Ended"));
            let on_board = by_rules.then_some(named);
            assert_eq!(game.on_board, on_board, "game {event}");
            // By hand, so that reader and writer cannot be wrong together.
            let result = game.result.as_deref().unwrap();
            let expected = match named {
                Some(side) if side == first => ["1-0", "2-0"],
                Some(_) => ["0-1", "0-2"],
                None => ["1/2-1/2", "1-1"],
            };
            assert!(expected.contains(&result), "game {event}: {result}");
            assert!(game.pdn.contains(&format!("[Result \"{result}\"]")));
            assert!(game.pdn.trim_end().ends_with(&format!(" {result}")));
            kinds.push(result.to_owned());
        }
        kinds.sort();
        kinds.dedup();
        // `text` as a whole has the same results, so that none was exchanged for another.
        assert_eq!(kinds, ["0-1", "0-2", "1-0", "1-1", "1/2-1/2", "2-0"]);
        for game in text.split("[Event ").skip(1) {
            let result = game.split_whitespace().last().unwrap();
            let again = one(&format!("[Event {game}"));
            assert_eq!(again.result.as_deref(), Some(result), "{game}");
        }
    }
}

/// The only game of a text, with another result in the tag and after the turns.
fn with_result(text: &str, result: &str) -> String {
    let text = text.trim_end();
    let (turns, old) = text.rsplit_once(char::is_whitespace).unwrap();
    let tag = |result: &str| format!("[Result \"{result}\"]");
    format!("{} {result}\n", turns.replace(&tag(old), &tag(result)))
}

/// A result that contradicts the board is refused.
#[test]
fn reversed_results_are_refused_where_the_game_is_over() {
    let mut refused = 0;
    for text in [ENGLISH, MORRIS] {
        for game in text.split("[Event ").skip(1) {
            let decided = ["no pieces", "no turn", "too few men"]
                .iter()
                .any(|reason| game.contains(&format!("[Ended \"{reason}\"]")));
            let result = game.split_whitespace().last().unwrap();
            let reversed: String = result.chars().rev().collect();
            if !decided || reversed == result {
                continue;
            }
            let game = with_result(&format!("[Event {game}"), &reversed);
            let error = seen(&game).remove(0).expect_err(&game);
            let complaint = format!("the result is {reversed}, but on the board");
            assert!(error.to_string().contains(&complaint), "{error}");
            refused += 1;
        }
    }
    assert_eq!(refused, 19);
}

/// The meaning of a result depends only on the side that moves first in the game, not on the side to
/// move in a position that was set up, nor on the kind of points.
#[test]
fn a_result_belongs_to_a_side() {
    for ruleset in rulesets() {
        ruleset.visit(Sides);
    }
    for (start, turn) in [("B:WK32:BK1", "1-6"), ("W:WK32:BK1", "32-27")] {
        for (result, winner) in [
            ("1-0", Some(Some(Colour::Black))),
            ("2-0", Some(Some(Colour::Black))),
            ("0-1", Some(Some(Colour::White))),
            ("0-2", Some(Some(Colour::White))),
            ("1/2-1/2", Some(None)),
            ("½-½", Some(None)),
            ("1-1", Some(None)),
            ("0-0", None),
        ] {
            let position = format!("[GameType \"21\"]\n[FEN \"{start}\"]\n");
            for text in [
                format!("{position}1. {turn} {result}"),
                format!("[Result \"{result}\"]\n{position}1. {turn} *"),
            ] {
                assert_eq!(one(&text).winner, winner, "{text}");
            }
        }
    }
}

/// No rule enforces a draw by repetition: a side may win after a threefold repetition.
#[test]
fn a_repetition_does_not_take_a_win_away() {
    let game = "[FEN \"B:WK32:BK1\"]\n1. 1-6 32-27 2. 6-1 27-32 3. 1-6 32-27 4. 6-1 27-32";
    for (result, winner, saved) in [
        ("1-0", Some(Some(Colour::Black)), "resigned white\n"),
        ("0-1", Some(Some(Colour::White)), "resigned black\n"),
        ("1/2-1/2", Some(None), "27-32\n"),
        ("*", None, "27-32\n"),
    ] {
        let read = one(&format!("{game} {result}"));
        assert_eq!(read.winner, winner, "{result}");
        assert!(read.saved.ends_with(saved), "{}", read.saved);
    }
}

/// A saved game states how it ended only if its turns do not.
#[test]
fn a_saved_game_that_is_over_has_a_result() {
    let start = "endmill game 2\nruleset draughts\nstart B:WK32:BK1\n";
    let circle = "1-6\n32-27\n6-1\n27-32\n";
    for (game, winner) in [
        (format!("{start}{circle}{circle}"), Some(None)),
        (format!("{start}{circle}"), None),
        (
            "endmill game 2\nruleset draughts\nstart W:W18:B15\n18x11\n".to_owned(),
            Some(Some(Colour::White)),
        ),
    ] {
        let read = one(&game);
        assert_eq!(read.winner, winner, "{game}");
        assert_eq!(one(&read.pdn).winner, winner, "{}", read.pdn);
    }
}

struct Sides;

impl Visitor for Sides {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let first = game.to_move(&game.start());
        let black_first = game.description().id == "draughts";
        assert_eq!(first == Colour::Black, black_first);
        for text in ["1-0", "0-1", "2-0", "0-2", "1/2-1/2", "1-1", "0-0", "any"] {
            let result = GameResult::read(text, first).unwrap();
            assert_eq!(result.text(first), text);
            let reversed: String = text.chars().rev().collect();
            if result.winner().flatten().is_some() {
                assert_eq!(result.text(first.other()), reversed);
            }
        }
        for winner in [Some(first), Some(first.other()), None] {
            assert_eq!(GameResult::new(winner).winner(), Some(winner));
        }
        assert_eq!(GameResult::new(Some(first)).text(first), "1-0");
        for nothing in ["*", "", "?", " * "] {
            assert_eq!(GameResult::read(nothing, first), None);
        }
    }
}

fn before(name: &str) -> String {
    let directory = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fixtures/results/before"
    );
    fs::read_to_string(PathBuf::from(directory).join(name)).unwrap()
}

/// The files were written by an old version, with White's points first; their names end with the
/// winner.
#[test]
fn games_of_an_older_program_keep_their_winners() {
    for name in [
        "agreed-draw.pdn",
        "board-black.pdn",
        "board-white.pdn",
        "late-black.pdn",
        "levels-black.pdn",
        "levels-white.pdn",
        "line-black.pdn",
        "line-white.pdn",
        "nine-white.pdn",
        "resigned-black.pdn",
        "resigned-white.pdn",
        "reviewed-black.pdn",
        "saved-black.game",
        "saved-white.game",
    ] {
        let (stem, _) = name.split_once('.').unwrap();
        let (_, winner_name) = stem.split_once('-').unwrap();
        let game = one(&before(name));
        assert_eq!(game.winner, Some(winner(winner_name)), "{name}");
        // Written again, it is a game like any other.
        let again = one(&game.pdn);
        assert_eq!(again.winner, game.winner, "{}", game.pdn);
        let marked = game.pdn.contains("[ResultOrder \"first player\"]\n");
        let draughts = game.ruleset == "draughts";
        let seeded = game.pdn.contains("[Seed ") && winner_name != "draw";
        assert_eq!(marked, draughts && seeded, "{}", game.pdn);
        if draughts && winner_name != "draw" {
            let result = if winner_name == "black" { "1-0" } else { "0-1" };
            assert_eq!(game.result.as_deref(), Some(result), "{name}");
        }
    }
}

/// Only games that Endmill wrote without stating the order have White's points first.
#[test]
fn only_our_own_older_games_have_white_first() {
    let resigned = before("resigned-black.pdn");
    let white = Some(Some(Colour::White));
    let black = Some(Some(Colour::Black));
    assert_eq!(one(&resigned).winner, black);
    let ordered = format!("[ResultOrder \"first player\"]\n{resigned}");
    assert_eq!(one(&ordered).winner, white);
    assert!(
        !one(&ordered)
            .tags
            .iter()
            .any(|(name, _)| name == "ResultOrder")
    );
    // Added names, and a seed that is not ours.
    let named = resigned.replacen("human", "Doe, J.", 1);
    assert_eq!(one(&named).winner, black);
    let unseeded = resigned.replace("[Seed \"1\"]\n", "");
    assert_eq!(one(&unseeded).winner, white);
    let other_seed = resigned.replace("[Seed \"1\"]", "[Seed \"A3\"]");
    assert_eq!(one(&other_seed).winner, white);
    // The board decides if the game is over there, even if the result was corrected.
    let board = before("board-black.pdn");
    assert_eq!(one(&with_result(&board, "1-0")).winner, black);
    let line = before("line-black.pdn");
    assert_eq!(one(&with_result(&line, "1-0")).winner, black);
    for drawn in [&board, &line] {
        let drawn = seen(&with_result(drawn, "1/2-1/2")).remove(0);
        assert!(drawn.is_err());
    }
    // The same line from elsewhere.
    let elsewhere = line.replace("Black wins in 15 plies", "Black wins");
    assert!(seen(&elsewhere).remove(0).is_err());
}
