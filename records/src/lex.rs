//! The tokens of a game in PDN, or of a list of moves: tags, numbers, turns, comments.
//!
//! Accepts the liberal reading grammar of PDN 3.0, and extensions of other programs: blanks within a
//! turn, line comments, stars for forced turns, and the coordinates `(3,1)` of morris programs. Turns
//! are not interpreted here.

use crate::error::{RecordError, RecordProblem, expected};
use crate::location::{Location, Text};
use crate::result::RESULTS;

/// The annotation of a forced turn.
const FORCED: u16 = 7;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// `[Name "value"]`, and the location of the value.
    Tag(String, String, Location),
    /// A comment without its braces, with single blanks.
    Comment(String),
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `$4`, `??`.
    Nag(u16),
    /// `12.` or `12...`.
    Number,
    /// One of [`RESULTS`].
    Result(String),
    /// `/FEN "…"/`, or `start …` at the beginning of a list, and the location of the position.
    Position(String, Location),
    /// Part of a turn, or an unknown word.
    Word(String),
}

/// Splits a text into tokens.
pub(crate) struct Lexer<'a> {
    text: &'a Text,
    at: usize,
    /// The end of the last word.
    word_end: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a Text) -> Lexer<'a> {
        Lexer {
            text,
            at: 0,
            word_end: usize::MAX,
        }
    }

    /// The next token with its location.
    pub(crate) fn next(&mut self) -> Option<Result<(Location, Token), RecordError>> {
        self.skip();
        let begin = self.at;
        let first = self.peek(0)?;
        let place = self.text.place(begin);
        let token = match first {
            '[' => self.tag(),
            '{' => self.braced(),
            ';' => {
                self.at += 1;
                Ok(Token::Comment(tidy(&self.line())))
            }
            '/' => self.set_up(),
            '$' => self.nag(),
            '(' => match self.bracketed_strength() {
                Some(nag) => Ok(Token::Nag(nag)),
                None if self.is_coordinate() => self.word(),
                None => Ok(self.one(Token::Open)),
            },
            ')' => Ok(self.one(Token::Close)),
            '!' | '?' => Ok(Token::Nag(self.strength())),
            '*' if begin == self.word_end => Ok(self.one(Token::Nag(FORCED))),
            '*' => Ok(self.one(Token::Result("*".to_owned()))),
            ']' | '}' | '"' => Err(expected("a turn, a comment or a tag", first)),
            _ if self.is_number() => Ok(self.number()),
            _ => self.word(),
        };
        Some(match token {
            Ok(token) => Ok((place, token)),
            Err(problem) => Err(RecordError::new(place, problem)),
        })
    }

    /// Resumes after an error: after the line of a bad tag, otherwise at the next line that begins
    /// with a tag.
    pub(crate) fn recover(&mut self) {
        if self.is_at_tag() {
            self.line();
            return;
        }
        self.at += 1;
        while self.at < self.text.characters.len() {
            if self.peek(0) == Some('[') && self.text.characters[self.at - 1] == '\n' {
                return;
            }
            self.at += 1;
        }
    }

    /// Returns whether a tag begins here, after an error a bad one.
    pub(crate) fn is_at_tag(&self) -> bool {
        self.peek(0) == Some('[')
    }

    fn peek(&self, on: usize) -> Option<char> {
        self.text.characters.get(self.at + on).copied()
    }

    fn one(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    /// Skips blanks, commas, dots that stand for a turn, and lines that begin with `%` or `#`.
    fn skip(&mut self) {
        while let Some(c) = self.peek(0) {
            match c {
                '%' | '#' => {
                    self.line();
                }
                _ if is_blank(c) || ",.\u{2026}".contains(c) => self.at += 1,
                _ => return,
            }
        }
    }

    /// The rest of the line.
    fn line(&mut self) -> String {
        let rest = &self.text.characters[self.at..];
        let line: String = rest.iter().take_while(|c| **c != '\n').collect();
        self.at += line.chars().count();
        line
    }

    fn braced(&mut self) -> Result<Token, RecordProblem> {
        let rest = &self.text.characters[self.at + 1..];
        let length = rest.iter().position(|c| *c == '}');
        let length = length.ok_or(RecordProblem::Unclosed { what: "comment" })?;
        self.at += length + 2;
        Ok(Token::Comment(tidy(
            &rest[..length].iter().collect::<String>(),
        )))
    }

    fn tag(&mut self) -> Result<Token, RecordProblem> {
        let unclosed = || RecordProblem::Unclosed { what: "tag" };
        let mut at = self.at + 1;
        let characters = &self.text.characters;
        let get = |at: usize| characters.get(at).copied();
        let skip = |at: &mut usize| {
            while get(*at).is_some_and(is_blank) {
                *at += 1;
            }
        };
        skip(&mut at);
        let mut name = String::new();
        while let Some(c) = get(at).filter(|c| c.is_alphanumeric() || *c == '_' || *c == '-') {
            name.push(c);
            at += 1;
        }
        skip(&mut at);
        if name.is_empty() || get(at) != Some('"') {
            let found: String = characters[self.at..].iter().take(12).collect();
            let found = found.lines().next().unwrap_or_default().to_owned();
            return Err(expected("a tag such as [Event \"Match\"]", found));
        }
        let value_at = self.text.place(at + 1);
        let mut value = String::new();
        loop {
            at += 1;
            match (get(at), get(at + 1)) {
                (Some('\\'), Some(c @ ('"' | '\\'))) => {
                    value.push(c);
                    at += 1;
                }
                (Some('"'), _) => break,
                (None | Some('\n'), _) => return Err(unclosed()),
                (Some(c), _) => value.push(c),
            }
        }
        at += 1;
        skip(&mut at);
        if get(at) != Some(']') {
            return Err(unclosed());
        }
        self.at = at + 1;
        Ok(Token::Tag(name, value, value_at))
    }

    /// `/FEN "…"/`.
    fn set_up(&mut self) -> Result<Token, RecordProblem> {
        let rest = &self.text.characters[self.at + 1..];
        let length = rest.iter().position(|c| *c == '/');
        let length = length.ok_or(RecordProblem::Unclosed { what: "position" })?;
        let begin = self.text.place(self.at + 1);
        self.at += length + 2;
        let text = rest[..length].iter().collect();
        Ok(Token::Position(text, begin))
    }

    fn nag(&mut self) -> Result<Token, RecordProblem> {
        let digits = self.digits_after(1);
        let number: String = self.text.characters[self.at + 1..][..digits]
            .iter()
            .collect();
        let found = format!("${number}");
        let number = number.parse().ok().filter(|number| *number <= 255);
        let number = number.ok_or_else(|| expected("$ and a number up to 255", found))?;
        self.at += digits + 1;
        Ok(Token::Nag(number))
    }

    fn digits_after(&self, on: usize) -> usize {
        let rest = self.text.characters[self.at..].iter().skip(on);
        rest.take_while(|c| c.is_ascii_digit()).count()
    }

    /// A run of `!` and `?` as a numeric annotation.
    fn strength(&mut self) -> u16 {
        let rest = &self.text.characters[self.at..];
        let run = rest.iter().take_while(|c| matches!(c, '!' | '?'));
        let marks: String = run.collect();
        self.at += marks.len();
        match marks.as_str() {
            "!" => 1,
            "?" => 2,
            "!?" => 5,
            "?!" => 6,
            marks if marks.starts_with('!') => 3,
            _ => 4,
        }
    }

    /// `(?)`.
    fn bracketed_strength(&mut self) -> Option<u16> {
        let inside = self.text.characters[self.at + 1..].iter();
        let marks = inside.take_while(|c| matches!(c, '!' | '?')).count();
        if marks == 0 || self.peek(marks + 1) != Some(')') {
            return None;
        }
        self.at += 1;
        let nag = self.strength();
        self.at += 1;
        Some(nag)
    }

    /// Returns whether a point such as `(3,1)` begins here, not a variation.
    fn is_coordinate(&self) -> bool {
        let digit = |on| self.peek(on).is_some_and(|c| c.is_ascii_digit());
        digit(1) && self.peek(2) == Some(',') && digit(3) && self.peek(4) == Some(')')
    }

    /// Returns whether a number with dots begins here.
    fn is_number(&self) -> bool {
        let digits = self.digits_after(0);
        digits > 0 && matches!(self.peek(digits), Some('.' | '\u{2026}'))
    }

    fn number(&mut self) -> Token {
        self.at += self.digits_after(0);
        while matches!(self.peek(0), Some('.' | '\u{2026}')) {
            self.at += 1;
        }
        Token::Number
    }

    fn word(&mut self) -> Result<Token, RecordProblem> {
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            if c == '(' && self.is_coordinate() {
                word.extend(&self.text.characters[self.at..self.at + 5]);
                self.at += 5;
                continue;
            }
            if is_blank(c) || ",.;{}[]()!?*$\"#%\u{2026}".contains(c) {
                break;
            }
            word.push(plain(c));
            self.at += 1;
        }
        self.word_end = self.at;
        if word.eq_ignore_ascii_case("start") {
            let begin = self.text.place(self.at);
            return Ok(Token::Position(self.line(), begin));
        }
        if word == "\u{bd}-\u{bd}" {
            word = "1/2-1/2".to_owned();
        }
        Ok(match RESULTS.contains(&word.as_str()) {
            true => Token::Result(word),
            false => Token::Word(word),
        })
    }
}

/// Includes the blanks of clipboards.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}')
}

/// Replaces typographic dashes and crosses by ASCII.
fn plain(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        '\u{d7}' => 'x',
        c => c,
    }
}

/// Replaces runs of blanks by single ones, and trims the ends.
pub(crate) fn tidy(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
