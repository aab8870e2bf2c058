//! A solved table in one of the forms in which it may be resident.
//!
//! Each form is a type. [`Bytes`] and [`Nodes`] always have exact plies, because they are made from
//! exact nodes only; a table without plies can only be [`Outcomes`]. Packing a table, spilling it to a
//! scratch file and restoring it preserve that.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use endmill_games::value::{NodeValue, OUTCOMES_PER_BYTE, TableValues};
use rayon::prelude::*;

use crate::SolveError;
use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::memory::{Buffer, Word};
use crate::nodes::{Nodes, OutcomeNodes};
use crate::spill::Spilled;

/// Bytes that one task packs.
const BYTES_PER_TASK: usize = 1 << 16;

/// The forms in which a table may be resident. A greater form can replace a smaller one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Two bits per node: outcomes only.
    Outcomes,
    /// A byte per node, with exact plies; two where some plies do not fit a byte.
    Bytes,
    /// Two bytes per node, with exact plies.
    Nodes,
}

/// A table in memory.
#[derive(Debug)]
pub(crate) enum Held {
    /// Outcomes only.
    Outcomes(Outcomes),
    /// Exact values.
    Bytes(Bytes),
    /// Exact values. A table that is being stored is shared with its writer.
    Nodes(Arc<Nodes>),
}

/// Outcomes, four in a byte, as [`NodeValue::pack_outcomes`] packs them.
#[derive(Debug)]
pub(crate) struct Outcomes(Buffer<u8>);

/// Exact values, one in a byte, as [`NodeValue::to_byte`] packs them.
#[derive(Debug)]
pub(crate) struct Bytes(Buffer<u8>);

impl Outcomes {
    /// Packs the outcomes of a table whose plies are unknown.
    pub(crate) fn of(nodes: &OutcomeNodes, budget: &Budget) -> Result<Outcomes, SolveError> {
        let nodes = nodes.nodes();
        Outcomes::pack(nodes.len(), TableValues::Nodes(nodes), budget)
    }

    fn pack(
        count: usize,
        values: TableValues<'_>,
        budget: &Budget,
    ) -> Result<Outcomes, SolveError> {
        let mut packed = budget.buffer(count.div_ceil(OUTCOMES_PER_BYTE))?;
        let tasks = packed.par_chunks_mut(BYTES_PER_TASK);
        tasks.enumerate().small_chunks(1).for_each(|(task, bytes)| {
            let first = task * BYTES_PER_TASK * OUTCOMES_PER_BYTE;
            for (i, byte) in bytes.iter_mut().enumerate() {
                let start = first + i * OUTCOMES_PER_BYTE;
                let end = (start + OUTCOMES_PER_BYTE).min(count);
                let mut nodes = [NodeValue::DRAW; OUTCOMES_PER_BYTE];
                for (value, node) in nodes.iter_mut().zip(start..end) {
                    *value = values.node(node);
                }
                *byte = NodeValue::pack_outcomes(&nodes);
            }
        });
        Ok(Outcomes(packed))
    }
}

impl Bytes {
    /// Packs exact values, or returns `None` if some plies do not fit a byte.
    fn pack(nodes: &Nodes, budget: &Budget) -> Result<Option<Bytes>, SolveError> {
        let mut packed = budget.buffer(nodes.len())?;
        let fits = AtomicBool::new(true);
        let bytes = packed.par_chunks_mut(BYTES_PER_TASK);
        let nodes = nodes.par_chunks(BYTES_PER_TASK);
        bytes.zip(nodes).small_chunks(1).for_each(|(bytes, nodes)| {
            let mut all_fit = true;
            for (byte, node) in bytes.iter_mut().zip(nodes) {
                let short = node.to_byte();
                all_fit &= short.is_some();
                *byte = short.unwrap_or(0);
            }
            if !all_fit {
                fits.store(false, Ordering::Relaxed);
            }
        });
        Ok(fits.into_inner().then_some(Bytes(packed)))
    }
}

