//! Game records: texts of the standard and of common programs can be read, errors have their
//! location, and written games read back as the same games.

mod bad;
mod draughts;
mod morris;
mod results;

use endmill_games::prelude::*;
use endmill_games::{Colour, Ruleset, Visitor, rulesets};
use endmill_records::{GameRecord, GameResult, RecordError, guess, transcripts};

/// A game in a form that is easy to check.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    ruleset: &'static str,
    /// The turns in our notation.
    turns: Vec<String>,
    last: String,
    result: Option<String>,
    /// The winner by the result; `Some(None)` in a draw.
    winner: Option<Option<Colour>>,
    /// The ending by the rules, if the game is over on the board.
    on_board: Option<Option<Colour>>,
    tags: Vec<(String, String)>,
    opening: Vec<String>,
    /// The number of the turn from 1, its annotations, its comments.
    notes: Vec<(usize, Vec<u16>, Vec<String>)>,
    pdn: String,
    saved: String,
}

impl Seen {
    fn line(&self) -> String {
        self.turns.join(" ")
    }
}

/// All games of a text. Each must read back as the same game when it is written.
fn seen(text: &str) -> Vec<Result<Seen, RecordError>> {
    let games = transcripts(text).expect("a game");
    let games = games.iter().map(|transcript| {
        let stated = transcript.ruleset()?;
        let stated = stated.and_then(|(id, _)| Ruleset::find(id).ok());
        let ruleset = stated.unwrap_or_else(|| guess(transcript, None));
        ruleset.visit(Look {
            transcript,
            ruleset,
        })
    });
    games.collect()
}

/// The only game of a correct text.
fn one(text: &str) -> Seen {
    let mut games = seen(text);
    assert_eq!(games.len(), 1, "{text}");
    games
        .remove(0)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

struct Look<'a> {
    transcript: &'a endmill_records::Transcript,
    ruleset: Ruleset,
}

impl Visitor for Look<'_> {
    type Output = Result<Seen, RecordError>;

    fn visit<G: Game>(self, game: G) -> Result<Seen, RecordError> {
        let record = self.transcript.replay(&game).whole()?;
        Ok(look(self.ruleset.id(), &game, &record))
    }
}

fn look<G: Game>(ruleset: &'static str, game: &G, record: &GameRecord<G>) -> Seen {
    let sheet = record.sheet(game);
    let pdn = sheet.pdn();
    let again = read_again(game, &pdn);
    assert_eq!(again, *record, "{pdn}");
    assert_eq!(again.sheet(game).pdn(), pdn);
    let saved = record.saved(game);
    let resaved = read_again(game, &saved);
    assert_eq!(resaved.saved(game), saved);
    assert_eq!(resaved.turns.len(), record.turns.len());
    if record.termination(game).is_some() {
        assert_eq!(resaved.winner(), record.winner(), "{saved}");
    }
    let positions = record.positions(game);
    let last = &positions[positions.len() - 1];
    let turns = positions.iter().zip(&record.turns);
    let turns = turns.map(|(position, noted)| game.format_turn(position, &noted.turn));
    let notes = (1..).zip(&record.turns);
    let notes = notes.filter(|(_, noted)| !noted.nags.is_empty() || !noted.comments.is_empty());
    Seen {
        ruleset,
        turns: turns.collect(),
        last: game.format_position(last),
        result: sheet.result_text().map(str::to_owned),
        winner: record.winner(),
        on_board: game.ending(last).map(|ending| ending.winner),
        tags: (record
            .tags
            .iter()
            .map(|tag| (tag.name.clone(), tag.value.clone())))
        .collect(),
        opening: record.opening.clone(),
        notes: notes
            .map(|(number, noted)| (number, noted.nags.clone(), noted.comments.clone()))
            .collect(),
        pdn,
        saved,
    }
}

fn read_again<G: Game>(game: &G, text: &str) -> GameRecord<G> {
    let games = transcripts(text).expect("a game");
    assert_eq!(games.len(), 1, "{text}");
    let read = games[0].replay(game).whole();
    read.unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// For every ruleset, any game with comments and annotations reads back as it was written, in PDN and
/// as a saved game, alone and with others in one text.
#[test]
fn random_games_are_read_as_they_are_written() {
    for ruleset in rulesets() {
        ruleset.visit(Law);
    }
}

struct Law;

impl Visitor for Law {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        use endmill_records::NotedTurn;
        use rand::{Rng, SeedableRng};
        let mut random = rand::rngs::StdRng::seed_from_u64(17);
        let mut all = String::new();
        let mut records = Vec::new();
        for _ in 0..30 {
            let mut position = game.start();
            let mut turns = Vec::new();
            // Some begin later than others.
            for _ in 0..random.random_range(0..20) {
                game.turns(&position, &mut turns);
                if turns.is_empty() {
                    break;
                }
                position = game.play(&position, &turns[random.random_range(0..turns.len())]);
            }
            let mut record = GameRecord::<G>::new(position);
            record.set_tag("White", "a \"b\" \\c\\");
            record.set_tag("Event", format!("number {}", records.len()));
            record.opening = vec!["in [the] beginning; (1. {".to_owned()];
            for _ in 0..random.random_range(0..120) {
                game.turns(&position, &mut turns);
                if turns.is_empty() {
                    break;
                }
                let turn = turns[random.random_range(0..turns.len())];
                let mut noted = NotedTurn::new(turn);
                if random.random_ratio(1, 5) {
                    noted.nags = vec![random.random_range(0..=255), 4];
                    noted.comments = vec!["so, 1-0 * $3 }".to_owned(), "x".repeat(90)];
                }
                record.turns.push(noted);
                position = game.play(&position, &turn);
            }
            let results = [
                "*", "1-0", "0-1", "2-0", "0-2", "1/2-1/2", "1-1", "0-0", "1+ - 1-",
            ];
            let result = results[random.random_range(0..results.len())];
            // What the board says is not contradicted.
            record.result = match game.ending(&position) {
                Some(ending) => Some(GameResult::new(ending.winner)),
                None => GameResult::read(result, game.to_move(&game.start())),
            };
            record.tags.reverse();
            if random.random_ratio(1, 3) {
                record.set_tag("Seed", random.random::<u64>().to_string());
            }
            look("any", &game, &record);
            all += &record.sheet(&game).pdn();
            records.push(record);
        }
        let again = transcripts(&all).expect("games");
        let again: Vec<_> = again
            .iter()
            .map(|transcript| transcript.replay(&game).whole().expect("a game"))
            .collect();
        assert!(again == records);
    }
}

/// A truncated or garbled text gives an error with a location inside it, or another game, but never a
/// panic.
#[test]
fn texts_that_are_cut_anywhere_are_read_or_refused_in_their_place() {
    for text in [draughts::STANDARD, morris::SANMILL, morris::SAVED] {
        let ends = text.char_indices().map(|(at, _)| at);
        for end in ends {
            let lines = text[..end].lines().count() + 1;
            let Ok(games) = transcripts(&text[..end]) else {
                continue;
            };
            for transcript in &games {
                let id = transcript.ruleset().ok().flatten().map(|(id, _)| id);
                let Ok(ruleset) = Ruleset::find(id.unwrap_or("draughts")) else {
                    continue;
                };
                if let Err(error) = ruleset.visit(Look {
                    transcript,
                    ruleset,
                }) {
                    assert!(
                        error.place.line <= lines && error.place.column > 0,
                        "{error}"
                    );
                }
            }
        }
    }
}
