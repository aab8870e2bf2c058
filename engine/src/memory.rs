//! The transposition table.
//!
//! An entry holds the whole position, so that no position is mistaken for another. The best turn is
//! stored as its index in the list of turns, which is always in the same order.

use std::hash::{Hash, Hasher};

/// The relation of stored points to the true ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// The entry of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<P> {
    pub position: P,
    /// Counted from the position, not from the root.
    pub points: i32,
    /// The index of the best turn.
    pub best: u16,
    pub depth: u8,
    pub bound: Bound,
    /// The search that wrote it.
    age: u8,
}

/// Slots that are allocated together.
const CHUNK: usize = 1 << 12;

/// Entries by a hash of their positions, one per slot. A chunk of slots is allocated at its first use:
/// memory that a search never reaches costs nothing.
pub(crate) struct Memory<P> {
    chunks: Vec<Vec<Option<Entry<P>>>>,
    places: usize,
    age: u8,
}

impl<P: Copy + Eq + Hash> Memory<P> {
    /// Creates a table of this size.
    pub(crate) fn new(bytes: usize) -> Memory<P> {
        let places = (bytes / size_of::<Option<Entry<P>>>()).max(1);
        Memory {
            chunks: vec![Vec::new(); places.div_ceil(CHUNK)],
            places,
            age: 0,
        }
    }

    /// Entries written so far may be replaced by any later one.
    pub(crate) fn begin_search(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    pub(crate) fn find(&self, position: &P) -> Option<&Entry<P>> {
        let place = self.place(position);
        let entry = self.chunks[place / CHUNK].get(place % CHUNK)?.as_ref();
        entry.filter(|entry| entry.position == *position)
    }

    /// Stores a position, unless its slot has a deeper result of the same search.
    pub(crate) fn store(&mut self, position: &P, points: i32, best: usize, depth: u32, is: Bound) {
        let depth = depth.min(u32::from(u8::MAX)) as u8;
        let age = self.age;
        let place = self.place(position);
        let chunk = &mut self.chunks[place / CHUNK];
        if chunk.is_empty() {
            *chunk = vec![None; CHUNK.min(self.places)];
        }
        let place = &mut chunk[place % CHUNK];
        let stays = place
            .as_ref()
            .is_some_and(|old| old.position != *position && old.age == age && old.depth > depth);
        if !stays {
            *place = Some(Entry {
                position: *position,
                points,
                best: best as u16,
                depth,
                bound: is,
                age,
            });
        }
    }

    fn place(&self, position: &P) -> usize {
        let wide = u128::from(hash(position)) * self.places as u128;
        (wide >> 64) as usize
    }
}

/// A hash that is the same in every run and on every machine, unlike that of the standard maps.
pub(crate) fn hash(of: &impl Hash) -> u64 {
    let mut mixer = Mixer(0x9E37_79B9_7F4A_7C15);
    of.hash(&mut mixer);
    mixer.finish()
}

struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let mut whole = [0; 8];
            whole[..word.len()].copy_from_slice(word);
            let product = u128::from(self.0 ^ u64::from_le_bytes(whole)) * 0xA076_1D64_78BD_642F;
            self.0 = product as u64 ^ (product >> 64) as u64;
        }
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stored_positions_are_found() {
        let mut memory = Memory::new(100 * size_of::<Option<Entry<u32>>>());
        memory.store(&7, 42, 3, 5, Bound::AtLeast);
        let found = memory.find(&7).expect("it was stored");
        assert_eq!((found.points, found.best, found.depth), (42, 3, 5));
        assert_eq!(found.bound, Bound::AtLeast);
        assert!(
            (0..1000)
                .filter(|other| *other != 7)
                .all(|other| memory.find(&other).is_none())
        );
    }

    #[test]
    fn chunks_are_allocated_at_their_first_use() {
        let mut memory = Memory::new(1 << 32);
        assert!(memory.chunks.iter().all(Vec::is_empty));
        memory.store(&7, 42, 3, 5, Bound::Exact);
        assert!(memory.find(&7).is_some());
        let taken = memory.chunks.iter().filter(|chunk| !chunk.is_empty());
        assert_eq!(taken.count(), 1);
    }

    #[test]
    fn deep_results_stay_until_the_next_search() {
        let mut memory = Memory::new(0);
        memory.store(&1, 0, 0, 9, Bound::Exact);
        memory.store(&2, 0, 0, 8, Bound::Exact);
        assert!(memory.find(&1).is_some() && memory.find(&2).is_none());
        memory.begin_search();
        memory.store(&2, 0, 0, 1, Bound::Exact);
        assert!(memory.find(&2).is_some());
    }
}
