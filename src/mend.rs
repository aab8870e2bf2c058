//! How to mend a database in which a file is damaged: said wherever one is met.

use std::fmt;
use std::path::Path;

use endmill_dbformat::Error as FileError;
use endmill_probe::ProbeError;
use endmill_solver::SolveError;

use crate::missing::Advice;

/// The command that mends a database. It goes with an error as its context, and is printed on a
/// line of its own.
#[derive(Debug)]
pub struct Mend(String);

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to mend the database: {}", self.0)
    }
}

/// Adds the command that mends the database to an error that it would mend.
pub fn or_mend<T>(done: anyhow::Result<T>, ruleset: &str, db: &Path) -> anyhow::Result<T> {
    done.map_err(|error| {
        if !is_damage(&error) {
            return error;
        }
        error.context(Mend(repair_command(ruleset, db)))
    })
}

/// The command that repairs a database.
pub fn repair_command(ruleset: &str, db: &Path) -> String {
    format!(
        "endmill build {} --repair{}",
        quoted(ruleset),
        crate::db::option(db)
    )
}

/// The message of an error, the advice after what went wrong.
pub fn message(error: &anyhow::Error) -> String {
    let mend = error.downcast_ref::<Mend>().map(ToString::to_string);
    let advice = || error.downcast_ref::<Advice>().map(ToString::to_string);
    match mend.or_else(advice) {
        None => chain(error),
        Some(advice) => format!("{}\n{advice}", joined(error.chain().skip(1))),
    }
}

/// An error with its causes, each said once.
pub fn chain(error: &anyhow::Error) -> String {
    joined(error.chain())
}

/// Many an error ends with its cause: that is not said again.
fn joined<'a>(causes: impl Iterator<Item = &'a (dyn std::error::Error + 'static)>) -> String {
    let mut text = String::new();
    for cause in causes.map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn is_damage(error: &anyhow::Error) -> bool {
    if let Some(error) = error.downcast_ref::<ProbeError>() {
        return matches!(error.code(), "file_damaged" | "wrong_file");
    }
    let file = match error.downcast_ref::<SolveError>() {
        Some(SolveError::File(error)) => Some(error),
        _ => error.downcast_ref::<FileError>(),
    };
    matches!(
        file,
        Some(
            FileError::Damaged { .. }
                | FileError::NotATable { .. }
                | FileError::WrongTable { .. }
                | FileError::WrongKind { .. }
                | FileError::NotAPair { .. }
        )
    )
}

/// A path as a shell reads it.
pub fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_said_once() {
        let denied = || std::io::Error::other("Permission denied");
        let error = anyhow::Error::from(denied()).context("here: Permission denied");
        assert_eq!(chain(&error), "here: Permission denied");
        let error = anyhow::Error::from(denied()).context("cannot save to x");
        assert_eq!(chain(&error), "cannot save to x: Permission denied");
    }

    #[test]
    fn names_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("games/nine-1.game"), "games/nine-1.game");
        assert_eq!(quoted("my game"), "'my game'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
