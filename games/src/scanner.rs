//! A tokeniser with its errors.

use crate::colour::Colour;
use crate::error::{ParseError, Problem};

/// More men than any game has.
const MOST_MEN: u32 = 999;

/// Reads a text token by token; white space between tokens is skipped.
pub(crate) struct Scanner {
    text: Vec<char>,
    at: usize,
}

impl Scanner {
    pub(crate) fn new(text: &str) -> Scanner {
        let mut scanner = Scanner {
            text: text.chars().collect(),
            at: 0,
        };
        scanner.skip_space();
        scanner
    }

    /// Where the next token begins, as a character index.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next character, in lower case.
    pub(crate) fn peek(&self) -> Option<char> {
        self.text.get(self.at).map(char::to_ascii_lowercase)
    }

    /// Takes the next character if it is `wanted` (in lower case).
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += 1;
            self.skip_space();
        }
        found
    }

    /// Takes a run of digits, as written.
    pub(crate) fn digits(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let digits: String = rest.iter().take_while(|c| c.is_ascii_digit()).collect();
        if digits.is_empty() {
            return None;
        }
        self.at += digits.len();
        self.skip_space();
        Some(digits)
    }

    /// Takes a number of men; an absurdly large one is an error.
    pub(crate) fn number(&mut self, expected: &str) -> Result<u32, ParseError> {
        let at = self.at;
        let digits = self.digits().ok_or_else(|| self.expected(expected))?;
        match digits.parse() {
            Ok(number @ 0..=MOST_MEN) => Ok(number),
            _ => {
                let expected = format!("{expected}, at most {MOST_MEN}");
                let problem = Problem::Syntax {
                    expected,
                    found: digits,
                };
                Err(ParseError::at(at, problem))
            }
        }
    }

    /// Takes `W` or `B`.
    pub(crate) fn colour(&mut self) -> Option<Colour> {
        let colours = [(Colour::White, 'w'), (Colour::Black, 'b')];
        let found = colours.into_iter().find(|&(_, letter)| self.eat(letter));
        found.map(|(colour, _)| colour)
    }

    /// Takes `wanted`; the error says what was `expected`.
    pub(crate) fn demand(&mut self, wanted: char, expected: &str) -> Result<(), ParseError> {
        if self.eat(wanted) {
            Ok(())
        } else {
            Err(self.expected(expected))
        }
    }

    /// Takes a letter and up to `most` digits, at least one, if they come next.
    pub(crate) fn letter_and_digits(&mut self, most: usize) -> Option<String> {
        let (letter, rest) = self.text[self.at..].split_first()?;
        let digits = rest.iter().take(most).take_while(|c| c.is_ascii_digit());
        let digits: String = digits.collect();
        if !letter.is_ascii_alphabetic() || digits.is_empty() {
            return None;
        }
        let found = format!("{letter}{digits}");
        self.at += found.len();
        self.skip_space();
        Some(found)
    }

    /// Succeeds if nothing is left.
    pub(crate) fn end(&self) -> Result<(), ParseError> {
        match self.peek() {
            Some(_) => Err(self.expected("the end")),
            None => Ok(()),
        }
    }

    /// The error that something else was expected here.
    pub(crate) fn expected(&self, what: &str) -> ParseError {
        let found = match self.text.get(self.at) {
            Some(c) => c.to_string(),
            None => String::new(),
        };
        ParseError::at(
            self.at,
            Problem::Syntax {
                expected: what.to_owned(),
                found,
            },
        )
    }

    fn skip_space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().take_while(|c| c.is_whitespace()).count();
    }
}
