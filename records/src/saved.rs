//! Saved games: a text format for people to read, write and send.
//!
//! ```text
//! endmill game 2
//! ruleset three
//! white human
//! black medium
//! seed 1
//! start W:W:B:H3,3
//! b2
//! a1
//! resigned white
//! ```
//!
//! The head ends with the start. Before that it lists the players, and the time on their clocks if they
//! have any; in a record these are tags with capitalised names. Then follows one turn per line, and
//! finally `resigned` or `late` with the side, or `draw`, unless the game ended by its turns. Blank
//! lines and lines that begin with `#` are ignored. Version 1 had nothing between ruleset and start.

use endmill_games::{Interchange, Problem};

use crate::error::{RecordError, RecordProblem, expected};
use crate::location::Location;
use crate::naming::RULESET;
use crate::transcript::{Format, Transcript, WrittenTurn};
use crate::{GameRecord, Tag, Termination};

/// The first line without its version.
const MAGIC: &str = "endmill game";

/// The version that is written. All versions up to this can be read.
const VERSION: u32 = 2;

/// The keys of the head between ruleset and start, with the names of their tags.
const HEAD: [(&str, &str); 5] = [
    ("white", "White"),
    ("black", "Black"),
    ("seed", "Seed"),
    ("clock", "Clock"),
    ("left", "Left"),
];

/// Returns whether a text is a saved game, not a list of moves or PDN.
pub fn is_saved(text: &str) -> bool {
    let mut lines = text.lines().map(trimmed);
    let first = lines.find(|line| !is_passed_over(line));
    first.is_some_and(|line| line.starts_with(MAGIC))
}

fn is_passed_over(line: &str) -> bool {
    line.is_empty() || line.starts_with('#')
}

fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// A line that is not empty, and its location.
type Line<'a> = (&'a str, Location);

/// Reads a saved game.
pub(crate) fn transcript(text: &str) -> Transcript {
    let end = Location {
        line: text.lines().count() + 1,
        column: 1,
    };
    let lines = (1..).zip(text.lines()).map(|(number, line)| {
        let content = trimmed(line);
        let indent = line.split(content).next().unwrap_or_default();
        let column = match content {
            "" => 1,
            _ => indent.chars().count() + 1,
        };
        let place = Location {
            line: number,
            column,
        };
        (content, place)
    });
    let mut lines = lines.filter(|(line, _)| !is_passed_over(line));
    let mut game = Transcript::new(Location::FIRST, Format::Saved);
    let read = head(&mut game, &mut lines, end).and_then(|()| body(&mut game, lines));
    game.problem = read.err();
    game
}

/// Takes a line that begins with one of these words. Returns the word and the rest.
fn keyed<'a>(
    lines: &mut impl Iterator<Item = Line<'a>>,
    words: &[&'static str],
    end: Location,
) -> Result<(&'static str, Line<'a>), RecordError> {
    let (line, place) = lines.next().unwrap_or(("", end));
    let found = words.iter().find_map(|word| {
        let rest = line.strip_prefix(word)?;
        let value = rest.trim_start();
        let on = line.chars().count() - value.chars().count();
        (rest.is_empty() || rest.starts_with(char::is_whitespace))
            .then(|| (*word, (value.trim(), place.on(on))))
    });
    let wanted = words[words.len() - 1];
    found.ok_or_else(|| RecordError::new(place, expected(format!("{wanted:?}"), line)))
}

fn head<'a>(
    game: &mut Transcript,
    lines: &mut impl Iterator<Item = Line<'a>>,
    end: Location,
) -> Result<(), RecordError> {
    let (_, (version, place)) = keyed(lines, &[MAGIC], end)?;
    match version.parse() {
        Ok(1..=VERSION) => {}
        Ok(found) if found > VERSION => {
            let supported = VERSION;
            let problem = RecordProblem::TooNew { found, supported };
            return Err(RecordError::new(place, problem));
        }
        _ => {
            let problem = expected(format!("a version from 1 to {VERSION}"), version);
            return Err(RecordError::new(place, problem));
        }
    }
    let (_, (ruleset, place)) = keyed(lines, &["ruleset"], end)?;
    game.tags.push((Tag::new(RULESET, ruleset), place));
    let words: Vec<&'static str> = HEAD.iter().map(|(word, _)| *word).collect();
    let words = [&words[..], &["start"]].concat();
    loop {
        let (word, (value, place)) = keyed(lines, &words, end)?;
        let Some((_, name)) = HEAD.iter().find(|(known, _)| *known == word) else {
            game.start = Some((value.to_owned(), place));
            return Ok(());
        };
        game.tags.push((Tag::new(*name, value), place));
    }
}

fn body<'a>(
    game: &mut Transcript,
    lines: impl Iterator<Item = Line<'a>>,
) -> Result<(), RecordError> {
    for (line, place) in lines {
        let word = line.split_whitespace().next().unwrap_or_default();
        let calls = matches!(word, "resigned" | "late" | "draw");
        match &game.termination {
            Some(_) if calls => return Err(RecordError::new(place, RecordProblem::Over)),
            Some(_) => return Err(RecordError::new(place, Problem::GameOver.into())),
            None if calls => game.termination = Some((line.to_owned(), place)),
            None => game.moves.push(WrittenTurn::new(line.to_owned(), place)),
        }
    }
    Ok(())
}

impl Transcript {
    /// Returns whether this is a saved game.
    pub fn is_saved(&self) -> bool {
        self.format == Format::Saved
    }

    /// Checks the tags with `check`. Fails with the first tag that it refuses.
    pub fn check_tags(
        &self,
        mut check: impl FnMut(&str, &str) -> Result<(), String>,
    ) -> Result<(), RecordError> {
        for (tag, place) in &self.tags {
            check(&tag.name, &tag.value)
                .map_err(|why| RecordError::new(*place, RecordProblem::Head(why)))?;
        }
        Ok(())
    }
}

impl<G: Interchange> GameRecord<G> {
    /// The text of a saved game. Comments, and tags without a line in a saved game, are left out.
    pub fn saved(&self, game: &G) -> String {
        let id = game.description().id;
        let mut text = format!("{MAGIC} {VERSION}\nruleset {id}\n");
        for (word, name) in HEAD {
            if let Some(value) = self.tag(name) {
                text += &format!("{word} {value}\n");
            }
        }
        text + &self.saved_turns(game)
    }

    /// The part of a saved game after the head. If one game continues another, its part begins with
    /// that of the other.
    pub fn saved_turns(&self, game: &G) -> String {
        let mut position = self.start;
        let mut text = format!("start {}\n", game.format_position(&position));
        for noted in &self.turns {
            text += &format!("{}\n", game.format_turn(&position, &noted.turn));
            position = game.play(&position, &noted.turn);
        }
        match self.termination(game) {
            Some(Termination::Resigned(side)) => text + &format!("resigned {}\n", side.name()),
            Some(Termination::Late(side)) => text + &format!("late {}\n", side.name()),
            Some(Termination::Agreed) => text + "draw\n",
            None => text,
        }
    }
}
