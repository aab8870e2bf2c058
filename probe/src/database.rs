//! A database that is open, and the questions about one position.

use std::borrow::Cow;
use std::path::Path;

use games::{Game, Outcome};

use crate::error::{ProbeError, Result};
use crate::lookup::Lookup;
use crate::moves::settle;
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
    /// faster; for a draw or a loss all turns must be known.
    pub fn probe(&self, position: &G::Position) -> Result<Verdict> {
        match self.stored(position)? {
            Some(verdict) => Ok(verdict),
            None => {
                let moves = self.moves(position)?;
                settle(&moves).ok_or_else(|| self.missing(position))
            }
        }
    }

    /// Who wins, for searches: reads outcomes only, and once the buffers of a thread have grown it
    /// allocates nothing (with a cache: nothing but the blocks it keeps). `None` is what
    /// [`probe`](Database::probe) answers with a missing table; [`covers`](Database::covers) is
    /// the faster way to learn that.
    pub fn probe_outcome(&self, position: &G::Position) -> Result<Option<Outcome>> {
        if let Some(outcome) = self.stored_outcome(position)? {
            return Ok(Some(outcome));
        }
        // The best of the known turns, the first error, and whether a turn is unknown.
        let (mut best, mut failed, mut unknown) = (Outcome::Loss, None, false);
        self.game.visit_routes(position, &mut |after| {
            if best == Outcome::Win || failed.is_some() {
                return;
            }
            match self.stored_outcome(&after) {
                Ok(Some(outcome)) => best = best.max(-outcome),
                Ok(None) => unknown = true,
                Err(error) => failed = Some(error),
            }
        });
        match failed {
            Some(error) => Err(error),
            None => Ok((best == Outcome::Win || !unknown).then_some(best)),
        }
    }

    /// The value in the position's own table, or of a finished game; `None` if the table is not
    /// there. One look-up, never a chain.
    pub(crate) fn stored(&self, position: &G::Position) -> Result<Option<Verdict>> {
        let table = self.game.table_of(position);
        match table.and_then(|table| self.lookup.shelf.find(table)) {
            Some(entry) => or_missing(self.lookup.verdict(&self.game, entry, position)),
            None => Ok(self.game.finished(position).map(Verdict::from)),
        }
    }

    /// The same for the outcome.
    fn stored_outcome(&self, position: &G::Position) -> Result<Option<Outcome>> {
        let table = self.game.table_of(position);
        match table.and_then(|table| self.lookup.shelf.find(table)) {
            Some(entry) => or_missing(self.lookup.outcome(&self.game, entry, position)),
            None => Ok(self.game.finished(position).map(|value| value.outcome())),
        }
    }

    /// The error for a position whose table is not there.
    pub(crate) fn missing(&self, position: &G::Position) -> ProbeError {
        match self.game.table_of(position) {
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
