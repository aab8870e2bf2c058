//! What one client may take.

use std::time::Duration;

use crate::support::{Running, generous};
use endmill_server::Limits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_are_refused_with_a_time() {
    let server = Running::with(Limits {
        requests_per_second: 1,
        burst: 3,
        ..generous()
    })
    .await;
    let first = server.get("/api/three").await;
    assert_eq!(first.status(), 200);
    assert_eq!(first.headers()["ratelimit-limit"], "3");
    assert_eq!(first.headers()["ratelimit-remaining"], "2");
    let mut asked = 1;
    let refused = loop {
        let answer = server.get("/api/three").await;
        if answer.status() == 429 {
            break answer;
        }
        asked += 1;
        assert!(asked < 100, "nothing is refused");
    };
    assert!(asked >= 3, "refused too soon");
    assert_eq!(refused.headers()["retry-after"], "1");
    let body = refused.text().await.unwrap();
    assert!(body.contains("too_many_requests"), "{body}");
    // Whoever looks after the server is not counted.
    assert_eq!(server.get("/healthz").await.status(), 200);
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(server.get("/api/three").await.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_has_a_largest_size() {
    let server = Running::with(Limits {
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
    let server = Running::with(Limits {
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
    for _ in 0..100 {
        let again = server.client.get(server.url("/healthz")).send().await;
        if again.is_ok_and(|answer| answer.status() == 200) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the places are not free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_is_told_and_nothing_breaks() {
    let server = Running::with(Limits {
        waiting: 1,
        search_nodes: 200_000,
        ..generous()
    })
    .await;
    let searches = (0..24).map(|seed| {
        let asked = json!({ "position": "start", "level": "perfect", "seed": seed });
        server.post("/api/nine/move", asked)
    });
    let answers = futures_util::future::join_all(searches).await;
    let count = |wanted| {
        answers
            .iter()
            .filter(|(status, _)| *status == wanted)
            .count()
    };
    assert!(count(503) > 0, "nobody was refused");
    assert!(count(200) > 0, "nobody was answered");
    assert_eq!(count(200) + count(503), 24);
    let refused = answers.iter().find(|(status, _)| *status == 503).unwrap();
    assert_eq!(refused.1["error"], "busy");
    server.ok("/api/three/probe?position=start").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_games_is_bounded() {
    let server = Running::with(Limits {
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
async fn a_stop_lets_what_is_under_way_finish() {
    let server = Running::start().await;
    let url = server.url("/api/nine/move");
    let client = server.client.clone();
    let asked = json!({ "position": "start", "level": "perfect", "seed": 1 });
    let asking = tokio::spawn(async move {
        let answer = client.post(url).json(&asked).send().await.unwrap();
        answer.status().as_u16()
    });
    tokio::time::sleep(Duration::from_millis(30)).await;
    let address = server.address;
    server.stop().await;
    assert_eq!(asking.await.unwrap(), 200);
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_nobody_takes_stop_the_questions() {
    const MOST: usize = 64 << 20;
    let server = Running::start().await;
    let mut deaf = TcpStream::connect(server.address).await.unwrap();
    let ask = "GET /api/nine/image.svg?position=start HTTP/1.1\r\nhost: x\r\n\r\n".repeat(1000);
    let mut asked = 0;
    // What the system buffers on the way is taken; then the server reads no more.
    while let Ok(written) =
        tokio::time::timeout(Duration::from_secs(3), deaf.write_all(ask.as_bytes())).await
    {
        written.unwrap();
        asked += ask.len();
        assert!(asked < MOST, "the server collects answers without end");
    }
    server.ok("/api/nine/probe?position=start&turns=no").await;
}
