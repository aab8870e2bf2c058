//! Ranking the draws of a database: group by group, resumable, by any number of processes.

use std::convert::Infallible;
use std::fmt::Display;

use endmill_dbformat::{Claim, Claims, Manifest, Store, clean_leftovers};
use endmill_layout::{Group, Layout, PlainGroup};

use super::rank::Ranker;
use super::save::RankedTable;
use super::scores::{ChosenScores, ScoreError, TableScores};
use super::{Ranking, memory, source};
use crate::budget::Budget;
use crate::build::BuildOptions;
use crate::claiming::{claim, claims_of, seal, wait_for};
use crate::held::Form;
use crate::numbered::Numbered;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::resident::{Ranks, Resident};
use crate::schedule::{Decision, Schedule, Source, Visitor, Way};
use crate::{Progress, SolveError};

/// Ranks the draws of the groups of a plan whose ranks are missing in a store. The outcomes of all of
/// them, and the ranks of tables that the plan leads to and does not contain, must exist.
pub fn build_draws<G: Layout>(
    game: &G,
    store: &Store,
    plan: &Plan<G::Table>,
    chosen: &ChosenScores<G::Table>,
    options: &BuildOptions,
    progress: &impl Progress,
) -> Result<(), SolveError> {
    let scores = TableScores::of_plan(game, store, plan, chosen)?;
    clean_leftovers(store.directory())?;
    let claims = claims_of(store, options.claims, progress)?;
    let budget = Budget::new(options.memory, store.directory().into());
    let mut builder = Builder {
        ranking: Ranking {
            game,
            store,
            budget: &budget,
            progress,
            scores,
        },
        claims,
        claim: None,
        holder: &options.holder,
        before: store.manifest()?,
    };
    builder.check_dependencies(plan)?;
    let mut resident = Resident::new();
    let ranked = Schedule::new(plan, &budget).run_in(&mut resident, &mut builder, progress);
    builder.claim = None;
    let sealed = seal(store);
    ranked?;
    sealed?;
    Ok(builder.claims.clean()?)
}

/// What progress calls the ranking of a group.
pub fn ranks_of<T: Display>(group: &PlannedGroup<T>) -> String {
    format!("draw ranks of {}", group.name())
}

struct Builder<'a, G: Layout, P> {
    ranking: Ranking<'a, G, P>,
    claims: Claims,
    /// The claim on the group that is being ranked.
    claim: Option<Claim>,
    holder: &'a str,
    /// The manifest at the start: all that is known of tables without a record.
    before: Manifest,
}

