//! Look-ups that never wait for a disk, for searches.

use std::convert::Infallible;

use endmill_dbformat::Kind;
use endmill_games::by_turns::value_by_turns;
use endmill_games::{Features, Outcome, Verdict};

use crate::database::{Database, Origin};

/// What the cache has of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cached {
    /// Its outcome.
    Known(Outcome),
    /// Not cached: a file must be read, or a block decoded.
    /// [`probe_outcome`](Database::probe_outcome) does that, and then the outcome is cached until it
    /// is evicted.
    NotNow,
    /// Unknown: the tables that decide it are missing.
    Missing,
}

impl<G: Features> Database<G> {
    /// Returns the outcome if the cache of decoded units has it: reads no file, decodes nothing, and
    /// cannot fail. The outcome is that of [`probe_outcome`](Database::probe_outcome).
    pub fn cached_outcome(&self, position: &G::Position) -> Cached {
        match self.cached(position) {
            Cached::Missing => self.cached_by_turns(position),
            answer => answer,
        }
    }

    fn cached(&self, position: &G::Position) -> Cached {
        match self.origin(position) {
            Origin::Turns => self.cached_by_turns(position),
            Origin::Rules(value) => Cached::Known(value.outcome()),
            Origin::Missing(_) => Cached::Missing,
            Origin::File(entry) => {
                let index = self.game.rank(position);
                let mut kinds = [Kind::Outcomes, Kind::Plies].into_iter();
                let cached = kinds.find_map(|kind| self.lookup.cached(entry, kind, index));
                cached.map_or(Cached::NotNow, |verdict| Cached::Known(verdict.outcome()))
            }
        }
    }

    /// A turn that wins is enough; everything else needs all turns.
    fn cached_by_turns(&self, position: &G::Position) -> Cached {
        let mut later = false;
        let win = Outcome::Win.into();
        let Ok(by_turns) = value_by_turns(&self.game, position, win, |after| {
            Ok::<_, Infallible>(match self.cached(after) {
                Cached::Known(outcome) => Some(Verdict::from(outcome)),
                Cached::NotNow => {
                    later = true;
                    None
                }
                Cached::Missing => None,
            })
        });
        match by_turns.verdict() {
            Some(verdict) => Cached::Known(verdict.outcome()),
            None if later => Cached::NotNow,
            None => Cached::Missing,
        }
    }
}
