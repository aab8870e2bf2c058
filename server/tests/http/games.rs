//! Games by link: two players, a spectator and a stranger on real sockets.

use std::time::{Duration, Instant};

use crate::harness::{Socket, TestServer, generous, until};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

fn message(kind: &str) -> Value {
    json!({ "type": kind })
}

async fn seats(server: &TestServer) -> (String, [String; 2], [Socket; 2]) {
    let (id, secrets) = server.game("three").await;
    let (white, state) = server.join(&id, Some(&secrets[0])).await;
    assert_eq!(state["you"], "white");
    let (black, state) = server.join(&id, Some(&secrets[1])).await;
    assert_eq!(state["you"], "black");
    (id, secrets, [white, black])
}

#[tokio::test(flavor = "multi_thread")]
async fn every_client_sees_the_moves() {
    let server = TestServer::start().await;
    let (id, _, [mut white, mut black]) = seats(&server).await;
    let (mut watcher, state) = server.join(&id, None).await;
    assert_eq!(state["you"], Value::Null);
    assert_eq!(
        state["present"],
        json!({ "white": true, "black": true, "watchers": 1 })
    );
    assert_eq!(white.play("a1", 0).await, "ok");
    for socket in [&mut black, &mut watcher] {
        let turn = socket.wait_for("turn").await;
        assert_eq!(
            (&turn["seq"], &turn["turn"]["move"]),
            (&json!(1), &json!("a1"))
        );
        assert_eq!(turn["to_move"], "black");
    }
    assert_eq!(black.play("b2", 1).await, "ok");
    let state = server.ok(&format!("/api/games/{id}")).await;
    assert_eq!(state["turns"], json!(["a1", "b2"]));
    assert_eq!(state["positions"].as_array().unwrap().len(), 3);
    assert_eq!(state["seq"], 2);
    assert_eq!(black.command(message("resign")).await, "ok");
    let result = watcher.wait_for("result").await;
    assert_eq!(
        result["result"],
        json!({ "winner": "white", "reason": "resigned" })
    );
    assert_eq!(result["to_move"], Value::Null);
}

