//! A bounded store of decoded blocks.
//!
//! Keys are spread over shards, each with its own lock and its share of the bytes, so that threads
//! seldom wait for each other. A shard forgets by *second chance*: a hand goes round over the
//! blocks, forgives one that was used since it last came by, and takes the first that was not.
//! That is nearly as good as the least recently used, and a hit only sets a flag.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::options::Options;

/// What a block is called: the number of its table, what it holds, and its own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

impl Key {
    /// Tables and kinds together stay far below 2²⁴, blocks below 2⁴⁰.
    pub(crate) fn new(table: u32, kind: u8, block: usize) -> Key {
        Key((u64::from(table) << 1 | u64::from(kind)) << 40 | block as u64)
    }

    /// Fibonacci hashing: neighbours land far apart. Only the upper bits depend on all of the
    /// key, so they are folded onto the lower ones, by which a hash map chooses its buckets.
    fn mixed(self) -> u64 {
        let product = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    }

    fn shard(self) -> usize {
        (self.mixed() >> 48) as usize % Options::CACHE_SHARDS
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}

/// The keys are mixed already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are hashed as one number");
    }

    fn write_u64(&mut self, mixed: u64) {
        self.0 = mixed;
    }
}

pub(crate) struct Cache<B> {
    shards: Vec<Mutex<Shard<B>>>,
    bytes_per_shard: usize,
}

struct Shard<B> {
    places: HashMap<Key, usize, BuildHasherDefault<Mixed>>,
    entries: Vec<Entry<B>>,
    hand: usize,
    bytes: usize,
}

struct Entry<B> {
    key: Key,
    block: B,
    bytes: usize,
    used: bool,
}

impl<B> Cache<B> {
    /// A cache of at most so many bytes; 0 keeps nothing.
    pub(crate) fn new(bytes: usize) -> Cache<B> {
        let shard = || {
            Mutex::new(Shard {
                places: HashMap::default(),
                entries: Vec::new(),
                hand: 0,
                bytes: 0,
            })
        };
        Cache {
            shards: (0..Options::CACHE_SHARDS).map(|_| shard()).collect(),
            bytes_per_shard: bytes / Options::CACHE_SHARDS,
        }
    }

    /// Whether a block of so many bytes would be kept.
    pub(crate) fn takes(&self, bytes: usize) -> bool {
        (1..=self.bytes_per_shard).contains(&bytes)
    }

    /// Looks into a block, if it is here.
    pub(crate) fn look<T>(&self, key: Key, look: impl FnOnce(&B) -> T) -> Option<T> {
        if self.bytes_per_shard == 0 {
            return None;
        }
        let mut shard = self.shard(key);
        let place = *shard.places.get(&key)?;
        let entry = &mut shard.entries[place];
        entry.used = true;
        Some(look(&entry.block))
    }

    /// Keeps a block of so many bytes and forgets others for it.
    pub(crate) fn keep(&self, key: Key, block: B, bytes: usize) {
        if !self.takes(bytes) {
            return;
        }
        let mut shard = self.shard(key);
        // Another thread may have decoded the same block meanwhile.
        if shard.places.contains_key(&key) {
            return;
        }
        while shard.bytes + bytes > self.bytes_per_shard {
            shard.forget_one();
        }
        let place = shard.entries.len();
        shard.places.insert(key, place);
        shard.bytes += bytes;
        shard.entries.push(Entry {
            key,
            block,
            bytes,
            used: false,
        });
    }

    /// A panic of another thread leaves a shard whole: nothing in here calls foreign code while
    /// it is being changed.
    fn shard(&self, key: Key) -> MutexGuard<'_, Shard<B>> {
        let shard = self.shards[key.shard()].lock();
        shard.unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B> Shard<B> {
    /// There is one to forget: the bytes are not zero.
    fn forget_one(&mut self) {
        loop {
            if self.hand >= self.entries.len() {
                self.hand = 0;
            }
            let entry = &mut self.entries[self.hand];
            if !entry.used {
                break;
            }
            entry.used = false;
            self.hand += 1;
        }
        let gone = self.entries.swap_remove(self.hand);
        self.bytes -= gone.bytes;
        self.places.remove(&gone.key);
        if let Some(moved) = self.entries.get(self.hand) {
            self.places.insert(moved.key, self.hand);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARDS: usize = Options::CACHE_SHARDS;

    #[test]
    fn what_is_kept_is_found_and_the_bytes_are_bounded() {
        let cache = Cache::new(SHARDS * 100);
        for block in 0..10_000 {
            let key = Key::new(7, 1, block);
            cache.keep(key, block, 10);
            assert_eq!(cache.look(key, |&found| found), Some(block));
        }
        let mut kept = 0;
        for shard in &cache.shards {
            let shard = shard.lock().unwrap();
            assert_eq!(shard.bytes, 10 * shard.entries.len());
            assert_eq!(shard.places.len(), shard.entries.len());
            assert!(shard.bytes <= 100);
            kept += shard.entries.len();
        }
        let found = (0..10_000)
            .filter_map(|block| {
                cache.look(Key::new(7, 1, block), |&found| assert_eq!(found, block))
            })
            .count();
        assert_eq!(found, kept);
        assert!(kept > SHARDS);
    }

    #[test]
    fn a_block_in_use_outlives_others() {
        let cache = Cache::new(SHARDS * 100);
        let hot = Key::new(0, 0, 0);
        cache.keep(hot, 0, 10);
        for block in 1..10_000 {
            assert_eq!(cache.look(hot, |&found| found), Some(0));
            cache.keep(Key::new(0, 0, block), block, 10);
        }
    }

    #[test]
    fn a_cache_of_nothing_keeps_nothing() {
        let cache = Cache::new(0);
        let key = Key::new(0, 0, 0);
        cache.keep(key, (), 1);
        assert_eq!(cache.look(key, |()| ()), None);
    }
}
