//! Derives and stores the plies that a compact database leaves out.

use std::convert::Infallible;
use std::sync::Arc;

use endmill_dbformat::Store;
use endmill_games::Features;
use endmill_layout::{Group, Layout};

use crate::budget::Budget;
use crate::derive;
use crate::held::Form;
use crate::load::{self, Stored, load};
use crate::numbered::Numbered;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::resident::Resident;
use crate::save::{Contents, Saving, SolvedTable};
use crate::schedule::{self, Schedule, Source, Visitor, Way};
use crate::{Progress, SolveError};

/// Derives tables of `from` whose plies are left out, and stores them with plies in `to`.
pub(crate) fn expand<G: Layout>(
    game: &G,
    from: &Store,
    to: &Store,
    tables: &[G::Table],
    budget: &Budget,
    progress: &impl Progress,
) -> Result<(), SolveError> {
    let plan = Plan {
        groups: tables.iter().map(|&table| alone(game, table)).collect(),
    };
    for group in &plan.groups {
        let missing = group
            .depends_on
            .iter()
            .filter(|&&table| !derive::is_stored(from, table));
        let missing: Vec<String> = missing.map(ToString::to_string).collect();
        if !missing.is_empty() {
            return Err(SolveError::Dependencies {
                group: group.name(),
                directory: from.directory().into(),
                missing,
            });
        }
    }
    let mut expander = Expander {
        game,
        from,
        to,
        budget,
        progress,
    };
    Schedule::new(&plan, budget).run(&mut expander, progress)?;
    Ok(())
}

/// A table by itself, with the tables that its plies follow from.
fn alone<G: Features>(game: &G, table: G::Table) -> PlannedGroup<G::Table> {
    let depends_on = derive::ahead(game, table);
    let size = game.size(table);
    let outside: u64 = depends_on.iter().map(|&table| game.size(table)).sum();
    let largest = depends_on.iter().map(|&table| game.size(table)).max();
    // Two bytes a position of what is derived, of the outcomes it is compared with, and of what is
    // being read; a byte of what has been read.
    let memory = Memory {
        all: outside + 4 * size + 2 * largest.unwrap_or(0),
        outside,
    };
    PlannedGroup {
        tables: vec![(table, size)],
        depends_on,
        sweeps: !game.has_inside_turns(table),
        placing: game.pieces(table).in_hand > 0,
        memory,
        memory_with_plies: memory,
    }
}

struct Expander<'a, G, P> {
    game: &'a G,
    from: &'a Store,
    to: &'a Store,
    budget: &'a Budget,
    progress: &'a P,
}

impl<G: Layout, P: Progress> Visitor<G::Table> for Expander<'_, G, P> {
    type Pending = Infallible;

    fn needs(&self, _: &PlannedGroup<G::Table>) -> Form {
        Form::Bytes
    }

    fn memory(&self, group: &PlannedGroup<G::Table>) -> Memory {
        group.memory
    }

    fn source(&self, table: G::Table, form: Form) -> Source<G::Table> {
        schedule::files(self.game, table, form)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        form: Form,
        _: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        let stored = Stored::in_form(form, self.game, self.from, table)?;
        load::fetch(&stored, resident, self.budget, self.progress)
    }

    /// Derives the table, compares it with the outcomes that are stored, and stores it.
    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        let (table, size) = planned.tables[0];
        self.progress.group(&planned.name(), size);
        let derived = derive::by_rows(self.game, table, resident, self.budget, self.progress)?;
        let group = self.game.group(table);
        let rows = group.tables().into_iter().find(|(own, _)| *own == table);
        let numbered = Numbered::new(&group, rows.expect("a table is in its group").1, size);
        self.progress.phase(&format!("reading {table}"));
        let stored = Stored::outcomes(self.game, self.from, table)?;
        let read = load(&stored, &numbered, resident, self.budget, self.progress)?;
        let index = |node| numbered.position_of_node(node);
        derive::compare_outcomes(&table, &read.outcomes(), &derived, index)?;
        drop(read);
        self.progress.phase(&format!("storing {table}"));
        let solved = SolvedTable {
            game: self.game,
            table,
            numbered,
            contents: &Contents::Plies(Arc::new(derived)),
        };
        let saving = Saving {
            store: self.to,
            budget: self.budget,
        };
        let codecs = saving.choose_codecs(&solved)?;
        let statistics = saving.save(&solved, &codecs, self.progress)?;
        self.progress.stored(&table.to_string(), &statistics);
        self.progress.finished(&planned.name());
        Ok(None)
    }
}
