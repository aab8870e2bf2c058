//! Derives plies that are not stored from the tables one turn ahead.
//!
//! A compact database leaves the plies of some tables out
//! ([`Features::leaves_plies_out`](endmill_games::Features::leaves_plies_out)). Such a table is
//! derived as a whole: by rows, with the forward sweep of the verifier, or, for a proof, by turns.
//! Both need only the tables that the turns lead to, all of which are stored.

use std::fmt::Debug;

use endmill_dbformat::{Kind, Store};
use endmill_games::{Features, Numbering, Value};
use endmill_layout::{BestTurns, Group, NodeValue, Part, Solved};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::held::Form;
use crate::mismatch::Mismatch;
use crate::nodes::{Nodes, OutcomeNodes};
use crate::numbered::Numbered;
use crate::places::Places;
use crate::proof::by_turns;
use crate::resident::Resident;
use crate::schedule::{Source, Way};
use crate::{Progress, SolveError};

/// Positions that one task derives by turns.
const POSITIONS_PER_TASK: usize = 1 << 16;

/// The tables that the turns of a table lead to, in its group and outside.
pub(crate) fn ahead<G: Numbering>(game: &G, table: G::Table) -> Vec<G::Table> {
    let inside = game.has_inside_turns(table).then(|| game.partner(table));
    // If no game leads to the partner, the table does not exist and has no inside turns.
    let together = game.solved_together(table);
    let inside = inside.filter(|partner| together.contains(partner));
    let mut tables = game.outside(table);
    tables.extend(inside.filter(|partner| !tables.contains(partner)));
    tables
}

/// The source of a table that is derived.
pub(crate) fn source<G: Numbering>(game: &G, table: G::Table) -> Source<G::Table> {
    Source {
        way: Way::Derive,
        tables: ahead(game, table),
        form: Form::Bytes,
    }
}

/// Returns true if a store has no plies of a table, but those of all tables ahead of it.
pub(crate) fn can_be_derived<G: Features>(game: &G, store: &Store, table: G::Table) -> bool {
    let mut ahead = ahead(game, table).into_iter();
    let has_plies = store.path(&table.to_string(), Kind::Plies).is_file();
    game.leaves_plies_out(table) && !has_plies && ahead.all(|ahead| is_stored(store, ahead))
}

/// Returns true if both files of a table exist.
pub(crate) fn is_stored(store: &Store, table: impl std::fmt::Display) -> bool {
    let name = table.to_string();
    let mut kinds = Kind::VALUES.into_iter();
    kinds.all(|kind| store.path(&name, kind).is_file())
}

/// Derives a table by rows, laid out as in its group. The tables ahead are resident with plies.
pub(crate) fn by_rows<L: Group>(
    numbered: &Numbered<'_, L>,
    table: L::Table,
    solved: &Resident<L::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Nodes, SolveError>
where
    L::Table: Debug,
{
    let group = numbered.group();
    let mut nodes = budget.nodes(numbered.rows().len() * group.width())?;
    let in_place = group.layers() == 1 && group.parts(0) == 1;
    let homes = group.phase_tables();
    for layer in 0..group.layers() {
        for number in 0..group.parts(layer) {
            let part = group.part(layer, number);
            let phases = (0..homes.len()).filter(|&phase| homes[phase] == Some(table));
            for phase in phases {
                if in_place {
                    derive_phase(&part, phase, solved, &mut nodes, progress)?;
                    continue;
                }
                let count = part.phases()[phase].len() * part.width(phase);
                let mut derived = vec![NodeValue::DRAW; count];
                derive_phase(&part, phase, solved, &mut derived, progress)?;
                Places::of(&part, phase).put(&derived, &mut nodes);
            }
        }
    }
    Ok(nodes)
}

/// Fails unless the plies of all tables ahead are resident.
pub(crate) fn check_ahead<G: Numbering>(
    game: &G,
    table: G::Table,
    solved: &Resident<G::Table>,
) -> Result<(), SolveError> {
    let mut ahead = ahead(game, table).into_iter();
    match ahead.find(|&ahead| !solved.has_plies(ahead)) {
        None => Ok(()),
        Some(without) => Err(SolveError::without_plies(table, without)),
    }
}

/// Fills in the nodes of a phase. None of its rows is mirrored: a table that leads to itself is
/// not left out.
fn derive_phase<P: Part>(
    part: &P,
    phase: usize,
    solved: &impl Solved<P::Table>,
    nodes: &mut [NodeValue],
    progress: &impl Progress,
) -> Result<(), SolveError> {
    let first = part.phases()[phase].start;
    let rows = nodes.par_chunks_mut(part.width(phase).max(1));
    rows.enumerate()
        .small_chunks(1)
        .try_for_each_init(BestTurns::default, |best, (row, nodes)| {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let best = best.of_row(part, first + row, solved);
            match NodeValue::fill(nodes, best.iter().copied()) {
                true => Ok(()),
                false => Err(SolveError::TooDeep),
            }
        })
}

/// Derives a table by turns, in the order of its numbers; `value` returns the value of a position of
/// the tables ahead.
pub(crate) fn by_numbers<G: Numbering>(
    game: &G,
    table: G::Table,
    value: &(impl Fn(G::Table, &G::Position) -> Value + Sync),
    budget: &Budget,
    progress: &impl Progress,
) -> Result<Nodes, SolveError> {
    let mut values = budget.nodes(game.size(table) as usize)?;
    let tasks = values.par_chunks_mut(POSITIONS_PER_TASK);
    tasks
        .enumerate()
        .small_chunks(1)
        .try_for_each_init(Vec::new, |turns, (task, values)| {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let numbers = (task * POSITIONS_PER_TASK) as u64..;
            for (node, index) in values.iter_mut().zip(numbers) {
                *node = code(by_turns(game, &game.unrank(table, index), turns, value))?;
            }
            Ok(())
        })?;
    Ok(values)
}

/// Compares the stored outcomes of a table with the derived ones, both in the same order. `index`
/// returns the number of the position at a place.
pub(crate) fn compare_outcomes(
    table: &impl std::fmt::Display,
    stored: &OutcomeNodes,
    derived: &Nodes,
    index: impl FnOnce(usize) -> u64,
) -> Result<(), SolveError> {
    let stored = stored.nodes();
    let values = || stored.par_iter().zip(&derived[..]);
    let differ = |(stored, derived): (&NodeValue, &NodeValue)| {
        stored.value().outcome() != derived.value().outcome()
    };
    let Some(place) = values().position_first(differ) else {
        return Ok(());
    };
    Err(SolveError::Differs(Mismatch::Outcome {
        table: table.to_string(),
        index: index(place),
        stored: stored[place].value().outcome(),
        derived: derived[place].value(),
    }))
}

fn code(value: Value) -> Result<NodeValue, SolveError> {
    NodeValue::try_new(value).ok_or(SolveError::TooDeep)
}
