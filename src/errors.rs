//! Errors: their messages and exit statuses.

use std::io;

use endmill_games::{Game, ParseError, RulesetError};
use endmill_probe::ProbeError;
use endmill_solver::SolveError;

use crate::db::Missing;
use crate::missing::Advice;
use crate::repair::RepairHint;
use crate::{game_file, probe, rules, sample, scope, verify};

/// The message of an error, followed by advice on a separate line.
pub fn message(error: &anyhow::Error) -> String {
    let repair = error.downcast_ref::<RepairHint>().map(ToString::to_string);
    let advice = || error.downcast_ref::<Advice>().map(ToString::to_string);
    match repair.or_else(advice) {
        None => chain(error),
        Some(advice) => format!("{}\n{advice}", joined(error.chain().skip(1))),
    }
}

/// An error with its causes, without repetition.
pub fn chain(error: &anyhow::Error) -> String {
    joined(error.chain())
}

/// Many errors end with their cause already.
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

/// An error of the solver, with positions as text.
pub fn solve_error<G: Game>(error: SolveError, game: &G) -> anyhow::Error {
    match error {
        SolveError::Differs(mismatch) => anyhow::anyhow!("{}", mismatch.describe(game)),
        SolveError::Wrong(mismatch) => {
            anyhow::anyhow!("the solution is wrong: {}", mismatch.describe(game))
        }
        SolveError::Dependencies { .. } => Missing(error.to_string()).into(),
        other => other.into(),
    }
}

/// Says how to resume if the work was interrupted.
pub fn or_resume(error: anyhow::Error) -> anyhow::Error {
    match is_stopped(&error) {
        true => error.context("rerun the command to resume"),
        false => error,
    }
}

/// Whether the reader of the output has left, as in `endmill rules | head -1`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<io::Error>();
    io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
}

/// The exit status of a failure.
pub fn status(error: &anyhow::Error) -> u8 {
    let probed = error.downcast_ref::<ProbeError>();
    let missing = error.is::<probe::UnknownValue>()
        || error.is::<sample::NoMatch>()
        || probed.is_some_and(ProbeError::is_missing);
    match () {
        () if is_bad_input(error) || probed.is_some_and(ProbeError::is_bad_input) => 2,
        () if missing || error.is::<Missing>() => 3,
        () if error.is::<verify::ConsistentOnly>() => 4,
        () if is_stopped(error) => 130,
        () => 1,
    }
}

fn is_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(SolveError::Stopped))
}

/// Whether the input is at fault: the same exit status as clap's usage errors.
fn is_bad_input(error: &anyhow::Error) -> bool {
    let sectors = error.downcast_ref::<endmill_malom::Error>();
    sectors.is_some_and(endmill_malom::Error::is_bad_input)
        || error.is::<ParseError>()
        || error.is::<RulesetError>()
        || error.is::<scope::BadScope>()
        || error.is::<game_file::BadGame>()
        || error.is::<rules::NoRulesFile>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_not_repeated() {
        let denied = || io::Error::other("Permission denied");
        let error = anyhow::Error::from(denied()).context("here: Permission denied");
        assert_eq!(chain(&error), "here: Permission denied");
        let error = anyhow::Error::from(denied()).context("cannot save to x");
        assert_eq!(chain(&error), "cannot save to x: Permission denied");
    }
}
