//! The server: start, stop, and what survives a kill.
#![cfg(unix)]

mod program;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};

use program::{program, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket, connect, stream::MaybeTlsStream};

struct Serving {
    child: Child,
    /// `127.0.0.1:41234`
    address: String,
}

impl Serving {
    fn start(db: &Path, games: &Path, more: &[&str]) -> Serving {
        Serving::start_with(db, games, more, Stdio::inherit())
    }

    fn start_with(db: &Path, games: &Path, more: &[&str], complaints: Stdio) -> Serving {
        let mut command = program();
        command.args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"]);
        command
            .arg("--db")
            .arg(db)
            .arg("--games")
            .arg(games)
            .args(more);
        command.stdout(Stdio::piped()).stderr(complaints);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").unwrap();
        let address = address.strip_suffix('/').unwrap().to_owned();
        Serving { child, address }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Sends a request and returns the body of the response.
    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        use std::io::Write;
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"))
    }

    fn join(&self, id: &str, secret: &str) -> Socket {
        let address = format!("ws://{}/api/games/{id}/ws", self.address);
        let (stream, _) = connect(address).unwrap();
        let mut socket = Socket(stream);
        socket.say(json!({ "type": "hello", "secret": secret }));
        socket.hear("state");
        socket
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Socket(WebSocket<MaybeTlsStream<std::net::TcpStream>>);

impl Socket {
    fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    fn hear(&mut self, kind: &str) -> Value {
        loop {
            let message = self.0.read().unwrap();
            let message: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "refused", "{message}");
        }
    }

    fn play(&mut self, text: &str, seq: usize) {
        self.say(json!({ "type": "play", "id": text, "move": text, "seq": seq }));
        self.hear("ok");
    }
}

#[test]
fn a_kill_loses_no_turn_that_was_acknowledged() {
    let [db, games] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let start = || Serving::start(db.path(), games.path(), &["--build", "no"]);
    let mut server = start();
    let made = server.ask("POST", "/api/games", r#"{"ruleset":"nine"}"#);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let (id, secrets) = (
        text(&made["id"]),
        ["white", "black"].map(|side| text(&made["seats"][side])),
    );
    let turns = ["d6", "f4", "d2", "b4", "a1", "g7"];
    for (ply, turn) in turns.into_iter().enumerate() {
        let mut mover = server.join(&id, &secrets[ply % 2]);
        mover.play(turn, ply);
        server.signal(Signal::KILL);
        server.child.wait().unwrap();
        server = start();
        let state = server.ask("GET", &format!("/api/games/{id}"), "");
        assert_eq!(state["turns"], json!(turns[..=ply]));
        // Sent again after the kill, as if the response had been lost: it counts once.
        let mut mover = server.join(&id, &secrets[ply % 2]);
        mover.play(turn, ply);
    }
}

#[test]
fn sigterm_stops_the_server_with_success() {
    let [db, games] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let mut server = Serving::start(db.path(), games.path(), &["--build", "no"]);
    assert_eq!(server.ask("GET", "/healthz", "")["status"], "ok");
    let estimate = server.ask("GET", "/api/nine/probe?position=start&turns=no", "");
    assert!(estimate["estimate"]["score"].is_i64(), "{estimate}");
    server.signal(Signal::TERM);
    assert!(server.child.wait().unwrap().success());
}

/// Without tables and without building any, the server warns that every answer is a search.
#[test]
fn a_database_without_tables_is_reported_unless_it_is_built() {
    let [db, games] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let complaints = |more: &[&str]| {
        let mut server = Serving::start_with(db.path(), games.path(), more, Stdio::piped());
        assert_eq!(server.ask("GET", "/healthz", "")["status"], "ok");
        server.signal(Signal::TERM);
        let mut stderr = String::new();
        let mut complaints = server.child.stderr.take().unwrap();
        complaints.read_to_string(&mut stderr).unwrap();
        assert!(server.child.wait().unwrap().success(), "{stderr}");
        stderr
    };
    let none = format!("no tables in {}", db.path().display());
    let stderr = complaints(&["--build", "no"]);
    assert!(
        stderr.contains("WARN") && stderr.contains(&none),
        "{stderr}"
    );
    assert!(!complaints(&[]).contains(&none));
    let built = program()
        .args(["build", "three", "--tables", "3v3", "--db"])
        .arg(db.path())
        .output()
        .unwrap();
    assert!(built.status.success());
    assert_eq!(complaints(&["--build", "no"]), "");
}

#[test]
fn a_first_start_builds_tables_and_a_second_reuses_them() {
    let [db, games] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let has_three = |server: &Serving| {
        let three = server.ask("GET", "/api/three", "");
        three["coverage"]["whole_game"] == true
    };
    let mut server = Serving::start(db.path(), games.path(), &[]);
    until("three is built", || has_three(&server));
    let verdict = server.ask("GET", "/api/three/probe?position=start&turns=no", "");
    assert!(verdict["outcome"].is_string(), "{verdict}");
    server.signal(Signal::TERM);
    assert!(server.child.wait().unwrap().success());
    assert!(db.path().join("first-build").exists());
    let server = Serving::start(db.path(), games.path(), &[]);
    assert!(has_three(&server));
    until("six or what follows is being built", || {
        let all = server.ask("GET", "/api/rulesets", "");
        let mut all = all.as_array().unwrap().iter();
        all.any(|one| one["building"]["phase"].is_string())
    });
}

#[test]
fn a_public_address_needs_the_option() {
    let refused = program()
        .args(["serve", "--listen", "0.0.0.0:0"])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("--public"), "{message}");
}
