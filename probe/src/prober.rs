//! Probing with buffers of the caller.
//!
//! Every question decodes into buffers. The methods of a [`Database`] use those of the thread; a
//! search with a struct per thread keeps a [`ProbeContext`] there and asks through a [`Prober`].

use std::cell::RefCell;

use endmill_dbformat::DecodeContext;
use endmill_games::by_turns::value_by_turns;
use endmill_games::{Features, Outcome, Value, Verdict};

use crate::database::{Database, Missing, Origin, or_missing};
use crate::error::{ProbeError, Result};

thread_local! {
    static CONTEXT: RefCell<ProbeContext> = RefCell::default();
}

/// Buffers for decoding, without any state: they can be used with any database of any game. Once they
/// have grown, probing outcomes allocates nothing.
#[derive(Default)]
pub struct ProbeContext(DecodeContext);

impl ProbeContext {
    pub(crate) fn decode(&mut self) -> &mut DecodeContext {
        &mut self.0
    }
}

/// A database together with the buffers that its questions use.
///
/// ```no_run
/// # fn ask(database: &endmill_probe::Database<endmill_games::draughts::Draughts>) -> endmill_probe::Result<()> {
/// # use endmill_games::prelude::*;
/// # let position = database.game().start();
/// let mut context = endmill_probe::ProbeContext::default();
/// let mut prober = database.prober(&mut context);
/// println!("{:?}", prober.probe_outcome(&position)?);
/// # Ok(())
/// # }
/// ```
pub struct Prober<'a, G: Features> {
    pub(crate) database: &'a Database<G>,
    context: &'a mut DecodeContext,
}

impl<G: Features> Database<G> {
    /// Probes with buffers of the caller instead of those of the thread.
    pub fn prober<'a>(&'a self, context: &'a mut ProbeContext) -> Prober<'a, G> {
        Prober {
            database: self,
            context: &mut context.0,
        }
    }

    /// Probes with the buffers of the thread. `ask` must not use the database in any other way.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&mut Prober<'_, G>) -> T) -> T {
        CONTEXT.with_borrow_mut(|context| ask(&mut self.prober(context)))
    }
}

impl<G: Features> Prober<'_, G> {
    pub(crate) fn context(&mut self) -> &mut DecodeContext {
        self.context
    }

    /// As [`Database::probe`].
    pub fn probe(&mut self, position: &G::Position) -> Result<Verdict> {
        match self.known(position)? {
            Ok(verdict) => Ok(verdict),
            Err(missing) => Ok(self.by_turns(position)?.map_err(|_| missing)?),
        }
    }

    /// As [`Database::probe_outcome`].
    pub fn probe_outcome(&mut self, position: &G::Position) -> Result<Option<Outcome>> {
        match self.known_outcome(position)? {
            Some(outcome) => Ok(Some(outcome)),
            None => self.outcome_by_turns(position),
        }
    }

    /// Returns the value of a position by its table, which may resolve or derive it, or by the rules
    /// if the game is over.
    pub(crate) fn known(
        &mut self,
        position: &G::Position,
    ) -> Result<std::result::Result<Verdict, Missing<G::Table>>> {
        let Database { game, lookup } = self.database;
        match self.database.origin(position) {
            Origin::Turns => self.by_turns(position),
            Origin::Rules(value) => Ok(Ok(value.into())),
            Origin::Missing(missing) => Ok(Err(missing)),
            Origin::File(entry) => {
                match or_missing(lookup.verdict(game, entry, position, self.context))? {
                    Some(known) => self.derived(entry, position, known).map(Ok),
                    None => Ok(Err(Missing(Some(entry.table)))),
                }
            }
        }
    }

    /// Returns the value that a position's turns prove, or a table that is missing for that.
    fn by_turns(
        &mut self,
        position: &G::Position,
    ) -> Result<std::result::Result<Verdict, Missing<G::Table>>> {
        let game = &self.database.game;
        let mut missing = Missing(game.table_of(position));
        let by_turns = value_by_turns(game, position, Value::Win(1).into(), |after| {
            let known = self.known(after)?;
            Ok::<_, ProbeError>(known.map_err(|here| missing = here).ok())
        })?;
        Ok(by_turns.verdict().ok_or(missing))
    }

    /// As [`known`](Prober::known), for the outcome; `None` if a table is missing.
    pub(crate) fn known_outcome(&mut self, position: &G::Position) -> Result<Option<Outcome>> {
        let Database { game, lookup } = self.database;
        match self.database.origin(position) {
            Origin::Turns => self.outcome_by_turns(position),
            Origin::Rules(value) => Ok(Some(value.outcome())),
            Origin::Missing(_) => Ok(None),
            Origin::File(entry) => or_missing(lookup.outcome(game, entry, position, self.context)),
        }
    }

    /// Stops at the first turn that wins.
    fn outcome_by_turns(&mut self, position: &G::Position) -> Result<Option<Outcome>> {
        let (game, win) = (&self.database.game, Outcome::Win.into());
        let by_turns = value_by_turns(game, position, win, |after| {
            Ok::<_, ProbeError>(self.known_outcome(after)?.map(Verdict::from))
        })?;
        Ok(by_turns.verdict().map(Verdict::outcome))
    }
}
