//! The grid, or the row pass, of a layout that has none.

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::grid::Grid;
use crate::group::{Seed, Solved, Visit};
use crate::row_pass::RowPass;

/// A form of a part that its layout does not have. `T` is the type of its tables or its scratch.
pub struct Absent<T>(Infallible, PhantomData<fn() -> T>);

impl<Table: Copy + Ord> Grid for Absent<Table> {
    type Table = Table;

    fn cells(&self, _: usize) -> usize {
        match self.0 {}
    }

    fn seed(&self, _: usize, _: &impl Solved<Table>, _: &mut impl FnMut(usize, Seed)) {
        match self.0 {}
    }

    fn unmoves(&self, _: usize, _: &[u32], _: &mut impl FnMut(u32, &[u32])) {
        match self.0 {}
    }

    fn compact<N: Copy>(&self, _: usize, _: &[N], _: &mut [N]) {
        match self.0 {}
    }
}

impl<Scratch> RowPass for Absent<Scratch> {
    type Scratch = Scratch;

    fn rows_before(&self, _: usize, _: &mut impl FnMut(usize)) {
        match self.0 {}
    }

    fn unmoves_into(
        &self,
        _: usize,
        _: &mut impl FnMut(usize, &mut Vec<u32>),
        _: &mut Scratch,
        _: &mut impl Visit,
    ) {
        match self.0 {}
    }
}