/// Each row is a command in a situation, with its outcome for White and Black; a spectator and a
/// stranger with a wrong secret are always refused. White is to move.
#[tokio::test(flavor = "multi_thread")]
async fn each_may_do_what_the_table_says() {
    let server = TestServer::start().await;
    let play = json!({ "type": "play", "move": "c3", "seq": 2 });
    let table = [
        ("begun", play.clone(), ["ok", "conflict"]),
        ("begun", message("takeback"), ["ok", "ok"]),
        (
            "begun",
            message("accept_takeback"),
            ["conflict", "conflict"],
        ),
        ("begun", message("draw"), ["ok", "ok"]),
        ("begun", message("accept_draw"), ["conflict", "conflict"]),
        ("begun", message("decline"), ["conflict", "conflict"]),
        ("begun", message("resign"), ["ok", "ok"]),
        ("begun", message("rematch"), ["conflict", "conflict"]),
        ("draw", message("accept_draw"), ["ok", "conflict"]),
        ("draw", message("decline"), ["ok", "conflict"]),
        ("takeback", message("accept_takeback"), ["ok", "conflict"]),
        ("takeback", message("decline"), ["ok", "conflict"]),
        ("resign", play, ["conflict", "conflict"]),
        ("resign", message("resign"), ["conflict", "conflict"]),
        ("resign", message("rematch"), ["ok", "ok"]),
    ];
    for (situation, command, [for_white, for_black]) in table {
        for (who, expected) in [for_white, for_black, "forbidden", "forbidden"]
            .into_iter()
            .enumerate()
        {
            let (id, secrets, [mut white, mut black]) = seats(&server).await;
            assert_eq!(white.play("a1", 0).await, "ok");
            assert_eq!(black.play("b2", 1).await, "ok");
            if situation != "begun" {
                assert_eq!(black.command(message(situation)).await, "ok");
            }
            let mut actor = match who {
                0 => white,
                1 => black,
                2 => server.join(&id, None).await.0,
                _ => {
                    let guessed = "x".repeat(secrets[0].len());
                    let mut stranger = server.connect(&id).await;
                    stranger
                        .send_json(json!({ "type": "hello", "secret": guessed }))
                        .await;
                    let refused = stranger.wait_for("refused").await;
                    assert_eq!(
                        (&refused["error"], &refused["id"]),
                        (&json!("forbidden"), &Value::Null)
                    );
                    let state = stranger.wait_for("state").await;
                    assert_eq!(state["you"], Value::Null);
                    stranger
                }
            };
            let found = actor.command(command.clone()).await;
            assert_eq!(found, expected, "{situation}: {command} by {who}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_need_hello_and_secrets_are_not_revealed() {
    let server = TestServer::start().await;
    let (id, secrets) = server.game("three").await;
    let mut silent = server.connect(&id).await;
    assert_eq!(silent.play("a1", 0).await, "forbidden");
    let state = server.ok(&format!("/api/games/{id}")).await.to_string();
    assert!(secrets.iter().all(|secret| !state.contains(secret)));
    assert!(secrets.iter().all(|secret| secret.len() >= 26));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_comes_twice_counts_once() {
    let server = TestServer::start().await;
    let (id, secrets, [mut white, _black]) = seats(&server).await;
    let play = json!({ "type": "play", "id": "same", "move": "a1", "seq": 0 });
    for _ in 0..2 {
        white.send_json(play.clone()).await;
        assert_eq!(white.answer("same").await, "ok");
    }
    // Also over another connection.
    let (mut white, state) = server.join(&id, Some(&secrets[0])).await;
    white.send_json(play).await;
    assert_eq!(white.answer("same").await, "ok");
    assert_eq!(state["turns"], json!(["a1"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_window_takes_over() {
    let server = TestServer::start().await;
    let (id, secrets, [mut first, _black]) = seats(&server).await;
    let (mut second, _) = server.join(&id, Some(&secrets[0])).await;
    first.wait_for("taken_over").await;
    assert_eq!(first.next().await, None);
    assert_eq!(second.play("a1", 0).await, "ok");
    let state = server.ok(&format!("/api/games/{id}")).await;
    assert_eq!(state["present"]["white"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_reconnects_gets_what_it_missed() {
    let server = TestServer::start().await;
    let (id, secrets, [mut white, black]) = seats(&server).await;
    drop(black);
    white.wait_for("present").await;
    assert_eq!(white.play("a1", 0).await, "ok");
    let mut black = server.connect(&id).await;
    black
        .send_json(json!({ "type": "hello", "secret": secrets[1], "after": 0 }))
        .await;
    let state = black.wait_for("state").await;
    assert_eq!(
        (&state["seq"], &state["turns"]),
        (&json!(1), &json!(["a1"]))
    );
    let mut black = server.connect(&id).await;
    black
        .send_json(json!({ "type": "hello", "secret": secrets[1], "after": 1 }))
        .await;
    let resumed = black.wait_for("resumed").await;
    assert_eq!(
        (&resumed["you"], &resumed["seq"]),
        (&json!("black"), &json!(1))
    );
    // Asking again gives the whole state.
    black
        .send_json(json!({ "type": "hello", "secret": secrets[1], "after": null }))
        .await;
    assert_eq!(black.wait_for("state").await["seq"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn takebacks_draws_and_rematches_need_both() {
    let server = TestServer::start().await;
    let (_, secrets, [mut white, mut black]) = seats(&server).await;
    assert_eq!(white.play("a1", 0).await, "ok");
    assert_eq!(white.command(message("takeback")).await, "ok");
    assert_eq!(black.wait_for("offer").await["offers"]["takeback"], "white");
    assert_eq!(black.command(message("accept_takeback")).await, "ok");
    let back = white.wait_for("takeback").await;
    assert_eq!(
        (&back["turns"], &back["to_move"]),
        (&json!([]), &json!("white"))
    );
    assert_eq!(back["positions"].as_array().unwrap().len(), 1);
    assert_eq!(white.command(message("draw")).await, "ok");
    assert_eq!(black.command(message("accept_draw")).await, "ok");
    let result = white.wait_for("result").await;
    assert_eq!(
        result["result"],
        json!({ "winner": null, "reason": "agreement" })
    );
    assert_eq!(white.command(message("rematch")).await, "ok");
    assert_eq!(black.command(message("rematch")).await, "ok");
    let next = white.wait_for("rematch").await["rematch_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let (_, state) = server.join(&next, Some(&secrets[0])).await;
    assert_eq!(state["you"], "black");
    let (_, state) = server.join(&next, Some(&secrets[1])).await;
    assert_eq!(
        (&state["you"], &state["turns"]),
        (&json!("white"), &json!([]))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn running_out_of_time_loses() {
    let games = TempDir::new().unwrap();
    let server = TestServer::with_games(games.path(), generous()).await;
    let clock = json!({ "minutes": 0.02, "increment_seconds": 0 });
    let (id, secrets) = server
        .game_with(json!({ "ruleset": "three", "clock": clock }))
        .await;
    let (mut white, state) = server.join(&id, Some(&secrets[0])).await;
    assert_eq!(state["clock"]["running"], Value::Null);
    assert_eq!(white.play("a1", 0).await, "ok");
    let result = white.wait_for("result").await;
    assert_eq!(
        result["result"],
        json!({ "winner": "white", "reason": "time" })
    );
    assert_eq!(result["clock"]["black_ms"], 0);
    // A result by the clock is stored too.
    server.stop().await;
    let server = TestServer::with_games(games.path(), generous()).await;
    let state = server.ok(&format!("/api/games/{id}")).await;
    assert_eq!(state["result"], result["result"]);
    for bad in [
        json!({ "minutes": -1 }),
        json!({ "minutes": 1e9 }),
        json!({ "minutes": 0 }),
    ] {
        let request = json!({ "ruleset": "three", "clock": bad });
        let (status, _) = server.post("/api/games", request).await;
        assert_eq!(status, 400);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_survives_a_restart() {
    let games = TempDir::new().unwrap();
    let server = TestServer::with_games(games.path(), generous()).await;
    let (id, secrets, [mut white, mut black]) = seats(&server).await;
    assert_eq!(white.play("a1", 0).await, "ok");
    assert_eq!(black.play("b2", 1).await, "ok");
    assert_eq!(white.command(message("draw")).await, "ok");
    let before = server.ok(&format!("/api/games/{id}")).await;
    server.stop().await;
    while white.next().await.is_some() {}
    let server = TestServer::with_games(games.path(), generous()).await;
    let mut after = server.ok(&format!("/api/games/{id}")).await;
    after["present"] = before["present"].clone();
    assert_eq!(after, before);
    let (mut black, state) = server.join(&id, Some(&secrets[1])).await;
    assert_eq!((&state["you"], &state["seq"]), (&json!("black"), &json!(3)));
    assert_eq!(black.command(message("accept_draw")).await, "ok");
    let over = server.ok(&format!("/api/games/{id}")).await;
    assert_eq!(over["result"]["reason"], "agreement");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_from_a_position_and_of_any_ruleset_can_be_played() {
    let server = TestServer::start().await;
    let request = json!({ "ruleset": "draughts", "start": "B:WK32:BK1", "side": "black" });
    let (status, made) = server.post("/api/games", request).await;
    assert_eq!((status, &made["you"]), (201, &json!("black")));
    let id = made["id"].as_str().unwrap();
    let secret = made["seats"]["black"].as_str().unwrap();
    assert_eq!(made["links"]["black"], format!("/#/game/{id}/{secret}"));
    let (mut black, state) = server.join(id, Some(secret)).await;
    assert_eq!(state["to_move"], "black");
    assert_eq!(black.play("1-6", 0).await, "ok");
    assert_eq!(black.play("6-1", 1).await, "conflict");
    for bad in [
        json!({ "ruleset": "three", "start": "nonsense" }),
        json!({ "ruleset": "draughts", "start": "W:W:BK1" }),
        json!({ "ruleset": 7 }),
    ] {
        let (status, refused) = server.post("/api/games", bad).await;
        assert_eq!((status, &refused["error"]), (400, &json!("bad_input")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_messages_are_refused_and_floods_cut_off() {
    let server = TestServer::start().await;
    let (id, secrets, [mut white, mut black]) = seats(&server).await;
    for bad in [
        "",
        "null",
        "[]",
        "{",
        r#"{"type":"play","id":"1"}"#,
        r#"{"type":"?"}"#,
    ] {
        white.send(Message::text(bad)).await;
        assert_eq!(white.wait_for("refused").await["error"], "bad_input");
    }
    assert_eq!(white.play("not a turn", 0).await, "bad_input");
    let mut noisy = server.join(&id, None).await.0;
    noisy.send(Message::binary(vec![1, 2, 3])).await;
    while noisy.next().await.is_some() {}
    let mut long = server.join(&id, None).await.0;
    long.send(Message::text("x".repeat(10_000))).await;
    while long.next().await.is_some() {}
    let mut flood = server.join(&id, None).await.0;
    for _ in 0..200 {
        flood.send_json(message("ping")).await;
    }
    let mut pongs = 0;
    while let Some(message) = flood.next().await {
        pongs += usize::from(message["type"] == "pong");
    }
    assert!(pongs < 150, "{pongs}");
    // The players are not affected.
    assert_eq!(white.play("a1", 0).await, "ok");
    assert_eq!(black.play("b2", 1).await, "ok");
    white.send_json(message("ping")).await;
    white.wait_for("pong").await;
    assert_eq!(server.join(&id, Some(&secrets[0])).await.1["seq"], 2);
    let plain = server.get(&format!("/api/games/{id}/ws")).await;
    assert_eq!(plain.status(), 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_does_not_run_while_the_server_is_down() {
    let games = TempDir::new().unwrap();
    let server = TestServer::with_games(games.path(), generous()).await;
    let clock = json!({ "minutes": 60, "increment_seconds": 0 });
    let request = json!({ "ruleset": "three", "clock": clock });
    let (id, secrets) = server.game_with(request).await;
    let (mut white, _) = server.join(&id, Some(&secrets[0])).await;
    let up = Instant::now();
    assert_eq!(white.play("a1", 0).await, "ok");
    server.stop().await;
    let mut up = up.elapsed();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    let again = Instant::now();
    let server = TestServer::with_games(games.path(), generous()).await;
    let (_, state) = server.join(&id, Some(&secrets[1])).await;
    up += again.elapsed();
    assert_eq!(state["result"], Value::Null);
    assert_eq!(state["clock"]["running"], "black");
    // Only the time of stopping and starting counts.
    let left = Duration::from_millis(state["clock"]["black_ms"].as_u64().unwrap());
    let used = Duration::from_secs(60 * 60) - left;
    assert!(used < up + Duration::from_millis(500), "{used:?} of {up:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn spectators_are_limited_and_do_not_disturb_the_players() {
    let server = TestServer::start().await;
    let (id, secrets) = server.game("three").await;
    let (mut white, _) = server.join(&id, Some(&secrets[0])).await;
    // White reads nothing while many spectators come, go, and come again.
    for _ in 0..2 {
        let joining = (0..200).map(|_| server.join(&id, None));
        let watchers = futures_util::future::join_all(joining).await;
        let mut late = server.connect(&id).await;
        late.send_json(message("hello")).await;
        assert_eq!(late.wait_for("refused").await["error"], "busy");
        assert_eq!(late.next().await, None);
        drop(watchers);
        until("the spectators have left", async || {
            server.ok(&format!("/api/games/{id}")).await["present"]["watchers"] == 0
        })
        .await;
    }
    assert_eq!(white.play("a1", 0).await, "ok");
    let (_watcher, _) = server.join(&id, None).await;
    while white.wait_for("present").await["present"]["watchers"] != 1 {}
}
