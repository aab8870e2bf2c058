//! Copying stored tables, to measure the cost of reading and storing.

use std::fmt::Display;

use endmill_dbformat::{Kind, Store};
use endmill_layout::Layout;

use crate::SolveError;
use crate::budget::Budget;
use crate::held::Form;
use crate::load::Stored;
use crate::nodes::Solution;
use crate::numbered::Numbered;
use crate::reader::Reader;
use crate::resident::Resident;
use crate::save::{Contents, Saving, SolvedTable};
use crate::schedule::{Residency, Way};

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
    let reader = Reader {
        game,
        store: from,
        budget: &budget,
        progress: &(),
    };
    let mut resident = Resident::new();
    for needed in game.resolved_from(table) {
        fetch(&reader, needed, &mut resident)?;
    }
    done();
    let stored = Stored::open(game, from, table, has_plies(from, table))?;
    let group = game.group(table);
    let numbered = Numbered::of(&group, table, game.size(table));
    let contents = match reader.read(&stored, &numbered, &resident, |_, _| ())? {
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

/// Returns true if the plies of a table are stored.
fn has_plies(store: &Store, table: impl Display) -> bool {
    store.path(&table.to_string(), Kind::Plies).is_file()
}

/// Makes a table resident, after the tables that it is resolved from.
fn fetch<G: Layout>(
    reader: &Reader<'_, G, ()>,
    table: G::Table,
    resident: &mut Resident<G::Table>,
) -> Result<(), SolveError> {
    if resident.has(table, Form::Outcomes) {
        return Ok(());
    }
    for needed in reader.game.resolved_from(table) {
        fetch(reader, needed, resident)?;
    }
    let form = match has_plies(reader.store, table) {
        true => Form::Bytes,
        false => Form::Outcomes,
    };
    reader.fetch_rows(table, form, Way::Read, resident)?;
    resident.reduce(table, Form::Bytes, reader.budget)
}
