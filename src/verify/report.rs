//! The result of a verification, as text and as JSON.

use std::fmt;
use std::io::Write;

use endmill_bench::Usage;
use endmill_solver::VerifyLevel;
use indicatif::HumanBytes;
use serde::Serialize;

use super::files::Files;
use crate::db::Missing;
use crate::drawing::counted;

/// How values are compared with their successors.
#[derive(Clone, Copy)]
pub enum Method {
    /// By the fast forward sweep, and a sample by turns.
    ByRows {
        /// Positions per table.
        sample: u64,
    },
    /// Every position by the plain rules.
    ByTurns,
}

impl Method {
    /// What it proves about a table.
    pub fn word(self) -> &'static str {
        match self {
            Method::ByRows { .. } => "swept by rows",
            Method::ByTurns => "proved by turns",
        }
    }

    /// What it has proved about all tables.
    pub fn words(self, level: VerifyLevel) -> Vec<String> {
        match (self, level) {
            (Method::ByRows { sample }, _) => {
                vec![
                    self.word().to_owned(),
                    format!("sampled by turns ({sample} per table)"),
                ]
            }
            (Method::ByTurns, VerifyLevel::Right) => vec![self.word().to_owned()],
            // Each value follows from its successors, but a cycle proves nothing.
            (Method::ByTurns, VerifyLevel::Consistent) => vec!["consistent by turns".to_owned()],
        }
    }
}

/// The result of a verification.
#[derive(Serialize)]
pub struct Report {
    pub ruleset: String,
    /// The command that builds the missing tables.
    #[serde(skip)]
    pub build: String,
    /// The command that repairs the database.
    #[serde(skip)]
    pub repair: String,
    #[serde(flatten)]
    pub files: Files,
    /// `None` with `--quick`, or if every file is missing.
    #[serde(flatten)]
    pub values: Option<Values>,
}

/// The result about the ranks of draws, by the same methods.
#[derive(Serialize)]
pub struct RankedDraws {
    /// The draws whose ranks are right.
    pub draws: u64,
    /// The tables whose draws are not ranked, or lead to some that are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unranked: Vec<String>,
}

/// The result about the values.
#[derive(Serialize)]
pub struct Values {
    /// The positions of all verified tables.
    pub positions: u64,
    /// The methods, in fixed words: `swept by rows`, `sampled by turns (N per table)`, `proved by
    /// turns`.
    pub shown: Vec<String>,
    /// Whether plies are missing, so that outcomes could be wrong together.
    pub consistent_only: bool,
    /// Tables that these lead to and that were trusted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// Tables that could not be verified because others are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// The result about the ranks of draws; absent if none are stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draws: Option<RankedDraws>,
    /// The number of probed positions.
    pub asked: usize,
    pub taken: Usage,
}

impl Report {
    /// Prints the state of the files.
    pub fn print_files(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Files {
            files,
            missing,
            not_in_manifest,
        } = &self.files;
        let they_match = if *files == 1 {
            "matches its checksum"
        } else {
            "match their checksums"
        };
        writeln!(out, "{} {they_match}", counted(*files as u64, "file"))?;
        if !not_in_manifest.is_empty() {
            writeln!(out, "not recorded: {}", not_in_manifest.join(", "))?;
        }
        if !missing.is_empty() {
            writeln!(out, "missing: {}", missing.join(", "))?;
        }
        Ok(())
    }

    /// The error of the command, if any.
    pub fn verdict(&self) -> anyhow::Result<()> {
        let Files {
            missing,
            not_in_manifest,
            ..
        } = &self.files;
        if !missing.is_empty() {
            let (missing, build) = (missing.join(", "), &self.build);
            return Err(Missing(format!("missing: {missing}; build with: {build}")).into());
        }
        anyhow::ensure!(
            not_in_manifest.is_empty(),
            "not recorded: {}; record or rebuild with: {}",
            not_in_manifest.join(", "),
            self.repair
        );
        match &self.values {
            Some(values) if !values.left_out.is_empty() => {
                let left_out = values.left_out.join(", ");
                Err(Missing(format!("not verified: {left_out}")).into())
            }
            Some(values) if values.consistent_only => Err(ConsistentOnly.into()),
            _ => Ok(()),
        }
    }
}

impl Values {
    /// Prints the result about the values.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Values {
            positions,
            shown,
            asked,
            taken,
            ..
        } = self;
        let shown = shown.join(", ");
        match self.consistent_only {
            _ if *positions == 0 => writeln!(out, "no table was verified")?,
            false => writeln!(out, "{positions} positions and all counts: {shown}")?,
            true => writeln!(
                out,
                "{positions} positions are consistent ({shown}) but could be wrong together: plies are missing"
            )?,
        }
        if let Some(RankedDraws { draws, unranked }) = &self.draws {
            writeln!(out, "{draws} ranks of draws and all their counts: {shown}")?;
            if !unranked.is_empty() {
                writeln!(out, "without ranks of draws: {}", unranked.join(", "))?;
            }
        }
        if !self.given.is_empty() {
            writeln!(out, "trusted: {}", self.given.join(", "))?;
        }
        if !self.left_out.is_empty() {
            writeln!(out, "not verified: {}", self.left_out.join(", "))?;
        }
        writeln!(out, "{asked} positions probed across tables")?;
        writeln!(
            out,
            "{:.1} s, {:.1} CPU seconds, {} of memory",
            taken.wall_seconds,
            taken.cpu_seconds,
            HumanBytes(taken.peak_memory_bytes.unwrap_or(0))
        )
    }
}

/// Plies are missing, so the outcomes can only be shown to be consistent.
#[derive(Debug)]
pub struct ConsistentOnly;

impl fmt::Display for ConsistentOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("consistent, but outcomes could be wrong together: plies are missing")
    }
}

impl std::error::Error for ConsistentOnly {}
