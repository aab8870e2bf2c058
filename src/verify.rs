//! `endmill verify`: checks a database against itself.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use dbformat::{Kind, Rules, Store};
use games::{Game, Ruleset, Visitor};
use solver::{Plan, Proof, Room, Sample, Verifier};

use crate::machine::Stopwatch;
use crate::size::Size;
use crate::watch::Watch;

/// Tables that are needed again later are kept in memory up to so many bytes.
const MEMORY: u64 = 5 << 30;

/// Re-derive every value and every count of a database from the rules.
///
/// Exit status 0 if everything is proved, 1 if a file is damaged or a value is wrong, 4 if outcomes
/// were stored without plies and are consistent: that is no proof. (Where every turn places a man,
/// outcomes are proved by those of the tables they lead to.)
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// Compare checksums only
    #[arg(long)]
    quick: bool,
    /// Threads; all processors by default
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Positions of every table that are also derived turn by turn, by the plain rules
    #[arg(long, value_name = "N", default_value_t = Sample::default().positions, conflicts_with = "quick")]
    sample: u64,
    /// Another seed, another sample
    #[arg(long, value_name = "S", default_value_t = Sample::default().seed, conflicts_with = "quick")]
    seed: u64,
}

impl Args {
    /// Verifies.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(Verify { args: &self, out })
    }
}

struct Verify<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Verify<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let store = Store::new(&self.args.db, Rules::of(&game));
        let files = check_files(&game, &store)?;
        writeln!(self.out, "{files} files are as they were written")?;
        if self.args.quick {
            return Ok(());
        }
        let threads = self.args.threads.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let sample = Sample {
            positions: self.args.sample,
            seed: self.args.seed,
        };
        let stopwatch = Stopwatch::start();
        let (positions, proof) = pool.install(|| derive(&game, &store, sample))?;
        let taken = stopwatch.read();
        writeln!(
            self.out,
            "swept by rows, and up to {} positions of each table turn by turn: {:.1} s, {:.1} s of \
             processors, {} of memory",
            sample.positions,
            taken.wall_seconds,
            taken.cpu_seconds,
            Size::of(taken.peak_memory_bytes.unwrap_or(0))
        )?;
        match proof {
            Proof::Proved => {
                let shown = "positions and all counts are proved by the rules";
                writeln!(self.out, "{positions} {shown}")?;
                Ok(())
            }
            Proof::Consistent => {
                let shown = "positions are consistent, not proved: plies are missing";
                writeln!(self.out, "{positions} {shown}")?;
                Err(NotProved.into())
            }
        }
    }
}

/// Compares every file with the manifest and every block with its checksum.
fn check_files<G: Game>(game: &G, store: &Store) -> anyhow::Result<usize> {
    let listed = store.list()?;
    anyhow::ensure!(
        !listed.is_empty(),
        "there is no table in {}",
        store.directory().display()
    );
    for file in &listed {
        let table = game.parse_table(&file.table)?;
        let record = file.record.as_ref();
        let record = record.ok_or_else(|| {
            anyhow::anyhow!(
                "{} is not in the manifest",
                store.path(&file.table, file.kind).display()
            )
        })?;
        store.verify_file(&file.table, file.kind, record)?;
        let outcomes = store.outcomes(&file.table, game.size(table))?;
        match file.kind {
            Kind::Outcomes => outcomes.file().verify_blocks()?,
            Kind::Plies => store.plies(&outcomes)?.file().verify_blocks()?,
        }
    }
    Ok(listed.len())
}

/// Re-derives all tables that are there; gives the number of their positions.
fn derive<G: Game>(game: &G, store: &Store, sample: Sample) -> anyhow::Result<(u64, Proof)> {
    let listed = store.list()?;
    let outcomes = listed.iter().filter(|file| file.kind == Kind::Outcomes);
    let present: BTreeSet<G::Table> = outcomes
        .map(|file| game.parse_table(&file.table))
        .collect::<Result<_, _>>()?;
    // In the order of building, in which tables are needed only for a short time.
    let mut in_order = game.tables(None);
    in_order.retain(|table| present.contains(table));
    let plan = Plan::new(game, &in_order);
    let watch = Watch::new(plan.positions());
    let mut verifier = Verifier::new(Room::unlimited(), MEMORY, sample);
    let mut proof = Proof::Proved;
    for (i, group) in plan.groups.iter().enumerate() {
        let name = solver::group_name(group);
        solver::BuildProgress::group(&watch, &name, group.positions());
        verifier.make_room(group, |table| plan.next_use(i, table, |_| true));
        let shown = match verifier.verify(game, store, group)? {
            Ok(shown) => shown,
            Err(mismatch) => anyhow::bail!("{mismatch}"),
        };
        proof = proof.min(shown);
        watch.done(group.positions());
        let shown = match shown {
            Proof::Proved => "proved",
            Proof::Consistent => "consistent, not proved",
        };
        let seconds = watch.elapsed().as_secs_f64();
        watch.say(&format!("{name}: {shown} ({seconds:.1} s)"));
        let needed = plan.needed_after(i);
        verifier.keep(|table| needed.contains(&table));
        for table in needed {
            if plan.only_sweeps_need(i + 1, table) {
                verifier.shorten(table)?;
            }
        }
    }
    Ok((plan.positions(), proof))
}

/// Plies are missing, without which what is there can only be shown to be consistent.
#[derive(Debug)]
pub struct NotProved;

impl std::fmt::Display for NotProved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("consistent, not proved")
    }
}

impl std::error::Error for NotProved {}
