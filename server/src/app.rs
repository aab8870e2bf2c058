//! What all requests share.

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::HeaderMap;

use crate::answering::{Answering, Pool};
use crate::club::Club;
use crate::config::Config;
use crate::error::ServeError;
use crate::limits::{Connections, Rates};
use crate::metrics::Metrics;
use crate::page::Page;
use crate::rulesets::{Builds, Rulesets};

/// What all requests share.
pub struct App {
    /// As it was asked for.
    pub config: Config,
    /// The tables.
    pub rulesets: Arc<Rulesets>,
    /// What is being built.
    pub builds: Arc<Builds>,
    /// The threads that answer.
    pub answering: Answering,
    /// Games by link.
    pub club: Arc<Club>,
    /// Requests by address.
    pub rates: Rates,
    /// Connections by address.
    pub connections: Arc<Connections>,
    /// For whoever runs the server.
    pub metrics: Metrics,
    /// What browsers get.
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
        let club = Club::open(&config.games, Arc::clone(&rulesets), &limits)?;
        Ok(App {
            rulesets,
            builds: Arc::default(),
            answering: Answering::new(pool, limits.patience),
            club: Arc::new(club),
            rates: Rates::new(limits.requests_per_second, limits.burst),
            connections: Connections::new(limits.connections, limits.connections_per_address),
            metrics: Metrics::new(),
            page: Page::embedded(),
            config,
        })
    }

    /// Where a request comes from: the other end of the connection, or what the proxy says.
    pub fn address(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.config.behind_proxy {
            return peer;
        }
        // Everything but the last entry is what the client claims.
        let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
        let forwarded = forwarded.and_then(|value| value.to_str().ok());
        let last = forwarded.and_then(|list| list.rsplit(',').next());
        let last = last.and_then(|last| last.trim().parse().ok());
        last.unwrap_or(peer)
    }
}
