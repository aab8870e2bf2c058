//! What a verification has found, in words and as programs read it.

use std::fmt;
use std::io::Write;

use endmill_solver::Shown;
use indicatif::HumanBytes;
use serde::Serialize;

use super::files::Files;
use crate::db::Missing;
use crate::drawing::counted;
use crate::machine::Taken;

/// How values are compared with their successors.
#[derive(Clone, Copy)]
pub enum Method {
    /// By the fast forward sweep, with a sample by turns.
    ByRows {
        /// Positions of every table.
        sample: u64,
    },
    /// Every position by the plain rules.
    ByTurns,
}

impl Method {
    /// What it shows of a table.
    pub fn word(self) -> &'static str {
        match self {
            Method::ByRows { .. } => "swept by rows",
            Method::ByTurns => "proved by turns",
        }
    }

    /// What it has shown of all of them.
    pub fn words(self, shown: Shown) -> Vec<String> {
        match (self, shown) {
            (Method::ByRows { sample }, _) => {
                vec![
                    self.word().to_owned(),
                    format!("sampled by turns ({sample} a table)"),
                ]
            }
            (Method::ByTurns, Shown::Right) => vec![self.word().to_owned()],
            // Each follows from its successors, but in a circle that proves nothing.
            (Method::ByTurns, Shown::Consistent) => vec!["consistent by turns".to_owned()],
        }
    }
}

/// What was found, as programs read it.
#[derive(Serialize)]
pub struct Report {
    pub ruleset: String,
    /// The command that builds what is missing.
    #[serde(skip)]
    pub build: String,
    /// The command that repairs the database.
    #[serde(skip)]
    pub repair: String,
    #[serde(flatten)]
    pub files: Files,
    /// Not with `--quick`, nor if every file is missing.
    #[serde(flatten)]
    pub values: Option<Values>,
}

/// What was found about the values.
#[derive(Serialize)]
pub struct Values {
    /// All of the tables that were verified.
    pub positions: u64,
    /// By what, in fixed words: `swept by rows`, `sampled by turns (N a table)`, `proved by turns`.
    pub shown: Vec<String>,
    /// Whether plies are missing, so that outcomes could be wrong together.
    pub consistent_only: bool,
    /// Tables that these lead to and that were taken as they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// Tables that could not be verified because others are missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Positions that were asked for through the probe.
    pub asked: usize,
    pub taken: Taken,
}

impl Report {
    /// Says what was found about the files.
    pub fn say_files(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Files {
            files,
            missing,
            not_in_manifest,
        } = &self.files;
        let are = if *files == 1 {
            "is as it was"
        } else {
            "are as they were"
        };
        writeln!(out, "{} {are} written", counted(*files as u64, "file"))?;
        if !not_in_manifest.is_empty() {
            writeln!(out, "not recorded: {}", not_in_manifest.join(", "))?;
        }
        if !missing.is_empty() {
            writeln!(out, "missing: {}", missing.join(", "))?;
        }
        Ok(())
    }

    /// The error that the program ends with, if any.
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
    /// Says what was found about the values.
    pub fn say(&self, out: &mut dyn Write) -> std::io::Result<()> {
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
                "{positions} positions are consistent ({shown}), not shown to be right: plies are \
                 missing"
            )?,
        }
        if !self.given.is_empty() {
            writeln!(out, "taken as they are: {}", self.given.join(", "))?;
        }
        if !self.left_out.is_empty() {
            writeln!(out, "not verified: {}", self.left_out.join(", "))?;
        }
        writeln!(
            out,
            "{asked} positions asked through the probe, interleaved"
        )?;
        writeln!(
            out,
            "{:.1} s, {:.1} CPU seconds, {} of memory",
            taken.wall_seconds,
            taken.cpu_seconds,
            HumanBytes(taken.peak_memory_bytes.unwrap_or(0))
        )
    }
}

/// Plies are missing, without which what is there can only be shown to be consistent.
#[derive(Debug)]
pub struct ConsistentOnly;

impl fmt::Display for ConsistentOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("consistent, not shown to be right: plies are missing")
    }
}

impl std::error::Error for ConsistentOnly {}