impl<G: Layout, P: Progress> Builder<'_, G, P> {
    /// Returns true if the ranks of all these tables are stored; fails if they are by other scores.
    fn are_ranked(&self, tables: impl IntoIterator<Item = G::Table>) -> Result<bool, SolveError> {
        let Ranking { store, scores, .. } = &self.ranking;
        for table in tables {
            let name = table.to_string();
            if !store.has_draws(&name, &self.before)? {
                return Ok(false);
            }
            if store
                .draw_scores(&name)?
                .is_some_and(|id| id != scores.id())
            {
                return Err(ScoreError::Mixed { table: name }.into());
            }
        }
        Ok(true)
    }

    /// Rejects a plan that leads to tables without ranks which are not in it.
    fn check_dependencies(&self, plan: &Plan<G::Table>) -> Result<(), SolveError> {
        for group in &plan.groups {
            let is_own = |table| {
                plan.groups
                    .iter()
                    .any(|own| own.own_tables().any(|t| t == table))
            };
            let outside = group
                .depends_on
                .iter()
                .copied()
                .filter(|&table| !is_own(table));
            let mut missing = Vec::new();
            for table in outside {
                if !self.are_ranked([table])? {
                    missing.push(format!("{table}.drw"));
                }
            }
            if !missing.is_empty() {
                return Err(SolveError::Dependencies {
                    group: group.name(),
                    directory: self.ranking.store.directory().into(),
                    missing,
                });
            }
        }
        Ok(())
    }

    /// Ranks a laid out group, stores its ranks, and makes its tables resident.
    fn rank<L: Group<Table = G::Table>>(
        &self,
        group: &L,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        let Ranking {
            game,
            store,
            budget,
            progress,
            scores,
        } = &self.ranking;
        let first = group.phase_tables().into_iter().flatten().next();
        let first = first.expect("a group has a table");
        // Of the side to move in the first phase, whether or not that phase is laid out.
        let own = match group.phase_tables()[0] {
            Some(table) => scores.own(table),
            None => scores.own(first).map(|own| -own),
        };
        let numbered = |table| Numbered::of(group, table, game.size(table));
        let ranker = Ranker {
            scores: scores.numbers(),
            own,
            solved: &*resident,
            budget,
        };
        let ranked = ranker.rank(group, *progress, |table| {
            self.ranking.read(table, false, &numbered(table), resident)
        })?;
        let ranked = ranked.map_err(|misfit| SolveError::Misfit {
            group: planned.name(),
            misfit,
        })?;
        for (&table, states) in &ranked.tables {
            progress.phase(&format!("storing draw ranks of {table}"));
            let table = RankedTable {
                game: *game,
                table,
                numbered: numbered(table),
                states,
                scores,
            };
            table.save(store, *progress)?;
        }
        for (table, states) in ranked.tables {
            // Without a score of its own, what is left has rank 0: see `Ranker::own_of`.
            let own = scores.own(table).unwrap_or(0);
            let mut nodes = budget.nodes(states.len())?;
            super::rank::to_nodes(scores.numbers(), own, &states, &mut nodes);
            resident.put_ranks(table, nodes);
        }
        Ok(())
    }
}

impl<G: Layout, P: Progress> Visitor<G::Table, Resident<G::Table, Ranks>> for Builder<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, _: &PlannedGroup<G::Table>) -> Form {
        Form::Bytes
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        memory(self.ranking.game, group)
    }

    fn decide(&mut self, _: usize, group: &PlannedGroup<G::Table>) -> Result<Decision, SolveError> {
        if self.are_ranked(group.own_tables())? {
            self.ranking
                .progress
                .skipped(&ranks_of(group), group.positions());
            return Ok(Decision::Skip);
        }
        if !self.are_ranked(group.depends_on.iter().copied())? {
            return Ok(Decision::Postpone);
        }
        let Ranking {
            store, progress, ..
        } = self.ranking;
        let Some(claim) = claim(store, &self.claims, group, self.holder)? else {
            return Ok(Decision::Postpone);
        };
        // The previous holder of the claim may have finished since the files were looked up.
        if self.are_ranked(group.own_tables())? {
            progress.skipped(&ranks_of(group), group.positions());
            return Ok(Decision::Skip);
        }
        self.claim = Some(claim);
        Ok(Decision::Visit)
    }

    fn wait(&mut self, group: &PlannedGroup<G::Table>) -> Result<(), SolveError> {
        if let Some(held) = wait_for(self.ranking.store, group.involved())? {
            self.ranking.progress.waiting(&held.group, &held.holder);
        }
        Ok(())
    }

    fn source(&self, table: G::Table, _: Form) -> Source<G::Table> {
        source(self.ranking.game, table)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        _: Form,
        _: Way,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        self.ranking.fetch(table, resident)
    }

    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<Option<Infallible>, SolveError> {
        let Ranking { game, progress, .. } = self.ranking;
        progress.group(&ranks_of(planned), planned.positions());
        let table = planned.tables[0].0;
        match game.part_sizes(table) {
            None => self.rank(&game.group(table), planned, resident)?,
            Some(_) => self.rank(&PlainGroup::new(game, table), planned, resident)?,
        }
        self.claim = None;
        progress.finished(&ranks_of(planned));
        Ok(None)
    }
}
