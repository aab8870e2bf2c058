//! Requests a second, by address: a bucket that fills steadily and holds a burst.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

const SHARDS: usize = 16;
/// Addresses that are remembered in a shard; beyond it those that have rested are forgotten.
const MOST: usize = 4096;

/// The buckets of all addresses.
pub struct Rates {
    per_second: f64,
    burst: f64,
    begun: Instant,
    hasher: RandomState,
    shards: [Mutex<HashMap<IpAddr, Bucket>>; SHARDS],
}

/// Requests left at a time, in seconds since the server began.
#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: f64,
}

/// Whether a request may be answered, and what the headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// Whether this request is too many.
    pub refused: bool,
    /// Requests at once, after a pause.
    pub limit: u32,
    /// Of these, how many are left now.
    pub remaining: u32,
    /// Seconds until the bucket is full; of a refusal, until another request is allowed.
    pub reset: u64,
}

impl Rates {
    /// Allows `per_second` in the long run, and a burst at once.
    pub fn new(per_second: u32, burst: u32) -> Rates {
        Rates {
            per_second: per_second.into(),
            burst: burst.max(1).into(),
            begun: Instant::now(),
            hasher: RandomState::new(),
            shards: Default::default(),
        }
    }

    /// Counts a request; `None` where nothing is limited.
    pub fn count(&self, address: IpAddr) -> Option<Ruling> {
        (self.per_second > 0.0).then(|| self.rule(address, self.begun.elapsed().as_secs_f64()))
    }

    fn rule(&self, address: IpAddr, now: f64) -> Ruling {
        let shard = self.hasher.hash_one(address) as usize % SHARDS;
        let shard = self.shards[shard].lock();
        let mut shard = shard.unwrap_or_else(PoisonError::into_inner);
        if shard.len() >= MOST && !shard.contains_key(&address) {
            let full = |bucket: &Bucket| self.filled(*bucket, now) >= self.burst;
            shard.retain(|_, bucket| !full(bucket));
            // Every one of them is at it right now: the newcomer begins with one request.
            if shard.len() >= MOST {
                shard.clear();
            }
        }
        let full = Bucket {
            left: self.burst,
            at: now,
        };
        let bucket = shard.entry(address).or_insert(full);
        let left = self.filled(*bucket, now);
        let refused = left < 1.0;
        let left = if refused { left } else { left - 1.0 };
        *bucket = Bucket { left, at: now };
        let missing = if refused {
            1.0 - left
        } else {
            self.burst - left
        };
        Ruling {
            refused,
            limit: self.burst as u32,
            remaining: left as u32,
            reset: (missing / self.per_second).ceil() as u64,
        }
    }

    fn filled(&self, bucket: Bucket, now: f64) -> f64 {
        let more = (now - bucket.at).max(0.0) * self.per_second;
        (bucket.left + more).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_the_rate() {
        let rates = Rates::new(2, 3);
        let here: IpAddr = [192, 0, 2, 1].into();
        let refused = |at| rates.rule(here, at).refused;
        assert_eq!([0.0; 4].map(refused), [false, false, false, true]);
        assert_eq!(rates.rule(here, 0.0).reset, 1);
        assert_eq!([0.6; 2].map(refused), [false, true]);
        let other = rates.rule([192, 0, 2, 2].into(), 0.6);
        let first = Ruling {
            refused: false,
            limit: 3,
            remaining: 2,
            reset: 1,
        };
        assert_eq!(other, first);
        assert_eq!(rates.rule(here, 100.0), first);
    }

    #[test]
    fn memory_is_bounded_however_many_addresses_come() {
        let rates = Rates::new(1, 10);
        for number in 0..200_000u32 {
            rates.rule(std::net::Ipv4Addr::from(number).into(), 0.0);
        }
        let held = rates.shards.iter().map(|shard| shard.lock().unwrap().len());
        assert!(held.sum::<usize>() <= SHARDS * MOST);
    }
}
