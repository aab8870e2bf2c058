//! `endmill status`: how far the builds in a database are, from another shell or another machine.

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

/// Show what is being built in a database, by whom, how far along it is, and how long it
/// will still take.
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
    /// The share of the work that is done, of the build that runs, or else of the last; of several
    /// that run, the one that was begun last. None of a build of one group: what it has done says
    /// nothing about the database.
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

/// The share of a build that is done, and the seconds it will take its builders: what is reckoned,
/// corrected by what all groups so far took compared with what was reckoned of them. It is the build
/// of the last run that goes on, or if none does, of the last.
fn estimate(runs: &[Run], holders: &BTreeSet<&str>) -> (Option<f64>, Option<f64>) {
    let goes_on = |run: &&Run| run.ended.is_none() && holders.contains(run.holder().as_str());
    let last = runs.iter().rev().find(goes_on).or(runs.last());
    let tells = |run: &&Run| run.cost_seconds > 0.0 && run.groups.len() != 1;
    let Some(last) = last.filter(tells) else {
        return (None, None);
    };
    if last.ended.as_deref() == Some("complete") {
        return (Some(1.0), None);
    }
    let finished: BTreeMap<_, _> = runs.iter().flat_map(|run| &run.finished).collect();
    let own = |group: &String| last.groups.is_empty() || last.groups.contains_key(group);
    let reckoned = finished.iter().filter(|(group, _)| own(group));
    // The sum of nothing is -0.0.
    let reckoned = reckoned.fold(0.0, |sum, (_, &cost)| sum + cost);
    let done = (reckoned / last.cost_seconds).min(1.0);
    let same = |run: &&Run| run.groups.keys().eq(last.groups.keys());
    let builders = runs.iter().filter(goes_on).filter(same).count();
    let built = |run: &Run| run.built.iter().map(|name| run.finished[name]).sum::<f64>();
    let built: f64 = runs.iter().map(built).sum();
    let wall: f64 = runs.iter().map(|run| run.taken.wall_seconds).sum();
    let left = (last.cost_seconds - reckoned).max(0.0);
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

    /// What other builds have done, and what they were to do, is not counted.
    #[test]
    fn share_is_that_of_the_build_that_goes_on() {
        let complete = |run: Run| Run {
            ended: Some("complete".to_owned()),
            ..run
        };
        let before = complete(run(1, &[("3v3", 100.0)], &["3v3"]));
        let going_on = run(
            2,
            &[("3v3", 100.0), ("4v3", 200.0), ("4v4", 300.0)],
            &["3v3"],
        );
        let beside = complete(run(3, &[("4v3", 200.0)], &["4v3"]));
        let runs = [before, going_on, beside];
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
