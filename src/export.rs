//! `endmill export`: tables in the formats of other programs.

use std::io::Write;
use std::path::PathBuf;

use endmill_bench::Stopwatch;
use endmill_games::morris::Table;
use endmill_malom::{Export, SectorValues, Sizes, Variant, WrittenSector};
use indicatif::HumanBytes;
use serde_json::json;

use crate::db::{Db, Missing};
use crate::drawing::{counted, listed};
use crate::machine::Threads;
use crate::progress::ConsoleProgress;
use crate::repair::quoted;
use crate::scope::BadScope;
use crate::sectors::{Format, named, open, sector_error};

const EXAMPLES: &str = "\
Examples:
  endmill export nine --to malom --tables 3v3,4v3,3v4 --out sectors
  endmill export nine --to malom --pieces 8 --out sectors --dry-run
  endmill export nine --to malom --out sectors --secval official/std.secval

A sector is a table seen from the side to move: std_3_4_0_0.sec2 is 3v4, std_3_4_2_1.sec2 is
3+2v4+1. Sectors that an export of the same rules and values has finished are kept: rerun the command
to resume. Nothing else is overwritten.";

/// Write tables in the formats of other programs.
///
/// --to malom writes the sector files of Malom and Sanmill: std_… for nine men's morris, lask_… for
/// Lasker morris, mora_… for twelve men's morris, and the list of all sectors (std.secval). The
/// size is printed and the free disk space checked before anything is written: three bytes per slot,
/// 84 GB for the whole of nine men's morris.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file with the rules of one
    ruleset: String,
    /// The format
    #[arg(long, value_name = "FORMAT", value_enum)]
    to: Format,
    /// Exactly these tables, e.g. 3v3,3+2v4+1; by default all tables with plies in the database
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// All tables with at most N pieces on the board and none in hand
    #[arg(long, value_name = "N", conflicts_with = "tables")]
    pieces: Option<u32>,
    /// The output directory, created if necessary
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Take the values of the sectors from this file instead of 0 for all
    #[arg(long, value_name = "FILE")]
    secval: Option<PathBuf>,
    /// Print the size, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    db: Db,
}

impl Args {
    /// Prints the size, checks the disk space, and writes.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Format::Malom = self.to;
        let names = self.names()?;
        let database = open(&self.db, &self.ruleset, &names)?;
        let game = database.game();
        let wanted = match names.is_empty() {
            false => named(game, &names)?,
            true => {
                let there = database.coverage().tables.into_iter();
                there.map(|covered| covered.table).collect()
            }
        };
        if wanted.is_empty() {
            return Err(Missing::all(&self.ruleset, &self.db.directory).into());
        }
        let has_plies = |table: &Table| database.covers_with_plies(*table).unwrap_or(true);
        let (tables, without): (Vec<_>, Vec<_>) = wanted.into_iter().partition(has_plies);
        if let Some(why) = self.without_plies(&without) {
            if !names.is_empty() || tables.is_empty() {
                return Err(Missing(why).into());
            }
            eprintln!("{why}");
        }
        let variant = Variant::of(game)?;
        let values = self.secval.as_deref();
        let values = values.map(|file| SectorValues::read(file, variant));
        let values = values.transpose().map_err(sector_error)?;
        let export = Export::new(&database, tables, &self.out, values).map_err(sector_error)?;
        let sizes = export.sizes().map_err(sector_error)?;
        self.print_size(&sizes);
        if self.dry_run {
            return self.report(out, variant, &sizes, &without, &[], None);
        }
        export.check_room(&sizes).map_err(sector_error)?;
        let pool = self.threads.pool()?;
        let stopwatch = Stopwatch::start();
        let progress = ConsoleProgress::counting(sizes.missing_slots, "slots");
        progress.stop_on_interrupt()?;
        let mut files = Vec::new();
        let done = pool.install(|| {
            export.run(&progress, |written| {
                progress.say(&line(written));
                files.push(written.clone());
            })
        });
        drop(progress);
        done.map_err(sector_error)?;
        self.report(out, variant, &sizes, &without, &files, Some(stopwatch))
    }

    /// The chosen tables; none means all.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        let Some(pieces) = self.pieces else {
            return Ok(self.tables.clone());
        };
        let game = crate::sectors::game(&self.ruleset)?;
        let tables = endmill_solver::Scope::Pieces(pieces).tables(&game);
        let tables = tables.map_err(|error| BadScope::new(error.to_string()))?;
        Ok(tables.iter().map(ToString::to_string).collect())
    }

    /// The message about tables without plies, and how to add them.
    fn without_plies(&self, tables: &[Table]) -> Option<String> {
        let first = tables.first()?;
        let names = tables.iter().map(ToString::to_string);
        let title = format!("{} without plies:", counted(tables.len() as u64, "table"));
        let list = listed(&title, names.clone());
        let placing = names.clone().any(|name| name.contains('+'));
        let placing = if placing { " --placing-plies" } else { "" };
        let others = if tables.len() > 1 { ",…" } else { "" };
        Some(format!(
            "{list}\nsectors need them: endmill build {} --tables {first}{others}{placing}{}",
            quoted(&self.ruleset),
            self.db.option()
        ))
    }

    /// Prints the size.
    fn print_size(&self, sizes: &Sizes) {
        eprintln!(
            "{} with {}, {} bytes ({}) in {}; {} bytes to write",
            counted(sizes.sectors as u64, "sector"),
            counted(sizes.slots, "slot"),
            sizes.bytes,
            HumanBytes(sizes.bytes),
            self.out.display(),
            sizes.missing_bytes,
        );
    }

    fn report(
        &self,
        out: &mut dyn Write,
        variant: &Variant,
        sizes: &Sizes,
        without_plies: &[Table],
        files: &[WrittenSector],
        stopwatch: Option<Stopwatch>,
    ) -> anyhow::Result<()> {
        if self.json {
            let answer = json!({
                "ruleset": self.ruleset,
                "format": "malom",
                "variant": variant.name,
                "directory": self.out,
                "sectors": sizes.sectors,
                "slots": sizes.slots,
                "bytes": sizes.bytes,
                "missing_bytes": sizes.missing_bytes,
                "without_plies": without_plies.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "files": files,
            });
            writeln!(out, "{answer}")?;
        } else if let Some(stopwatch) = stopwatch {
            let bytes: u64 = files.iter().map(|file| file.bytes).sum();
            writeln!(
                out,
                "{} with {}, {} in {}: {:.1} s",
                counted(files.len() as u64, "sector"),
                counted(sizes.slots, "slot"),
                HumanBytes(bytes),
                self.out.display(),
                stopwatch.read().wall_seconds,
            )?;
        }
        Ok(())
    }
}

fn line(written: &WrittenSector) -> String {
    let WrittenSector {
        file,
        table,
        slots,
        exceptions,
        there_already,
        ..
    } = written;
    let there = if *there_already {
        ", written before"
    } else {
        ""
    };
    let exceptions = match exceptions {
        0 => String::new(),
        some => format!(", {}", counted(*some as u64, "exception")),
    };
    format!(
        "{file} ({table}): {}{exceptions}{there}",
        counted(*slots, "slot")
    )
}
