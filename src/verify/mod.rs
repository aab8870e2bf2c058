//! `endmill verify`: checks a database against itself.

mod asked;
mod files;
mod report;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

use endmill_dbformat::{Kind, Rules, Store};
use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};
use endmill_solver::{
    Budget, Plan, PlyChoice, Sample, Shown, SolveError, Verified, enough_memory, time_by_turns,
};

use self::files::Files;
pub use self::report::ConsistentOnly;
use self::report::{Method, Report, Values};
use crate::db::Missing;
use crate::drawing::counted;
use crate::machine::{self, Stopwatch};
use crate::mend::{or_mend, quoted, repair_command};
use crate::size::Size;
use crate::watch::{Watch, span};

/// Compare every value and every count of a database with what the rules make of them.
///
/// Every value is compared with those of its successors. By default that is done by rows, which is
/// fast, and for a sample of every table by turns too; then it is *swept by rows, sampled by turns*.
/// With --by-turns it is done for every position by the plain rules alone, which takes longer; then
/// it is *proved by turns*. In the end a sample of all tables is read once more as `endmill probe`
/// reads, from table to table, and compared.
///
/// Exit status 0 if every value is what its successors make it, 1 if a file is damaged or not in the
/// manifest, or a value is wrong or read wrongly, 3 if tables are missing (what can be verified is),
/// 4 if outcomes were stored without plies and are consistent: they could be wrong together. (Where
/// every turn places a man, outcomes follow from those of the tables they lead to.) 130 after
/// Ctrl-C.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value_os_t = crate::db::usual(), hide_default_value = true)]
    db: PathBuf,
    /// Compare checksums only
    #[arg(long, conflicts_with = "by_turns")]
    quick: bool,
    /// Prove every position by the plain rules alone; says before how long that takes
    #[arg(long)]
    by_turns: bool,
    /// These tables and those they are solved with, e.g. 5v4,4v4; the tables they lead to are taken
    /// as they are. By default all that are there
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// The group of one table, e.g. 5v4: as --tables, for one job of many
    #[arg(long, value_name = "TABLE", conflicts_with = "tables")]
    only: Option<String>,
    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = crate::machine::threads)]
    threads: Option<usize>,
    /// Working memory; beyond it scratch files in the database are used, which is slow. By default
    /// 5 GiB, or what the largest group takes, but at most three quarters of what the machine, or the
    /// control group of a container or batch job, has free
    #[arg(long, value_name = "SIZE", conflicts_with = "quick", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// Positions of every table that are also derived by turns
    #[arg(long, value_name = "N", default_value_t = Sample::default().positions, conflicts_with_all = ["quick", "by_turns"])]
    sample: u64,
    /// Another seed, another sample
    #[arg(long, value_name = "S", default_value_t = Sample::default().seed, conflicts_with = "quick")]
    seed: u64,
    /// For programs
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Verifies.
    pub fn run(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.tables.extend(self.only.take());
        let done =
            endmill_layout::visit(Ruleset::open(&self.ruleset)?, Verify { args: &self, out });
        or_mend(done, &self.ruleset, &self.db)
    }
}

struct Verify<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Verify<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        let Verify { args, out } = self;
        let ruleset = game.description().id;
        let store = Store::new(&args.db, Rules::of(&game));
        let pool = machine::pool(args.threads)?;
        let plan = args.plan(&game, &store)?;
        let involved: BTreeSet<G::Table> = (plan.groups.iter())
            .flat_map(|group| {
                let own = group.tables.iter().map(|(table, _)| *table);
                own.chain(group.depends_on.iter().copied())
            })
            .collect();
        let all = args.tables.is_empty();
        let wanted = |table| all || involved.contains(&table);
        let mut files = pool.install(|| files::check(&game, &store, wanted))?;
        files.look_for(involved.iter().map(ToString::to_string), &store);
        if files.none_is_there() && store.files()?.is_empty() {
            return Err(Missing::all(&ruleset, store.directory()).into());
        }
        let mut report = Report {
            ruleset,
            build: args.build(&plan, &files),
            repair: repair_command(&args.ruleset, &args.db),
            files,
            values: None,
        };
        if !args.json {
            report.say_files(out)?;
            out.flush()?;
        }
        if !args.quick && !report.files.none_is_there() {
            report.values = Some(args.check_values(game, &store, &plan, &pool)?);
        }
        if args.json {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)?;
        } else if let Some(values) = &report.values {
            values.say(out)?;
        }
        report.verdict()
    }
}

