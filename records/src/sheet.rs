//! A game as texts, and the PDN of it.

use endmill_games::draughts::Draughts;
use endmill_games::{Colour, Interchange};

use crate::lex::tidy;
use crate::naming::{ENGLISH, GAME_TYPE, RULESET};
use crate::result::{FIRST_PLAYER, RESULT_ORDER, first_player, from_play};
use crate::{GameRecord, GameResult, Tag};

/// Columns of a line.
const WIDE: usize = 79;

/// Tags that PDN has before all others, in this order, around the result.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "White", "Black"];

/// A game as texts, by whichever rules it was played: what PDN is written from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// All but those that follow from the other fields.
    pub tags: Vec<Tag>,
    /// `GameType` or `Ruleset`: what game it is.
    pub game: Tag,
    /// The first position; `None` for that in which games begin.
    pub start: Option<String>,
    /// Whether the side makes the first turn that has the second turn in the usual start.
    pub second_begins: bool,
    /// What is said before the first turn.
    pub opening: Vec<String>,
    /// The turns.
    pub turns: Vec<SheetTurn>,
    /// `None` if nothing is said.
    pub result: Option<GameResult>,
    /// The side whose points stand first in the text of the result.
    first: Colour,
}

/// A turn as a text, with what is noted about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetTurn {
    /// As records of the game write it.
    pub text: String,
    /// Annotations by number.
    pub nags: Vec<u16>,
    /// What is said after it.
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
    /// The game in PDN 3.0, with an empty line at its end, so that another may follow.
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

    /// The result as PDN writes it.
    pub fn result_text(&self) -> Option<&str> {
        let result = self.result.as_ref();
        result.map(|result| result.text(self.first))
    }

    /// The game as Endmill wrote it when White's points came first in every game.
    pub fn with_points_of_white_first(self) -> Sheet {
        let first = Colour::White;
        Sheet { first, ..self }
    }

    /// Whether the winner would be taken for the loser without [`RESULT_ORDER`].
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

/// What stands after the tags.
enum Word {
    /// Among others on a line.
    Any(String),
    /// On a line of its own.
    Line(String),
}

fn rank(tag: &Tag) -> usize {
    let found = FIRST_TAGS.iter().position(|name| *name == tag.name);
    found.unwrap_or(FIRST_TAGS.len())
}

/// Puts the tags first that PDN has first; the others stay as they are.
pub(crate) fn in_order(tags: &mut [Tag]) {
    tags.sort_by_key(rank);
}

fn written(tag: &Tag) -> String {
    let value = tag.value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]\n", tag.name)
}

/// Adds comments in braces, word by word: lines may be broken in them. One with a brace in it, which
/// would end it, goes to the end of its line instead.
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

/// Adds words, in lines that are not too long where that can be helped.
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
