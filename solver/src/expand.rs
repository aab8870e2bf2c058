//! Derives and stores the plies that a compact database leaves out.

use std::convert::Infallible;
use std::sync::Arc;

use endmill_dbformat::Store;
use endmill_games::Features;
use endmill_layout::Layout;

use crate::budget::Budget;
use crate::derive;
use crate::held::Form;
use crate::load::Stored;
use crate::numbered::Numbered;
use crate::plan::{Memory, Plan, PlannedGroup};
use crate::reader::Reader;
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
    let reader = Reader {
        game,
        store: from,
        budget,
        progress,
    };
    let mut expander = Expander { reader, to };
    Schedule::new(&plan, budget).run(&mut expander, progress)?;
    Ok(())
}

/// Plans a single table, with the tables that its plies follow from.
fn alone<G: Features>(game: &G, table: G::Table) -> PlannedGroup<G::Table> {
    let depends_on = derive::ahead(game, table);
    let size = game.size(table);
    let outside: u64 = depends_on.iter().map(|&table| game.size(table)).sum();
    let largest = depends_on.iter().map(|&table| game.size(table)).max();
    // Two bytes per position for the derived table, for the outcomes that it is compared with, and
    // for the table being read; a byte for those that have been read.
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
    reader: Reader<'a, G, P>,
    to: &'a Store,
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
        schedule::files(self.reader.game, table, form)
    }

    fn fetch(
        &mut self,
        table: G::Table,
        form: Form,
        way: Way,
        resident: &mut Resident<G::Table>,
    ) -> Result<(), SolveError> {
        self.reader.fetch_rows(table, form, way, resident)
    }

    /// Derives the table, compares it with the stored outcomes, and stores it.
    fn visit(
        &mut self,
        planned: &PlannedGroup<G::Table>,
        resident: &mut Resident<G::Table>,
    ) -> Result<Option<Infallible>, SolveError> {
        let Reader {
            game,
            store,
            budget,
            progress,
        } = self.reader;
        let (table, size) = planned.tables[0];
        progress.group(&planned.name(), size);
        let group = game.group(table);
        let numbered = Numbered::of(&group, table, size);
        let stored = Stored::open(game, store, table, false)?;
        let derived = self.reader.derive_checked(&stored, &numbered, resident)?;
        progress.phase(&format!("storing {table}"));
        let solved = SolvedTable {
            game,
            table,
            numbered,
            contents: &Contents::Plies(Arc::new(derived)),
        };
        let saving = Saving {
            store: self.to,
            budget,
        };
        let codecs = saving.choose_codecs(&solved)?;
        let statistics = saving.save(&solved, &codecs, progress)?;
        progress.stored(&table.to_string(), &statistics);
        progress.finished(&planned.name());
        Ok(None)
    }
}
