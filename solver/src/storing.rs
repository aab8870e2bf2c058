//! Copying stored tables, to measure the cost of reading and storing.

use endmill_dbformat::{Kind, Store};
use endmill_layout::{Group, Layout};

use crate::SolveError;
use crate::budget::Budget;
use crate::held::Form;
use crate::load::{self, Stored};
use crate::nodes::Solution;
use crate::numbered::Numbered;
use crate::resident::Resident;
use crate::save::{Contents, Saving, SolvedTable};
use crate::schedule::Residency;

/// Reads a table of a store, with its plies if it has any, and writes it to another store. Calls `done`
/// when the tables that it is resolved from are resident, when it has been read, and when it has been
/// written.
pub fn copy_table<G: Layout>(
    game: &G,
    table: G::Table,
    [from, to]: [&Store; 2],
    mut done: impl FnMut(),
) -> Result<(), SolveError> {
    let budget = Budget::unlimited();
    let mut resident = Resident::new();
    for needed in game.resolved_from(table) {
        fetch(game, from, needed, &budget, &mut resident)?;
    }
    done();
    let stored = open(game, from, table)?;
    let group = game.group(table);
    let rows = group.tables().into_iter().find(|&(own, _)| own == table);
    let (_, rows) = rows.expect("a table is in its group");
    let numbered = Numbered::new(&group, rows, game.size(table));
    let contents = match load::load(&stored, &numbered, &resident, &budget, &())? {
        Solution::Exact(nodes) => Contents::Plies(nodes),
        Solution::Outcomes(outcomes) => Contents::Outcomes(outcomes),
    };
    done();
    let saving = Saving {
        store: to,
        budget: &budget,
    };
    let solved = SolvedTable {
        game,
        table,
        numbered,
        contents: &contents,
    };
    let codecs = saving.choose_codecs(&solved)?;
    saving.save(&solved, &codecs, &())?;
    done();
    Ok(())
}

/// Opens a table with its plies, if it has any.
fn open<'a, G: Layout>(
    game: &'a G,
    store: &Store,
    table: G::Table,
) -> endmill_dbformat::Result<Stored<'a, G>> {
    match store.path(&table.to_string(), Kind::Plies).is_file() {
        true => Stored::values(game, store, table),
        false => Stored::outcomes(game, store, table),
    }
}

/// Makes a table resident, after the tables that it is resolved from.
fn fetch<G: Layout>(
    game: &G,
    store: &Store,
    table: G::Table,
    budget: &Budget,
    resident: &mut Resident<G::Table>,
) -> Result<(), SolveError> {
    if resident.has(table, Form::Outcomes) {
        return Ok(());
    }
    for needed in game.resolved_from(table) {
        fetch(game, store, needed, budget, resident)?;
    }
    let stored = open(game, store, table)?;
    load::fetch(&stored, resident, budget, &())?;
    resident.reduce(table, Form::Bytes, budget)
}
