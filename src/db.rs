//! The database of a command: `--db`, `--read`, `--build`.

#![allow(unsafe_code, reason = "maps files")]

use std::env;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use endmill_dbformat::{Rules, Store};
use endmill_games::Game;
use endmill_probe::{Access, AnyDatabase, Database, Options, open_any};
use etcetera::BaseStrategy;

use crate::by_game::{self, GameCommand};
use crate::missing::BuildPolicy;
use crate::repair::{or_repair, quoted};

/// The environment variable that names a database.
const VARIABLE: &str = "ENDMILL_DB";

/// The database of a working directory.
const HERE: &str = "data/db";

/// The default directory: `ENDMILL_DB`; else `data/db` in the working directory, if it exists; else
/// in the user's data directory.
pub fn usual() -> PathBuf {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    if let Some(named) = named {
        return named.into();
    }
    if Path::new(HERE).is_dir() {
        return HERE.into();
    }
    // Without a home directory, use the working directory.
    let home = etcetera::choose_base_strategy().ok();
    home.map_or(HERE.into(), |home| home.data_dir().join("endmill/db"))
}

/// The option that selects this database; empty for the default.
pub fn option(directory: &Path) -> String {
    if directory == usual() {
        return String::new();
    }
    format!(" --db {}", quoted(&directory.display().to_string()))
}

/// A ruleset and the directory of its database.
#[derive(clap::Args)]
pub struct Target {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    pub ruleset: String,
    /// The database directory; by default $ENDMILL_DB, else data/db if it exists, else the user's
    /// data directory
    #[arg(long, value_name = "DIR", default_value_os_t = usual(), hide_default_value = true)]
    pub db: PathBuf,
}

impl Target {
    /// Runs a command for the ruleset. If a file is damaged, the error says how to repair it.
    pub fn run(&self, command: &impl GameCommand, out: &mut dyn Write) -> anyhow::Result<()> {
        let done = by_game::run(command, &self.ruleset, out);
        or_repair(done, &self.ruleset, &self.db)
    }

    /// The files of the ruleset.
    pub fn store<G: Game>(&self, game: &G) -> Store {
        Store::new(&self.db, Rules::of(game))
    }
}

/// A database to probe.
#[derive(clap::Args)]
pub struct Db {
    /// The database directory; by default $ENDMILL_DB, else data/db if it exists, else the user's
    /// data directory
    #[arg(long = "db", value_name = "DIR", default_value_os_t = usual(), hide_default_value = true)]
    pub directory: PathBuf,
    /// How to read files: mapped into memory, or with one positioned read per block, for network
    /// disks and files that may be overwritten while they are read
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Read::Mapped)]
    pub read: Read,
    /// Whether to build a missing table that takes seconds; without a terminal, ask means no
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = BuildPolicy::Ask)]
    pub build: BuildPolicy,
}

/// How files are read.
#[derive(Clone, Copy, ValueEnum)]
pub enum Read {
    Mapped,
    Positioned,
}

impl Db {
    /// Opens the database for a game.
    pub fn open<G: Game>(&self, game: G) -> endmill_probe::Result<Database<G>> {
        self.read.open(&self.directory, game)
    }

    /// The option that selects this database; empty for the default.
    pub fn option(&self) -> String {
        option(&self.directory)
    }

    /// Opens the database for a ruleset.
    pub fn open_any(&self, ruleset: &str) -> endmill_probe::Result<Box<dyn AnyDatabase>> {
        open_any(&self.directory, ruleset, &self.read.options())
    }
}

impl Read {
    /// Opens a database.
    pub fn open<G: Game>(self, directory: &Path, game: G) -> endmill_probe::Result<Database<G>> {
        Database::open_with(directory, game, &self.options())
    }

    /// The options for a database read like this. An empty database is not an error: the command
    /// reports which table is missing.
    pub fn options(self) -> Options {
        Options {
            access: match self {
                // SAFETY: `main` installs the handler for truncated files, and checksums detect
                // files that are overwritten in place.
                Read::Mapped => unsafe { Access::mapped() },
                Read::Positioned => Access::POSITIONED,
            },
            allow_empty: true,
            ..Options::default()
        }
    }
}

/// A needed table is missing.
#[derive(Debug)]
pub struct Missing(pub String);

impl Missing {
    /// The database has no table of a ruleset.
    pub fn all(ruleset: &str, directory: &Path) -> Missing {
        let directory = directory.display();
        Missing(format!("{directory} has no tables of {ruleset}"))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}
