//! An open database, and the questions about one position.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

use endmill_games::{Features, Outcome, Value, Verdict};

use crate::error::{ProbeError, Result};
use crate::lookup::Lookup;
use crate::options::Options;
use crate::table_set::{Entry, TableSet};

/// The tables of one ruleset. Any number of threads may ask.
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
    /// Files are read by positioned reads, which is safe even if they change. Mapped files are
    /// faster: see [`Access::mapped`](crate::Access::mapped).
    pub fn open(directory: impl AsRef<Path>, game: G) -> Result<Database<G>> {
        Database::open_with(directory, game, &Options::default())
    }

    /// Opens a database with these options: see [`open`](Database::open).
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

    /// Opens tables in memory, for instance compiled into the program, by the names of their files
    /// (`3v3.wld`, `3v3.dtw`). Other names are ignored. The only option that matters is the cache.
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

    /// A game without any table: its rules and notation, and the values of finished games, for
    /// programs that play or show games without a database.
    pub fn without_tables(game: G) -> Database<G> {
        let none = std::iter::empty::<(&str, &[u8])>();
        let table_set = TableSet::in_memory(&game, none).expect("no file, no error");
        let lookup = Lookup::new(table_set, 0);
        Database { game, lookup }
    }

    /// The game of the database.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Closes the database and returns its game.
    pub fn into_game(self) -> G {
        self.game
    }

    /// Returns whether the table of a position is there. Reads no file. A search that can do without
    /// values proved by turns alone asks this before it probes.
    pub fn covers(&self, position: &G::Position) -> bool {
        let table = self.game.table_of(position);
        table.is_some_and(|table| self.lookup.table_set.find(table).is_some())
    }

    /// The value of a position for the side to move.
    ///
    /// The value comes from the position's table. If that is missing, the turns are looked up: a
    /// winning turn proves a win, with its distance only if no other turn could be faster; a draw or
    /// a loss needs all turns. Positions that their table does not store are
    /// [resolved](Features::is_resolved) in the same way.
    pub fn probe(&self, position: &G::Position) -> Result<Verdict> {
        self.ask(|prober| prober.probe(position))
    }

    /// Who wins, for searches: reads outcomes only, and allocates nothing once the buffers of the
    /// thread have grown, except the blocks that a cache keeps. Returns `None` if
    /// [`probe`](Database::probe) fails with a missing table; [`covers`](Database::covers) is faster
    /// in that case.
    pub fn probe_outcome(&self, position: &G::Position) -> Result<Option<Outcome>> {
        self.ask(|prober| prober.probe_outcome(position))
    }
}

/// Where the value of a position comes from.
pub(crate) enum Origin<'a, T> {
    /// The files of its table.
    File(&'a Entry<T>),
    /// Its turns, because its table never stores it.
    Turns,
    /// The rules, because the game is over.
    Rules(Value),
    /// Nowhere, unless its turns prove it.
    Missing(Missing<T>),
}

impl<G: Features> Database<G> {
    #[inline]
    pub(crate) fn origin(&self, position: &G::Position) -> Origin<'_, G::Table> {
        if self.game.is_resolved(position) {
            return Origin::Turns;
        }
        let table = self.game.table_of(position);
        match table.and_then(|table| self.lookup.table_set.find(table)) {
            Some(entry) => Origin::File(entry),
            None => match self.game.finished(position) {
                Some(value) => Origin::Rules(value),
                None => Origin::Missing(Missing(table)),
            },
        }
    }
}

/// The table that a value needs and that is missing; `None` if the position has more pieces than any
/// table.
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

/// Turns the error for a file that was removed after the tables were listed into `None`.
pub(crate) fn or_missing<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(known) => Ok(Some(known)),
        Err(ProbeError::TableMissing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
