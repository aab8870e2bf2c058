//! The schedule: which group's turn it is, and which tables are resident in which form until when.
//!
//! Building, verifying and measuring are [`Visitor`]s of it. The schedule goes through a plan group
//! by group. Before a visit it sees that the tables which the group leads to are resident in the
//! form that the visitor needs them in; after it, every table is held in the smallest form in which
//! a later group needs it, and forgotten if none does. Where the budget is short, the tables whose
//! next use is farthest away go first, to scratch files if there is room for them; they come back from
//! there, or are fetched again, when their time comes.
//!
//! A visit may leave a [`Rest`], as storing is when a group has been solved. It is done beside the
//! visit of the next group, so that no thread is idle while the other work has nothing for it; if
//! memory does not hold both, before it.
//!
//! Where several processes build one database, a group may have to wait for another process. The
//! schedule then goes on with the groups behind it, and comes back.

use std::collections::BTreeMap;
use std::convert::Infallible;

use endmill_games::Numbering;

use crate::budget::Budget;
use crate::held::Form;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::resident::{NextUse, Resident};
use crate::{Progress, SolveError};

/// What is done with every group of a plan.
pub trait Visitor<T> {
    /// What visits leave to do; [`Infallible`] if nothing.
    type Rest: Rest<T>;

    /// In which form the tables that a group leads to must be resident.
    fn needs(&self, group: &PlannedGroup<T>) -> Form;

    /// The memory that a visit takes, with the tables that the group leads to.
    fn memory(&self, group: &PlannedGroup<T>) -> Memory;

    /// Whether it is the turn of the group of this number.
    fn turn(&mut self, _number: usize, _group: &PlannedGroup<T>) -> Result<Turn, SolveError> {
        Ok(Turn::Visit)
    }

    /// Waits a moment for others, since every group that is left has to wait; `group` is the first
    /// of them.
    fn wait(&mut self, _group: &PlannedGroup<T>) -> Result<(), SolveError> {
        Ok(())
    }

    /// What has to be resident before a table can be fetched in a form.
    fn source(&self, table: T, form: Form) -> Source<T>;

    /// Makes a table resident in a form or a greater one, in the way that its
    /// [source](Visitor::source) said. The tables of the source are resident.
    fn fetch(
        &mut self,
        table: T,
        form: Form,
        way: Way,
        resident: &mut Resident<T>,
    ) -> Result<(), SolveError>;

    /// Does the work. The tables that the group leads to are resident; whoever has solved or read
    /// the tables of the group makes them resident for later ones. What is left to do is given back.
    fn visit(
        &mut self,
        group: &PlannedGroup<T>,
        resident: &mut Resident<T>,
    ) -> Result<Option<Self::Rest>, SolveError>;
}

/// What is left to do of a group that has been visited.
pub trait Rest<T>: Send {
    /// The tables that must stay resident until it is done: they cannot be fetched yet.
    fn tables(&self) -> Vec<T>;

    /// Bytes of memory that it takes beside the tables that are resident.
    fn memory(&self, resident: &Resident<T>) -> u64;

    /// Does it. Says whether another group is visited meanwhile.
    fn finish(self, beside: bool) -> Result<(), SolveError>;
}

impl<T> Rest<T> for Infallible {
    fn tables(&self) -> Vec<T> {
        match *self {}
    }

    fn memory(&self, _: &Resident<T>) -> u64 {
        match *self {}
    }

    fn finish(self, _: bool) -> Result<(), SolveError> {
        match self {}
    }
}

/// What the rest of one group keeps in memory while the next is visited.
struct Kept<T> {
    tables: Vec<T>,
    /// Beside the tables that are resident.
    bytes: u64,
}

/// What decides whether a group is visited while the rest of the one before is done.
pub(crate) struct Beside {
    /// Of the visit.
    pub(crate) memory: Memory,
    /// Bytes of all tables that are resident.
    pub(crate) resident: u64,
    /// Of those, the tables that the group leads to.
    pub(crate) there: u64,
    /// Of those, the tables that the rest keeps and the group does not lead to.
    pub(crate) staying: u64,
    /// Bytes of the rest beside the tables that are resident.
    pub(crate) kept: u64,
}

impl Beside {
    /// Whether the budget holds both, without a table leaving memory that could stay.
    pub(crate) fn fits(&self, limit: u64) -> bool {
        let least = self.memory.all.saturating_add(self.staying);
        let all = self.memory.still_needed(self.there);
        let all = all.saturating_add(self.resident);
        let fits = |bytes: u64| bytes.saturating_add(self.kept) <= limit;
        fits(all) || (all > limit && fits(least))
    }
}

