//! A server on a real socket, a database of small tables, and clients for HTTP and WebSockets.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use endmill_games::{Game, Ruleset};
use endmill_probe::Options;
use endmill_server::{Config, Limits, Server};
use endmill_testkit::{build, plies};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The deadline of every wait, far longer than needed on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Waits for a condition.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, wait).await;
    waited.unwrap_or_else(|_| panic!("timed out: {what}"));
}

/// All of three men's morris, nine men's up to 6 men, draughts up to 2 pieces.
pub fn database() -> &'static Path {
    static DATABASE: OnceLock<TempDir> = OnceLock::new();
    let made = DATABASE.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        for (id, pieces) in [("three", None), ("nine", Some(6)), ("draughts", Some(2))] {
            let directory = directory.path();
            let ruleset = Ruleset::find(id).unwrap();
            endmill_layout::visit(ruleset, Build { directory, pieces });
        }
        directory
    });
    made.path()
}

struct Build<'a> {
    directory: &'a Path,
    pieces: Option<u32>,
}

impl endmill_layout::Visitor for Build<'_> {
    type Output = ();

    fn visit<G: Game + endmill_layout::Layout>(self, game: G) {
        build(self.directory, &game, self.pieces, &plies(true));
    }
}

/// Limits that no test reaches by accident.
pub fn generous() -> Limits {
    Limits {
        requests_per_second: 0,
        connections_per_address: 10_000,
        connections: 10_000,
        patience: PATIENCE,
        search_nodes: 2_000,
        ..Limits::default()
    }
}

/// A server that runs in this process.
pub struct TestServer {
    pub address: SocketAddr,
    pub client: reqwest::Client,
    stop: oneshot::Sender<()>,
    done: JoinHandle<()>,
}

impl TestServer {
    /// Starts a server whose games are not kept.
    pub async fn start() -> TestServer {
        TestServer::with(generous()).await
    }

    pub async fn with(limits: Limits) -> TestServer {
        let games = TempDir::new().unwrap();
        let running = TestServer::with_games(games.path(), limits).await;
        // The open journal does not need the directory.
        drop(games);
        running
    }

    /// Starts a server with its games in this directory.
    pub async fn with_games(games: &Path, limits: Limits) -> TestServer {
        let games = games.to_owned();
        let config = tokio::task::spawn_blocking(move || Config {
            listen: ([127, 0, 0, 1], 0).into(),
            rulesets: endmill_games::rulesets().collect(),
            database: database().to_owned(),
            reading: Options::default(),
            games,
            threads: 2,
            behind_proxy: false,
            limits,
        });
        let server = Server::bind(config.await.unwrap()).await.unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let done = tokio::spawn(server.run(None, async {
            let _ = stopped.await;
        }));
        TestServer {
            address,
            client: reqwest::Client::new(),
            stop,
            done,
        }
    }

    /// Stops gracefully.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.done.await.unwrap();
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.client.get(self.url(path)).send().await.unwrap()
    }

    /// Status and body of a GET.
    pub async fn json(&self, path: &str) -> (u16, Value) {
        status_and_json(self.get(path).await).await
    }

    /// The body of a GET that must succeed.
    pub async fn ok(&self, path: &str) -> Value {
        let (status, body) = self.json(path).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Status and body of a POST.
    pub async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let sent = self.client.post(self.url(path)).json(&body).send().await;
        status_and_json(sent.unwrap()).await
    }

    /// Creates a game; returns its id, and the secrets of White and Black.
    pub async fn game(&self, ruleset: &str) -> (String, [String; 2]) {
        self.game_with(json!({ "ruleset": ruleset })).await
    }

    pub async fn game_with(&self, request: Value) -> (String, [String; 2]) {
        let (status, made) = self.post("/api/games", request).await;
        assert_eq!(status, 201, "{made}");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let seats = ["white", "black"].map(|side| text(&made["seats"][side]));
        (text(&made["id"]), seats)
    }

    /// A socket to a game, before hello.
    pub async fn connect(&self, id: &str) -> Socket {
        let address = format!("ws://{}/api/games/{id}/ws", self.address);
        let (stream, _) = connect_async(address).await.unwrap();
        Socket { stream }
    }

    /// A socket after hello, and the state that it received.
    pub async fn join(&self, id: &str, secret: Option<&str>) -> (Socket, Value) {
        let mut socket = self.connect(id).await;
        socket
            .send_json(json!({ "type": "hello", "secret": secret }))
            .await;
        let state = socket.wait_for("state").await;
        (socket, state)
    }
}

async fn status_and_json(response: reqwest::Response) -> (u16, Value) {
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("not JSON: {text}"));
    (status, body)
}

/// A client of a game.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    pub async fn send_json(&mut self, message: Value) {
        self.send(Message::text(message.to_string())).await;
    }

    pub async fn send(&mut self, message: Message) {
        // A closed connection is noticed when reading.
        let _ = self.stream.send(message).await;
    }

    /// The next message; `None` if the server has closed the socket.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.stream.next());
            match next.await.expect("no message") {
                Some(Ok(Message::Text(text))) => {
                    return Some(serde_json::from_str(&text).unwrap());
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return None,
            }
        }
    }

    /// Skips to the next message of a type, or event of a kind.
    pub async fn wait_for(&mut self, wanted: &str) -> Value {
        loop {
            let message = self.next().await;
            let message = message.unwrap_or_else(|| panic!("closed before {wanted}"));
            if message["type"] == wanted || message["kind"] == wanted {
                return message;
            }
        }
    }

    /// Sends a command with a unique id; returns `ok` or the code of the refusal.
    pub async fn command(&mut self, mut command: Value) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = format!("command {}", NEXT.fetch_add(1, Ordering::Relaxed));
        command["id"] = id.clone().into();
        self.send_json(command).await;
        self.answer(&id).await
    }

    /// The answer to a command.
    pub async fn answer(&mut self, id: &str) -> String {
        loop {
            let message = self.next().await.expect("closed before the answer");
            if message["id"] == id {
                return match message["type"].as_str() {
                    Some("ok") => "ok".to_owned(),
                    _ => message["error"].as_str().unwrap().to_owned(),
                };
            }
        }
    }

    pub async fn play(&mut self, text: &str, seq: u64) -> String {
        let play = json!({ "type": "play", "move": text, "seq": seq });
        self.command(play).await
    }
}
