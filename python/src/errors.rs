//! The exceptions of `endmill/errors.py`, and the errors that they represent.

use std::path::Path;

use endmill_games::ParseError;
use endmill_probe::ProbeError;
use endmill_solver::{ScopeError, SolveError};
use pyo3::PyErr;

macro_rules! import {
    ($($exception:ident)*) => { $(pyo3::import_exception!(endmill.errors, $exception);)* };
}

import! {
    BadPositionError
    BadTableError
    BadTurnError
    BuildError
    DamagedFileError
    DatabaseError
    DatabaseIOError
    FormatError
    MissingPliesError
    MissingTableError
    NoTablesError
    UnknownRulesetError
}

/// The exception for an error of the probe.
pub fn of_question(error: ProbeError) -> PyErr {
    let (message, code) = (error.to_string(), error.code());
    let file = error.file().map(Path::to_path_buf);
    match &error {
        ProbeError::Ruleset(_) => UnknownRulesetError::new_err(message),
        ProbeError::Position(error) => BadPositionError::new_err(placed(error)),
        ProbeError::Turn(error) => BadTurnError::new_err(placed(error)),
        ProbeError::Table(error) => BadTableError::new_err(placed(error)),
        ProbeError::PliesMissing { table } => MissingPliesError::new_err((message, table.clone())),
        _ => match code {
            "table_missing" => {
                MissingTableError::new_err((message, error.missing_table().map(str::to_owned)))
            }
            "file_damaged" | "wrong_file" => DamagedFileError::new_err((message, code, file)),
            "format_too_new" | "format_too_old" => FormatError::new_err((message, code, file)),
            "no_tables" => NoTablesError::new_err((message, code, file)),
            "io" => DatabaseIOError::new_err((message, code, file)),
            _ => DatabaseError::new_err((message, code, file)),
        },
    }
}

/// The exception for an error of a row.
pub fn of_row(row: usize, error: ProbeError) -> PyErr {
    match error {
        ProbeError::Position(error) => {
            let at: Option<usize> = None;
            BadPositionError::new_err((format!("row {row}: {error}"), at, row))
        }
        error => of_question(error),
    }
}

/// The exception for an invalid selection of tables.
pub fn of_scope(error: ScopeError) -> PyErr {
    match error {
        ScopeError::Table(error) => BadTableError::new_err(placed(&error)),
        error => BadTableError::new_err(error.to_string()),
    }
}

/// The exception for a failed build.
pub fn of_build(error: SolveError) -> PyErr {
    match error {
        SolveError::File(endmill_dbformat::Error::Locked { .. }) => {
            BuildError::new_err((error.to_string(), "locked"))
        }
        SolveError::Disk { ref directory, .. } => {
            DatabaseIOError::new_err((error.to_string(), "io", directory.clone()))
        }
        SolveError::File(error) => of_question(ProbeError::of_file("", error)),
        error => BuildError::new_err(error.to_string()),
    }
}

/// The exception for a failed build with this message.
pub fn build_failed(message: String) -> PyErr {
    BuildError::new_err(message)
}

/// The message and the wrong character.
fn placed(error: &ParseError) -> (String, Option<usize>) {
    (error.to_string(), error.at)
}
