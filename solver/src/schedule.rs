//! The schedule: which group comes next, and which tables are resident in which form until when.
//!
//! Building, verifying and measuring are [`Visitor`]s of it, and so is the forecast of a build, whose
//! [`Residency`] has sizes instead of tables. The schedule visits a plan group by group. Before a
//! visit it makes the tables that the group leads to resident in the form that the visitor needs;
//! afterwards every table is held in the smallest form in which a later group needs it, and forgotten
//! if none does. Where the budget is short, the tables that are needed last are evicted first, to
//! scratch files if there is room for them; they come back from there, or are fetched again, when they
//! are needed.
//!
//! A visit may leave a [`PendingSave`]: a solved group must be stored. That happens while the next group
//! is visited, so that threads which one of the two leaves idle work on the other; if memory does not
//! hold both, it happens before.
//!
//! Where several processes build one database, a group may have to wait for another process. The
//! schedule then continues with the groups behind it, and comes back.

mod residency;
mod visitor;

use std::collections::BTreeMap;

pub use self::residency::{NextUse, Residency};
pub use self::visitor::{Decision, PendingSave, Source, Visitor, Way};
pub(crate) use self::visitor::{files, group};
use crate::budget::Budget;
use crate::held::Form;
use crate::plan::Plan;
use crate::resident::Resident;
use crate::{Progress, SolveError};

/// What a group that is being finished keeps in memory while the next is visited.
struct Kept<T> {
    tables: Vec<T>,
    /// In addition to the tables that are resident.
    bytes: u64,
}

/// A plan, with the groups that use each table, and the memory to go through it.
pub struct Schedule<'a, T> {
    plan: &'a Plan<T>,
    budget: &'a Budget,
    threads: usize,
    /// For each table the numbers of the groups that lead to it, in order.
    users: BTreeMap<T, Vec<usize>>,
}

