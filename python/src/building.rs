//! Building a database, with progress and Ctrl-C.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use endmill_dbformat::{Rules, Statistics, Store};
use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};
use endmill_probe::ProbeError;
use endmill_solver::{
    BuildOptions, PlyChoice, Progress, Scope, SolveError, check_room, enough_memory, is_compact,
};
use pyo3::prelude::*;

use crate::errors::{build_failed, of_build, of_question, of_scope};
use crate::listening::{Listener, listen};

/// The attributes of the object that `endmill.build` passes.
#[derive(FromPyObject)]
pub struct BuildRequest {
    pieces: Option<u32>,
    men: Option<u32>,
    tables: Option<Vec<String>>,
    plies: bool,
    placing_plies: Option<bool>,
    threads: Option<usize>,
    memory: Option<u64>,
}

impl BuildRequest {
    fn scope(&self) -> Scope {
        match (self.pieces, self.men, &self.tables) {
            (Some(pieces), ..) => Scope::Pieces(pieces),
            (_, Some(men), _) => Scope::Men(men),
            (.., Some(tables)) => Scope::Tables(tables.clone()),
            _ => Scope::All,
        }
    }

    fn plies<G: Game>(&self, game: &G) -> PlyChoice {
        let swept = || PlyChoice::usual(game).swept;
        PlyChoice {
            solved: self.plies,
            swept: self.plies && self.placing_plies.unwrap_or_else(swept),
        }
    }
}

/// What a build reports: the kind of event, the tables, the positions done and in total.
type Event = (&'static str, String, u64, u64);

/// Builds what is missing. Returns the number of tables and of positions in the database then.
#[pyfunction]
pub fn build(
    py: Python<'_>,
    ruleset: &str,
    directory: PathBuf,
    request: BuildRequest,
    progress: Option<Py<PyAny>>,
) -> PyResult<(usize, u64)> {
    let ruleset = Ruleset::open(ruleset);
    let ruleset = ruleset.map_err(|error| of_question(ProbeError::Ruleset(error)))?;
    listen(
        py,
        |listener| {
            let build = Build {
                directory: &directory,
                request: &request,
                listener,
            };
            endmill_layout::visit(ruleset, build)
        },
        |py, event: Event| match &progress {
            Some(progress) => progress.call1(py, event).map(drop),
            None => Ok(()),
        },
    )?
}

struct Build<'a> {
    directory: &'a Path,
    request: &'a BuildRequest,
    listener: &'a Listener<'a, Event>,
}

impl Visitor for Build<'_> {
    type Output = PyResult<(usize, u64)>;

    fn visit<G: Game + Layout>(self, game: G) -> PyResult<(usize, u64)> {
        let plan = self.request.scope().plan(&game).map_err(of_scope)?;
        let plies = self.request.plies(&game);
        let store = Store::new(self.directory, Rules::of(&game));
        std::fs::create_dir_all(store.directory()).map_err(|source| {
            let directory = store.directory().into();
            of_build(SolveError::Disk { directory, source })
        })?;
        let compact = is_compact(&store).map_err(of_build)?;
        check_room(&game, &store, &plan, plies, compact).map_err(of_build)?;
        let options = BuildOptions {
            memory: (self.request.memory).unwrap_or_else(|| enough_memory(&plan, plies)),
            plies,
            compact,
            ..BuildOptions::default()
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.request.threads.unwrap_or(0))
            .build()
            .map_err(|error| build_failed(format!("cannot start threads: {error}")))?;
        let positions = u64::try_from(plan.positions()).unwrap_or(u64::MAX);
        let reporter = Reporter {
            listener: self.listener,
            done: AtomicU64::new(0),
            positions,
        };
        let built =
            pool.install(|| endmill_solver::build(&game, &store, &plan, &options, &reporter));
        built.map_err(|error| match error {
            SolveError::Wrong(mismatch) => build_failed(format!(
                "the solution is wrong: {}",
                mismatch.describe(&game)
            )),
            error => of_build(error),
        })?;
        let tables = plan.groups.iter().map(|group| group.tables.len()).sum();
        Ok((tables, positions))
    }
}

/// Forwards the progress of the solver to Python.
struct Reporter<'a> {
    listener: &'a Listener<'a, Event>,
    done: AtomicU64,
    positions: u64,
}

impl Reporter<'_> {
    fn report(&self, what: &'static str, name: &str, more: u64) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        self.listener
            .report((what, name.to_owned(), done, self.positions));
    }
}

impl Progress for Reporter<'_> {
    fn group(&self, name: &str, _: u64) {
        self.report("group", name, 0);
    }

    fn phase(&self, phase: &str) {
        self.report("phase", phase, 0);
    }

    fn skipped(&self, name: &str, positions: u64) {
        self.report("skipped", name, positions);
    }

    fn stored(&self, table: &str, statistics: &Statistics) {
        self.report("stored", table, statistics.positions());
    }

    fn waiting(&self, table: &str, _: &str) {
        self.report("waiting", table, 0);
    }

    fn stopped(&self) -> bool {
        self.listener.stopped()
    }
}
