//! A bounded cache of decoded units, shared by all threads.
//!
//! Keys are spread over shards, each with a lock and a share of the bytes, so that threads seldom wait
//! for each other. A shard is a [`quick_cache`], whose policy survives a single pass over many
//! positions. The shards of that crate would return reference-counted units; here a hit reads one
//! value under the lock, which costs less than the counting.

use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{PoisonError, RwLock};

use endmill_dbformat::{DrawEntry, Kind};
use endmill_games::{Outcome, Value};
use quick_cache::unsync::DefaultLifecycle;
use quick_cache::{OptionsBuilder, Weighter};

/// The maximum number of shards. A small cache has fewer, so that each has room for
/// [`UNITS_PER_SHARD`].
const SHARDS: usize = 16;
const UNITS_PER_SHARD: usize = 32;
/// The share of a shard for units that were used again. Larger units are not cached.
const HOT: f64 = 0.97;
/// The approximate size of a unit: 256 values.
const TYPICAL_BYTES: usize = 1024;

/// The key of a unit: the number of its table, its kind, and its first position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u64);

/// The numbers of bits for the first position and for the kind; the others are for the table.
const POSITION_BITS: u32 = 40;
const KIND_BITS: u32 = 2;
const TABLE_BITS: u32 = u64::BITS - POSITION_BITS - KIND_BITS;

impl Key {
    /// The key of a unit; `None` if the table or the position is too large for a unique key. Such
    /// units are not cached.
    pub(crate) fn new(table: u32, kind: Kind, first: u64) -> Option<Key> {
        let kind = match kind {
            Kind::Outcomes => 0,
            Kind::Plies => 1,
            Kind::Draws => 2,
        };
        let fits = table >> TABLE_BITS == 0 && first >> POSITION_BITS == 0;
        fits.then_some(Key(
            (u64::from(table) << KIND_BITS | kind) << POSITION_BITS | first
        ))
    }

    /// Fibonacci hashing spreads neighbours. Only the upper bits depend on the whole key, so they
    /// are folded onto the lower ones, by which a hash map chooses its buckets.
    #[inline]
    fn mixed(self) -> u64 {
        let product = self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        product ^ product >> 32
    }
}

impl Hash for Key {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}

/// A hasher for keys that are mixed already.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are hashed as one number");
    }

    #[inline]
    fn write_u64(&mut self, mixed: u64) {
        self.0 = mixed;
    }
}

/// A decoded unit.
#[derive(Debug)]
pub(crate) enum Unit {
    Outcomes(Box<[Outcome]>),
    Values(Box<[Value]>),
    /// `None` for what is not a stored draw.
    Draws(Box<[Option<DrawEntry>]>),
}

/// The weight of a unit is the size of its values.
#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Unit> for Bytes {
    fn weight(&self, _: &Key, unit: &Unit) -> u64 {
        let bytes = match unit {
            Unit::Outcomes(outcomes) => size_of_val(&outcomes[..]),
            Unit::Values(values) => size_of_val(&values[..]),
            Unit::Draws(draws) => size_of_val(&draws[..]),
        };
        bytes as u64
    }
}

type Shard = quick_cache::unsync::Cache<Key, Unit, Bytes, BuildHasherDefault<Mixed>>;

/// The cache: see the module.
pub(crate) struct Cache {
    /// The shards: a power of two.
    shards: Box<[Line]>,
    /// The maximum size of a cached unit; 0 for no cache.
    largest: usize,
}

/// A lock on a separate cache line, so that taking it does not slow down other locks.
#[repr(align(128))]
struct Line(RwLock<Shard>);

