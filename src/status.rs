//! `endmill status`: how far the builds in a database are, from another shell or another machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use endmill_dbformat::{ClaimWay, Claims};
use indicatif::HumanBytes;
use serde::Serialize;

use crate::build::{Run, runs};
use crate::columns::{Column, columns, write_columns};
use crate::db::Missing;
use crate::drawing::counted;
use crate::watch::span;

/// Show what is being built in a database, by whom, how far, and until when.
///
/// Reads the directory only, so it can be asked at any time, also on another machine that shares
/// the file system.
#[derive(clap::Args)]
pub struct Args {
    /// The database
    #[arg(value_name = "DIR", default_value_os_t = crate::db::usual(), hide_default_value = true)]
    db: PathBuf,
    /// For programs
    #[arg(long)]
    json: bool,
}

/// How far the builds of one ruleset are.
#[derive(Serialize)]
struct State {
    ruleset: String,
    /// Finished tables.
    tables: usize,
    /// What their files take.
    bytes: u64,
    /// The share of the work that is done, of the build that was begun last.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<f64>,
    /// The seconds that are left at the rate so far, with the builders there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
    builders: Vec<Builder>,
    /// Runs of builds so far.
    runs: usize,
    /// What they took.
    cpu_seconds: f64,
}

/// A process that builds.
#[derive(Serialize)]
struct Builder {
    /// Its machine and process.
    holder: String,
    /// The group that it has claimed, by its first table.
    group: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
    /// How long it has been at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
}

impl Args {
    /// Shows what there is.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let states = states(&self.db)?;
        if self.json {
            serde_json::to_writer(&mut *out, &states)?;
            return Ok(writeln!(out)?);
        }
        if states.is_empty() {
            let message = format!("there is no table in {}", self.db.display());
            return Err(Missing(message).into());
        }
        for state in &states {
            state.write(out)?;
        }
        Ok(())
    }
}

fn states(db: &Path) -> anyhow::Result<Vec<State>> {
    let Ok(entries) = fs::read_dir(db) else {
        return Err(Missing(format!("{} is no database", db.display())).into());
    };
    let mut states = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            states.extend(State::of(&path)?);
        }
    }
    states.sort_by(|one, other| one.ruleset.cmp(&other.ruleset));
    Ok(states)
}

impl State {
    /// `None` for a directory in which nothing was built.
    fn of(directory: &Path) -> anyhow::Result<Option<State>> {
        let (mut tables, mut bytes) = (0, 0);
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            // A file may get its name or lose it while the directory is read.
            let Ok(metadata) = path.metadata() else {
                continue;
            };
            match path.extension().and_then(|end| end.to_str()) {
                Some("wld") => (tables, bytes) = (tables + 1, bytes + metadata.len()),
                Some("dtw") => bytes += metadata.len(),
                _ => {}
            }
        }
        let runs = runs(directory);
        if tables == 0 && runs.is_empty() {
            return Ok(None);
        }
        let builders = builders(directory, &runs)?;
        // A process may have two claims: on the group that it works on, and on one that it stores.
        let holders = builders.iter().map(|builder| &builder.holder);
        let holders: BTreeSet<&String> = holders.collect();
        let (done, seconds_left) = estimate(&runs, holders.len());
        let name = directory.file_name().unwrap_or_default();
        Ok(Some(State {
            ruleset: name.to_string_lossy().into_owned(),
            tables,
            bytes,
            done,
            seconds_left,
            builders,
            runs: runs.len(),
            cpu_seconds: runs.iter().map(|run| run.taken.cpu_seconds).sum(),
        }))
    }

    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        write!(
            out,
            "{}: {}, {}",
            self.ruleset,
            counted(self.tables as u64, "table"),
            HumanBytes(self.bytes)
        )?;
        if let Some(done) = self.done {
            write!(out, ", {:.1} % of the work done", 100.0 * done)?;
        }
        match (self.seconds_left, self.builders.is_empty()) {
            (Some(left), false) => writeln!(out, ", about {} left", span(left))?,
            (_, true) if self.done.is_some_and(|done| done < 1.0) => {
                writeln!(out, ", nobody is building")?;
            }
            _ => writeln!(out)?,
        }
        if self.builders.is_empty() {
            return Ok(());
        }
        let mut rows = columns(&[
            Column::Left("  builder"),
            Column::Left("group of"),
            Column::Left("step"),
            Column::Right("for"),
        ]);
        rows.add_rows(self.builders.iter().map(|builder| {
            [
                format!("  {}", builder.holder),
                builder.group.clone(),
                builder.phase.clone().unwrap_or_default(),
                builder
                    .seconds
                    .map_or(String::new(), |seconds| format!("{seconds} s")),
            ]
        }));
        write_columns(&rows, out)?;
        Ok(())
    }
}

/// Who has claimed what, in either way.
fn builders(directory: &Path, runs: &[Run]) -> anyhow::Result<Vec<Builder>> {
    let mut held: BTreeMap<String, String> = BTreeMap::new();
    for way in [ClaimWay::Leases, ClaimWay::Locks] {
        held.extend(Claims::made_by(directory, way).held()?);
    }
    let builders = held.into_iter().map(|(group, holder)| {
        let run = runs.iter().rev().find(|run| {
            run.ended.is_none() && holder == format!("{}, process {}", run.host, run.process)
        });
        let (phase, busy) = run.map(|run| run.at(&group)).unzip();
        Builder {
            phase: phase.flatten(),
            seconds: busy.map(|busy| busy.as_secs()),
            holder,
            group,
        }
    });
    Ok(builders.collect())
}

/// The share of the last build that is done, and the seconds it will take these builders: what is
/// reckoned, corrected by what all groups so far took compared with what was reckoned of them.
fn estimate(runs: &[Run], builders: usize) -> (Option<f64>, Option<f64>) {
    let Some(last) = runs.last().filter(|run| run.cost_seconds > 0.0) else {
        return (None, None);
    };
    let mut finished = BTreeMap::new();
    for run in runs {
        finished.extend(&run.finished);
    }
    if last.ended.as_deref() == Some("complete") {
        return (Some(1.0), None);
    }
    let reckoned: f64 = finished.values().copied().sum();
    let done = (reckoned / last.cost_seconds).min(1.0);
    let built = |run: &Run| run.built.iter().map(|name| run.finished[name]).sum::<f64>();
    let built: f64 = runs.iter().map(built).sum();
    let wall: f64 = runs.iter().map(|run| run.taken.wall_seconds).sum();
    let left = (last.cost_seconds - reckoned).max(0.0);
    let seconds = (built > 0.0 && builders > 0).then(|| left * wall / built / builders as f64);
    (Some(done), seconds)
}
