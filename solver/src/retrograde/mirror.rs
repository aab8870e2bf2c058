//! Seeding a phase that repeats the other one, where memory holds neither.
//!
//! Neighbours in the second phase have their twins all over the first. So the second is seeded by
//! the stripe: the twins of a stripe are sorted, looked up from the first node to the last, and put
//! where they belong, which is in memory.

use endmill_layout::Part;
use rayon::prelude::*;

use crate::budget::Budget;
use crate::nodes::Nodes;

/// Bits of a place in a stripe; the rest of the word is the twin.
const PLACE_BITS: u32 = 24;
/// Bits of a node.
const NODE_BITS: u32 = u16::BITS;
/// A stripe's list of twins takes one part in this number of the budget, but has no fewer nodes than
/// these: for every stripe the whole first phase is read.
const STRIPE: u64 = 4;
const LEAST: u64 = 1 << 16;
/// Sections in which the twins of a stripe are looked up, so that little of the first phase is in
/// memory at a time.
const SECTIONS: usize = 64;

/// Whether the second phase of a part repeats the first.
pub(crate) fn is_mirrored(part: &impl Part) -> bool {
    let [_, rows] = part.phases();
    !rows.is_empty() && part.mirrored(rows.start, &mut Vec::new())
}

/// Seeds the second phase of such a part from the first.
pub(crate) fn seed(part: &impl Part, first: &Nodes, second: &mut Nodes, budget: &Budget) {
    let [_, rows] = part.phases();
    let width = part.width(1).max(1);
    let nodes = budget.limit() / STRIPE / size_of::<u64>() as u64;
    let nodes = nodes.clamp(LEAST, 1 << PLACE_BITS) as usize;
    let rows_per_stripe = (nodes / width).max(1);
    let mut list = vec![0; rows_per_stripe.min(rows.len()) * width];
    let stripes = second.sections(rows_per_stripe * width).into_iter();
    for (stripe, states) in rows.step_by(rows_per_stripe).zip(stripes) {
        let list = &mut list[..states.states.len()];
        let listed = list.par_chunks_mut(width).enumerate();
        listed.for_each_init(Vec::new, |twins, (row, list)| {
            part.mirrored(stripe + row, twins);
            let places = row * width..;
            for ((entry, &twin), place) in list.iter_mut().zip(twins.iter()).zip(places) {
                *entry = (twin as u64) << PLACE_BITS | place as u64;
            }
        });
        list.par_sort_unstable();
        let sections = list.par_chunks_mut(states.states.len().div_ceil(SECTIONS));
        sections.for_each(|list| {
            for entry in list {
                let node = first.states()[(*entry >> PLACE_BITS) as usize];
                let place = *entry & ((1 << PLACE_BITS) - 1);
                *entry = place << NODE_BITS | u64::from(node);
            }
            first.let_go();
        });
        for &entry in &*list {
            states.states[(entry >> NODE_BITS) as usize] = entry as u16;
        }
        states.let_go();
    }
}
