//! Reads a stored table back into nodes, with the reader and the resolving rule that the probe
//! uses.
//!
//! Positions that are not stored are resolved by their turns, one by one; the tables that these
//! lead to must be at hand.

use std::convert::Infallible;

use dbformat::{DecodeContext, OutcomeTable, PlyTable, Store};
use games::group::{Code, Group, Solved};
use games::{Clue, Game, Outcome, Value, best_turn};
use rayon::prelude::*;

use crate::SolveError;
use crate::nodes::Nodes;
use crate::numbered::Numbered;
use crate::room::Room;

/// Positions that one task decodes at the least; blocks at the ends of a task are decoded twice.
const POSITIONS_PER_TASK: u64 = 1 << 20;

/// A stored table with its files open.
pub(crate) struct Stored<'a, G: Game> {
    game: &'a G,
    table: G::Table,
    outcomes: OutcomeTable,
    plies: Option<PlyTable>,
}

/// The value of a position by its turns, in tables at hand.
pub(crate) fn derive<G: Game>(
    game: &G,
    position: &G::Position,
    solved: &impl Solved<G::Table>,
) -> Value {
    let worth = |after: &G::Position| {
        let value = match game.table_of(after) {
            Some(table) => solved.values(table).code(game.node(after)).value(),
            None => game.finished(after).expect("a position without a table"),
        };
        Ok::<_, Infallible>(value.one_turn_earlier())
    };
    let Ok(best) = best_turn(game, position, Value::Win(1), worth);
    best.unwrap_or(Value::LOST)
}

impl<'a, G: Game> Stored<'a, G> {
    pub(crate) fn open(
        game: &'a G,
        store: &Store,
        table: G::Table,
    ) -> dbformat::Result<Stored<'a, G>> {
        let outcomes = store.outcomes(&table.to_string(), game.size(table))?;
        let plies = match store.plies(&outcomes) {
            Err(dbformat::Error::Missing { .. }) => None,
            plies => Some(plies?),
        };
        Ok(Stored {
            game,
            table,
            outcomes,
            plies,
        })
    }

    /// The same without plies, whether they are stored or not.
    fn without_plies(mut self) -> Stored<'a, G> {
        self.plies = None;
        self
    }

    /// Whether plies are stored. Without them a decoded loss has 0 plies and a win 1.
    pub(crate) fn has_plies(&self) -> bool {
        self.plies.is_some()
    }

    /// The counts that its header states.
    pub(crate) fn statistics(&self) -> &dbformat::Statistics {
        self.outcomes.file().statistics()
    }

    /// Appends the codes of a range of positions.
    fn read(
        &self,
        positions: std::ops::Range<u64>,
        solved: &impl Solved<G::Table>,
        buffers: &mut Buffers,
        codes: &mut Vec<Code>,
    ) -> dbformat::Result<()> {
        let mut at = positions.start;
        while at < positions.end {
            let (block, within) = self.outcomes.file().locate(at);
            if buffers.block != Some(block) {
                self.read_block(block, solved, buffers)?;
                buffers.block = Some(block);
            }
            let rest = &buffers.values[within..];
            let count = rest.len().min((positions.end - at) as usize);
            codes.extend(rest[..count].iter().map(|&value| Code::new(value)));
            at += count as u64;
        }
        Ok(())
    }

    /// Decodes a block, and resolves what is not stored in it.
    fn read_block(
        &self,
        block: usize,
        solved: &impl Solved<G::Table>,
        buffers: &mut Buffers,
    ) -> dbformat::Result<()> {
        let Buffers {
            context,
            outcomes,
            values,
            clues,
            ..
        } = buffers;
        let file = self.outcomes.file();
        let first = block as u64 * u64::from(file.header().positions_per_block);
        let end = first + file.positions_in(block) as u64;
        self.game.clues(self.table, first..end, clues);
        let of_block = |_, given: &mut Vec<Clue>| given.clone_from(clues);
        self.outcomes
            .read_block(block, of_block, context, outcomes)?;
        match &self.plies {
            Some(plies) => plies.read_block(block, outcomes, of_block, context, values)?,
            None => {
                values.clear();
                values.extend(outcomes.iter().map(|&outcome| without_plies(outcome)));
            }
        }
        let resolved = (first..end).zip(clues.iter().zip(values));
        for (index, (_, value)) in resolved.filter(|(_, (clue, _))| clue.resolved) {
            let derived = derive(self.game, &self.game.unrank(self.table, index), solved);
            *value = match self.plies {
                Some(_) => derived,
                None => without_plies(derived.outcome()),
            };
        }
        Ok(())
    }
}

fn without_plies(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Loss => Value::Loss(0),
        Outcome::Draw => Value::Draw,
        Outcome::Win => Value::Win(1),
    }
}

#[derive(Default)]
struct Buffers {
    context: DecodeContext,
    block: Option<usize>,
    outcomes: Vec<Outcome>,
    values: Vec<Value>,
    clues: Vec<Clue>,
}

/// Decodes a table of a laid out group. The tables that it is
/// [resolved from](Game::resolved_from) are in `solved`.
pub(crate) fn load<G: Game, L: Group>(
    stored: &Stored<'_, G>,
    numbered: &Numbered<'_, L>,
    solved: &impl Solved<G::Table>,
    room: &Room,
) -> Result<Nodes, SolveError> {
    let width = numbered.width().max(1);
    let rows = numbered.rows();
    let mut nodes = room.nodes(rows.len() * width)?;
    let rows_per_task = (POSITIONS_PER_TASK as usize / width).max(1);
    let tasks = nodes.states_mut().par_chunks_mut(rows_per_task * width);
    tasks.enumerate().try_for_each_init(
        || (Buffers::default(), Vec::new()),
        |(buffers, codes), (task, nodes)| -> dbformat::Result<()> {
            buffers.block = None;
            for (i, nodes) in nodes.chunks_mut(width).enumerate() {
                let row = rows.start + task * rows_per_task + i;
                codes.clear();
                stored.read(numbered.positions_of(row), solved, buffers, codes)?;
                numbered.spread(row, codes, nodes);
            }
            Ok(())
        },
    )?;
    Ok(nodes)
}

/// Decodes a table by itself; tells whether plies are stored.
pub(crate) fn load_table<G: Game>(
    game: &G,
    store: &Store,
    table: G::Table,
    solved: &impl Solved<G::Table>,
    room: &Room,
) -> Result<(Nodes, bool), SolveError> {
    load_stored(&Stored::open(game, store, table)?, solved, room)
}

/// Decodes the outcomes of a table by itself.
pub(crate) fn load_outcomes<G: Game>(
    game: &G,
    store: &Store,
    table: G::Table,
    solved: &impl Solved<G::Table>,
    room: &Room,
) -> Result<Nodes, SolveError> {
    let stored = Stored::open(game, store, table)?.without_plies();
    Ok(load_stored(&stored, solved, room)?.0)
}

fn load_stored<G: Game>(
    stored: &Stored<'_, G>,
    solved: &impl Solved<G::Table>,
    room: &Room,
) -> Result<(Nodes, bool), SolveError> {
    let Stored { game, table, .. } = *stored;
    let group = game.group(table);
    let rows = group.tables().into_iter().find(|&(t, _)| t == table);
    let (_, rows) = rows.expect("a table is in its group");
    let numbered = Numbered::new(&group, rows, game.size(table));
    let nodes = load(stored, &numbered, solved, room)?;
    Ok((nodes, stored.has_plies()))
}