impl Held {
    /// The form in which the table is held.
    pub(crate) fn form(&self) -> Form {
        match self {
            Held::Outcomes(_) => Form::Outcomes,
            Held::Bytes(_) => Form::Bytes,
            Held::Nodes(_) => Form::Nodes,
        }
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Held::Outcomes(Outcomes(packed)) | Held::Bytes(Bytes(packed)) => packed.bytes(),
            Held::Nodes(nodes) => nodes.bytes(),
        }
    }

    /// The values of its nodes.
    pub(crate) fn values(&self) -> TableValues<'_> {
        match self {
            Held::Outcomes(Outcomes(packed)) => TableValues::Outcomes(packed),
            Held::Bytes(Bytes(packed)) => TableValues::Bytes(packed),
            Held::Nodes(nodes) => TableValues::Nodes(nodes),
        }
    }

    /// Releases the pages of a table in a scratch file until they are used again.
    pub(crate) fn release_pages(&self) {
        match self {
            Held::Outcomes(Outcomes(packed)) | Held::Bytes(Bytes(packed)) => packed.release_pages(),
            Held::Nodes(nodes) => nodes.release_pages(),
        }
    }

    /// Packs the table into a smaller form, or returns `None` if some plies do not fit it.
    pub(crate) fn packed(&self, form: Form, budget: &Budget) -> Result<Option<Held>, SolveError> {
        if let (Held::Nodes(nodes), Form::Bytes) = (self, form) {
            return Ok(Bytes::pack(nodes, budget)?.map(Held::Bytes));
        }
        let count = match self {
            Held::Outcomes(Outcomes(packed)) => packed.len() * OUTCOMES_PER_BYTE,
            Held::Bytes(Bytes(packed)) => packed.len(),
            Held::Nodes(nodes) => nodes.len(),
        };
        let outcomes = Outcomes::pack(count, self.values(), budget)?;
        Ok(Some(Held::Outcomes(outcomes)))
    }

    /// Moves the table to a mapped scratch file, if the budget has no memory for it.
    pub(crate) fn leave_memory(&mut self, budget: &Budget) -> Result<(), SolveError> {
        match self {
            Held::Outcomes(Outcomes(packed)) | Held::Bytes(Bytes(packed)) => {
                if let Some(copy) = scratch_copy(packed, budget)? {
                    *packed = copy;
                }
            }
            Held::Nodes(nodes) => {
                if let Some(copy) = scratch_copy(nodes, budget)? {
                    *nodes = Arc::new(copy);
                }
            }
        }
        Ok(())
    }

    /// Writes the table to a packed scratch file, if there is room for one.
    pub(crate) fn spill(&self, budget: &Budget) -> Option<Away> {
        Some(match self {
            Held::Outcomes(Outcomes(packed)) => Away::Outcomes(budget.spill(packed)?),
            Held::Bytes(Bytes(packed)) => Away::Bytes(budget.spill(packed)?),
            Held::Nodes(nodes) => Away::Nodes(budget.spill(nodes)?),
        })
    }
}

/// Copies an array to a scratch file, unless it is in one or the budget has memory for it.
fn scratch_copy<T: Word>(
    buffer: &Buffer<T>,
    budget: &Budget,
) -> Result<Option<Buffer<T>>, SolveError> {
    if buffer.is_scratch() {
        return Ok(None);
    }
    let mut copy = budget.buffer(buffer.len())?;
    if !copy.is_scratch() {
        return Ok(None);
    }
    copy.copy_from_slice(buffer);
    copy.release_pages();
    Ok(Some(copy))
}

/// A table in a packed scratch file.
#[derive(Debug)]
pub(crate) enum Away {
    Outcomes(Spilled<u8>),
    Bytes(Spilled<u8>),
    Nodes(Spilled<NodeValue>),
}

impl Away {
    /// The form in which the table was held.
    pub(crate) fn form(&self) -> Form {
        match self {
            Away::Outcomes(_) => Form::Outcomes,
            Away::Bytes(_) => Form::Bytes,
            Away::Nodes(_) => Form::Nodes,
        }
    }

    /// Brings the table back, or returns `None` if the file cannot be read.
    pub(crate) fn restore(&self, budget: &Budget) -> Result<Option<Held>, SolveError> {
        Ok(match self {
            Away::Outcomes(spilled) => {
                restored(spilled, budget)?.map(|packed| Held::Outcomes(Outcomes(packed)))
            }
            Away::Bytes(spilled) => {
                restored(spilled, budget)?.map(|packed| Held::Bytes(Bytes(packed)))
            }
            Away::Nodes(spilled) => {
                restored(spilled, budget)?.map(|nodes| Held::Nodes(Arc::new(nodes)))
            }
        })
    }
}

fn restored<T: Word>(
    spilled: &Spilled<T>,
    budget: &Budget,
) -> Result<Option<Buffer<T>>, SolveError> {
    let mut buffer = budget.buffer(spilled.len())?;
    Ok(spilled.read(&mut buffer).is_ok().then_some(buffer))
}
