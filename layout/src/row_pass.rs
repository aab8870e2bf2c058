//! A part solved row by row, with the rest of it out of memory.

use crate::group::Visit;

/// A part whose plies can be worked through in one pass over the rows each.
///
/// Its phases have equally many rows. The un-moves of a row of the first phase lead to one row of the
/// second alone, the one in the same place; the un-moves of the second phase are asked for by the row
/// that they lead to.
pub trait RowPass: Send + Sync {
    /// Buffers that one thread reuses from row to row.
    type Scratch;

    /// Visits the rows of the first phase that the un-moves of a row of the second lead to. A row
    /// may come more than once.
    fn rows_before(&self, row: usize, visit: &mut impl FnMut(usize));

    /// Visits every node of a row of the first phase from which an inside turn leads to one of some
    /// nodes of the second. `asked_about` appends which columns of a row these are, in increasing
    /// order.
    fn unmoves_into(
        &self,
        row: usize,
        asked_about: &mut impl FnMut(usize, &mut Vec<u32>),
        scratch: &mut Self::Scratch,
        visit: &mut impl Visit,
    );
}
