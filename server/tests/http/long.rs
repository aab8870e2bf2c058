//! Tests that take minutes: `cargo test -p endmill-server --features long-tests --test http long::`.
use std::sync::Arc;
use std::time::Duration;

use crate::harness::{PATIENCE, TestServer, generous, until};
use endmill_server::Limits;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

const GAMES: usize = 1000;
/// Turns that are legal one after the other.
const TURNS: [&str; 10] = ["d6", "f4", "d2", "b4", "a1", "g7", "g1", "a7", "e3", "c5"];

fn many() -> Limits {
    Limits {
        open_games: 2 * GAMES,
        ..generous()
    }
}

/// Plays some turns of a game, with a socket for each side.
async fn play(server: &TestServer, id: &str, secrets: &[String; 2], turns: std::ops::Range<usize>) {
    let (mut white, state) = server.join(id, Some(&secrets[0])).await;
    assert_eq!(state["seq"], turns.start);
    let (mut black, _) = server.join(id, Some(&secrets[1])).await;
    for ply in turns {
        let mover = if ply % 2 == 0 { &mut white } else { &mut black };
        assert_eq!(mover.play(TURNS[ply], ply as u64).await, "ok");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_games_at_once_survive_a_restart_in_the_middle() {
    let begun = std::time::Instant::now();
    let games = TempDir::new().unwrap();
    let server = Arc::new(TestServer::with_games(games.path(), many()).await);
    let playing = (0..GAMES).map(|_| {
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let (id, secrets) = server.game("nine").await;
            play(&server, &id, &secrets, 0..5).await;
            (id, secrets)
        })
    });
    let made = futures_util::future::join_all(playing).await;
    let made: Vec<_> = made.into_iter().map(Result::unwrap).collect();
    let server = Arc::into_inner(server).expect("no game is running");
    server.stop().await;
    let server = Arc::new(TestServer::with_games(games.path(), many()).await);
    let playing = made.into_iter().map(|(id, secrets)| {
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            play(&server, &id, &secrets, 5..10).await;
            let state = server.ok(&format!("/api/games/{id}")).await;
            assert_eq!(state["turns"], json!(TURNS));
        })
    });
    for played in futures_util::future::join_all(playing).await {
        played.unwrap();
    }
    let (turns, taken) = (GAMES * TURNS.len(), begun.elapsed().as_secs_f64());
    println!(
        "{GAMES} games at once, {turns} turns, a restart in the middle: none lost, {taken:.1} s"
    );
}

/// The resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    let kilobytes = line.split_whitespace().nth(1).unwrap();
    kilobytes.parse::<u64>().unwrap() << 10
}

/// Fragments of requests and messages.
const PIECES: [&str; 32] = [
    "GET ",
    "POST ",
    "/api/",
    "nine",
    "/probe?position=",
    "W:Wa1,d1,g7:Bb2,b4,d6",
    "start",
    "%00",
    "%FF",
    "/",
    "..",
    "\r\n",
    "\r\n\r\n",
    " HTTP/1.1\r\nhost: x\r\n",
    "content-length: 5\r\n",
    "transfer-encoding: chunked\r\n",
    "{\"positions\":[",
    "\"",
    "}",
    "]",
    "&turns=no",
    "/batch",
    "/games",
    "/ws",
    "upgrade: websocket\r\n",
    "{\"type\":\"play\",\"id\":\"1\",\"seq\":0,\"move\":\"d6\"}",
    "{\"type\":\"hello\"}",
    "\u{0}",
    "é",
    "99999999999999999999",
    "-1",
    "/image.png?size=64&position=",
];

fn garbage(random: &mut StdRng) -> Vec<u8> {
    let count = random.random_range(1..12);
    let mut text = Vec::new();
    for _ in 0..count {
        match random.random_range(0..10) {
            0 => text.push(random.random()),
            _ => text.extend_from_slice(PIECES.choose(random).unwrap().as_bytes()),
        }
    }
    text
}

