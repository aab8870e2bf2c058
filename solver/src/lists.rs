//! Long lists that are made while a table is stored, in memory or, where that is short, in a mapped
//! scratch file: who reads them goes from the first to the last.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use rayon::prelude::*;

use crate::SolveError;
use crate::budget::Budget;
use crate::nodes::Nodes;
use crate::pieces::Finely;

/// Values that one task writes.
const FILLED_PER_TASK: usize = 1 << 16;

/// As many values of a kind as it was made with.
pub(crate) struct List<T> {
    memory: Nodes,
    count: usize,
    values: PhantomData<T>,
}

impl<T: Copy + Send + Sync> List<T> {
    /// The same value over and over.
    pub(crate) fn new(value: T, count: usize, budget: &Budget) -> Result<List<T>, SolveError> {
        // Mapped memory begins with a page; no page is smaller.
        const { assert!(align_of::<T>() <= 4096) };
        let mut memory = budget.list_nodes((count * size_of::<T>()).div_ceil(2))?;
        let first: *mut MaybeUninit<T> = memory.states_mut().as_mut_ptr().cast();
        // SAFETY: the memory has room for `count` values, and is aligned for them; the borrow of it
        // is exclusive, and nothing need be there yet.
        let places = unsafe { std::slice::from_raw_parts_mut(first, count) };
        // There may be a hundred megabytes, which the system gives page by page as they are written.
        let places = places.par_chunks_mut(FILLED_PER_TASK).finely(1);
        places.for_each(|places| places.fill(MaybeUninit::new(value)));
        Ok(List {
            memory,
            count,
            values: PhantomData,
        })
    }

    /// The values.
    pub(crate) fn values(&self) -> &[T] {
        let first: *const T = self.memory.states().as_ptr().cast();
        // SAFETY: there are `count` values since it was made; nobody else writes this memory.
        unsafe { std::slice::from_raw_parts(first, self.count) }
    }

    /// The values, in parts of these lengths, to be replaced.
    ///
    /// # Panics
    /// If the parts are longer than the list.
    pub(crate) fn parts(&mut self, lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
        let first: *mut T = self.memory.states_mut().as_mut_ptr().cast();
        // SAFETY: as in `values`; the borrow is exclusive.
        let mut rest = unsafe { std::slice::from_raw_parts_mut(first, self.count) };
        let parts = lengths.map(|length| {
            let (part, after) = std::mem::take(&mut rest).split_at_mut(length);
            rest = after;
            part
        });
        parts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_the_same_in_memory_and_in_a_scratch_file() {
        let directory = tempfile::tempdir().unwrap();
        let short = Budget::new(100, directory.path().into());
        short.be_short(true);
        for budget in [Budget::unlimited(), short] {
            let mut list = List::new(Some(7u32), 1000, &budget).unwrap();
            for (number, part) in (0..).zip(list.parts([1, 0, 600].into_iter())) {
                part.fill(Some(number));
            }
            let values = list.values();
            assert_eq!(values.len(), 1000);
            assert_eq!(values[..2], [Some(0), Some(2)]);
            assert_eq!(values[600..602], [Some(2), Some(7)]);
            assert!(List::new(0u8, 0, &budget).unwrap().values().is_empty());
        }
    }
}
