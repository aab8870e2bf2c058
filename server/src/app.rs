//! The state that all requests share.

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::HeaderMap;

use crate::config::Config;
use crate::error::ServeError;
use crate::games::Games;
use crate::jobs::{Jobs, Pool};
use crate::limits::{Connections, RateLimiter};
use crate::metrics::Metrics;
use crate::page::Page;
use crate::rulesets::{Builds, Rulesets};

/// The state that all requests share.
pub struct App {
    /// The configuration.
    pub config: Config,
    /// The rulesets with their tables.
    pub rulesets: Arc<Rulesets>,
    /// The builds in the background.
    pub builds: Arc<Builds>,
    /// The threads that probe and search.
    pub jobs: Jobs,
    /// Games by link.
    pub games: Arc<Games>,
    /// Requests by client.
    pub rates: RateLimiter,
    /// Connections by client.
    pub connections: Arc<Connections>,
    /// The metrics for operators.
    pub metrics: Metrics,
    /// The page for browsers.
    pub page: Page,
}

impl App {
    /// Opens the database and the journal of games.
    pub fn open(config: Config) -> Result<App, ServeError> {
        let limits = config.limits;
        let rulesets = Arc::new(Rulesets::open(
            &config.database,
            &config.rulesets,
            config.reading,
        )?);
        let pool = Pool::new(config.threads, limits.waiting)?;
        let games = Games::open(&config.games, Arc::clone(&rulesets), &limits)?;
        Ok(App {
            rulesets,
            builds: Arc::default(),
            jobs: Jobs::new(pool, limits.patience),
            games: Arc::new(games),
            rates: RateLimiter::new(limits.requests_per_second, limits.burst),
            connections: Connections::new(limits.connections, limits.connections_per_address),
            metrics: Metrics::new(),
            page: Page::embedded(),
            config,
        })
    }

    /// The address of a client: the other end of the connection, or the one that the proxy reports.
    pub fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.config.behind_proxy {
            return peer;
        }
        // The proxy adds the last entry; the client may have sent the others.
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
        let forwarded = forwarded.and_then(|value| value.to_str().ok());
        let last = forwarded.and_then(|list| list.rsplit(',').next());
        let last = last.and_then(|last| last.trim().parse().ok());
        last.unwrap_or(peer)
    }
}