/// A well-formed request with random contents.
fn request(random: &mut StdRng) -> Vec<u8> {
    const ROUTES: [&str; 14] = [
        "probe?position=",
        "line?position=",
        "tables/",
        "sample?table=",
        "puzzle?plies=",
        "read?text=",
        "transform?by=flip&position=",
        "image.svg?position=",
        "batch",
        "review",
        "setup",
        "move",
        "",
        "tables",
    ];
    const IDS: [&str; 5] = ["nine", "three", "draughts", "games", "chess"];
    let method = if random.random_bool(0.3) {
        "POST"
    } else {
        "GET"
    };
    let (route, id) = (ROUTES.choose(random).unwrap(), IDS.choose(random).unwrap());
    let mut rest = garbage(random);
    rest.retain(|byte| byte.is_ascii_graphic());
    let body = garbage(random);
    let mut text = format!("{method} /api/{id}/{route}").into_bytes();
    text.extend(rest);
    let head = format!(
        " HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    text.extend(head.into_bytes());
    text.extend(body);
    text
}

/// Reads the next answer and returns its status; `None` if the server has closed the connection.
async fn answer(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut status = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        if status.is_empty() {
            status.clone_from(&line);
        }
        let lower = line.to_ascii_lowercase();
        if let Some(given) = lower.strip_prefix("content-length:") {
            length = given.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(status)
}

/// Sends requests over one connection until the server closes it; returns the number of answers.
async fn send_requests(server: &TestServer, random: &mut StdRng, most: usize) -> usize {
    let Ok(stream) = TcpStream::connect(server.address).await else {
        tokio::time::sleep(Duration::from_millis(10)).await;
        return 0;
    };
    let mut stream = BufReader::new(stream);
    if random.random_bool(0.1) {
        // Not a request: the server answers with an error, or closes the connection.
        let _ = stream.write_all(&garbage(random)).await;
        let _ = stream.shutdown().await;
        let rest = &mut Vec::new();
        let ended = tokio::time::timeout(PATIENCE, stream.read_to_end(rest));
        let _ = ended.await.expect("the server does not end it");
        return 1;
    }
    let mut answered = 0;
    while answered < most {
        let text = request(random);
        if stream.write_all(&text).await.is_err() {
            break;
        }
        let status = tokio::time::timeout(PATIENCE, answer(&mut stream));
        let Some(status) = status.await.expect("nothing is answered") else {
            break;
        };
        let text = String::from_utf8_lossy(&text);
        assert!(!status.contains(" 500 "), "{status}{text}");
        answered += 1;
    }
    answered
}

/// Sends messages over one socket until the server closes it; returns the number of answers.
async fn send_messages(server: &TestServer, id: &str, random: &mut StdRng, most: usize) -> usize {
    let mut socket = server.connect(id).await;
    for _ in 0..most {
        let text = String::from_utf8_lossy(&garbage(random)).into_owned();
        socket.send(Message::text(text)).await;
    }
    // The last message is answered, unless the socket is closed.
    socket.send_json(json!({ "type": "ping" })).await;
    let mut answered = 0;
    while let Some(message) = socket.next().await {
        if message["type"] == "pong" {
            break;
        }
        answered += usize::from(message["type"] != "event");
    }
    answered
}

#[tokio::test(flavor = "multi_thread")]
async fn a_million_random_requests_and_messages_do_no_harm() {
    const ALL: usize = 1_000_000;
    let server = Arc::new(TestServer::start().await);
    let (id, secrets) = server.game("nine").await;
    let round = async |seed: u64, share: usize| {
        let workers = (0..16u64).map(|worker| {
            let (server, id) = (Arc::clone(&server), id.clone());
            tokio::spawn(async move {
                let mut random = StdRng::seed_from_u64(seed * 1000 + worker);
                let mut answered = 0;
                while answered < share / 16 {
                    answered += match worker % 4 {
                        0 => send_messages(&server, &id, &mut random, 50).await,
                        _ => send_requests(&server, &mut random, 100).await,
                    };
                }
            })
        });
        for worker in futures_util::future::join_all(workers).await {
            worker.unwrap();
        }
    };
    // The caches fill first.
    round(0, ALL / 10).await;
    let before = resident();
    for seed in 1..10 {
        round(seed, ALL / 10).await;
    }
    until_alone(&server).await;
    let after = resident();
    let grown = after.saturating_sub(before);
    println!("{ALL} requests and messages answered: {before} bytes, then {after}");
    assert!(grown < 64 << 20, "{before} bytes, then {after}");
    // Games still work.
    let (mut white, state) = server.join(&id, Some(&secrets[0])).await;
    assert_eq!(state["turns"], Value::Array(Vec::new()));
    assert_eq!(white.play("d6", 0).await, "ok");
}

/// Waits until the server has no other connection.
async fn until_alone(server: &TestServer) {
    until("all other connections are closed", async || {
        let metrics = server.get("/metrics").await.text().await.unwrap();
        metrics.contains("endmill_connections_open 1\n")
    })
    .await;
}

/// Connections that send nothing, or read nothing, in each state of a connection.
#[tokio::test(flavor = "multi_thread")]
async fn silent_and_slow_clients_are_disconnected() {
    let server = TestServer::start().await;
    let (id, secrets) = server.game("nine").await;
    let connect = || async { TcpStream::connect(server.address).await.unwrap() };
    // Nothing; half a head; half a body.
    let nothing = connect().await;
    let mut head = connect().await;
    head.write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
    let mut body = connect().await;
    let half = b"POST /api/nine/batch HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    body.write_all(half).await.unwrap();
    // A socket without hello, and a player who falls silent.
    let silent = server.connect(&id).await;
    let (seat, _) = server.join(&id, Some(&secrets[1])).await;
    // A client that sends many requests and does not read.
    let client = connect().await;
    let (unread, mut client) = client.into_split();
    let asking = tokio::spawn(async move {
        let ask = b"GET /api/nine/image.svg?position=start&size=600 HTTP/1.1\r\nhost: x\r\n\r\n";
        let mut asked = 0;
        while client.write_all(ask).await.is_ok() {
            asked += 1;
        }
        asked
    });
    let before = resident();
    // The other side still plays.
    let (mut white, _) = server.join(&id, Some(&secrets[0])).await;
    assert_eq!(white.play("d6", 0).await, "ok");
    drop(white);
    let begun = std::time::Instant::now();
    until_alone(&server).await;
    let taken = begun.elapsed().as_secs_f64();
    let asked = asking.await.unwrap();
    let grown = resident().saturating_sub(before) >> 20;
    println!("all of them gone after {taken:.0} s; {asked} questions not heard; {grown} MiB more");
    assert!(grown < 64, "buffered answers: {grown} MiB");
    drop((nothing, head, body, silent, seat, unread));
}
