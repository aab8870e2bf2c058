//! Listening, accepting, and stopping gracefully.

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
use crate::error::ServeError;
use crate::gate::Peer;
use crate::limits::household;
use crate::routes;
use crate::rulesets::Builds;

/// Until the head of a request must be there, and so long an idle connection is kept.
const HEAD: Duration = Duration::from_secs(30);
/// Until a client must have said something, whatever it is: the end of a connection on which nothing
/// ever comes. Longer than the silence that a game's socket is allowed.
const SAYING: Duration = Duration::from_secs(90);
/// Until a client must have taken a part of what it is sent.
const TAKING: Duration = Duration::from_secs(30);
/// Until requests that are under way are given up when the server stops.
const FAREWELL: Duration = Duration::from_secs(10);
/// How often clocks are looked at.
const CLOCKS: Duration = Duration::from_millis(250);
/// How often the database is looked at for new tables, and games for old ones.
const ROUND: Duration = Duration::from_secs(30);
/// No head of a request is larger.
const LARGEST_HEAD: usize = 64 << 10;

/// Builds the tables that a first start needs, and tells how far it is.
pub type Builder = Box<dyn FnOnce(&Builds) + Send>;

/// A server that listens, and does not answer yet.
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

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        let address = self.listener.local_addr();
        address.unwrap_or(self.app.config.listen)
    }

    /// Whether the database has no table at all.
    pub fn is_empty(&self) -> bool {
        self.app.rulesets.is_empty()
    }

    /// What is being built: whoever builds can announce it before the first request is answered.
    pub fn builds(&self) -> &Builds {
        &self.app.builds
    }

    /// Answers until `stop` comes, then finishes what is under way. Builds in the background if
    /// there is something to build.
    pub async fn run(self, builder: Option<Builder>, stop: impl Future<Output = ()>) {
        let Server { app, listener } = self;
        let building = builder.map(|builder| build(&app, builder));
        let chores = [
            tokio::spawn(clocks(Arc::clone(&app))),
            tokio::spawn(rounds(Arc::clone(&app))),
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
                    // Out of files, usually: it passes.
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
        tracing::info!("stopping");
        drop(listener);
        app.builds.stop();
        app.club.close();
        if tokio::time::timeout(FAREWELL, graceful.shutdown())
            .await
            .is_err()
        {
            tracing::warn!("some requests were given up");
        }
        for chore in chores {
            chore.abort();
        }
        let ending = tokio::task::spawn_blocking(move || {
            app.club.end();
            app.answering.pool.close();
            if let Some(building) = building {
                let _ = building.join();
            }
        });
        // A build stops at its next step.
        let _ = tokio::time::timeout(FAREWELL, ending).await;
    }
}

/// Serves one connection, if there is a place for it.
fn accept(
    app: &Arc<App>,
    router: &Router,
    graceful: &GracefulShutdown,
    stream: TcpStream,
    address: SocketAddr,
) {
    let address = address.ip().to_canonical();
    let proxy = app.config.behind_proxy;
    let place = app.connections.enter(household(address), proxy);
    let Some(place) = place else {
        app.metrics.turned_away.inc();
        return;
    };
    let _ = stream.set_nodelay(true);
    let peer = Peer {
        address,
        place: Arc::new(place),
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
        // Without `pipeline_flush`: with it answers to a client that asks and takes none are
        // collected without end.
        .max_buf_size(LARGEST_HEAD);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(TAKING));
    stream.set_read_timeout(Some(SAYING));
    let stream = TokioIo::new(Box::pin(stream));
    let connection = builder.serve_connection_with_upgrades(stream, service);
    let connection = graceful.watch(connection.into_owned());
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection broke");
        }
    });
}

/// Ends games by link whose time is over.
async fn clocks(app: Arc<App>) {
    let mut ticks = tokio::time::interval(CLOCKS);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        app.club.watch_clocks().await;
    }
}

/// Looks for new tables and for games that have expired.
async fn rounds(app: Arc<App>) {
    let mut ticks = tokio::time::interval(ROUND);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let rulesets = Arc::clone(&app.rulesets);
        let refreshed = tokio::task::spawn_blocking(move || rulesets.refresh());
        if let Err(error) = refreshed.await {
            tracing::error!(%error, "tables cannot be listed");
        }
        app.club.expire().await;
    }
}

/// Builds on a thread of its own, and lists the tables when each ruleset is done.
fn build(app: &Arc<App>, builder: Builder) -> std::thread::JoinHandle<()> {
    let app = Arc::clone(app);
    std::thread::spawn(move || {
        let rulesets = Arc::clone(&app.rulesets);
        app.builds.when_done(move || rulesets.refresh());
        builder(&app.builds);
    })
}
