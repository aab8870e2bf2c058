//! The common part of `export` and `compare`: a morris database, chosen tables, and errors.

use endmill_games::morris::{self, Morris, Table};
use endmill_games::{Numbering, Ruleset};
use endmill_malom::{Error, Progress};
use endmill_probe::{Database, ProbeError};
use endmill_solver::{Progress as _, SolveError};

use crate::db::Db;
use crate::errors::or_resume;
use crate::missing::{self, Advice};
use crate::progress::ConsoleProgress;

/// A format of another program.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Sector files of Malom and Sanmill: std_, lask_, mora_
    Malom,
}

/// The game of a ruleset that the format supports.
pub fn game(ruleset: &str) -> anyhow::Result<Morris> {
    let ruleset = Ruleset::open(ruleset)?;
    let game = morris::of(ruleset).ok_or_else(|| Error::NoVariant {
        ruleset: ruleset.id().to_owned(),
        known: "the morris family".to_owned(),
    })?;
    endmill_malom::Variant::of(&game)?;
    Ok(game)
}

/// Opens the database of a ruleset, and builds missing tables if the user wants that.
pub fn open(db: &Db, ruleset: &str, tables: &[String]) -> anyhow::Result<Database<Morris>> {
    let database = db.open(game(ruleset)?)?;
    for name in tables {
        let table = database.game().parse_table(name)?;
        if database.covers_with_plies(table).is_ok() {
            continue;
        }
        let work = missing::table(ruleset, name);
        let built = match &work {
            Some(work) => missing::offer(db, &format!("The table {name}"), work)?,
            None => false,
        };
        if built {
            return open(db, ruleset, tables);
        }
        let error = ProbeError::TableMissing {
            table: name.clone(),
        };
        let advice = Advice::new(db, work.as_ref());
        return Err(anyhow::Error::from(error).context(advice));
    }
    Ok(database)
}

/// The named tables, each once, in order.
pub fn named(game: &Morris, names: &[String]) -> anyhow::Result<Vec<Table>> {
    let mut tables = Vec::new();
    for name in names {
        let table = game.parse_table(name)?;
        if !tables.contains(&table) {
            tables.push(table);
        }
    }
    Ok(tables)
}

/// An error of the program instead of the crate.
pub fn sector_error(error: Error) -> anyhow::Error {
    match error {
        Error::Probe(error) => error.into(),
        Error::Table(error) => error.into(),
        Error::Write(error) => error.into(),
        Error::Stopped => or_resume(SolveError::Stopped.into()),
        other => other.into(),
    }
}

impl Progress for ConsoleProgress {
    fn sector(&self, name: &str, slots: u64) {
        self.group(name, slots);
    }

    fn done(&self, slots: u64) {
        self.derived(slots);
    }

    fn stopped(&self) -> bool {
        endmill_solver::Progress::stopped(self)
    }
}
