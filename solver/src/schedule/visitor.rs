//! What a schedule does with every group of a plan.

use std::convert::Infallible;

use endmill_games::{Features, Numbering};

use crate::SolveError;
use crate::held::Form;
use crate::plan::{Memory, PlannedGroup};
use crate::resident::Resident;

/// What is done with every group of a plan, with the tables in `R`.
pub trait Visitor<T, R = Resident<T>> {
    /// What visits leave to do; [`Infallible`] if nothing.
    type Pending: PendingSave<T, R>;

    /// The form in which the tables that a group leads to must be resident.
    fn needs(&self, group: &PlannedGroup<T>) -> Form;

    /// The memory that a visit takes, with the tables that the group leads to.
    fn memory(&self, group: &PlannedGroup<T>) -> Memory;

    /// Decides what to do with the group of this number.
    fn decide(&mut self, _number: usize, _group: &PlannedGroup<T>) -> Result<Decision, SolveError> {
        Ok(Decision::Visit)
    }

    /// Waits a moment for other processes, since all remaining groups have to wait; `group` is the
    /// first of them.
    fn wait(&mut self, _group: &PlannedGroup<T>) -> Result<(), SolveError> {
        Ok(())
    }

    /// What must be resident before a table can be fetched in a form.
    fn source(&self, table: T, form: Form) -> Source<T>;

    /// Makes a table resident in a form or a greater one, in the way that its
    /// [source](Visitor::source) said. The tables of the source are resident.
    fn fetch(&mut self, table: T, form: Form, way: Way, resident: &mut R)
    -> Result<(), SolveError>;

    /// Does the work. The tables that the group leads to are resident; a visit that solves or reads
    /// the tables of the group makes them resident for later ones. Returns what is left to do.
    fn visit(
        &mut self,
        group: &PlannedGroup<T>,
        resident: &mut R,
    ) -> Result<Option<Self::Pending>, SolveError>;

    /// Finishes a group while no other one is visited.
    fn finish(&mut self, pending: Self::Pending, _resident: &mut R) -> Result<(), SolveError> {
        pending.finish()
    }

    /// The next visit begins while a group is finished.
    fn begin_beside(&mut self, _pending: &Self::Pending, _resident: &mut R) {}
}

/// What is left to do of a group that has been visited, such as storing it.
pub trait PendingSave<T, R = Resident<T>>: Send {
    /// The tables that must stay resident until it is done: they cannot be fetched yet.
    fn tables(&self) -> Vec<T>;

    /// The bytes of memory that it takes in addition to the tables that are resident.
    fn memory(&self, resident: &R) -> u64;

    /// Does it.
    fn finish(self) -> Result<(), SolveError>;

    /// Does it while another group is visited.
    fn finish_beside(self) -> Result<(), SolveError>;
}

impl<T, R> PendingSave<T, R> for Infallible {
    fn tables(&self) -> Vec<T> {
        match *self {}
    }

    fn memory(&self, _: &R) -> u64 {
        match *self {}
    }

    fn finish(self) -> Result<(), SolveError> {
        match self {}
    }

    fn finish_beside(self) -> Result<(), SolveError> {
        match self {}
    }
}

/// What to do with a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Visit it now.
    Visit,
    /// There is nothing to do.
    Skip,
    /// Another process works on it, or on a table that it leads to: ask about it again later.
    Postpone,
}

/// How a table is fetched. Decided once: files may change before the tables of the source are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From its files.
    Read,
    /// Its plies, which are left out, from the tables one turn ahead.
    Derive,
    /// By solving its group again.
    Solve,
}

/// What a table comes from.
#[derive(Clone, Debug)]
pub struct Source<T> {
    /// How it is fetched.
    pub way: Way,
    /// The tables that must be resident.
    pub tables: Vec<T>,
    /// The form that they must have.
    pub form: Form,
}

/// The source of a table that is read from its files: the tables that positions which are not
/// stored are resolved from.
pub(crate) fn files<G: Features>(game: &G, table: G::Table, form: Form) -> Source<G::Table> {
    Source {
        way: Way::Read,
        tables: game.resolved_from(table),
        form: form.min(Form::Bytes),
    }
}

/// The source of a table that is solved again: the tables that its group leads to.
pub(crate) fn group<G: Numbering>(game: &G, table: G::Table) -> Source<G::Table> {
    let tables = game.solved_together(table).into_iter();
    Source {
        way: Way::Solve,
        tables: tables.flat_map(|own| game.outside(own)).collect(),
        form: match game.has_inside_turns(table) {
            true => Form::Nodes,
            false => Form::Bytes,
        },
    }
}