impl<'a, T: Copy + Ord + std::fmt::Display> Schedule<'a, T> {
    /// A schedule of all groups of a plan, for the threads of this pool.
    pub fn new(plan: &'a Plan<T>, budget: &'a Budget) -> Schedule<'a, T> {
        Schedule::for_threads(rayon::current_num_threads(), plan, budget)
    }

    /// A schedule for a number of threads.
    pub(crate) fn for_threads(
        threads: usize,
        plan: &'a Plan<T>,
        budget: &'a Budget,
    ) -> Schedule<'a, T> {
        let mut users: BTreeMap<T, Vec<usize>> = BTreeMap::new();
        for (number, group) in plan.groups.iter().enumerate() {
            for &table in &group.depends_on {
                users.entry(table).or_default().push(number);
            }
        }
        Schedule {
            plan,
            budget,
            threads,
            users,
        }
    }

    /// Visits every group that is not skipped. Returns what is resident in the end.
    pub fn run(
        &self,
        visitor: &mut impl Visitor<T>,
        progress: &impl Progress,
    ) -> Result<Resident<T>, SolveError> {
        let mut resident = Resident::new();
        self.run_in(&mut resident, visitor, progress)?;
        Ok(resident)
    }

    /// Visits every group that is not skipped, with the tables in `resident`.
    pub(crate) fn run_in<R: Residency<T>>(
        &self,
        resident: &mut R,
        visitor: &mut impl Visitor<T, R>,
        progress: &impl Progress,
    ) -> Result<(), SolveError> {
        let mut pending = None;
        let end = self.visit_all(visitor, progress, resident, &mut pending);
        // Whatever else ends the run, what has been solved is not lost.
        let finished = match pending {
            Some(pending) if !progress.stopped() => visitor.finish(pending, resident),
            _ => Ok(()),
        };
        end.and(finished)
    }

    /// Visits every group that is not skipped; what the last visit leaves to do is in `pending`.
    fn visit_all<R: Residency<T>, V: Visitor<T, R>>(
        &self,
        visitor: &mut V,
        progress: &impl Progress,
        resident: &mut R,
        pending: &mut Option<V::Pending>,
    ) -> Result<(), SolveError> {
        let mut left: Vec<usize> = (0..self.plan.groups.len()).collect();
        while !left.is_empty() {
            let mut later = Vec::new();
            let mut visited = false;
            for number in left {
                if progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                match visitor.decide(number, &self.plan.groups[number])? {
                    Decision::Visit => {
                        let before = pending.take();
                        *pending = self.visit_after(before, number, visitor, progress, resident)?;
                    }
                    Decision::Skip => continue,
                    Decision::Postpone => {
                        later.push(number);
                        continue;
                    }
                }
                visited = true;
            }
            if !visited {
                // Others may be waiting for it.
                if let Some(pending) = pending.take() {
                    visitor.finish(pending, resident)?;
                }
                if let Some(&first) = later.first() {
                    visitor.wait(&self.plan.groups[first])?;
                }
            }
            left = later;
        }
        Ok(())
    }

    /// Visits a group, and finishes the one before at the same time, if memory allows.
    fn visit_after<R: Residency<T>, V: Visitor<T, R>>(
        &self,
        before: Option<V::Pending>,
        number: usize,
        visitor: &mut V,
        progress: &impl Progress,
        resident: &mut R,
    ) -> Result<Option<V::Pending>, SolveError> {
        let Some(before) = before else {
            return self.visit(number, None, visitor, progress, resident);
        };
        let kept = Kept {
            tables: before.tables(),
            bytes: before.memory(resident),
        };
        if !self.has_room_beside(&kept, number, visitor, resident) {
            visitor.finish(before, resident)?;
            return self.visit(number, None, visitor, progress, resident);
        }
        visitor.begin_beside(&before, resident);
        let mut finished = Ok(());
        let visited = rayon::in_place_scope(|scope| {
            scope.spawn(|_| finished = before.finish_beside());
            self.visit(number, Some(&kept), visitor, progress, resident)
        });
        finished.and(visited)
    }

    /// Returns true if a group can be visited while the one before is finished. One thread would gain
    /// nothing, and no table that could stay should have to leave memory for it.
    fn has_room_beside<R: Residency<T>>(
        &self,
        kept: &Kept<T>,
        number: usize,
        visitor: &impl Visitor<T, R>,
        resident: &R,
    ) -> bool {
        if self.threads == 1 || self.budget.is_short() {
            return false;
        }
        let group = &self.plan.groups[number];
        let memory = visitor.memory(group);
        let mut staying = kept.tables.clone();
        staying.retain(|table| !group.depends_on.contains(table));
        let least = memory.all.saturating_add(resident.bytes_of(&staying));
        let there = resident.bytes_of(&group.depends_on);
        let all = memory.still_needed(there).saturating_add(resident.bytes());
        let limit = self.budget.limit();
        let fits = |bytes: u64| bytes.saturating_add(kept.bytes) <= limit;
        fits(all) || (all > limit && fits(least))
    }

    fn visit<R: Residency<T>, V: Visitor<T, R>>(
        &self,
        number: usize,
        kept: Option<&Kept<T>>,
        visitor: &mut V,
        progress: &impl Progress,
        resident: &mut R,
    ) -> Result<Option<V::Pending>, SolveError> {
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
        let pending = visitor.visit(group, resident)?;
        let kept = pending.as_ref().map(PendingSave::tables);
        self.tidy(number + 1, &kept.unwrap_or_default(), visitor, resident)?;
        Ok(pending)
    }

    /// Makes missing tables resident, each after its source.
    fn fetch<R: Residency<T>>(
        &self,
        number: usize,
        tables: &[T],
        form: Form,
        visitor: &mut impl Visitor<T, R>,
        progress: &impl Progress,
        resident: &mut R,
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

    /// Evicts tables that a group does not lead to until its memory fits the budget, together with what
    /// is kept for the group before.
    fn make_room<R: Residency<T>>(
        &self,
        number: usize,
        kept: Option<&Kept<T>>,
        visitor: &impl Visitor<T, R>,
        progress: &impl Progress,
        resident: &mut R,
    ) {
        let group = &self.plan.groups[number];
        let there = resident.bytes_of(&group.depends_on);
        let kept_bytes = kept.map_or(0, |kept| kept.bytes);
        let needed = visitor.memory(group).still_needed(there);
        let limit = self
            .budget
            .limit()
            .saturating_sub(needed.saturating_add(kept_bytes));
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

    /// Forgets the tables that no group from the given one on needs, except for those that are kept, and
    /// reduces the others to the forms that are needed.
    fn tidy<R: Residency<T>>(
        &self,
        number: usize,
        kept: &[T],
        visitor: &impl Visitor<T, R>,
        resident: &mut R,
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
    fn users_from(&self, number: usize, table: T) -> &[usize] {
        let users = self.users.get(&table).map_or(&[][..], Vec::as_slice);
        &users[users.partition_point(|&user| user < number)..]
    }

    /// The greatest form in which the groups from the given one on need a table.
    fn form_from<R>(&self, number: usize, table: T, visitor: &impl Visitor<T, R>) -> Option<Form> {
        let users = self.users_from(number, table).iter();
        users
            .map(|&user| visitor.needs(&self.plan.groups[user]))
            .max()
    }
}
