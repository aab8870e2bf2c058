//! Splits a text into games. Keeps the parts of a game with their locations, and does not check yet
//! whether it can be replayed.

use crate::error::{RecordError, RecordProblem, expected};
use crate::lex::{Lexer, Token};
use crate::location::{Location, Text};
use crate::{Tag, saved};

/// The format of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// A saved game of `endmill play`.
    Saved,
    /// PDN, or a list of moves.
    Moves,
}

/// An unchecked game record.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// The location of its beginning.
    pub begins: Location,
    pub(crate) format: Format,
    /// The tags with the locations of their values.
    pub(crate) tags: Vec<(Tag, Location)>,
    /// A position that is set up without a tag.
    pub(crate) start: Option<(String, Location)>,
    pub(crate) opening: Vec<String>,
    pub(crate) moves: Vec<WrittenTurn>,
    /// The result after the turns.
    pub(crate) result: Option<(String, Location)>,
    /// The last line of a saved game if it is not a turn: `resigned` or `late` and a side, or `draw`.
    pub(crate) termination: Option<(String, Location)>,
    /// The first syntax error.
    pub(crate) problem: Option<RecordError>,
    /// Whether the turns end at the error.
    broken: bool,
    /// Whether moves have numbers with dots.
    numbered: bool,
}

/// The text of a turn, with its annotations and comments.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenTurn {
    pub(crate) text: String,
    /// The beginnings of its parts and their locations: `a1-a4 xg7` has two.
    parts: Vec<(usize, Location)>,
    pub(crate) nags: Vec<u16>,
    pub(crate) comments: Vec<String>,
}

impl WrittenTurn {
    pub(crate) fn new(text: String, place: Location) -> WrittenTurn {
        WrittenTurn {
            text,
            parts: vec![(0, place)],
            ..WrittenTurn::default()
        }
    }

    /// The location of a character, or of the beginning.
    pub(crate) fn place(&self, at: Option<usize>) -> Location {
        let at = at.unwrap_or(0);
        let before = self.parts.iter().rev().find(|(begin, _)| *begin <= at);
        before.map_or(Location::FIRST, |(begin, place)| place.on(at - begin))
    }

    /// Returns whether a word continues this turn: `xg7` after `a1-a4`, `-` and `15` after `11`. `--`
    /// is a null move and does not.
    fn is_continued_by(&self, word: &str) -> bool {
        let joins = |c: char| matches!(c, '-' | 'x' | 'X' | ':' | '>');
        !word.starts_with("--") && (self.text.ends_with(joins) || word.starts_with(joins))
    }

    fn join(&mut self, word: &str, place: Location) {
        self.parts.push((self.text.chars().count(), place));
        self.text += word;
    }
}

impl Transcript {
    pub(crate) fn new(begins: Location, format: Format) -> Transcript {
        Transcript {
            begins,
            format,
            tags: Vec::new(),
            start: None,
            opening: Vec::new(),
            moves: Vec::new(),
            result: None,
            termination: None,
            problem: None,
            broken: false,
            numbered: false,
        }
    }

    /// A game from a list of turns. In locations, the number of the turn is the line.
    pub fn of_moves(start: Option<String>, moves: impl IntoIterator<Item = String>) -> Transcript {
        let mut transcript = Transcript::new(Location::FIRST, Format::Moves);
        transcript.start = start.map(|start| (start, Location::FIRST));
        let numbered = (1..).zip(moves);
        let moves =
            numbered.map(|(line, text)| WrittenTurn::new(text, Location { line, column: 1 }));
        transcript.moves = moves.collect();
        transcript
    }

    /// The number of turns in the text, legal or not.
    pub fn turns(&self) -> usize {
        self.moves.len()
    }

    /// Sets the first position, unless the text has one.
    pub fn begin_at(&mut self, start: String) {
        let tagged = self.tags.iter().any(|(tag, _)| tag.name == "FEN");
        if self.start.is_none() && !tagged {
            self.start = Some((start, Location::FIRST));
        }
    }

    /// The last tag of this name, with the location of its value.
    pub(crate) fn tagged(&self, name: &str) -> Option<(&str, Location)> {
        let mut tags = self.tags.iter().rev();
        let found = tags.find(|(tag, _)| tag.name.eq_ignore_ascii_case(name));
        found.map(|(tag, place)| (tag.value.as_str(), *place))
    }

    fn is_begun(&self) -> bool {
        !self.moves.is_empty() || self.start.is_some() || self.broken
    }

    fn is_empty(&self) -> bool {
        !self.is_begun() && self.tags.is_empty() && self.problem.is_none()
    }

    fn comment(&mut self, comment: String) {
        if comment.is_empty() {
            return;
        }
        match self.moves.last_mut() {
            Some(last) => last.comments.push(comment),
            None => self.opening.push(comment),
        }
    }

