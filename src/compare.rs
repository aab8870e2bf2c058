//! `endmill compare`: compares files of other programs with a database.

use std::io::Write;
use std::path::PathBuf;

use endmill_games::morris::Table;
use endmill_malom::{Comparison, Error, Sector, SectorValues, Variant, compare, sectors_in};
use serde::Serialize;
use serde_json::json;

use crate::db::{Db, Missing};
use crate::drawing::counted;
use crate::machine::Threads;
use crate::progress::ConsoleProgress;
use crate::repair::or_repair;
use crate::sectors::{Format, named, open, sector_error};

const EXAMPLES: &str = "\
Examples:
  endmill compare nine --with malom sectors
  endmill compare nine --with malom sectors --tables 3v3,4v3 --json

Every slot of every sector file is compared, through redirections and exceptions: the outcome, and
the plies if the database has them. Exit status: 0 if all are equal, 1 if something differs or a file
cannot be read, 2 if the directory or its list of sectors cannot be read, 3 if the database has none
of the tables.";

/// Compare files of other programs with a database, position by position.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file with the rules of one
    ruleset: String,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum)]
    with: Format,
    /// The directory of the sector files and the list of all sectors (std.secval)
    #[arg(value_name = "DIR")]
    sectors: PathBuf,
    /// Only these tables; by default every sector whose table is in the database
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    db: Db,
}

/// A sector that was not compared.
#[derive(Serialize)]
struct NotCompared {
    file: String,
    why: String,
    /// Whether the file is bad.
    bad: bool,
}

/// Some sectors differ, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Unequal(String);

impl Args {
    /// Compares, then prints the differences.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Format::Malom = self.with;
        let done = self.compare(out);
        or_repair(done, &self.ruleset, &self.db.directory)
    }

    fn compare(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let database = open(&self.db, &self.ruleset, &self.tables)?;
        let game = database.game();
        let variant = Variant::of(game)?;
        let list = self.sectors.join(SectorValues::file_name(variant));
        let values = SectorValues::read(&list, variant).map_err(sector_error)?;
        let (tables, mut not_compared) = match self.tables.is_empty() {
            false => (named(game, &self.tables)?, Vec::new()),
            true => {
                let found = sectors_in(&self.sectors, game).map_err(sector_error)?;
                let covered = |&(_, table): &(Sector, Table)| database.covers_with_plies(table);
                let (there, missing): (Vec<_>, Vec<_>) =
                    found.into_iter().partition(|pair| covered(pair).is_ok());
                let not_compared = missing.into_iter().map(|(sector, table)| NotCompared {
                    file: sector.file_name(variant),
                    why: format!("the database has no table {table}"),
                    bad: false,
                });
                (
                    there.into_iter().map(|(_, table)| table).collect(),
                    not_compared.collect(),
                )
            }
        };
        if tables.is_empty() {
            let what = match not_compared.len() {
                0 => format!(
                    "no sectors of {} in {}",
                    self.ruleset,
                    self.sectors.display()
                ),
                some => format!("the database has none of the tables of {some} sectors"),
            };
            return Err(Missing(what).into());
        }
        let pool = self.threads.pool()?;
        let slots = tables
            .iter()
            .map(|&table| endmill_malom::count_slots(game, table));
        let progress = ConsoleProgress::counting(slots.sum(), "slots");
        progress.stop_on_interrupt()?;
        let mut compared = Vec::new();
        for table in tables {
            let found =
                pool.install(|| compare(&database, table, &self.sectors, &values, &progress));
            match found {
                Ok(found) => {
                    progress.say(&line(&found));
                    compared.push(found);
                }
                // Continue with the other files.
                Err(error @ (Error::BadSector { .. } | Error::Io { .. })) => {
                    progress.say(&format!("{error}"));
                    not_compared.push(NotCompared {
                        file: Sector::of(table).file_name(variant),
                        why: error.to_string(),
                        bad: true,
                    });
                }
                Err(error) => return Err(sector_error(error)),
            }
        }
        drop(progress);
        self.report(out, variant, &compared, &not_compared)
    }

    fn report(
        &self,
        out: &mut dyn Write,
        variant: &Variant,
        compared: &[Comparison],
        not_compared: &[NotCompared],
    ) -> anyhow::Result<()> {
        let unequal = compared.iter().filter(|found| !found.is_equal()).count();
        let bad = not_compared.iter().filter(|sector| sector.bad).count();
        let equal = unequal + bad == 0;
        let slots: u64 = compared.iter().map(|found| found.slots).sum();
        if self.json {
            let answer = json!({
                "ruleset": self.ruleset,
                "format": "malom",
                "variant": variant.name,
                "directory": self.sectors,
                "equal": equal,
                "slots": slots,
                "sectors": compared,
                "not_compared": not_compared,
            });
            writeln!(out, "{answer}")?;
        } else {
            for found in compared.iter().filter(|found| !found.is_equal()) {
                for difference in &found.differences {
                    writeln!(
                        out,
                        "{} slot {}: {} is {} there, {} in the database",
                        found.file,
                        difference.slot,
                        difference.position,
                        difference.file,
                        difference.database,
                    )?;
                }
            }
            for NotCompared { file, why, .. } in not_compared {
                writeln!(out, "{file} not compared: {why}")?;
            }
            writeln!(
                out,
                "{} with {} compared: {}",
                counted(compared.len() as u64, "sector"),
                counted(slots, "slot"),
                if equal {
                    "all equal".to_owned()
                } else {
                    let slots = compared.iter().map(Comparison::differing).sum();
                    format!("{} {}", counted(slots, "slot"), differ(slots))
                },
            )?;
        }
        if equal {
            return Ok(());
        }
        // Print the differences before the error.
        out.flush()?;
        let unread = match bad {
            0 => String::new(),
            bad => format!(", {bad} cannot be read"),
        };
        let of = counted((compared.len() + bad) as u64, "sector");
        let differ = differ(unequal as u64);
        Err(Unequal(format!("{unequal} of {of} {differ}{unread}")).into())
    }
}

/// The verb for one or several things.
fn differ(number: u64) -> &'static str {
    match number {
        1 => "differs",
        _ => "differ",
    }
}

fn line(found: &Comparison) -> String {
    let Comparison {
        file,
        table,
        slots,
        redirections,
        other_outcome,
        other_plies,
        bad_redirections,
        plies_compared,
        ..
    } = found;
    let redirected = match redirections {
        0 => String::new(),
        some => format!(", {}", counted(*some, "redirection")),
    };
    let what = if *plies_compared {
        ""
    } else {
        " in outcomes; the database has no plies"
    };
    let verdict = match found.is_equal() {
        true => format!("equal{what}"),
        false => format!(
            "{other_outcome} with another outcome, {other_plies} with other plies, \
             {bad_redirections} badly redirected"
        ),
    };
    format!(
        "{file} ({table}): {}{redirected}: {verdict}",
        counted(*slots, "slot")
    )
}
