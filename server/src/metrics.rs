//! Metrics for operators, in the format of Prometheus.

use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text::encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Seconds, from cached answers to searches.
const BUCKETS: [f64; 10] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0,
];

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: String,
}

/// The metrics of a server.
pub struct Metrics {
    registry: Registry,
    answered: Family<Answered, Counter>,
    seconds: Family<Route, Histogram>,
    /// Searches for estimates.
    pub searches: Counter,
    /// Open sockets of games.
    pub sockets: Gauge,
    /// Connections refused because of a limit.
    pub refused_connections: Counter,
    waiting: [Gauge; 2],
    games: Gauge,
    connections: Gauge,
}

impl Metrics {
    /// All metrics at 0.
    pub fn new() -> Metrics {
        let mut registry = Registry::with_prefix("endmill");
        let answered = Family::<Answered, Counter>::default();
        registry.register("http_requests", "Requests answered", answered.clone());
        let seconds: Family<Route, Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let about = "Time from a request to its answer";
        registry.register("http_request_seconds", about, seconds.clone());
        let searches = Counter::default();
        registry.register("searches", "Searches for estimates", searches.clone());
        let refused_connections = Counter::default();
        let about = "Connections refused because there are too many";
        registry.register("connections_refused", about, refused_connections.clone());
        let mut gauge = |name, about| {
            let gauge: Gauge = Gauge::default();
            registry.register(name, about, gauge.clone());
            gauge
        };
        Metrics {
            sockets: gauge("sockets_open", "Sockets of games"),
            waiting: [
                gauge("waiting_quick", "Quick questions that wait for a thread"),
                gauge("waiting_slow", "Slow questions that wait for a thread"),
            ],
            games: gauge("games_open", "Games by link"),
            connections: gauge("connections_open", "Connections"),
            answered,
            seconds,
            searches,
            refused_connections,
            registry,
        }
    }

    /// Counts a request. `route` is the pattern of the route, not the address.
    pub fn count(&self, route: &str, status: u16, elapsed: Duration) {
        let route = route.to_owned();
        let answered = Answered {
            route: route.clone(),
            status,
        };
        self.answered.get_or_create(&answered).inc();
        let seconds = self.seconds.get_or_create(&Route { route });
        seconds.observe(elapsed.as_secs_f64());
    }

    /// All metrics as text.
    pub fn text(&self, waiting: [usize; 2], games: usize, connections: usize) -> String {
        for (gauge, waiting) in self.waiting.iter().zip(waiting) {
            gauge.set(waiting as i64);
        }
        self.games.set(games as i64);
        self.connections.set(connections as i64);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
