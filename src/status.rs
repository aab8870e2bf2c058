//! `endmill status`: the progress of builds, from another shell or machine.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use endmill_dbformat::{Claims, HeldClaim};
use indicatif::HumanBytes;
use serde::Serialize;

use crate::build::{Run, runs};
use crate::columns::{Column, columns, write_columns};
use crate::db::Missing;
use crate::drawing::counted;
use crate::progress::span;

/// Print the progress of builds in a database: who builds what, and the time left.
///
/// Only reads the directory, so it can be used at any time, and on any machine that shares the file
/// system.
#[derive(clap::Args)]
pub struct Args {
    /// The database directory
    #[arg(value_name = "DIR", default_value_os_t = crate::db::usual(), hide_default_value = true)]
    db: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The progress of the builds of one ruleset.
#[derive(Serialize)]
struct State {
    ruleset: String,
    /// Finished tables.
    tables: usize,
    /// The size of their files.
    bytes: u64,
    /// The share of the work that is done by the current build, or else by the last one; of several
    /// current builds, the latest. `None` for a build of one group, which says nothing about the
    /// database.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<f64>,
    /// The seconds left at the rate so far, with the current builders.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
    builders: Vec<Builder>,
    /// The number of runs so far.
    runs: usize,
    /// Their processor time.
    cpu_seconds: f64,
}

/// A running builder.
#[derive(Serialize)]
struct Builder {
    /// Its machine and process.
    holder: String,
    /// The first table of the claimed group.
    group: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<String>,
    /// The duration of the current step.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<u64>,
}

impl Args {
    /// Prints the progress.
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
        return Err(Missing(format!("{} is not a database", db.display())).into());
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
    /// `None` for a directory without tables and logs.
    fn of(directory: &Path) -> anyhow::Result<Option<State>> {
        let (mut tables, mut bytes) = (0, 0);
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            // A file may be renamed or removed while the directory is read.
            let Ok(metadata) = path.metadata() else {
                continue;
            };
            match path.extension().and_then(|end| end.to_str()) {
                Some("wld") => (tables, bytes) = (tables + 1, bytes + metadata.len()),
                Some("dtw" | "drw") => bytes += metadata.len(),
                _ => {}
            }
        }
        let runs = runs(directory);
        if tables == 0 && runs.is_empty() {
            return Ok(None);
        }
        let builders = builders(directory, &runs)?;
        // A process may have two claims: on the group that it solves, and on one that it stores.
        let holders = builders.iter().map(|builder| builder.holder.as_str());
        let (done, seconds_left) = estimate(&runs, &holders.collect());
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
                writeln!(out, ", no build is running")?;
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

/// The holders of all claims, by locks or leases.
fn builders(directory: &Path, runs: &[Run]) -> anyhow::Result<Vec<Builder>> {
    let held = Claims::held_in(directory)?.into_iter();
    let builders = held.map(|HeldClaim { group, holder, .. }| {
        let run = runs
            .iter()
            .rev()
            .find(|run| run.ended.is_none() && holder == run.holder());
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

/// The share of a build that is done, and the seconds left for its builders: the estimate, corrected
/// by the ratio of actual to estimated time so far. The build is that of the latest running builder,
/// or else the last one.
fn estimate(runs: &[Run], holders: &BTreeSet<&str>) -> (Option<f64>, Option<f64>) {
    let is_running = |run: &&Run| run.ended.is_none() && holders.contains(run.holder().as_str());
    let last = runs.iter().rev().find(is_running).or(runs.last());
    let is_scope = |run: &&Run| run.cost_seconds > 0.0 && run.groups.len() != 1;
    let Some(last) = last.filter(is_scope) else {
        return (None, None);
    };
    if last.ended.as_deref() == Some("complete") {
        return (Some(1.0), None);
    }
    let finished: BTreeMap<_, _> = runs.iter().flat_map(|run| &run.finished).collect();
    let own = |group: &String| last.groups.is_empty() || last.groups.contains_key(group);
    let estimated = finished.iter().filter(|(group, _)| own(group));
    // The sum of nothing is -0.0.
    let estimated = estimated.fold(0.0, |sum, (_, &cost)| sum + cost);
    let done = (estimated / last.cost_seconds).min(1.0);
    let same = |run: &&Run| run.groups.keys().eq(last.groups.keys());
    let builders = runs.iter().filter(is_running).filter(same).count();
    let built = |run: &Run| run.built.iter().map(|name| run.finished[name]).sum::<f64>();
    let built: f64 = runs.iter().map(built).sum();
    let wall: f64 = runs.iter().map(|run| run.taken.wall_seconds).sum();
    let left = (last.cost_seconds - estimated).max(0.0);
    let seconds = (built > 0.0 && builders > 0).then(|| left * wall / built / builders as f64);
    (Some(done), seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(process: u32, groups: &[(&str, f64)], finished: &[&str]) -> Run {
        let groups: BTreeMap<String, f64> = groups
            .iter()
            .map(|&(group, cost)| (group.to_owned(), cost))
            .collect();
        let finished = groups
            .iter()
            .filter(|(group, _)| finished.contains(&group.as_str()));
        Run {
            host: "here".to_owned(),
            process,
            cost_seconds: groups.values().sum(),
            finished: finished
                .map(|(group, &cost)| (group.clone(), cost))
                .collect(),
            groups,
            ..Run::default()
        }
    }

    /// Other builds do not count.
    #[test]
    fn share_is_that_of_the_running_build() {
        let complete = |run: Run| Run {
            ended: Some("complete".to_owned()),
            ..run
        };
        let before = complete(run(1, &[("3v3", 100.0)], &["3v3"]));
        let running = run(
            2,
            &[("3v3", 100.0), ("4v3", 200.0), ("4v4", 300.0)],
            &["3v3"],
        );
        let parallel = complete(run(3, &[("4v3", 200.0)], &["4v3"]));
        let runs = [before, running, parallel];
        let (done, _) = estimate(&runs, &BTreeSet::from(["here, process 2"]));
        assert_eq!(done, Some(0.5));
        let other = [
            runs[0].clone(),
            run(4, &[("8v3", 10.0), ("9v3", 10.0)], &[]),
        ];
        let (done, _) = estimate(&other, &BTreeSet::from(["here, process 4"]));
        assert_eq!(done, Some(0.0));
        let whole = complete(runs[1].clone());
        assert_eq!(estimate(&[whole], &BTreeSet::new()).0, Some(1.0));
        // A build of one group, finished or not, says nothing about the database.
        assert_eq!(estimate(&runs, &BTreeSet::new()), (None, None));
        let one = [run(5, &[("8v3", 10.0)], &[])];
        let holder = BTreeSet::from(["here, process 5"]);
        assert_eq!(estimate(&one, &holder), (None, None));
    }
}
