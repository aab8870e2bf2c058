//! The configuration of a server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use endmill_games::Ruleset;
use endmill_probe::Options;

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on; port 0 selects a free port.
    pub listen: SocketAddr,
    /// The rulesets to serve, in the order of the list.
    pub rulesets: Vec<Ruleset>,
    /// The database, which need not exist yet.
    pub database: PathBuf,
    /// How the database is read. The size of the cache is per ruleset.
    pub reading: Options,
    /// The directory of the journal of games by link.
    pub games: PathBuf,
    /// The number of threads that probe and search.
    pub threads: usize,
    /// Whether requests come through a proxy that appends to `X-Forwarded-For` and sets
    /// `X-Forwarded-Proto`. The address of a client is then the last one there.
    pub behind_proxy: bool,
    /// The limits.
    pub limits: Limits,
}

/// The limits on clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest body of a request, in bytes.
    pub body_bytes: usize,
    /// The number of positions per batch.
    pub batch: usize,
    /// The number of questions of each class that may wait for a thread; more are refused.
    pub waiting: usize,
    /// The time limit of a question, including its wait.
    pub patience: Duration,
    /// The number of connections in all.
    pub connections: usize,
    /// The number of connections per client.
    pub connections_per_address: usize,
    /// The number of requests per second and client in the long run; 0 means no limit.
    pub requests_per_second: u32,
    /// The number of requests per client at once, after a pause.
    pub burst: u32,
    /// The number of games by link.
    pub open_games: usize,
    /// How long a game is kept after its last turn.
    pub keep_games: Duration,
    /// The number of positions that a search for an estimate may visit.
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
