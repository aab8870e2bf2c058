//! Solving in memory, with nothing stored.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::{Debug, Display};

use endmill_layout::{Group, Layout};

use crate::budget::Budget;
use crate::held::Form;
use crate::nodes::Solution;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::resident::Resident;
use crate::schedule::{self, Schedule, Source, Visitor, Way};
use crate::{Progress, SolveError, retrograde};

/// Solves a plan in memory. Calls `solved` after each group, while its tables and those they lead to
/// are resident with their nodes.
pub fn solve_plan<G: Layout>(
    game: &G,
    plan: &Plan<G::Table>,
    budget: &Budget,
    progress: &impl Progress,
    solved: impl FnMut(&PlannedGroup<G::Table>, &Resident<G::Table>),
) -> Result<(), SolveError> {
    check_sizes(game, plan)?;
    let mut solver = Solver {
        game,
        budget,
        progress,
        solved,
    };
    Schedule::new(plan, budget).run(&mut solver, progress)?;
    Ok(())
}

/// Fails unless all groups of a plan can be laid out.
pub(crate) fn check_sizes<G: Layout>(game: &G, plan: &Plan<G::Table>) -> Result<(), SolveError> {
    let mut tables = plan.groups.iter().flat_map(|group| &group.tables);
    match tables.find(|(table, _)| !game.can_lay_out(*table)) {
        None => Ok(()),
        Some((table, _)) => Err(SolveError::TooLarge {
            table: table.to_string(),
        }),
    }
}

/// Solves a group whose `outside` tables are resident, and makes its tables resident. Its plies are
/// exact if those of all outside tables are known; a group with inside turns needs them.
pub(crate) fn solve_group<L: Group>(
    group: &L,
    outside: &[L::Table],
    resident: &mut Resident<L::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<BTreeMap<L::Table, Solution>, SolveError>
where
    L::Table: Debug + Display,
{
    let without = outside.iter().find(|&&table| !resident.has_plies(table));
    if group.has_inside_turns()
        && let Some(&without) = without
    {
        return Err(SolveError::without_plies(group.tables()[0].0, without));
    }
    let is_exact = without.is_none();
    let mut solutions = BTreeMap::new();
    for (table, nodes) in retrograde::solve(group, resident, budget, progress)? {
        let solution = Solution::new(nodes, is_exact);
        resident.put_solution(table, &solution, budget)?;
        solutions.insert(table, solution);
    }
    Ok(solutions)
}

/// Solves the group of a table again if the stored form does not do. The tables that
/// [`schedule::group`] names are resident.
pub(crate) fn solve_again<G: Layout>(
    game: &G,
    table: G::Table,
    resident: &mut Resident<G::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<(), SolveError> {
    let outside = schedule::group(game, table).tables;
    let group = game.group(table);
    solve_group(&group, &outside, resident, budget, progress).map(drop)
}

struct Solver<'a, G, P, F> {
    game: &'a G,
    budget: &'a Budget,
    progress: &'a P,
    solved: F,
}

impl<G, P, F> Visitor<G::Table> for Solver<'_, G, P, F>
where
    G: Layout,
    P: Progress,
    F: FnMut(&PlannedGroup<G::Table>, &Resident<G::Table>),
{
    type Pending = Infallible;

    fn needs(&self, _: &PlannedGroup<G::Table>) -> Form {
        Form::Nodes
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        group.memory_with_plies
    }

    fn source(&self, table: G::Table, _: Form) -> Source<G::Table> {
        schedule::group(self.game, table)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        _: Form,
        _: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        solve_again(self.game, table, resident, self.budget, self.progress)
    }

    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        self.progress.group(&planned.name(), planned.positions());
        let group = self.game.group(planned.tables[0].0);
        let outside = &planned.depends_on;
        solve_group(&group, outside, resident, self.budget, self.progress)?;
        (self.solved)(planned, resident);
        Ok(None)
    }
}