    /// Removes move numbers without dots, such as those of `1 d6 f4 2 d2`.
    fn without_plain_numbers(&mut self) {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let all_digits = self.moves.iter().all(|written| digits(&written.text));
        if self.numbered || all_digits {
            return;
        }
        let mut next = 1;
        self.moves.retain(|written| {
            let number = digits(&written.text) && written.text.parse() == Ok(next);
            next += usize::from(number);
            !number
        });
    }
}

/// Splits a text into games: a saved game, or games in PDN or as lists of moves. Each game keeps its
/// first syntax error. Fails if the text has no game.
pub fn transcripts(text: &str) -> Result<Vec<Transcript>, RecordError> {
    let text = with_plain_lines(text);
    if saved::is_saved(&text) {
        return Ok(vec![saved::transcript(&text)]);
    }
    let text = Text::new(&text);
    let mut reader = Reader::new();
    let mut lexer = Lexer::new(&text);
    while let Some(read) = lexer.next() {
        let taken = read.and_then(|(place, token)| reader.take(place, token));
        if let Err(error) = taken {
            let in_head = lexer.is_at_tag();
            reader.refuse(error, in_head);
            lexer.recover();
        }
    }
    let games = reader.end();
    if games.is_empty() {
        return Err(RecordError::new(Location::FIRST, RecordProblem::Empty));
    }
    Ok(games)
}

/// Removes a byte order mark, and makes all line ends a single character, as editors count them.
fn with_plain_lines(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.replace("\r\n", "\n").replace('\r', "\n")
}

struct Reader {
    /// Whether the next word begins a turn, since a number came before it.
    numbered: bool,
    games: Vec<Transcript>,
    /// The current game.
    game: Transcript,
    /// The beginnings of the open variations.
    variations: Vec<Location>,
    /// The line of the last result. A comment on it belongs to the game that has ended.
    ended: usize,
}

impl Reader {
    fn new() -> Reader {
        Reader {
            numbered: false,
            games: Vec::new(),
            game: Transcript::new(Location::FIRST, Format::Moves),
            variations: Vec::new(),
            ended: 0,
        }
    }

    fn take(&mut self, place: Location, token: Token) -> Result<(), RecordError> {
        if let Token::Tag(name, value, value_at) = token {
            if let Some(open) = self.variations.pop() {
                self.unclosed(open);
            }
            if self.game.is_begun() {
                self.finish();
            }
            self.begin(place);
            self.game.tags.push((Tag { name, value }, value_at));
            return Ok(());
        }
        match token {
            Token::Open => self.variations.push(place),
            Token::Close if self.variations.pop().is_none() => {
                return Err(RecordError::new(place, expected("a turn", ")")));
            }
            _ if !self.variations.is_empty() => {}
            Token::Comment(comment) => match self.games.last_mut() {
                Some(last) if self.game.is_empty() && place.line == self.ended => {
                    last.comment(comment);
                }
                _ => self.game.comment(comment),
            },
            Token::Nag(nag) => {
                if let Some(last) = self.game.moves.last_mut() {
                    last.nags.push(nag);
                }
            }
            Token::Number => {
                self.game.numbered = true;
                self.numbered = true;
            }
            Token::Position(text, at) if self.game.moves.is_empty() => {
                self.begin(place);
                self.game.start = Some((text, at));
            }
            Token::Position(..) => {
                return Err(RecordError::new(place, RecordProblem::SetUpLate));
            }
            Token::Result(result) => {
                self.begin(place);
                self.game.result = Some((result, place));
                self.ended = place.line;
                self.finish();
            }
            Token::Word(word) => {
                self.begin(place);
                let begins = std::mem::take(&mut self.numbered);
                match self.game.moves.last_mut() {
                    Some(last) if !begins && last.is_continued_by(&word) => last.join(&word, place),
                    _ => self.game.moves.push(WrittenTurn::new(word, place)),
                }
            }
            Token::Close | Token::Tag(..) => {}
        }
        Ok(())
    }

    fn begin(&mut self, place: Location) {
        if self.game.is_empty() {
            self.game.begins = place;
        }
    }

    /// Records an error in the current game, and skips the rest of it.
    fn refuse(&mut self, error: RecordError, in_head: bool) {
        if in_head && self.game.is_begun() {
            self.finish();
        }
        self.begin(error.place);
        self.variations.clear();
        self.game.broken |= !in_head;
        self.game.problem.get_or_insert(error);
    }

    fn unclosed(&mut self, open: Location) {
        let what = "variation";
        self.refuse(
            RecordError::new(open, RecordProblem::Unclosed { what }),
            false,
        );
    }

    fn finish(&mut self) {
        let next = Transcript::new(Location::FIRST, Format::Moves);
        let mut game = std::mem::replace(&mut self.game, next);
        game.without_plain_numbers();
        self.games.push(game);
    }

    fn end(mut self) -> Vec<Transcript> {
        if let Some(open) = self.variations.pop() {
            self.unclosed(open);
        }
        if !self.game.is_empty() {
            self.finish();
        } else if let Some(last) = self.games.last_mut() {
            // Comments after the last game belong to it.
            for comment in std::mem::take(&mut self.game.opening) {
                last.comment(comment);
            }
        }
        self.games
    }
}
