//! The limits on clients.

use crate::harness::{TestServer, generous, until};
use endmill_server::Limits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_are_refused_with_a_time() {
    let server = TestServer::with(Limits {
        requests_per_second: 1,
        burst: 3,
        ..generous()
    })
    .await;
    let first = server.get("/api/three").await;
    assert_eq!(first.status(), 200);
    assert_eq!(first.headers()["ratelimit-limit"], "3");
    assert_eq!(first.headers()["ratelimit-remaining"], "2");
    // Far more requests than seconds until they are answered.
    let asking = (0..200).map(|_| server.get("/api/three"));
    let answers = futures_util::future::join_all(asking).await;
    let (refused, answered): (Vec<_>, Vec<_>) =
        (answers.into_iter()).partition(|answer| answer.status() == 429);
    assert!(answered.len() >= 2, "refused too soon");
    assert!(answered.iter().all(|answer| answer.status() == 200));
    let refused = refused.into_iter().next().expect("nothing is refused");
    assert_eq!(refused.headers()["retry-after"], "1");
    let body = refused.text().await.unwrap();
    assert!(body.contains("too_many_requests"), "{body}");
    // Monitoring is not counted.
    assert_eq!(server.get("/healthz").await.status(), 200);
    until("the server answers again", async || {
        server.get("/api/three").await.status() == 200
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_a_largest_size() {
    let server = TestServer::with(Limits {
        body_bytes: 1000,
        ..generous()
    })
    .await;
    let long = json!({ "text": "d6 ".repeat(1000) });
    let (status, refused) = server.post("/api/nine/review", long).await;
    assert_eq!((status, &refused["error"]), (413, &json!("too_large")));
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_of_one_address_are_counted() {
    let server = TestServer::with(Limits {
        connections_per_address: 2,
        ..generous()
    })
    .await;
    let mut held = [
        TcpStream::connect(server.address).await.unwrap(),
        TcpStream::connect(server.address).await.unwrap(),
    ];
    for stream in &mut held {
        stream
            .write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
            .await
            .unwrap();
        let mut first = [0; 12];
        stream.read_exact(&mut first).await.unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
    }
    let mut third = TcpStream::connect(server.address).await.unwrap();
    let mut nothing = Vec::new();
    // Closed at once, or reset.
    let read = third.read_to_end(&mut nothing).await;
    assert!(read.is_err() || nothing.is_empty());
    drop(held);
    until("the places are free again", async || {
        let again = server.client.get(server.url("/healthz")).send().await;
        again.is_ok_and(|answer| answer.status() == 200)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_reported() {
    let server = TestServer::with(Limits {
        waiting: 1,
        search_nodes: 200_000,
        ..generous()
    })
    .await;
    let mut seeds = (0..).step_by(24);
    until("a request is refused", async || {
        let first = seeds.next().unwrap();
        let searches = (first..first + 24).map(|seed| {
            let asked = json!({ "position": "start", "level": "perfect", "seed": seed });
            server.post("/api/nine/move", asked)
        });
        let answers = futures_util::future::join_all(searches).await;
        let (answered, refused): (Vec<_>, Vec<_>) =
            answers.iter().partition(|(status, _)| *status == 200);
        assert!(!answered.is_empty(), "no request was answered");
        for (status, body) in &refused {
            assert_eq!((*status, &body["error"]), (503, &json!("busy")));
        }
        !refused.is_empty()
    })
    .await;
    server.ok("/api/three/probe?position=start").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_games_is_bounded() {
    let server = TestServer::with(Limits {
        open_games: 2,
        ..generous()
    })
    .await;
    server.game("three").await;
    server.game("three").await;
    let (status, refused) = server
        .post("/api/games", json!({ "ruleset": "three" }))
        .await;
    assert_eq!((status, &refused["error"]), (503, &json!("busy")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_finishes_running_requests() {
    let server = TestServer::start().await;
    let address = server.address;
    let body = json!({ "position": "start", "level": "perfect", "seed": 1 }).to_string();
    let mut asking = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /api/nine/move HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    asking.write_all(head.as_bytes()).await.unwrap();
    // The server sends this when it waits for the body.
    let mut under_way = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
    asking.read_exact(&mut under_way).await.unwrap();
    assert_eq!(&under_way, b"HTTP/1.1 100 Continue\r\n\r\n");
    let stopping = tokio::spawn(server.stop());
    until("new connections are refused", async || {
        TcpStream::connect(address).await.is_err()
    })
    .await;
    asking.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    asking.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    stopping.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_does_not_buffer_for_a_client_that_does_not_read() {
    const MOST: usize = 64 << 20;
    let server = TestServer::start().await;
    let mut client = TcpStream::connect(server.address).await.unwrap();
    let one = "GET /api/nine/image.svg?position=start HTTP/1.1\r\nhost: x\r\n\r\n";
    let ask = one.repeat(1000);
    let mut asked = 0;
    // The system buffers some requests; then the server stops reading from this client, while it
    // answers others.
    let others = async || {
        for _ in 0..300 {
            server.ok("/api/nine/probe?position=start&turns=no").await;
        }
    };
    loop {
        // Continue after the last written byte.
        let rest = &ask.as_bytes()[asked % one.len()..];
        tokio::select! {
            biased;
            written = client.write(rest) => match written {
                Ok(written) => asked += written,
                // Disconnected for not reading.
                Err(_) => break,
            },
            () = others() => break,
        }
        assert!(asked < MOST, "the server buffers answers without limit");
    }
    assert!(asked > ask.len(), "{asked}");
}
