//! Reads a stored table back into nodes, with the reader that the probe uses.

use dbformat::{DecodeContext, OutcomeTable, PlyTable, Store};
use games::group::{Code, Group};
use games::{Game, Outcome, Value};
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
        buffers: &mut Buffers,
        codes: &mut Vec<Code>,
    ) -> dbformat::Result<()> {
        let mut at = positions.start;
        while at < positions.end {
            let (block, within) = self.outcomes.file().locate(at);
            if buffers.block != Some(block) {
                let Buffers {
                    context,
                    outcomes,
                    values,
                    ..
                } = buffers;
                let clues = |range, clues: &mut _| self.game.clues(self.table, range, clues);
                self.outcomes.read_block(block, clues, context, outcomes)?;
                match &self.plies {
                    Some(plies) => plies.read_block(block, outcomes, clues, context, values)?,
                    None => {
                        values.clear();
                        values.extend(outcomes.iter().map(|&outcome| without_plies(outcome)));
                    }
                }
                buffers.block = Some(block);
            }
            let rest = &buffers.values[within..];
            let count = rest.len().min((positions.end - at) as usize);
            codes.extend(rest[..count].iter().map(|&value| Code::new(value)));
            at += count as u64;
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
}

/// Decodes a table of a laid out group.
pub(crate) fn load<G: Game, L: Group>(
    stored: &Stored<'_, G>,
    numbered: &Numbered<'_, L>,
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
                stored.read(numbered.positions_of(row), buffers, codes)?;
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
    room: &Room,
) -> Result<(Nodes, bool), SolveError> {
    let stored = Stored::open(game, store, table)?;
    let group = game.group(table);
    let rows = group.tables().into_iter().find(|&(t, _)| t == table);
    let (_, rows) = rows.expect("a table is in its group");
    let nodes = load(
        &stored,
        &Numbered::new(&group, rows, game.size(table)),
        room,
    )?;
    Ok((nodes, stored.has_plies()))
}
