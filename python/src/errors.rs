//! The classes of `endmill/errors.py`, and which of them says what.

use std::path::Path;

use endmill_games::ParseError;
use endmill_probe::{AskError, ProbeError};
use endmill_solver::{ScopeError, SolveError};
use pyo3::PyErr;

use python::{
    BadPositionError, BadTableError, BadTurnError, BuildError, DamagedFileError, DatabaseError,
    DatabaseIOError, FormatError, MissingPliesError, MissingTableError, NoTablesError,
    UnknownRulesetError,
};

mod python {
    use pyo3::import_exception;

    import_exception!(endmill.errors, BadPositionError);
    import_exception!(endmill.errors, BadTableError);
    import_exception!(endmill.errors, BadTurnError);
    import_exception!(endmill.errors, BuildError);
    import_exception!(endmill.errors, DamagedFileError);
    import_exception!(endmill.errors, DatabaseError);
    import_exception!(endmill.errors, DatabaseIOError);
    import_exception!(endmill.errors, FormatError);
    import_exception!(endmill.errors, MissingPliesError);
    import_exception!(endmill.errors, MissingTableError);
    import_exception!(endmill.errors, NoTablesError);
    import_exception!(endmill.errors, UnknownRulesetError);
}

/// Why a question is not answered.
pub fn of_question(error: AskError) -> PyErr {
    match error {
        AskError::Ruleset(error) => UnknownRulesetError::new_err(error.to_string()),
        AskError::Position(error) => BadPositionError::new_err(placed(&error)),
        AskError::Turn(error) => BadTurnError::new_err(placed(&error)),
        AskError::Table(error) => BadTableError::new_err(placed(&error)),
        AskError::Probe(error) => of_probe(&error),
        error => DatabaseError::new_err((error.to_string(), error.code())),
    }
}

/// Why a row of an array is not answered.
pub fn of_row(row: usize, error: AskError) -> PyErr {
    match error {
        AskError::Position(error) => {
            let at: Option<usize> = None;
            BadPositionError::new_err((format!("row {row}: {error}"), at, row))
        }
        error => of_question(error),
    }
}

/// Why there is no value.
fn of_probe(error: &ProbeError) -> PyErr {
    let (message, code) = (error.to_string(), error.code());
    let file = error.file().map(Path::to_path_buf);
    let table = || error.missing_table().map(str::to_owned);
    match code {
        "table_missing" => MissingTableError::new_err((message, table())),
        "plies_missing" => MissingPliesError::new_err((message, table())),
        "file_damaged" | "wrong_file" => DamagedFileError::new_err((message, code, file)),
        "format_too_new" | "format_too_old" => FormatError::new_err((message, code, file)),
        "no_tables" => NoTablesError::new_err((message, code, file)),
        "io" => DatabaseIOError::new_err((message, code, file)),
        _ => DatabaseError::new_err((message, code, file)),
    }
}

/// Why a choice of tables cannot be meant.
pub fn of_scope(error: ScopeError) -> PyErr {
    match error {
        ScopeError::Table(error) => BadTableError::new_err(placed(&error)),
        error => BadTableError::new_err(error.to_string()),
    }
}

/// Why a build did not end well.
pub fn of_build(error: SolveError) -> PyErr {
    match error {
        SolveError::File(endmill_dbformat::Error::Locked { .. }) => {
            BuildError::new_err((error.to_string(), "locked"))
        }
        SolveError::Disk { ref directory, .. } => {
            DatabaseIOError::new_err((error.to_string(), "io", directory.clone()))
        }
        SolveError::File(error) => of_probe(&ProbeError::of_file("", error)),
        error => BuildError::new_err(error.to_string()),
    }
}

/// An error of a build for which there is nothing but words.
pub fn build_failed(message: String) -> PyErr {
    BuildError::new_err(message)
}

/// The message and the wrong character.
fn placed(error: &ParseError) -> (String, Option<usize>) {
    (error.to_string(), error.at)
}
