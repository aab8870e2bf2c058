//! `endmill verify`: checks a database against the rules.

mod files;
mod probed;
mod report;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::Write;

use endmill_bench::Stopwatch;
use endmill_dbformat::{Kind, Store};
use endmill_games::Game;
use endmill_layout::Layout;
use endmill_solver::{
    Budget, Plan, PlyChoice, Sample, Verified, VerifyLevel, enough_memory, time_by_turns,
    verify_draws,
};

use self::files::Files;
pub use self::report::ConsistentOnly;
use self::report::{Method, RankedDraws, Report, Values};
use crate::by_game::GameCommand;
use crate::db::{Missing, Target};
use crate::drawing::counted;
use crate::errors::solve_error;
use crate::machine::Threads;
use crate::progress::{ConsoleProgress, span};
use crate::repair::{quoted, repair_command};
use crate::size::Size;

/// Check every value and every count of a database against the rules.
///
/// Every value is compared with the values of its successors. By default this is done by rows, which
/// is fast, and also by turns for a sample of every table; the result is *swept by rows, sampled by
/// turns*. With --by-turns it is done for every position by the plain rules alone, which takes longer;
/// the result is *proved by turns*. Finally a sample of all tables is probed as `endmill probe` does,
/// from table to table, and compared.
///
/// The exit status is 0 if every value follows from its successors; 1 if a file is damaged or not in
/// the manifest, or a value is wrong or read wrongly; 3 if tables are missing (the others are
/// verified); 4 if outcomes are stored without plies and are consistent, since they could be wrong
/// together (in tables where every move places a man, outcomes follow from other tables); 130 after
/// Ctrl-C.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Compare checksums only
    #[arg(long, conflicts_with = "by_turns")]
    quick: bool,
    /// Prove every position by the plain rules alone; prints an estimate of the time first
    #[arg(long)]
    by_turns: bool,
    /// Verify these tables and those of the same groups, e.g. 5v4,4v4, and trust the tables they lead
    /// to; by default all tables
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
    /// Verify the group of one table, e.g. 5v4: like --tables, for one job of many
    #[arg(long, value_name = "TABLE", conflicts_with = "tables")]
    only: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// Working memory; larger groups use scratch files in the database, which is slow. By default 5
    /// GiB, or as much as the largest group needs, but at most three quarters of the memory that is
    /// free on the machine, or in the control group of a container or batch job
    #[arg(long, value_name = "SIZE", conflicts_with = "quick", value_parser = crate::size::memory)]
    memory: Option<Size>,
    /// Positions per table that are also checked by turns
    #[arg(long, value_name = "N", default_value_t = Sample::default().positions, conflicts_with_all = ["quick", "by_turns"])]
    sample: u64,
    /// The seed of the sample
    #[arg(long, value_name = "S", default_value_t = Sample::default().seed, conflicts_with = "quick")]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Verifies, and prints the result.
    pub fn run(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.tables.extend(self.only.take());
        self.target.run(&self, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let ruleset = game.description().id;
        let store = self.target.store(&game);
        let pool = self.threads.pool()?;
        let plan = self.plan(&game, &store)?;
        let involved: BTreeSet<G::Table> = (plan.groups.iter())
            .flat_map(|group| {
                let own = group.tables.iter().map(|(table, _)| *table);
                own.chain(group.depends_on.iter().copied())
            })
            .collect();
        let all = self.tables.is_empty();
        let wanted = |table| all || involved.contains(&table);
        let mut files = pool.install(|| files::check(&game, &store, wanted))?;
        files.add_missing(involved.iter().map(ToString::to_string), &store);
        if files.is_empty() && store.files()?.is_empty() {
            return Err(Missing::all(&ruleset, store.directory()).into());
        }
        let mut report = Report {
            ruleset,
            build: self.build(&plan, &files),
            repair: repair_command(&self.target.ruleset, &self.target.db),
            files,
            values: None,
        };
        if !self.json {
            report.print_files(out)?;
            out.flush()?;
        }
        if !self.quick && !report.files.is_empty() {
            report.values = Some(self.check_values(game, &store, &plan, &pool)?);
        }
        if self.json {
            serde_json::to_writer(&mut *out, &report)?;
            writeln!(out)?;
        } else if let Some(values) = &report.values {
            values.print(out)?;
        }
        report.verdict()
    }
}

