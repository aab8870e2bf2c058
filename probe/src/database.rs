//! A database that is open, and the questions about one position.

use std::borrow::Cow;
use std::fmt::Display;
use std::path::Path;

use games::{Game, Outcome, Value, best_turn};

use crate::error::{ProbeError, Result};
use crate::lookup::Lookup;
use crate::moves::Tally;
use crate::options::Options;
use crate::shelf::Shelf;
use crate::verdict::Verdict;

/// The tables of one ruleset, ready for questions from any number of threads.
pub struct Database<G: Game> {
    pub(crate) game: G,
    pub(crate) lookup: Lookup<G>,
}

impl<G: Game> Database<G> {
    /// Lists the tables of a database directory, without reading any, with the default
    /// [`Options`]. Tables that are added later are not seen; a directory that does not exist has
    /// no tables (see [`coverage`](Database::coverage)).
    ///
    /// Files are mapped into memory. **As long as the database is open, no file may be changed or
    /// shortened in place**: the process may end with a bus error. Building a database never does
    /// that, it replaces files by renaming. Where others may, choose
    /// [`Access::Positioned`](crate::Access::Positioned).
    pub fn open(directory: &Path, game: G) -> Result<Database<G>> {
        Database::open_with(directory, game, &Options::default())
    }

    /// The same with options of choice.
    pub fn open_with(directory: &Path, game: G, options: &Options) -> Result<Database<G>> {
        let shelf = Shelf::list(directory, &game, options)?;
        let lookup = Lookup::new(shelf, options.cache_bytes);
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
        let shelf = Shelf::in_memory(&game, files)?;
        let lookup = Lookup::new(shelf, options.cache_bytes);
        Ok(Database { game, lookup })
    }

    /// The game that the database is about.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Whether the table of a position is there: what a search asks before it probes, if it can
    /// do without answers that are proved by a turn only. Reads nothing.
    pub fn covers(&self, position: &G::Position) -> bool {
        let table = self.game.table_of(position);
        table.is_some_and(|table| self.lookup.shelf.find(table).is_some())
    }

    /// What a position is worth for its side to move.
    ///
    /// The answer is that of the position's own table. Where that is missing, the turns are looked
    /// up: a turn that wins proves a win, without its distance unless no other turn could be
    /// faster; for a draw or a loss all turns must be known. In the same way a position is
    /// [resolved](Game::is_resolved) that its table does not store.
    pub fn probe(&self, position: &G::Position) -> Result<Verdict> {
        match self.known(position)? {
            Ok(verdict) => Ok(verdict),
            Err(missing) => Ok(self.by_turns(position)?.map_err(|_| missing)?),
        }
    }

    /// Who wins, for searches: reads outcomes only, and once the buffers of a thread have grown it
    /// allocates nothing (with a cache: nothing but the blocks it keeps). `None` is what
    /// [`probe`](Database::probe) answers with a missing table; [`covers`](Database::covers) is
    /// the faster way to learn that.
    pub fn probe_outcome(&self, position: &G::Position) -> Result<Option<Outcome>> {
        match self.known_outcome(position)? {
            Some(outcome) => Ok(Some(outcome)),
            None => self.outcome_by_turns(position),
        }
    }

    /// The value that the position's own table stores, or that it leaves to be resolved, or that a
    /// finished game has.
    pub(crate) fn known(
        &self,
        position: &G::Position,
    ) -> Result<std::result::Result<Verdict, Missing<G::Table>>> {
        if self.game.is_resolved(position) {
            return self.by_turns(position);
        }
        let table = self.game.table_of(position);
        let verdict = match table.and_then(|table| self.lookup.shelf.find(table)) {
            Some(entry) => or_missing(self.lookup.verdict(&self.game, entry, position))?,
            None => self.game.finished(position).map(Verdict::from),
        };
        Ok(verdict.ok_or(Missing(table)))
    }

    /// The value that a position's turns prove, or a table that is missing for that.
    fn by_turns(
        &self,
        position: &G::Position,
    ) -> Result<std::result::Result<Verdict, Missing<G::Table>>> {
        let mut tally = Tally::default();
        let mut missing = Missing(self.game.table_of(position));
        let at_once = Some(Verdict::from(Value::Win(1)));
        best_turn(&self.game, position, at_once, |after| {
            let turn = match self.known(after)? {
                Ok(verdict) => Some(verdict.one_turn_earlier()),
                Err(here) => {
                    missing = here;
                    None
                }
            };
            tally.add(turn);
            Ok::<_, ProbeError>(turn)
        })?;
        Ok(tally.verdict().ok_or(missing))
    }

    /// As [`known`](Database::known), for the outcome; `None` if a table is missing.
    fn known_outcome(&self, position: &G::Position) -> Result<Option<Outcome>> {
        if self.game.is_resolved(position) {
            return self.outcome_by_turns(position);
        }
        let table = self.game.table_of(position);
        match table.and_then(|table| self.lookup.shelf.find(table)) {
            Some(entry) => or_missing(self.lookup.outcome(&self.game, entry, position)),
            None => Ok(self.game.finished(position).map(|value| value.outcome())),
        }
    }

    /// Stops at the first turn that wins.
    fn outcome_by_turns(&self, position: &G::Position) -> Result<Option<Outcome>> {
        let mut unknown = false;
        let win = Some(Outcome::Win);
        let best = best_turn(&self.game, position, win, |after| {
            let after = self.known_outcome(after)?;
            unknown |= after.is_none();
            Ok::<_, ProbeError>(after.map(|outcome| -outcome))
        })?;
        let best = best.flatten();
        Ok(best.filter(|&best| best == Outcome::Win || !unknown))
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
fn or_missing<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(known) => Ok(Some(known)),
        Err(ProbeError::TableMissing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
