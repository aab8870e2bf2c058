//! Requests per second and client: a bucket that fills steadily and holds a burst.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

use crate::sync::lock;

const SHARDS: usize = 16;
/// The number of clients per shard; when it is reached, clients with a full bucket are dropped.
const MAX_CLIENTS: usize = 4096;

/// The buckets of all clients.
pub struct RateLimiter {
    per_second: f64,
    burst: f64,
    begun: Instant,
    hasher: RandomState,
    shards: [Mutex<HashMap<IpAddr, Bucket>>; SHARDS],
}

/// The requests left at a time, in seconds since the server started.
#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: f64,
}

/// Whether a request is answered, and the rate limit headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateDecision {
    /// Whether the request is over the limit.
    pub refused: bool,
    /// The size of a burst.
    pub limit: u32,
    /// The requests left of it.
    pub remaining: u32,
    /// Seconds until the bucket is full, or, of a refusal, until the next request is allowed.
    pub reset: u64,
}

impl RateLimiter {
    /// Allows `per_second` requests in the long run, and a burst at once.
    pub fn new(per_second: u32, burst: u32) -> RateLimiter {
        RateLimiter {
            per_second: per_second.into(),
            burst: burst.max(1).into(),
            begun: Instant::now(),
            hasher: RandomState::new(),
            shards: Default::default(),
        }
    }

    /// Counts a request; `None` without a limit.
    pub fn count(&self, client: IpAddr) -> Option<RateDecision> {
        (self.per_second > 0.0).then(|| self.decide(client, self.begun.elapsed().as_secs_f64()))
    }

    fn decide(&self, client: IpAddr, now: f64) -> RateDecision {
        let shard = self.hasher.hash_one(client) as usize % SHARDS;
        let mut shard = lock(&self.shards[shard]);
        if shard.len() >= MAX_CLIENTS && !shard.contains_key(&client) {
            let full = |bucket: &Bucket| self.filled(*bucket, now) >= self.burst;
            shard.retain(|_, bucket| !full(bucket));
            // If all of them are active, every client starts again with a full bucket.
            if shard.len() >= MAX_CLIENTS {
                shard.clear();
            }
        }
        let full = Bucket {
            left: self.burst,
            at: now,
        };
        let bucket = shard.entry(client).or_insert(full);
        let left = self.filled(*bucket, now);
        let refused = left < 1.0;
        let left = if refused { left } else { left - 1.0 };
        *bucket = Bucket { left, at: now };
        let goal = if refused { 1.0 } else { self.burst };
        RateDecision {
            refused,
            limit: self.burst as u32,
            remaining: left as u32,
            reset: ((goal - left) / self.per_second).ceil() as u64,
        }
    }

    fn filled(&self, bucket: Bucket, now: f64) -> f64 {
        let refill = (now - bucket.at).max(0.0) * self.per_second;
        (bucket.left + refill).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_the_rate() {
        let rates = RateLimiter::new(2, 3);
        let here: IpAddr = [192, 0, 2, 1].into();
        let refused = |at| rates.decide(here, at).refused;
        assert_eq!([0.0; 4].map(refused), [false, false, false, true]);
        assert_eq!(rates.decide(here, 0.0).reset, 1);
        assert_eq!([0.6; 2].map(refused), [false, true]);
        let other = rates.decide([192, 0, 2, 2].into(), 0.6);
        let first = RateDecision {
            refused: false,
            limit: 3,
            remaining: 2,
            reset: 1,
        };
        assert_eq!(other, first);
        assert_eq!(rates.decide(here, 100.0), first);
    }

    #[test]
    fn memory_is_bounded_for_any_number_of_clients() {
        let rates = RateLimiter::new(1, 10);
        for number in 0..200_000u32 {
            rates.decide(std::net::Ipv4Addr::from(number).into(), 0.0);
        }
        let held = rates.shards.iter().map(|shard| shard.lock().unwrap().len());
        assert!(held.sum::<usize>() <= SHARDS * MAX_CLIENTS);
    }
}
