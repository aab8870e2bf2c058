//! `endmill serve`: the database in a browser and over HTTP.

mod building;

use std::io::Write;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use endmill_games::Ruleset;
use endmill_probe::Options;
use endmill_server::{Builder, Config, Limits, Server};
use etcetera::BaseStrategy;

use crate::db::Read;
use crate::size::Size;

use self::building::FirstBuild;

const EXAMPLES: &str = "\
Examples:
  endmill serve                                  http://127.0.0.1:8047/ for this machine
  endmill serve --db /srv/endmill --build no     existing tables only
  endmill serve --listen 0.0.0.0:8047 --public   for all machines that can reach this one
  endmill serve --behind-proxy                   behind a proxy on this machine, see docs/server.md

The interface: /openapi.json describes it, e.g.
  curl 'http://127.0.0.1:8047/api/nine/probe?position=W:Wa1,d1,g7:Bb2,b4,d6&turns=no'

The log goes to stderr; with ENDMILL_LOG=debug or --log debug it has one line per request. Ctrl-C and
SIGTERM finish running requests and stop.";

/// Serve the page, the HTTP interface, and games by link.
///
/// Without any tables it builds small ones in the background: three, six, nine up to 8 men and
/// draughts up to 4 pieces, in a minute or less. Positions beyond the tables get search estimates,
/// marked as such.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8047", value_parser = address)]
    listen: SocketAddr,
    /// Allow an address beyond this machine
    #[arg(long)]
    public: bool,
    /// The database directory; by default $ENDMILL_DB, else data/db if it exists, else the user's data
    /// directory
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// A rules file to serve too; may be repeated
    #[arg(long, value_name = "FILE")]
    rules: Vec<String>,
    /// How to read files: mapped into memory, or with one positioned read per block
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Read::Mapped)]
    read: Read,
    /// Whether to build small tables if there are none
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Whether::Yes)]
    build: Whether,
    /// The directory of games by link; by default in the user's data directory
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// The log level: error, warn, info, debug or trace; by default $ENDMILL_LOG, else info
    #[arg(long, value_name = "LEVEL")]
    log: Option<tracing::Level>,
    /// Take the addresses of clients from X-Forwarded-For, as a proxy sets it
    #[arg(long)]
    behind_proxy: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The limits of clients.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Threads for probing and searching; all processors by default
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// The cache of decoded blocks per ruleset
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache: Size,
    /// The maximum size of a request body
    #[arg(long, value_name = "SIZE", default_value = "256K")]
    max_body: Size,
    /// Positions per batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch)]
    max_batch: usize,
    /// Requests waiting for a thread; more are answered with 503
    #[arg(long, value_name = "N", default_value_t = Limits::default().waiting)]
    max_waiting: usize,
    /// The timeout of a request, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().patience.as_secs())]
    timeout: u64,
    /// All connections
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,
    /// Connections per address
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address)]
    max_connections_per_address: usize,
    /// Sustained requests per second per address; more are answered with 429. 0 for no limit
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_second)]
    requests_per_second: u32,
    /// Requests per address at once, after a pause
    #[arg(long, value_name = "N", default_value_t = Limits::default().burst)]
    burst: u32,
    /// The maximum number of games by link
    #[arg(long, value_name = "N", default_value_t = Limits::default().open_games)]
    max_games: usize,
    /// Days from the last move until a game by link is deleted
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    keep_games: u64,
    /// Positions per search, beyond the tables
    #[arg(long, value_name = "N", default_value_t = Limits::default().search_nodes)]
    search_nodes: u64,
}

/// `yes` or `no`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whether {
    Yes,
    No,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        Limits {
            body_bytes: self.max_body.bytes() as usize,
            batch: self.max_batch,
            waiting: self.max_waiting,
            patience: Duration::from_secs(self.timeout.max(1)),
            connections: self.max_connections,
            connections_per_address: self.max_connections_per_address,
            requests_per_second: self.requests_per_second,
            burst: self.burst,
            open_games: self.max_games,
            keep_games: Duration::from_secs(self.keep_games.saturating_mul(24 * 3600)),
            search_nodes: self.search_nodes.max(1),
        }
    }

    fn threads(&self) -> usize {
        let chosen = self
            .threads
            .or_else(|| std::thread::available_parallelism().ok());
        chosen.map_or(1, NonZero::get)
    }
}

impl Args {
    /// Serves until Ctrl-C or SIGTERM.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.public && !is_here(self.listen.ip()) {
            bail!(
                "{} can be reached from other machines; pass --public to allow this",
                self.listen
            );
        }
        self.start_log()?;
        let database = self.db.clone().unwrap_or_else(crate::db::usual);
        let mut rulesets: Vec<Ruleset> = endmill_games::rulesets().collect();
        for file in &self.rules {
            let own = Ruleset::open(file)?;
            // A ruleset with the id of a built-in one has the same rules.
            if !rulesets.iter().any(|known| known.id() == own.id()) {
                rulesets.push(own);
            }
        }
        let config = Config {
            listen: self.listen,
            rulesets,
            database: database.clone(),
            reading: Options {
                cache_bytes: self.limits.cache.bytes() as usize,
                ..self.read.options()
            },
            games: self.games.clone().unwrap_or_else(default_games),
            threads: self.limits.threads(),
            behind_proxy: self.behind_proxy,
            limits: self.limits.limits(),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .context("cannot start threads")?;
        runtime.block_on(async {
            let stop = stop_signal()?;
            let server = Server::bind(config).await?;
            let address = server.address();
            tracing::info!(%address, database = %database.display(), "serving");
            writeln!(out, "http://{address}/")?;
            out.flush()?;
            let first = FirstBuild::new(&database);
            let wanted = self.build == Whether::Yes && (server.is_empty() || first.was_stopped());
            let builder = match wanted {
                true => {
                    first.announce(server.builds())?;
                    let build: Builder = Box::new(move |builds| first.run(builds));
                    Some(build)
                }
                false => {
                    if server.is_empty() {
                        let database = database.display();
                        tracing::warn!("no tables in {database}: all answers are search estimates");
                    }
                    None
                }
            };
            server.run(builder, stop).await;
            anyhow::Ok(())
        })?;
        // Do not wait for a build: it resumes at the next start.
        runtime.shutdown_timeout(Duration::from_secs(1));
        tracing::info!("stopped");
        Ok(())
    }

    fn start_log(&self) -> anyhow::Result<()> {
        let level = match self.log {
            Some(level) => level,
            None => match std::env::var("ENDMILL_LOG") {
                Ok(text) if !text.is_empty() => text.parse().context("ENDMILL_LOG")?,
                _ => tracing::Level::INFO,
            },
        };
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(std::io::stderr)
            .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
            .init();
        Ok(())
    }
}

/// Parses an address with its port. A name stands for its first address.
fn address(text: &str) -> Result<SocketAddr, String> {
    let wanted =
        || format!("expected an address and a port, such as 127.0.0.1:8047, found {text:?}");
    let mut found = text.to_socket_addrs().map_err(|_| wanted())?;
    found.next().ok_or_else(wanted)
}

/// Whether only this machine can reach an address.
fn is_here(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Waits for Ctrl-C or SIGTERM.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminated = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// The default directory of games by link: in the user's data directory, or else here.
fn default_games() -> PathBuf {
    let home = etcetera::choose_base_strategy().ok();
    home.map_or("games".into(), |home| home.data_dir().join("endmill/games"))
}
