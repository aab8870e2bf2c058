//! The fields of a rules file with their lines, and the mistakes found in them so far.

use std::ops::RangeInclusive;

use toml::de::{DeTable, DeValue};

use super::expectation;
use crate::rules_file::Mistake;

/// The largest number of mistakes reported for a text that is not TOML.
const MOST_TOLD: usize = 10;

/// A table of the file.
pub(super) struct Fields<'a> {
    text: &'a str,
    table: DeTable<'a>,
    mistakes: Vec<Mistake>,
}

/// A field of the file.
#[derive(Clone)]
pub(super) struct Field<'a> {
    pub(super) name: String,
    /// The line where its value begins, from 1.
    pub(super) line: usize,
    pub(super) value: DeValue<'a>,
}

/// Returns the mistake at a byte of a text that is not TOML, with the field on that line.
fn not_toml(text: &str, at: usize, message: &str) -> Mistake {
    let line = line_at(text, at);
    let source = text.lines().nth(line - 1).unwrap_or_default();
    let key = source.split_once('=').map(|(key, _)| key.trim());
    let key = key.or_else(|| source.trim().strip_prefix('[')?.strip_suffix(']'));
    let field = key
        .filter(|key| expectation(key).is_some())
        .unwrap_or_default();
    let what = if message.contains("duplicate key") {
        "expected once, found again".to_owned()
    } else {
        let said = message.lines().collect::<Vec<_>>().join("; ");
        match expectation(field) {
            Some(expected) => format!("expected {expected}; this is not TOML: {said}"),
            None => format!("this is not TOML: {said}"),
        }
    };
    Mistake {
        line,
        field: field.to_owned(),
        what,
    }
}

impl<'a> Fields<'a> {
    /// Reads a text as TOML.
    pub(super) fn parse(text: &'a str) -> Result<Fields<'a>, Vec<Mistake>> {
        let (table, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            return Ok(Fields {
                text,
                table: table.into_inner(),
                mistakes: Vec::new(),
            });
        }
        let mistakes = errors.iter().map(|error| {
            let at = error.span().map_or(0, |span| span.start);
            not_toml(text, at, error.message())
        });
        let mut mistakes: Vec<Mistake> = mistakes.collect();
        mistakes.sort_by_key(|mistake| mistake.line);
        // Further errors on a line follow from the first.
        mistakes.dedup_by_key(|mistake| mistake.line);
        mistakes.truncate(MOST_TOLD);
        Err(mistakes)
    }

    /// Returns the line of a field; the first if it is missing.
    pub(super) fn line_of(&self, name: &str) -> usize {
        self.get(name).map_or(1, |field| field.line)
    }

    fn get(&self, name: &str) -> Option<Field<'a>> {
        let (_, value) = self.table.iter().find(|(key, _)| key.get_ref() == name)?;
        Some(Field {
            name: name.to_owned(),
            line: line_at(self.text, value.span().start),
            value: value.get_ref().clone(),
        })
    }

    /// Returns an optional field.
    pub(super) fn optional(&self, name: &str) -> Option<Field<'a>> {
        self.get(name)
    }

    /// Returns a required field; reports it if missing.
    pub(super) fn required(&mut self, name: &str, expected: &str) -> Option<Field<'a>> {
        let field = self.get(name);
        if field.is_none() {
            self.complain(1, name, format!("is missing, expected {expected}"));
        }
        field
    }

    /// Returns the line of a byte of the file.
    pub(super) fn line_at(&self, at: usize) -> usize {
        line_at(self.text, at)
    }

    pub(super) fn complain(&mut self, line: usize, field: &str, what: String) {
        let field = field.to_owned();
        self.mistakes.push(Mistake { line, field, what });
    }

    /// Reports that a field has another value.
    pub(super) fn expected(&mut self, field: &Field<'_>, expected: &str) {
        let found = shown(&field.value);
        self.complain(
            field.line,
            &field.name,
            format!("expected {expected}, found {found}"),
        );
    }

    /// Reads a text that satisfies a condition.
    pub(super) fn text(
        &mut self,
        field: &Field<'_>,
        expected: &str,
        allowed: impl Fn(&str) -> bool,
    ) -> Option<String> {
        match &field.value {
            DeValue::String(text) if allowed(text) => Some(text.to_string()),
            _ => {
                self.expected(field, expected);
                None
            }
        }
    }

    /// Reads a whole number within bounds.
    pub(super) fn number(&mut self, field: &Field<'_>, range: RangeInclusive<i64>) -> Option<i64> {
        let number = match &field.value {
            DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix()).ok(),
            _ => None,
        };
        let found = number.filter(|number| range.contains(number));
        if found.is_none() {
            let expected = format!("a whole number from {} to {}", range.start(), range.end());
            self.expected(field, &expected);
        }
        found
    }

    /// Reads `true` or `false`.
    pub(super) fn flag(&mut self, name: &str, usual: bool) -> bool {
        match self.get(name) {
            None => usual,
            Some(Field {
                value: DeValue::Boolean(flag),
                ..
            }) => flag,
            Some(field) => {
                self.expected(&field, "true or false");
                usual
            }
        }
    }

    /// Returns whether the second of two words is given; the first is the default.
    pub(super) fn choice(&mut self, name: &str, words: [&str; 2]) -> bool {
        let Some(field) = self.get(name) else {
            return false;
        };
        let given = match &field.value {
            DeValue::String(text) => words.iter().position(|word| word == text),
            _ => None,
        };
        if given.is_none() {
            self.expected(&field, &format!("{:?} or {:?}", words[0], words[1]));
        }
        given == Some(1)
    }

    /// Reads a number up to `most`; 0 by default.
    pub(super) fn limit(&mut self, name: &str, most: i64) -> u8 {
        let field = self.get(name);
        let given = field.and_then(|field| self.number(&field, 0..=most));
        given.map_or(0, |given| given as u8)
    }

    /// Reports every unknown field of the file.
    pub(super) fn refuse_others(&mut self, within: &str, known: &[&str]) {
        let table = std::mem::take(&mut self.table);
        self.refuse_in(&table, within, known);
        self.table = table;
    }

    /// Reports every unknown field of a nested table.
    pub(super) fn refuse_in(&mut self, table: &DeTable<'_>, within: &str, known: &[&str]) {
        let others = table
            .keys()
            .filter(|key| !known.contains(&&**key.get_ref()));
        let others: Vec<(usize, String)> = others
            .map(|key| (self.line_at(key.span().start), key.get_ref().to_string()))
            .collect();
        for (line, name) in others {
            let what = format!("unknown field, expected one of {}", known.join(", "));
            self.complain(line, &format!("{within}{name}"), what);
        }
    }

    /// Returns all mistakes, in the order of their lines.
    pub(super) fn into_mistakes(mut self) -> Vec<Mistake> {
        self.mistakes.sort_by_key(|mistake| mistake.line);
        self.mistakes
    }
}

/// The line of a byte of a text, from 1.
fn line_at(text: &str, at: usize) -> usize {
    let before = text.as_bytes().iter().take(at);
    before.filter(|&&byte| byte == b'\n').count() + 1
}

/// Returns a value as messages show it.
pub(super) fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() > 60 => "a long text".to_owned(),
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(digits) => digits.to_string(),
        DeValue::Float(digits) => digits.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
