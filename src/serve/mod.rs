//! `endmill serve`: the database in a browser, and over HTTP.

mod building;
mod place;

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

use crate::db::Read;
use crate::size::Size;

use self::building::FirstBuild;

const EXAMPLES: &str = "\
Examples:
  endmill serve                                  http://127.0.0.1:8047/ for this machine
  endmill serve --db /srv/endmill --build no     what is there, and nothing else
  endmill serve --listen 0.0.0.0:8047 --public   for everybody who can reach this machine
  endmill serve --behind-proxy                   for a proxy on this machine, see docs/server.md

The interface: /openapi.json describes it, e.g.
  curl 'http://127.0.0.1:8047/api/nine/probe?position=W:Wa1,d1,g7:Bb2,b4,d6&turns=no'

Log lines go to stderr; ENDMILL_LOG=debug or --log debug has one for every request. Ctrl-C and
SIGTERM finish what is under way and stop.";

/// Serve the page, the HTTP interface, and games by link.
///
/// Without any table it builds small ones in the background: three, six, nine up to 8 men and
/// draughts up to 4 pieces, in a minute or less. Where no table knows, it searches, and says so.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8047", value_parser = address)]
    listen: SocketAddr,
    /// Allow an address beyond this machine
    #[arg(long)]
    public: bool,
    /// Where the database is; by default $ENDMILL_DB, else data/db if it is here, else the user's
    /// data directory
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    /// A rules file whose ruleset is served too; may be given several times
    #[arg(long, value_name = "FILE")]
    rules: Vec<String>,
    /// How its files are read: mapped into memory, or by one positioned read per block
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Read::Mapped)]
    read: Read,
    /// Whether to build small tables if there are none at all
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Whether::Yes)]
    build: Whether,
    /// Where games by link are kept; by default in the user's data directory
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// What to log: error, warn, info, debug or trace; by default $ENDMILL_LOG, else info
    #[arg(long, value_name = "LEVEL")]
    log: Option<tracing::Level>,
    /// Requests come through a proxy: take the client's address from X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What clients may take of the server.
#[derive(clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// Threads that probe and search; all processors by default
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Memory for decoded blocks, for each ruleset
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    cache: Size,
    /// The largest body of a request
    #[arg(long, value_name = "SIZE", default_value = "256K")]
    max_body: Size,
    /// Positions in one batch
    #[arg(long, value_name = "N", default_value_t = Limits::default().batch)]
    max_batch: usize,
    /// Questions that wait for a thread; more are answered with 503
    #[arg(long, value_name = "N", default_value_t = Limits::default().waiting)]
    max_waiting: usize,
    /// Seconds after which a question is given up
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().patience.as_secs())]
    timeout: u64,
    /// Connections in all
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,
    /// Connections from one address
    #[arg(long, value_name = "N", default_value_t = Limits::default().connections_per_address)]
    max_connections_per_address: usize,
    /// Requests a second from one address, in the long run; more are answered with 429. 0 = no
    /// limit
    #[arg(long, value_name = "N", default_value_t = Limits::default().requests_per_second)]
    requests_per_second: u32,
    /// Requests from one address at once, after a pause
    #[arg(long, value_name = "N", default_value_t = Limits::default().burst)]
    burst: u32,
    /// Games by link that are kept
    #[arg(long, value_name = "N", default_value_t = Limits::default().open_games)]
    max_games: usize,
    /// Days after its last turn until a game by link is forgotten
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    keep_games: u64,
    /// Positions that a search may visit where no table knows
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
    /// Serves until it is told to stop.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        if !self.public && !is_here(self.listen.ip()) {
            bail!(
                "{} can be reached from other machines: say --public if that is meant",
                self.listen
            );
        }
        self.start_log()?;
        let database = self.db.clone().unwrap_or_else(crate::db::usual);
        let mut rulesets: Vec<Ruleset> = endmill_games::rulesets().collect();
        for file in &self.rules {
            let own = Ruleset::open(file)?;
            // One with the id of a built-in one has the same rules.
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
            games: self.games.clone().unwrap_or_else(place::games),
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
                        tracing::warn!("there is no table in {database}: every answer is a search");
                    }
                    None
                }
            };
            server.run(builder, stop).await;
            anyhow::Ok(())
        })?;
        // A build that does not end soon is not waited for: it goes on at the next start.
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

/// Reads an address with its port; a name stands for the first address it has.
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

/// Ends when Ctrl-C is pressed or SIGTERM comes.
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