impl Cache {
    /// A cache of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize) -> Cache {
        let mut shards = SHARDS;
        while shards > 1 && bytes / TYPICAL_BYTES < shards * UNITS_PER_SHARD {
            shards /= 2;
        }
        let bytes_per_shard = bytes / SHARDS * SHARDS / shards;
        let shard = |_| {
            let options = OptionsBuilder::new()
                .hot_allocation(HOT)
                .estimated_items_capacity(bytes_per_shard / TYPICAL_BYTES)
                .weight_capacity(bytes_per_shard as u64)
                .build()
                .expect("all that is needed was given");
            let hasher = BuildHasherDefault::default();
            let lifecycle = DefaultLifecycle::default();
            Line(RwLock::new(Shard::with_options(
                options, Bytes, hasher, lifecycle,
            )))
        };
        Cache {
            shards: (0..shards).map(shard).collect(),
            largest: (bytes_per_shard as f64 * HOT) as usize,
        }
    }

    /// Returns whether a unit of `bytes` bytes is small enough.
    pub(crate) fn takes(&self, bytes: usize) -> bool {
        (1..=self.largest).contains(&bytes)
    }

    /// Reads a cached unit.
    #[inline]
    pub(crate) fn look<T>(&self, key: Key, look: impl FnOnce(&Unit) -> T) -> Option<T> {
        if self.largest == 0 {
            return None;
        }
        // No code that can panic runs while a shard is being changed.
        let shard = self.shard(key).read();
        let shard = shard.unwrap_or_else(PoisonError::into_inner);
        shard.get(&key).map(look)
    }

    /// Caches a unit, and evicts others. Ignores a unit that is too large.
    pub(crate) fn keep(&self, key: Key, unit: Unit) {
        // A unit without weight would stay for ever.
        if Bytes.weight(&key, &unit) > 0 {
            let shard = self.shard(key).write();
            let mut shard = shard.unwrap_or_else(PoisonError::into_inner);
            shard.insert(key, unit);
        }
    }

    /// The shard of a key, by bits that the hash map of the shard does not use.
    #[inline]
    fn shard(&self, key: Key) -> &RwLock<Shard> {
        let number = (key.mixed() >> 48) as usize & (self.shards.len() - 1);
        &self.shards[number].0
    }

    /// The size of the cached units in bytes.
    #[cfg(test)]
    fn weight(&self) -> u64 {
        let shards = self.shards.iter();
        let weights = shards.map(|shard| shard.0.read().unwrap().weight());
        weights.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit of ten bytes, identified by its number of draws.
    fn unit(number: u64) -> Unit {
        let draws = number as usize % 11;
        let outcomes = (0..10).map(|i| match i < draws {
            true => Outcome::Draw,
            false => Outcome::Win,
        });
        Unit::Outcomes(outcomes.collect())
    }

    fn draws(unit: &Unit) -> u64 {
        match unit {
            Unit::Outcomes(outcomes) => {
                let draws = outcomes.iter().filter(|&&it| it == Outcome::Draw);
                draws.count() as u64
            }
            Unit::Values(_) | Unit::Draws(_) => panic!("no plies were kept"),
        }
    }

    fn key(table: u32, kind: Kind, first: u64) -> Key {
        Key::new(table, kind, first).expect("it fits")
    }

    #[test]
    fn units_without_a_unique_key_have_none() {
        let (far, many) = (1 << POSITION_BITS, 1 << TABLE_BITS);
        for first in [far, far + 7, u64::MAX] {
            assert_eq!(Key::new(0, Kind::Outcomes, first), None);
        }
        assert_eq!(Key::new(many, Kind::Outcomes, 0), None);
        let last = [
            key(0, Kind::Outcomes, far - 1),
            key(0, Kind::Plies, far - 1),
            key(many - 1, Kind::Outcomes, far - 1),
            key(many - 1, Kind::Plies, far - 1),
        ];
        for (number, one) in last.iter().enumerate() {
            assert!(last[..number].iter().all(|other| other != one));
        }
    }

    #[test]
    fn cached_units_are_found_and_their_size_is_bounded() {
        for bytes in [100, 1600, 4096, 100_000] {
            let cache = Cache::new(bytes);
            for number in 0..20_000 {
                let key = key(7, Kind::Plies, number);
                cache.keep(key, unit(number));
                let found = cache.look(key, draws).expect("just kept");
                assert_eq!(found, number % 11);
                assert!(cache.weight() <= bytes as u64);
            }
            let mut kept = 0;
            for number in 0..20_000 {
                if let Some(found) = cache.look(key(7, Kind::Plies, number), draws) {
                    assert_eq!(found, number % 11);
                    kept += 1;
                }
            }
            assert_eq!(10 * kept, cache.weight());
            assert!(10 * kept as usize > bytes / 2, "{kept} in {bytes} bytes");
        }
    }

    #[test]
    fn a_unit_in_use_outlives_others() {
        let cache = Cache::new(1600);
        let hot = key(0, Kind::Outcomes, 0);
        cache.keep(hot, unit(3));
        for number in 1..10_000 {
            assert_eq!(cache.look(hot, draws), Some(3));
            cache.keep(key(0, Kind::Outcomes, number), unit(number));
        }
    }

    #[test]
    fn a_unit_is_kept_if_the_cache_takes_it_and_not_otherwise() {
        let cache = Cache::new(1600);
        for positions in [0, 1, 100, 1000, 1552, 1553, 1600, 5000] {
            let unit = Unit::Outcomes(vec![Outcome::Draw; positions].into());
            let key = key(1, Kind::Outcomes, positions as u64);
            cache.keep(key, unit);
            assert_eq!(cache.look(key, |_| ()).is_some(), cache.takes(positions));
        }
        assert!(cache.takes(1552) && !cache.takes(1553));
    }

    #[test]
    fn a_cache_of_size_0_is_empty() {
        for bytes in [0, SHARDS - 1] {
            let cache = Cache::new(bytes);
            let key = key(0, Kind::Outcomes, 0);
            cache.keep(key, unit(0));
            assert!(cache.look(key, |_| ()).is_none() && !cache.takes(1));
        }
    }
}
