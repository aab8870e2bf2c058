//! Damaged files: the command that repairs them.

use std::fmt;
use std::path::Path;

use endmill_dbformat::Error as FileError;
use endmill_probe::ProbeError;
use endmill_solver::SolveError;

/// The command that repairs a database: the context of an error, printed on a separate line.
#[derive(Debug)]
pub struct RepairHint(String);

impl fmt::Display for RepairHint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "to repair the database: {}", self.0)
    }
}

/// Adds the repair command to an error about a damaged file.
pub fn or_repair<T>(done: anyhow::Result<T>, ruleset: &str, db: &Path) -> anyhow::Result<T> {
    done.map_err(|error| match is_damage(&error) {
        true => error.context(RepairHint(repair_command(ruleset, db))),
        false => error,
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

/// Quotes a word of a command for a shell if necessary.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_if_a_shell_needs_it() {
        assert_eq!(quoted("games/nine-1.game"), "games/nine-1.game");
        assert_eq!(quoted("my game"), "'my game'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
