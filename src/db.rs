//! Which database a command asks, and how it reads it: `--db`, `--read`.

#![allow(unsafe_code, reason = "maps files")]

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use endmill_games::Game;
use endmill_probe::{Access, AnyDatabase, Database, Options, open_any};
use etcetera::BaseStrategy;

use crate::mend::quoted;
use crate::missing::Policy;

/// The variable that names a database.
const VARIABLE: &str = "ENDMILL_DB";

/// Where a database is, in a directory where one is worked with.
const HERE: &str = "data/db";

/// Where the database is if the user does not say: `ENDMILL_DB`; else `data/db` here, if it
/// exists; else in the user's data directory.
pub fn usual() -> PathBuf {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    if let Some(named) = named {
        return named.into();
    }
    if Path::new(HERE).is_dir() {
        return HERE.into();
    }
    // Without a home there is only here.
    let home = etcetera::choose_base_strategy().ok();
    home.map_or(HERE.into(), |home| home.data_dir().join("endmill/db"))
}

/// What a command needs to be told to use this database: nothing if it finds it by itself.
pub fn option(directory: &Path) -> String {
    if directory == usual() {
        return String::new();
    }
    format!(" --db {}", quoted(&directory.display().to_string()))
}

/// A database to be asked.
#[derive(clap::Args)]
pub struct Db {
    /// Where the database is; by default $ENDMILL_DB, else data/db here if it exists, else the
    /// user's data directory
    #[arg(long = "db", value_name = "DIR", default_value_os_t = usual(), hide_default_value = true)]
    pub directory: PathBuf,
    /// How its files are read: mapped into memory, or by one positioned read per block, for network
    /// disks and where files may be overwritten while they are read
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Read::Mapped)]
    pub read: Read,
    /// Whether a table that is missing and takes seconds is built on the way; without a terminal
    /// ask means no
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Policy::Ask)]
    pub build: Policy,
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

    /// What another command needs to be told to use this database.
    pub fn option(&self) -> String {
        option(&self.directory)
    }

    /// Opens the database for a ruleset.
    pub fn open_any(&self, ruleset: &str) -> endmill_probe::Result<Box<dyn AnyDatabase>> {
        open_any(&self.directory, ruleset, &self.read.options())
    }
}

impl Read {
    /// Opens a database to be read like this.
    pub fn open<G: Game>(self, directory: &Path, game: G) -> endmill_probe::Result<Database<G>> {
        Database::open_with(directory, game, &self.options())
    }

    /// The usual options, but for how files are read. A command goes on without tables, and says
    /// which one it misses.
    pub fn options(self) -> Options {
        Options {
            access: match self {
                // SAFETY: the program survives files that are cut short, and a file that is
                // overwritten in place is noticed by its checksums.
                Read::Mapped => unsafe { Access::mapped() },
                Read::Positioned => Access::POSITIONED,
            },
            allow_empty: true,
            ..Options::default()
        }
    }
}

/// Tables that are needed and are not there.
#[derive(Debug)]
pub struct Missing(pub String);

impl Missing {
    /// There is no table of a ruleset at all.
    pub fn all(ruleset: &str, directory: &Path) -> Missing {
        let directory = directory.display();
        Missing(format!("there is no table of {ruleset} in {directory}"))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Missing {}
