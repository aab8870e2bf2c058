//! Seeding a phase that repeats the other one, where memory holds neither.
//!
//! The twins of neighbours in the second phase are scattered over the first. So the second is seeded in
//! stripes that fit memory: the twins of a stripe are sorted, looked up in order, and written to the
//! stripe.

use endmill_layout::Part;
use rayon::prelude::*;

use crate::budget::Budget;
use crate::memory::{Buffer, Word};

/// The bits of a place in a stripe; the rest of the word is the twin.
const PLACE_BITS: u32 = 24;
/// The list of twins of a stripe takes one part in `STRIPE` of the budget, but has at least `LEAST`
/// nodes: for every stripe the whole first phase is read.
const STRIPE: u64 = 4;
const LEAST: u64 = 1 << 16;
/// The number of sections in which the twins of a stripe are looked up: pages of the first phase are
/// released after each.
const SECTIONS: usize = 64;

/// Returns true if the second phase of a part repeats the first.
pub(crate) fn is_mirrored(part: &impl Part) -> bool {
    let [_, rows] = part.phases();
    !rows.is_empty() && part.mirrored(rows.start, &mut Vec::new())
}

/// Seeds the second phase of such a part from the first.
pub(crate) fn seed<T: Word>(
    part: &impl Part,
    first: &Buffer<T>,
    second: &mut Buffer<T>,
    budget: &Budget,
) {
    let [_, rows] = part.phases();
    let width = part.width(1).max(1);
    let bytes_of_twin = size_of::<u64>() + size_of::<T>();
    let nodes = budget.limit() / STRIPE / bytes_of_twin as u64;
    let nodes = nodes.clamp(LEAST, 1 << PLACE_BITS) as usize;
    let rows_per_stripe = (nodes / width).max(1);
    let nodes = rows_per_stripe.min(rows.len()) * width;
    let (mut list, mut found) = (vec![0; nodes], vec![first[0]; nodes]);
    let stripes = second.sections(rows_per_stripe * width).into_iter();
    for (stripe, mut nodes) in rows.step_by(rows_per_stripe).zip(stripes) {
        let (list, found) = (&mut list[..nodes.len()], &mut found[..nodes.len()]);
        let listed = list.par_chunks_mut(width).enumerate();
        listed.for_each_init(Vec::new, |twins, (row, list)| {
            part.mirrored(stripe + row, twins);
            let places = row * width..;
            for ((entry, &twin), place) in list.iter_mut().zip(twins.iter()).zip(places) {
                *entry = (twin as u64) << PLACE_BITS | place as u64;
            }
        });
        list.par_sort_unstable();
        let section = nodes.len().div_ceil(SECTIONS);
        let sections = list.par_chunks(section).zip(found.par_chunks_mut(section));
        sections.for_each(|(list, found)| {
            for (found, &entry) in found.iter_mut().zip(list) {
                *found = first[(entry >> PLACE_BITS) as usize];
            }
            first.release_pages();
        });
        for (&found, &entry) in found.iter().zip(&*list) {
            nodes[(entry & ((1 << PLACE_BITS) - 1)) as usize] = found;
        }
        nodes.release_pages();
    }
}
