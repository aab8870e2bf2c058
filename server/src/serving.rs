//! The server: listens, accepts connections, stops gracefully.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::app::App;
use crate::config::Config;
use crate::connection::Peer;
use crate::error::ServeError;
use crate::limits::client_key;
use crate::routes;
use crate::rulesets::Builds;

/// The deadline of the head of a request, and how long an idle connection stays open.
const HEAD: Duration = Duration::from_secs(30);
/// When a connection on which nothing arrives is closed. Longer than the silence that a game's socket
/// may keep.
const READ: Duration = Duration::from_secs(90);
/// When a client that stops reading is disconnected.
const WRITE: Duration = Duration::from_secs(30);
/// How long a stopping server waits for running requests.
const SHUTDOWN: Duration = Duration::from_secs(10);
/// The interval of the sweeps over the clocks of games.
const CLOCKS: Duration = Duration::from_millis(250);
/// The interval of the checks for new tables and expired games.
const MAINTENANCE: Duration = Duration::from_secs(30);
/// The largest head of a request, in bytes.
const MAX_HEAD: usize = 64 << 10;

/// Builds the tables of a first start, and reports its progress.
pub type Builder = Box<dyn FnOnce(&Builds) + Send>;

/// A server that listens but does not answer yet.
pub struct Server {
    app: Arc<App>,
    listener: TcpListener,
}

impl Server {
    /// Opens the database and the games, and listens.
    pub async fn bind(config: Config) -> Result<Server, ServeError> {
        let address = config.listen;
        let app = App::open(config)?;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|source| ServeError::Listen { address, source })?;
        Ok(Server {
            app: Arc::new(app),
            listener,
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        let address = self.listener.local_addr();
        address.unwrap_or(self.app.config.listen)
    }

    /// Whether the database has no tables.
    pub fn is_empty(&self) -> bool {
        self.app.rulesets.is_empty()
    }

    /// The builds in the background, so that they can be announced before the first request.
    pub fn builds(&self) -> &Builds {
        &self.app.builds
    }

    /// Answers until `stop` completes, then finishes the running requests. Runs `builder` in the
    /// background.
    pub async fn run(self, builder: Option<Builder>, stop: impl Future<Output = ()>) {
        let Server { app, listener } = self;
        let building = builder.map(|builder| build(&app, builder));
        let background = [
            tokio::spawn(sweep_clocks(Arc::clone(&app))),
            tokio::spawn(maintain(Arc::clone(&app))),
        ];
        let router = routes::router(Arc::clone(&app));
        let graceful = GracefulShutdown::new();
        tokio::pin!(stop);
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = &mut stop => break,
            };
            match accepted {
                Ok((stream, address)) => accept(&app, &router, &graceful, stream, address),
                Err(error) => {
                    // Usually out of file descriptors, which passes.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
        tracing::info!("stopping");
        drop(listener);
        app.builds.stop();
        app.games.disconnect();
        if tokio::time::timeout(SHUTDOWN, graceful.shutdown())
            .await
            .is_err()
        {
            tracing::warn!("gave up some requests");
        }
        for task in background {
            task.abort();
        }
        let ending = tokio::task::spawn_blocking(move || {
            app.games.close();
            app.jobs.pool.close();
            if let Some(building) = building {
                let _ = building.join();
            }
        });
        // A build stops at its next step.
        let _ = tokio::time::timeout(SHUTDOWN, ending).await;
    }
}

/// Serves a connection, unless a limit is reached.
fn accept(
    app: &Arc<App>,
    router: &Router,
    graceful: &GracefulShutdown,
    stream: TcpStream,
    address: SocketAddr,
) {
    let address = address.ip().to_canonical();
    let proxy = app.config.behind_proxy;
    let permit = app.connections.admit(client_key(address), proxy);
    let Some(permit) = permit else {
        app.metrics.refused_connections.inc();
        return;
    };
    let _ = stream.set_nodelay(true);
    let peer = Peer {
        address,
        permit: Arc::new(permit),
    };
    let router = router.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        let router = router.clone();
        async move {
            let Ok(response) = router.oneshot(request.map(axum::body::Body::new)).await;
            Ok::<_, Infallible>(response)
        }
    });
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        // Without `pipeline_flush`, which would buffer without limit for a client that sends requests
        // and does not read.
        .max_buf_size(MAX_HEAD);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE));
    stream.set_read_timeout(Some(READ));
    let stream = TokioIo::new(Box::pin(stream));
    let connection = builder.serve_connection_with_upgrades(stream, service);
    let connection = graceful.watch(connection.into_owned());
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection failed");
        }
    });
}

/// Ends games by link whose time has run out.
async fn sweep_clocks(app: Arc<App>) {
    let mut ticks = tokio::time::interval(CLOCKS);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.games.sweep_clocks().await;
    }
}

/// Looks for new tables and for expired games.
async fn maintain(app: Arc<App>) {
    let mut ticks = tokio::time::interval(MAINTENANCE);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let rulesets = Arc::clone(&app.rulesets);
        let refreshed = tokio::task::spawn_blocking(move || rulesets.refresh());
        if let Err(error) = refreshed.await {
            tracing::error!(%error, "cannot list the tables");
        }
        app.games.expire().await;
    }
}

/// Builds on a separate thread, and lists the tables after each ruleset.
fn build(app: &Arc<App>, builder: Builder) -> std::thread::JoinHandle<()> {
    let app = Arc::clone(app);
    std::thread::spawn(move || {
        let rulesets = Arc::clone(&app.rulesets);
        app.builds.when_done(move || rulesets.refresh());
        builder(&app.builds);
    })
}