impl Args {
    /// The groups to be verified: those of the tables that are there, or that were chosen.
    fn plan<G: Game>(&self, game: &G, store: &Store) -> anyhow::Result<Plan<G::Table>> {
        if !self.tables.is_empty() {
            let tables = self.tables.iter().map(|name| game.parse_tables(name));
            let tables: Vec<Vec<G::Table>> = tables.collect::<Result<_, _>>()?;
            return Ok(Plan::only(game, &tables.concat()));
        }
        let listed = store.list()?;
        let outcomes = listed.iter().filter(|file| file.kind == Kind::Outcomes);
        let known: BTreeSet<G::Table> = outcomes
            .map(|file| files::table_of(game, store, file))
            .collect::<Result<_, _>>()?;
        // In the order of building, in which tables are needed only for a short time.
        let mut in_order = game.tables(None);
        in_order.retain(|table| known.contains(table));
        Ok(Plan::new(game, &in_order))
    }

    /// The command that builds what is missing: the tables to be verified, with which those that
    /// they lead to are built; or these alone.
    fn build<T: Display>(&self, plan: &Plan<T>, files: &Files) -> String {
        let mut missing: Vec<&str> = (files.missing.iter())
            .filter_map(|name| Some(name.rsplit_once('.')?.0))
            .collect();
        missing.dedup();
        let own = plan.groups.iter().flat_map(|group| &group.tables);
        let own: BTreeSet<String> = own.map(|(table, _)| table.to_string()).collect();
        if missing.iter().any(|&table| own.contains(table)) {
            missing.retain(|&table| own.contains(table));
        }
        let (ruleset, tables) = (quoted(&self.ruleset), missing.join(","));
        let option = crate::db::option(&self.db);
        format!("endmill build {ruleset} --tables {tables}{option}")
    }

    /// Compares all values with their successors, then asks the probe for some of them.
    fn check_values<G: Game + Layout>(
        &self,
        game: G,
        store: &Store,
        plan: &Plan<G::Table>,
        pool: &rayon::ThreadPool,
    ) -> anyhow::Result<Values> {
        let method = match self.by_turns {
            true => Method::ByTurns,
            false => Method::ByRows {
                sample: self.sample,
            },
        };
        let stopwatch = Stopwatch::start();
        let watch = Watch::verifying(plan.positions(), method.word());
        watch.heed_interrupts()?;
        if self.by_turns {
            let each = time_by_turns(&game, plan).as_secs_f64();
            let threads = pool.current_num_threads();
            let seconds = each * plan.positions() as f64 / threads as f64;
            watch.say(&format!(
                "{} positions to be proved by turns: about {} ({:.2} µs a position, {})",
                plan.positions(),
                span(seconds),
                each * 1e6,
                counted(threads as u64, "thread"),
            ));
        }
        pool.install(|| {
            let verified = self.compare(&game, store, plan, method, &watch)?;
            drop(watch);
            let asked = verified.known.len();
            asked::compare(game, &self.db, verified.known, self.seed)?;
            Ok(Values {
                positions: verified.positions,
                shown: method.words(verified.shown),
                consistent_only: verified.shown == Shown::Consistent,
                given: given(plan, &verified.left_out),
                left_out: verified.left_out.iter().map(ToString::to_string).collect(),
                asked,
                taken: stopwatch.read(),
            })
        })
    }

    /// Compares all values with their successors.
    fn compare<G: Game + Layout>(
        &self,
        game: &G,
        store: &Store,
        plan: &Plan<G::Table>,
        method: Method,
        watch: &Watch,
    ) -> anyhow::Result<Verified<G::Table>> {
        let all_plies = PlyChoice {
            solved: true,
            swept: true,
        };
        let memory = self.memory.map(Size::bytes);
        let memory = memory.unwrap_or_else(|| enough_memory(plan, all_plies));
        let budget = Budget::new(memory, store.directory().into());
        let sample = Sample {
            positions: self.sample,
            seed: self.seed,
        };
        let verified = match method {
            Method::ByRows { .. } => {
                endmill_solver::verify(game, store, plan, &budget, sample, watch)
            }
            Method::ByTurns => endmill_solver::prove(game, store, plan, &budget, sample, watch),
        };
        verified.map_err(|error| match error {
            SolveError::Differs(mismatch) => anyhow::anyhow!("{}", mismatch.describe(game)),
            other => other.into(),
        })
    }
}

/// The tables that a plan leads to and that were not verified themselves.
fn given<T: Copy + Ord + ToString>(plan: &Plan<T>, left_out: &[T]) -> Vec<String> {
    let groups = plan.groups.iter();
    let groups = groups.filter(|group| !left_out.contains(&group.tables[0].0));
    let own = |table: &T| {
        let mut tables = plan.groups.iter().flat_map(|group| &group.tables);
        tables.any(|(own, _)| own == table) && !left_out.contains(table)
    };
    let outside: BTreeSet<T> = groups.flat_map(|group| group.depends_on.clone()).collect();
    let given = outside.iter().filter(|table| !own(table));
    given.map(ToString::to_string).collect()
}
