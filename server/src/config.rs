//! What whoever runs a server can choose.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use endmill_games::Ruleset;
use endmill_probe::Options;

/// Where a server listens, what it serves, and what it allows.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// What can be played and asked about, in the order in which it is listed.
    pub rulesets: Vec<Ruleset>,
    /// The database, which need not be there yet.
    pub database: PathBuf,
    /// How the database is read. The cache is that of each ruleset.
    pub reading: Options,
    /// Where the journal of games by link is kept.
    pub games: PathBuf,
    /// Threads that probe and search.
    pub threads: usize,
    /// Whether requests come through a proxy that adds `X-Forwarded-For` and
    /// `X-Forwarded-Proto`: the address of a client is then the last one there.
    pub behind_proxy: bool,
    /// What clients may take.
    pub limits: Limits,
}

/// What clients may take of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a request's body.
    pub body_bytes: usize,
    /// Positions in one batch.
    pub batch: usize,
    /// Questions that wait for a thread; more are refused.
    pub waiting: usize,
    /// How long a question may wait and be worked on.
    pub patience: Duration,
    /// Connections in all.
    pub connections: usize,
    /// Connections from one address.
    pub connections_per_address: usize,
    /// Requests a second from one address, in the long run; 0 = as many as there are.
    pub requests_per_second: u32,
    /// Requests from one address at once, after a pause.
    pub burst: u32,
    /// Games by link that are kept.
    pub open_games: usize,
    /// Since its last turn a game is kept so long.
    pub keep_games: Duration,
    /// Positions that a search for an estimate may visit.
    pub search_nodes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body_bytes: 256 << 10,
            batch: 1000,
            waiting: 1024,
            patience: Duration::from_secs(20),
            connections: 4096,
            connections_per_address: 64,
            requests_per_second: 50,
            burst: 200,
            open_games: 10_000,
            keep_games: Duration::from_secs(30 * 24 * 3600),
            search_nodes: endmill_engine::ESTIMATE_NODES,
        }
    }
}
