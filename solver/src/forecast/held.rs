//! The tables that are resident in a dry run.

use std::collections::BTreeMap;

use crate::held::Form;

/// Tables with their forms and sizes.
pub(super) struct Held<T> {
    tables: BTreeMap<T, One>,
    /// Of all of them.
    bytes: u64,
    /// Of those in scratch files.
    in_scratch: u64,
}

#[derive(Clone, Copy)]
struct One {
    form: Form,
    bytes: u64,
    is_scratch: bool,
}

impl<T: Copy + Ord> Held<T> {
    pub(super) fn new() -> Held<T> {
        Held {
            tables: BTreeMap::new(),
            bytes: 0,
            in_scratch: 0,
        }
    }

    /// Holds a table in a form, whatever it was held in before.
    pub(super) fn put(&mut self, table: T, form: Form, bytes: u64, is_scratch: bool) {
        self.forget(table);
        self.bytes = self.bytes.saturating_add(bytes);
        if is_scratch {
            self.in_scratch = self.in_scratch.saturating_add(bytes);
        }
        let one = One {
            form,
            bytes,
            is_scratch,
        };
        self.tables.insert(table, one);
    }

    /// Forgets a table; gives the form that it was held in.
    pub(super) fn forget(&mut self, table: T) -> Option<Form> {
        let one = self.tables.remove(&table)?;
        self.bytes -= one.bytes;
        if one.is_scratch {
            self.in_scratch -= one.bytes;
        }
        Some(one.form)
    }

    pub(super) fn tables(&self) -> Vec<T> {
        self.tables.keys().copied().collect()
    }

    pub(super) fn form(&self, table: T) -> Option<Form> {
        self.tables.get(&table).map(|one| one.form)
    }

    /// As the schedule counts them: scratch files too.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Those of some tables.
    pub(super) fn bytes_of(&self, tables: &[T]) -> u64 {
        let held = tables.iter().filter_map(|table| self.tables.get(table));
        held.map(|one| one.bytes).sum()
    }

    /// Bytes in memory: what is in scratch files is let go of.
    pub(super) fn in_memory(&self) -> u64 {
        self.bytes - self.in_scratch
    }

    /// Bytes of some tables that come into memory while they are looked at.
    pub(super) fn in_scratch_of(&self, tables: &[T]) -> u64 {
        let held = tables.iter().filter_map(|table| self.tables.get(table));
        let scratch = held.filter(|one| one.is_scratch);
        scratch.map(|one| one.bytes).sum()
    }
}