/// Bytes of a budget that tables may take during a visit: those that the group leads to take `there`
/// already, and the rest of the group before takes `kept`.
pub(crate) fn left_for_tables(limit: u64, memory: Memory, there: u64, kept: u64) -> u64 {
    let needed = memory.still_needed(there).saturating_add(kept);
    limit.saturating_sub(needed)
}

/// What to do with a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is visited now.
    Visit,
    /// There is nothing to do.
    Skip,
    /// Another process is at it, or at a table that it leads to: it is asked about again later.
    Later,
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

/// A plan, with the groups that use each table, and the memory to go through it.
pub struct Schedule<'a, T> {
    plan: &'a Plan<T>,
    budget: &'a Budget,
    /// For each table the numbers of the groups that lead to it, in order.
    users: BTreeMap<T, Vec<usize>>,
}

impl<'a, T: Copy + Ord + std::fmt::Display> Schedule<'a, T> {
    /// Of all groups of a plan.
    pub fn new(plan: &'a Plan<T>, budget: &'a Budget) -> Schedule<'a, T> {
        let mut users: BTreeMap<T, Vec<usize>> = BTreeMap::new();
        for (number, group) in plan.groups.iter().enumerate() {
            for &table in &group.depends_on {
                users.entry(table).or_default().push(number);
            }
        }
        Schedule {
            plan,
            budget,
            users,
        }
    }

    /// Visits every group that is not skipped; gives what is resident in the end.
    pub fn run<V: Visitor<T>>(
        &self,
        visitor: &mut V,
        progress: &impl Progress,
    ) -> Result<Resident<T>, SolveError> {
        let (mut resident, mut rest) = (Resident::new(), None);
        let end = self.go_through(visitor, progress, &mut resident, &mut rest);
        // Whatever else ends it, what has been solved is not lost.
        let finished = match rest {
            Some(rest) if !progress.stopped() => rest.finish(false),
            _ => Ok(()),
        };
        end.and(finished)?;
        Ok(resident)
    }

    /// Visits every group that is not skipped; what the last visit leaves to do is in `rest`.
    fn go_through<V: Visitor<T>>(
        &self,
        visitor: &mut V,
        progress: &impl Progress,
        resident: &mut Resident<T>,
        rest: &mut Option<V::Rest>,
    ) -> Result<(), SolveError> {
        let mut left: Vec<usize> = (0..self.plan.groups.len()).collect();
        while !left.is_empty() {
            let mut later = Vec::new();
            let mut visited = false;
            for number in left {
                if progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                match visitor.turn(number, &self.plan.groups[number])? {
                    Turn::Visit => {
                        let before = rest.take();
                        *rest = self.visit_after(before, number, visitor, progress, resident)?;
                    }
                    Turn::Skip => continue,
                    Turn::Later => {
                        later.push(number);
                        continue;
                    }
                }
                visited = true;
            }
            if !visited {
                // Others may be waiting for it.
                rest.take().map_or(Ok(()), |rest| rest.finish(false))?;
                if let Some(&first) = later.first() {
                    visitor.wait(&self.plan.groups[first])?;
                }
            }
            left = later;
        }
        Ok(())
    }

    /// Visits a group, and does the rest of the one before beside it, if memory allows.
    fn visit_after<V: Visitor<T>>(
        &self,
        before: Option<V::Rest>,
        number: usize,
        visitor: &mut V,
        progress: &impl Progress,
        resident: &mut Resident<T>,
    ) -> Result<Option<V::Rest>, SolveError> {
        let Some(before) = before else {
            return self.visit(number, None, visitor, progress, resident);
        };
        let kept = Kept {
            tables: before.tables(),
            bytes: before.memory(resident),
        };
        if !self.has_room_beside(&kept, number, visitor, resident) {
            before.finish(false)?;
            return self.visit(number, None, visitor, progress, resident);
        }
        let mut finished = Ok(());
        let visited = rayon::in_place_scope(|scope| {
            scope.spawn(|_| finished = before.finish(true));
            self.visit(number, Some(&kept), visitor, progress, resident)
        });
        finished.and(visited)
    }

    /// Whether a group can be visited while a rest is done. One thread would gain nothing, and no
    /// table that could stay should have to leave memory for it.
    fn has_room_beside(
        &self,
        kept: &Kept<T>,
        number: usize,
        visitor: &impl Visitor<T>,
        resident: &Resident<T>,
    ) -> bool {
        if rayon::current_num_threads() == 1 || self.budget.is_short() {
            return false;
        }
        let group = &self.plan.groups[number];
        let staying = kept.tables.iter().copied();
        let staying: Vec<T> = staying
            .filter(|table| !group.depends_on.contains(table))
            .collect();
        let beside = Beside {
            memory: visitor.memory(group),
            resident: resident.bytes(),
            there: resident.bytes_of(&group.depends_on),
            staying: resident.bytes_of(&staying),
            kept: kept.bytes,
        };
        beside.fits(self.budget.limit())
    }

    fn visit<V: Visitor<T>>(
        &self,
        number: usize,
        kept: Option<&Kept<T>>,
        visitor: &mut V,
        progress: &impl Progress,
        resident: &mut Resident<T>,
    ) -> Result<Option<V::Rest>, SolveError> {
        let group = &self.plan.groups[number];
        let is_short = visitor.memory(group).all > self.budget.limit();
        self.budget.be_short(is_short);
        self.make_room(number, kept, visitor, progress, resident);
        if is_short {
            resident.leave_memory(self.budget)?;
        }
        let form = visitor.needs(group);
        let tables = &group.depends_on;
        self.fetch(number, tables, form, visitor, progress, resident)?;
        // What was fetched only as the source of others may be in the way.
        self.make_room(number, kept, visitor, progress, resident);
        let rest = visitor.visit(group, resident)?;
        let kept = rest.as_ref().map(Rest::tables).unwrap_or_default();
        self.tidy(number + 1, &kept, visitor, resident)?;
        Ok(rest)
    }

    /// Makes tables resident that are not, each after its source.
    fn fetch(
        &self,
        number: usize,
        tables: &[T],
        form: Form,
        visitor: &mut impl Visitor<T>,
        progress: &impl Progress,
        resident: &mut Resident<T>,
    ) -> Result<(), SolveError> {
        for &table in tables {
            if resident.has(table, form) {
                continue;
            }
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            if resident.is_spilled(table, form) {
                progress.phase("reading from scratch files");
                if resident.restore(table, form, self.budget)? {
                    continue;
                }
            }
            let source = visitor.source(table, form);
            self.fetch(
                number,
                &source.tables,
                source.form,
                visitor,
                progress,
                resident,
            )?;
            visitor.fetch(table, form, source.way, resident)?;
            if !resident.has(table, form) {
                return Err(SolveError::without_plies(table, table));
            }
            let later = self.form_from(number, table, visitor);
            resident.reduce(
                table,
                later.map_or(form, |later| later.max(form)),
                self.budget,
            )?;
        }
        Ok(())
    }

    /// Takes away tables that a group does not lead to until its memory fits the budget, beside what
    /// is kept for a rest.
    fn make_room(
        &self,
        number: usize,
        kept: Option<&Kept<T>>,
        visitor: &impl Visitor<T>,
        progress: &impl Progress,
        resident: &mut Resident<T>,
    ) {
        let group = &self.plan.groups[number];
        let there = resident.bytes_of(&group.depends_on);
        let kept_bytes = kept.map_or(0, |kept| kept.bytes);
        let limit = left_for_tables(
            self.budget.limit(),
            visitor.memory(group),
            there,
            kept_bytes,
        );
        if resident.bytes() <= limit {
            return;
        }
        progress.phase("spilling to scratch files");
        resident.shrink(limit, self.budget, |table| {
            let is_kept = kept.is_some_and(|kept| kept.tables.contains(&table));
            if is_kept || group.depends_on.contains(&table) {
                return NextUse::Now;
            }
            let next = self.users_from(number, table).first();
            next.map_or(NextUse::Never, |&group| NextUse::Group(group))
        });
    }

    /// Forgets what no group from the given one on needs, but for some tables, and reduces the others
    /// to what they need.
    fn tidy(
        &self,
        number: usize,
        kept: &[T],
        visitor: &impl Visitor<T>,
        resident: &mut Resident<T>,
    ) -> Result<(), SolveError> {
        resident.keep(|table| kept.contains(&table) || !self.users_from(number, table).is_empty());
        for table in resident.tables() {
            if let Some(form) = self.form_from(number, table, visitor) {
                resident.reduce(table, form, self.budget)?;
            }
        }
        Ok(())
    }

    /// The groups from the given one on that lead to a table.
    pub(crate) fn users_from(&self, number: usize, table: T) -> &[usize] {
        let users = self.users.get(&table).map_or(&[][..], Vec::as_slice);
        &users[users.partition_point(|&user| user < number)..]
    }

    /// The greatest form that these groups need it in.
    fn form_from(&self, number: usize, table: T, visitor: &impl Visitor<T>) -> Option<Form> {
        let users = self.users_from(number, table).iter();
        users
            .map(|&user| visitor.needs(&self.plan.groups[user]))
            .max()
    }
}

/// The source of a table that is read from its files: the tables that positions which are not
/// stored are resolved from.
pub(crate) fn files<G: endmill_games::Features>(
    game: &G,
    table: G::Table,
    form: Form,
) -> Source<G::Table> {
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
