//! The number of open connections, in all and per client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use crate::sync::lock;

/// The open connections.
pub struct Connections {
    max: usize,
    max_per_client: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_client: HashMap<IpAddr, usize>,
}

/// One open connection; dropping it frees its place.
pub struct Permit {
    connections: Arc<Connections>,
    client: IpAddr,
}

impl Connections {
    /// Limits the connections in all and per client.
    pub fn new(max: usize, max_per_client: usize) -> Arc<Connections> {
        Arc::new(Connections {
            max,
            max_per_client,
            open: Mutex::default(),
        })
    }

    /// Admits a connection; `None` if a limit is reached. All connections of a proxy come from one
    /// address, so only the limit in all applies to a `proxy`.
    pub fn admit(self: &Arc<Connections>, client: IpAddr, proxy: bool) -> Option<Permit> {
        let mut open = lock(&self.open);
        let own = open.by_client.get(&client).copied().unwrap_or(0);
        if open.all >= self.max || (own >= self.max_per_client && !proxy) {
            return None;
        }
        open.all += 1;
        open.by_client.insert(client, own + 1);
        Some(Permit {
            connections: Arc::clone(self),
            client,
        })
    }

    /// The number of open connections.
    pub fn open(&self) -> usize {
        lock(&self.open).all
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut open = lock(&self.connections.open);
        open.all -= 1;
        if let Some(own) = open.by_client.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                open.by_client.remove(&self.client);
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
        let admit = |last| connections.admit([192, 0, 2, last].into(), false);
        let own = [admit(1), admit(1)];
        assert!(own.iter().all(Option::is_some));
        assert!(admit(1).is_none(), "two connections per client");
        let other = admit(2);
        assert!(other.is_some());
        assert!(admit(3).is_none(), "three connections in all");
        drop(own);
        assert!(admit(1).is_some());
        drop(other);
        assert_eq!(connections.open(), 0);
    }
}
