//! A game as texts, and the PDN of it.

use endmill_games::draughts::Draughts;
use endmill_games::{Colour, Interchange};

use crate::lex::tidy;
use crate::naming::{ENGLISH, GAME_TYPE, RULESET};
use crate::result::{FIRST_PLAYER, RESULT_ORDER, first_player, from_play};
use crate::{GameRecord, GameResult, Tag};

/// The maximum length of a line.
const WIDE: usize = 79;

/// The tags that come first in PDN, in this order, around the result.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// A game of any rules as texts, from which PDN is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The tags, except those that follow from the other fields.
    pub tags: Vec<Tag>,
    /// The tag `GameType` or `Ruleset`.
    pub game: Tag,
    /// The first position; `None` for the usual start.
    pub start: Option<String>,
    /// Whether the second player makes the first turn.
    pub second_begins: bool,
    /// The comments before the first turn.
    pub opening: Vec<String>,
    /// The turns.
    pub turns: Vec<SheetTurn>,
    /// The result, if the record has one.
    pub result: Option<GameResult>,
    /// The side whose points come first in the text of the result.
    first: Colour,
}

/// A turn as a text, with its annotations and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetTurn {
    /// Its text in game records.
    pub text: String,
    /// Annotations by number.
    pub nags: Vec<u16>,
    /// The comments after it.
    pub comments: Vec<String>,
}

impl<G: Interchange> GameRecord<G> {
    /// The game as texts.
    pub fn sheet(&self, game: &G) -> Sheet {
        let id = game.description().id;
        let usual = game.start();
        let mut position = self.start;
        let turns = self.turns.iter().map(|noted| {
            let text = game.record_turn(&position, &noted.turn);
            position = game.play(&position, &noted.turn);
            SheetTurn {
                text,
                nags: noted.nags.clone(),
                comments: noted.comments.clone(),
            }
        });
        let turns = turns.collect();
        Sheet {
            tags: self.tags.clone(),
            game: match id == Draughts::ID {
                true => Tag::new(GAME_TYPE, ENGLISH),
                false => Tag::new(RULESET, id),
            },
            start: (self.start != usual).then(|| game.format_position(&self.start)),
            second_begins: game.to_move(&self.start) != first_player(game),
            opening: self.opening.clone(),
            turns,
            result: self.result.clone(),
            first: first_player(game),
        }
    }
}

impl Sheet {
    /// The game in PDN 3.0, with an empty line at its end, so that another can follow.
    pub fn pdn(&self) -> String {
        let result = self.result_text().unwrap_or("*");
        let mut tags = self.tags.clone();
        in_order(&mut tags);
        let first = tags.iter().take_while(|tag| rank(tag) < FIRST_TAGS.len());
        let (first, others) = tags.split_at(first.count());
        let mut text: String = first.iter().map(written).collect();
        text += &written(&Tag::new("Result", result));
        text += &written(&self.game);
        if self.needs_order() {
            text += &written(&Tag::new(RESULT_ORDER, FIRST_PLAYER));
        }
        text.extend(others.iter().map(written));
        if let Some(start) = &self.start {
            text += &written(&Tag::new("SetUp", "1"));
            text += &written(&Tag::new("FEN", start));
        }
        text.push('\n');
        let standard = self.result.as_ref().is_some_and(GameResult::is_standard);
        let end = if standard { result } else { "*" };
        let mut words = self.words();
        words.push(Word::Any(end.to_owned()));
        wrap(&mut text, words);
        text + "\n"
    }

    /// The text of the result in PDN.
    pub fn result_text(&self) -> Option<&str> {
        let result = self.result.as_ref();
        result.map(|result| result.text(self.first))
    }

    /// The game as old versions of Endmill wrote it, with White's points first.
    pub fn with_points_of_white_first(self) -> Sheet {
        let first = Colour::White;
        Sheet { first, ..self }
    }

    /// Returns whether, without [`RESULT_ORDER`], the winner would be read as the loser.
    fn needs_order(&self) -> bool {
        let winner = self.result.as_ref().and_then(GameResult::winner);
        self.first != Colour::White && winner.flatten().is_some() && from_play(&self.tags)
    }

    /// The words after the tags.
    fn words(&self) -> Vec<Word> {
        let mut words = Vec::new();
        comment(&mut words, &self.opening);
        let offset = usize::from(self.second_begins);
        let mut interrupted = true;
        for (i, turn) in (offset..).zip(&self.turns) {
            let number = i / 2 + 1;
            match i % 2 {
                0 => words.push(Word::Any(format!("{number}."))),
                _ if interrupted => words.push(Word::Any(format!("{number}..."))),
                _ => {}
            }
            words.push(Word::Any(turn.text.clone()));
            let nags = turn.nags.iter().map(|nag| Word::Any(format!("${nag}")));
            words.extend(nags);
            comment(&mut words, &turn.comments);
            interrupted = !turn.comments.is_empty();
        }
        words
    }
}

/// A part of the text after the tags.
enum Word {
    /// A word among others on a line.
    Any(String),
    /// A line by itself.
    Line(String),
}

fn rank(tag: &Tag) -> usize {
    let found = FIRST_TAGS.iter().position(|name| *name == tag.name);
    found.unwrap_or(FIRST_TAGS.len())
}

/// Sorts the tags that come first in PDN to the front, and keeps the order of the others.
pub(crate) fn in_order(tags: &mut [Tag]) {
    tags.sort_by_key(rank);
}

fn written(tag: &Tag) -> String {
    let value = tag.value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]\n", tag.name)
}

/// Adds comments in braces, word by word, so that they can be wrapped. A comment with a closing brace
/// becomes a line comment instead.
fn comment(words: &mut Vec<Word>, comments: &[String]) {
    for comment in comments {
        if comment.contains('}') {
            words.push(Word::Line(format!("; {}", tidy(comment))));
            continue;
        }
        let braced = format!("{{{comment}}}");
        let parts = braced.split_whitespace();
        words.extend(parts.map(|part| Word::Any(part.to_owned())));
    }
}

/// Adds words, wrapped into lines.
fn wrap(text: &mut String, words: Vec<Word>) {
    let mut column = 0;
    for word in words {
        let word = match word {
            Word::Any(word) => word,
            Word::Line(line) => {
                let end = if column > 0 { "\n" } else { "" };
                *text += &format!("{end}{line}\n");
                column = 0;
                continue;
            }
        };
        let wide = word.chars().count();
        if column > 0 && column + 1 + wide > WIDE {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        *text += &word;
        column += wide;
    }
    text.push('\n');
}