impl Args {
    /// The groups to verify: of the chosen tables, or of all tables.
    fn plan<G: Game>(&self, game: &G, store: &Store) -> anyhow::Result<Plan<G::Table>> {
        if !self.tables.is_empty() {
            let tables = self
                .tables
                .iter()
                .map(|name| endmill_games::parse_tables(game, name));
            let tables: Vec<Vec<G::Table>> = tables.collect::<Result<_, _>>()?;
            return Ok(Plan::only(game, &tables.concat()));
        }
        let listed = store.list()?;
        let outcomes = listed.iter().filter(|file| file.kind == Kind::Outcomes);
        let known: BTreeSet<G::Table> = outcomes
            .map(|file| files::table_of(game, store, file))
            .collect::<Result<_, _>>()?;
        // In the order of building, which needs each table for the shortest time.
        let mut in_order = game.tables(None);
        in_order.retain(|table| known.contains(table));
        Ok(Plan::new(game, &in_order))
    }

    /// The command that builds the missing tables. Building a table builds those that it depends on.
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
        let (ruleset, tables) = (quoted(&self.target.ruleset), missing.join(","));
        let option = crate::db::option(&self.target.db);
        format!("endmill build {ruleset} --tables {tables}{option}")
    }

    /// Compares all values with their successors, then probes some of them.
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
        let progress = ConsoleProgress::verifying(plan.positions(), method.word());
        progress.stop_on_interrupt()?;
        if self.by_turns {
            let each = time_by_turns(&game, plan).as_secs_f64();
            let threads = pool.current_num_threads();
            let seconds = each * plan.positions() as f64 / threads as f64;
            progress.say(&format!(
                "{} positions to prove by turns: about {} ({:.2} µs per position, {})",
                plan.positions(),
                span(seconds),
                each * 1e6,
                counted(threads as u64, "thread"),
            ));
        }
        pool.install(|| {
            let verified = self.compare(&game, store, plan, method, &progress)?;
            let draws = self.check_draws(&game, store, plan, &progress)?;
            drop(progress);
            let asked = verified.known.len();
            probed::compare(game, &self.target.db, verified.known, self.seed)?;
            Ok(Values {
                positions: verified.positions,
                shown: method.words(verified.level),
                consistent_only: verified.level == VerifyLevel::Consistent,
                given: trusted(plan, &verified.left_out),
                left_out: verified.left_out.iter().map(ToString::to_string).collect(),
                draws,
                asked,
                taken: stopwatch.read(),
            })
        })
    }

    /// Compares the ranks of draws with their successors, if any are stored.
    fn check_draws<G: Game + Layout>(
        &self,
        game: &G,
        store: &Store,
        plan: &Plan<G::Table>,
        progress: &ConsoleProgress,
    ) -> anyhow::Result<Option<RankedDraws>> {
        let sample = (!self.by_turns).then_some(Sample {
            positions: self.sample,
            seed: self.seed,
        });
        let budget = self.budget(plan, store);
        let verified = verify_draws(game, store, plan, sample, &budget, progress);
        let verified = verified.map_err(|error| solve_error(error, game))?;
        Ok(verified.map(|verified| RankedDraws {
            draws: verified.draws,
            unranked: verified.left_out.iter().map(ToString::to_string).collect(),
        }))
    }

    fn budget<T: Copy + Ord>(&self, plan: &Plan<T>, store: &Store) -> Budget {
        let all_plies = PlyChoice {
            solved: true,
            swept: true,
        };
        let memory = self.memory.map(Size::bytes);
        let memory = memory.unwrap_or_else(|| enough_memory(plan, all_plies));
        Budget::new(memory, store.directory().into())
    }

    /// Compares all values with their successors.
    fn compare<G: Game + Layout>(
        &self,
        game: &G,
        store: &Store,
        plan: &Plan<G::Table>,
        method: Method,
        progress: &ConsoleProgress,
    ) -> anyhow::Result<Verified<G::Table>> {
        let budget = self.budget(plan, store);
        let sample = Sample {
            positions: self.sample,
            seed: self.seed,
        };
        let verified = match method {
            Method::ByRows { .. } => {
                endmill_solver::verify(game, store, plan, &budget, sample, progress)
            }
            Method::ByTurns => endmill_solver::prove(game, store, plan, &budget, sample, progress),
        };
        verified.map_err(|error| solve_error(error, game))
    }
}

/// The tables that the verified ones lead to and that were not verified themselves.
fn trusted<T: Copy + Ord + ToString>(plan: &Plan<T>, left_out: &[T]) -> Vec<String> {
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
