//! Connections at once, in all and by address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All connections that are open.
pub struct Connections {
    most: usize,
    most_of_one: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// The place of one connection, free again when this is dropped.
pub struct Place {
    connections: Arc<Connections>,
    address: IpAddr,
}

impl Connections {
    /// Limits the number in all, and the number of one address.
    pub fn new(most: usize, most_of_one: usize) -> Arc<Connections> {
        Arc::new(Connections {
            most,
            most_of_one,
            open: Mutex::default(),
        })
    }

    /// A place for one more; `None` if there is none. All connections of a proxy are from one
    /// address, so that a `proxy` is held to the number of all connections only.
    pub fn enter(self: &Arc<Connections>, address: IpAddr, proxy: bool) -> Option<Place> {
        let mut open = self.lock();
        let own = open.by_address.get(&address).copied().unwrap_or(0);
        if open.all >= self.most || (own >= self.most_of_one && !proxy) {
            return None;
        }
        open.all += 1;
        open.by_address.insert(address, own + 1);
        Some(Place {
            connections: Arc::clone(self),
            address,
        })
    }

    /// How many are open.
    pub fn open(&self) -> usize {
        self.lock().all
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        open.all -= 1;
        if let Some(own) = open.by_address.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let connections = Connections::new(3, 2);
        let enter = |last| connections.enter([192, 0, 2, last].into(), false);
        let own = [enter(1), enter(1)];
        assert!(own.iter().all(Option::is_some));
        assert!(enter(1).is_none(), "one address has two places");
        let other = enter(2);
        assert!(other.is_some());
        assert!(enter(3).is_none(), "three places in all");
        drop(own);
        assert!(enter(1).is_some());
        drop(other);
        assert_eq!(connections.open(), 0);
    }
}
