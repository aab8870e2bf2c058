//! The first build of a server: tables that take seconds.

use std::path::{Path, PathBuf};

use anyhow::Context;
use endmill_bench::processors;
use endmill_dbformat::{Rules, Statistics, Store};
use endmill_games::{Game, Ruleset, Visitor};
use endmill_layout::Layout;
use endmill_server::Builds;
use endmill_solver::{BuildOptions, Plan, Progress, build, enough_memory};

use crate::machine;
use crate::plies::PlyOptions;

/// Rulesets with the maximum number of pieces; `None` for all tables.
const SMALL: [(&str, Option<u32>); 4] = [
    ("three", None),
    ("six", None),
    ("nine", Some(8)),
    ("draughts", Some(4)),
];

/// The working memory of the build.
const MEMORY: u64 = 1 << 30;

/// The first build of a database.
pub struct FirstBuild {
    database: PathBuf,
}

impl FirstBuild {
    /// A build in this database.
    pub fn new(database: &Path) -> FirstBuild {
        let database = database.to_owned();
        FirstBuild { database }
    }

    /// Whether an earlier build was not finished.
    pub fn was_stopped(&self) -> bool {
        self.mark().exists()
    }

    /// Announces the tables that will be built.
    pub fn announce(&self, builds: &Builds) -> anyhow::Result<()> {
        for (id, pieces) in SMALL {
            Ruleset::open(id)?.visit(Announce { pieces, builds });
        }
        Ok(())
    }

    /// Builds the announced tables, and reports progress. Errors are logged: the server works without
    /// tables.
    pub fn run(self, builds: &Builds) {
        let done = self.build_all(builds);
        for (id, _) in SMALL {
            builds.end(id);
        }
        match done {
            Ok(()) => tracing::info!("the first tables are built"),
            Err(_) if builds.stopped() => tracing::info!("the build resumes at the next start"),
            Err(error) => tracing::error!("cannot build tables: {error:#}"),
        }
    }

    /// A file that exists until the build is finished.
    fn mark(&self) -> PathBuf {
        self.database.join("first-build")
    }

    fn build_all(&self, builds: &Builds) -> anyhow::Result<()> {
        let (database, mark) = (&self.database, self.mark());
        std::fs::create_dir_all(database)
            .with_context(|| format!("cannot create {}", database.display()))?;
        std::fs::write(
            &mark,
            "A server has started a build here and not finished it.\n",
        )
        .with_context(|| format!("cannot write {}", mark.display()))?;
        // Leave one processor for answering questions.
        let threads = processors();
        let pool = machine::pool(threads.saturating_sub(1).max(1))?;
        for (id, pieces) in SMALL {
            let one = BuildOne {
                database,
                pieces,
                builds,
                pool: &pool,
            };
            endmill_layout::visit(Ruleset::open(id)?, one)?;
            builds.end(id);
        }
        std::fs::remove_file(&mark)?;
        Ok(())
    }
}

/// Announces the tables of one ruleset.
struct Announce<'a> {
    pieces: Option<u32>,
    builds: &'a Builds,
}

impl Visitor for Announce<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let plan = Plan::new(&game, &game.tables(self.pieces));
        let id = game.description().id;
        self.builds.announce(&id, plan.positions() as u64);
    }
}

struct BuildOne<'a> {
    database: &'a Path,
    pieces: Option<u32>,
    builds: &'a Builds,
    pool: &'a rayon::ThreadPool,
}

impl endmill_layout::Visitor for BuildOne<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        let plan = Plan::new(&game, &game.tables(self.pieces));
        let store = Store::new(self.database, Rules::of(&game));
        std::fs::create_dir_all(store.directory())?;
        let plies = PlyOptions::default().choice(&game);
        let options = BuildOptions {
            memory: MEMORY.min(enough_memory(&plan, plies)),
            plies,
            ..BuildOptions::default()
        };
        let progress = ServerProgress {
            builds: self.builds,
            id: game.description().id,
        };
        let pool = self.pool;
        pool.install(|| build(&game, &store, &plan, &options, &progress))?;
        Ok(())
    }
}

/// Reports the progress of a build to the server.
struct ServerProgress<'a> {
    builds: &'a Builds,
    id: String,
}

impl Progress for ServerProgress<'_> {
    fn stopped(&self) -> bool {
        self.builds.stopped()
    }

    fn group(&self, name: &str, _: u64) {
        self.builds.phase(&self.id, &format!("solving {name}"));
    }

    fn phase(&self, phase: &str) {
        self.builds.phase(&self.id, phase);
    }

    fn skipped(&self, _: &str, positions: u64) {
        self.builds.done(&self.id, positions);
    }

    fn stored(&self, _: &str, statistics: &Statistics) {
        self.builds.done(&self.id, statistics.positions());
    }
}
