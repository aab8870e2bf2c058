//! A database that is open, and the questions about one position.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

use endmill_games::{Features, Outcome, Verdict};

use crate::error::{ProbeError, Result};
use crate::lookup::Lookup;
use crate::options::Options;
use crate::table_set::TableSet;

/// The tables of one ruleset, ready for questions from any number of threads.
pub struct Database<G: Features> {
    pub(crate) game: G,
    pub(crate) lookup: Lookup<G>,
}

impl<G: Features> Database<G> {
    /// Lists the tables of a database directory, without reading any, with the default
    /// [`Options`]. Tables that are added later are not seen. A directory that holds no table of
    /// the game fails with [`NoTables`](ProbeError::NoTables), unless
    /// [`Options::allow_empty`] is set.
    ///
    /// Files are read by positioned reads, which is safe whatever happens to them. Mapped files
    /// answer faster: see [`Access::mapped`](crate::Access::mapped).
    pub fn open(directory: impl AsRef<Path>, game: G) -> Result<Database<G>> {
        Database::open_with(directory, game, &Options::default())
    }

    /// The same with options of choice.
    pub fn open_with(
        directory: impl AsRef<Path>,
        game: G,
        options: &Options,
    ) -> Result<Database<G>> {
        let directory = directory.as_ref();
        let table_set = TableSet::list(directory, &game, options)?;
        if table_set.entries().is_empty() && !options.allow_empty {
            return Err(ProbeError::NoTables {
                directory: directory.to_owned(),
                ruleset: game.description().id,
            });
        }
        let lookup = Lookup::new(table_set, options.cache_bytes);
        Ok(Database { game, lookup })
    }

    /// Opens tables that are in memory, for instance compiled into the program, by the names of
    /// their files (`3v3.wld`, `3v3.dtw`). Names of other things are passed over. Of the options
    /// only the cache matters.
    pub fn from_bytes<N, B>(
        files: impl IntoIterator<Item = (N, B)>,
        game: G,
        options: &Options,
    ) -> Result<Database<G>>
    where
        N: AsRef<str>,
        B: Into<Cow<'static, [u8]>>,
    {
        let table_set = TableSet::in_memory(&game, files)?;
        let lookup = Lookup::new(table_set, options.cache_bytes);
        Ok(Database { game, lookup })
    }

    /// A game without any table: its rules and notation, and the values of finished games. For
    /// programs that play or show games for which they have no database.
    pub fn without_tables(game: G) -> Database<G> {
        let none = std::iter::empty::<(&str, &[u8])>();
        let table_set = TableSet::in_memory(&game, none).expect("no file, no error");
        let lookup = Lookup::new(table_set, 0);
        Database { game, lookup }
    }

    /// The game that the database is about.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Closes the database and gives the rules back.
    pub fn into_game(self) -> G {
        self.game
    }

    /// Whether the table of a position is there: what a search asks before it probes, if it can
    /// do without answers that are proved by a turn only. Reads nothing.
    pub fn covers(&self, position: &G::Position) -> bool {
        let table = self.game.table_of(position);
        table.is_some_and(|table| self.lookup.table_set.find(table).is_some())
    }

    /// What a position is worth for its side to move.
    ///
    /// The answer is that of the position's own table. Where that is missing, the turns are looked
    /// up: a turn that wins proves a win, without its distance unless no other turn could be
    /// faster; for a draw or a loss all turns must be known. In the same way a position is
    /// [resolved](Features::is_resolved) that its table does not store.
    pub fn probe(&self, position: &G::Position) -> Result<Verdict> {
        self.ask(|prober| prober.probe(position))
    }

    /// Who wins, for searches: reads outcomes only, and once the buffers of a thread have grown it
    /// allocates nothing (with a cache: nothing but the blocks it keeps). `None` is what
    /// [`probe`](Database::probe) answers with a missing table; [`covers`](Database::covers) is
    /// the faster way to learn that.
    pub fn probe_outcome(&self, position: &G::Position) -> Result<Option<Outcome>> {
        self.ask(|prober| prober.probe_outcome(position))
    }
}

/// What is missing to know a value: a table, or `None` if the position has more pieces than any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Missing<T>(pub(crate) Option<T>);

impl<T: Display> From<Missing<T>> for ProbeError {
    fn from(missing: Missing<T>) -> ProbeError {
        match missing.0 {
            Some(table) => ProbeError::TableMissing {
                table: table.to_string(),
            },
            None => ProbeError::NoSuchTable,
        }
    }
}

/// A file that was removed after the tables were listed is as missing as one that never was.
pub(crate) fn or_missing<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(known) => Ok(Some(known)),
        Err(ProbeError::TableMissing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
