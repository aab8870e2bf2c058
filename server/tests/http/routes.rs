//! Every route over a real socket.

use crate::harness::TestServer;
use serde_json::{Value, json};

fn at(answer: &Value, path: &str) -> Value {
    let found = answer.pointer(path);
    found
        .unwrap_or_else(|| panic!("no {path} in {answer}"))
        .clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn rulesets_have_boards_and_coverage() {
    let server = TestServer::start().await;
    let all = server.ok("/api/rulesets").await;
    let ids: Vec<_> = endmill_games::rulesets()
        .map(|ruleset| ruleset.id())
        .collect();
    let found: Vec<_> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].clone())
        .collect();
    assert_eq!(found, ids);
    let three = server.ok("/api/three").await;
    assert_eq!(at(&three, "/coverage/whole_game"), true);
    assert_eq!(at(&three, "/building"), Value::Null);
    let nine = server.ok("/api/nine").await;
    assert_eq!(at(&nine, "/coverage/complete_to"), 6);
    assert_eq!(at(&nine, "/geometry/width"), 7.0);
    assert_eq!(
        at(&nine, "/geometry/points/0"),
        json!({ "name": "a1", "x": 0.0, "y": 0.0 })
    );
    let draughts = server.ok("/api/draughts").await;
    let first = json!({ "name": "1", "x": 1.0, "y": 0.0 });
    assert_eq!(at(&draughts, "/geometry/points/0"), first);
    assert_eq!(at(&draughts, "/geometry/width"), 8.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_answered_with_its_turns_or_without() {
    let server = TestServer::start().await;
    let path = "/api/nine/probe?position=W:Wa1,d1,g7:Bb2,b4,d6";
    let whole = server.ok(path).await;
    let moves = whole["moves"].as_array().unwrap();
    assert_eq!(whole["table"], "3v3");
    assert_eq!(whole["side"], "white");
    assert_eq!(whole["outcome"], moves[0]["outcome"]);
    assert_eq!(whole["plies"], moves[0]["plies"]);
    assert!(moves.iter().all(|turn| turn["path"]["to"].is_string()));
    let verdict = server.ok(&format!("{path}&turns=no")).await;
    assert_eq!(verdict.get("moves"), None);
    assert_eq!(verdict["outcome"], whole["outcome"]);
    let rules = server.ok(&format!("{path}&values=no")).await;
    assert_eq!(rules["outcome"], Value::Null);
    assert_eq!(rules["moves"].as_array().unwrap().len(), moves.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_positions_are_estimated_by_a_search() {
    let server = TestServer::start().await;
    let found = server.ok("/api/nine/probe?position=start").await;
    assert_eq!(found["outcome"], Value::Null);
    assert_eq!(found["error"], "table_missing");
    assert!(at(&found, "/estimate/score").is_i64());
    assert!(at(&found, "/moves/0/estimate/depth").as_u64().unwrap() > 0);
    // The estimate is that of the best move, and symmetric moves have the same one.
    let moves = found["moves"].as_array().unwrap();
    let score = |turn: &Value| at(turn, "/estimate/score").as_i64().unwrap();
    let best = moves.iter().map(score).max().unwrap();
    assert_eq!(at(&found, "/estimate/score"), best);
    for turn in moves {
        let alike = moves
            .iter()
            .find(|one| one["class"] == turn["class"])
            .unwrap();
        assert_eq!(score(turn), score(alike));
    }
    let found = server
        .ok("/api/nine/probe?position=start&estimates=no")
        .await;
    assert_eq!(found.get("estimate"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn parse_errors_report_the_place() {
    let server = TestServer::start().await;
    let (status, refused) = server.json("/api/nine/probe?position=W:Wa1,z2:Bb2").await;
    assert_eq!((status, &refused["error"]), (400, &json!("bad_input")));
    assert_eq!(refused["at"], 6);
    for path in [
        "/api/nine/probe",
        "/api/nine/probe?position=start&turns=perhaps",
        "/api/nine/sample?table=3v3&count=many",
        "/api/nine/tables/zzz",
        "/api/nine/transform?position=start&by=turn",
        "/api/nine/image.svg?position=start&size=100000",
        "/api/nine/read?text=%FF%FE",
    ] {
        let (status, refused) = server.json(path).await;
        assert_eq!(
            (status, &refused["error"]),
            (400, &json!("bad_input")),
            "{path}"
        );
    }
    for path in [
        "/api/chess/probe?position=start",
        "/api/chess",
        "/nothing/here/at/all",
        "/nowhere/nine",
        "/steal/nine",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/api/games/unknown",
    ] {
        let (status, refused) = server.json(path).await;
        assert_eq!(
            (status, &refused["error"]),
            (404, &json!("not_found")),
            "{path}"
        );
    }
    let (status, refused) = server.json("/api/nine/tables/8v8").await;
    assert_eq!((status, &refused["error"]), (404, &json!("table_missing")));
    let deleted = server
        .client
        .delete(server.url("/api/nine"))
        .send()
        .await
        .unwrap();
    assert_eq!(deleted.status(), 405);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_goes_to_the_end_of_the_game() {
    let server = TestServer::start().await;
    let won = server
        .ok("/api/nine/sample?table=3v3&outcome=win&plies=9&seed=4")
        .await;
    let position = at(&won, "/positions/0/position");
    let path = format!("/api/nine/line?position={}", position.as_str().unwrap());
    let line = server.ok(&path).await;
    assert_eq!(line["end"], "finished");
    assert_eq!(line["line"].as_array().unwrap().len(), 9);
    assert_eq!(line["positions"].as_array().unwrap().len(), 9);
    let (status, _) = server.json("/api/nine/line?position=start").await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_answers_each_position_in_its_place() {
    let server = TestServer::start().await;
    let positions = ["W:Wa1,d1,g7:Bb2,b4,d6", "nonsense", "start"];
    let batch = json!({ "positions": positions });
    let (status, answers) = server.post("/api/nine/batch", batch).await;
    assert_eq!(status, 200);
    assert!(answers[0]["outcome"].is_string());
    assert_eq!(answers[1]["error"], "bad_input");
    assert_eq!(answers[2]["error"], "table_missing");
    // Lines may have any declared type.
    for kind in ["text/plain", "application/x-www-form-urlencoded"] {
        let sent = server.client.post(server.url("/api/nine/batch"));
        let sent = sent
            .header("content-type", kind)
            .body(positions.join("\n\n"));
        let lines = sent.send().await.unwrap().text().await.unwrap();
        let lines: Value = serde_json::from_str(&lines).unwrap();
        assert_eq!(lines, answers);
    }
    let (status, refused) = server.post("/api/nine/batch", json!(positions)).await;
    assert_eq!(status, 400);
    assert!(refused["message"].as_str().unwrap().contains("positions"));
    let many = json!({ "positions": vec!["start"; 1001] });
    let (status, refused) = server.post("/api/nine/batch", many).await;
    assert_eq!((status, &refused["error"]), (413, &json!("too_large")));
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_have_counts() {
    let server = TestServer::start().await;
    let tables = server.ok("/api/nine/tables").await;
    let row = &tables.as_array().unwrap()[0];
    assert_eq!(row["table"], "3v3");
    assert_eq!(row.get("plies"), None);
    assert!(row["leads_to"].is_array());
    let table = server.ok("/api/nine/tables/3v3").await;
    let counted = ["win", "draw", "loss"].map(|of| table[of].as_u64().unwrap());
    assert_eq!(
        counted.iter().sum::<u64>(),
        table["positions"].as_u64().unwrap()
    );
    let plies = table["plies"].as_object().unwrap().values();
    let decided: u64 = plies.map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(decided, counted[0] + counted[2]);
    for (kind, name) in [("wld", "3v3.wld"), ("dtw", "3v3.dtw")] {
        let bytes = std::fs::read(crate::harness::database().join("nine").join(name)).unwrap();
        let checksum = &table[format!("{kind}_checksum")];
        assert_eq!(checksum, blake3::hash(&bytes).to_hex().as_str());
        assert_eq!(checksum, &row[format!("{kind}_checksum")]);
        assert_eq!(table[format!("{kind}_bytes")], bytes.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_has_exactly_one_winning_turn() {
    let server = TestServer::start().await;
    let mut different = std::collections::BTreeSet::new();
    for seed in 0..5 {
        let puzzle = server
            .ok(&format!("/api/nine/puzzle?plies=7&seed={seed}"))
            .await;
        let position = puzzle["position"].as_str().unwrap();
        let found = server
            .ok(&format!("/api/nine/probe?position={position}"))
            .await;
        let moves = found["moves"].as_array().unwrap();
        let winning: Vec<_> = moves
            .iter()
            .filter(|turn| turn["outcome"] == "win")
            .collect();
        assert_eq!(winning.len(), 1, "{position}");
        assert_eq!(winning[0]["move"], puzzle["solution"]);
        assert_eq!(found["plies"], puzzle["plies"]);
        different.insert(position.to_owned());
    }
    assert!(different.len() > 1);
    let (status, _) = server.json("/api/six/puzzle").await;
    assert_eq!(status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_set_up_read_and_transformed() {
    let server = TestServer::start().await;
    let found = server
        .ok("/api/nine/probe?position=W:Wa1,d1,g7:Bb2,b4,d6")
        .await;
    let board = json!({ "men": found["men"], "hand": found["hand"], "side": "white" });
    let (status, set) = server.post("/api/nine/setup", board).await;
    assert_eq!((status, &set["position"]), (200, &found["position"]));
    let twice = json!({ "men": [
        { "at": "a1", "side": "white", "kind": "man" },
        { "at": "a1", "side": "black", "kind": "man" },
    ], "side": "white" });
    let (status, refused) = server.post("/api/nine/setup", twice).await;
    assert_eq!((status, &refused["error"]), (400, &json!("bad_input")));
    let read = server.ok("/api/nine/read?text=%20start%20").await;
    assert_eq!(read["position"], server.ok("/api/nine").await["start"]);
    let position = "W:Wa1,d1,g7:Bb2,b4,d6";
    let flipped = server
        .ok(&format!("/api/nine/transform?by=flip&position={position}"))
        .await;
    let flipped = flipped["position"].as_str().unwrap();
    assert_ne!(flipped, position);
    let back = server
        .ok(&format!("/api/nine/transform?by=flip&position={flipped}"))
        .await;
    assert_eq!(back["position"], found["position"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_plays_at_every_level() {
    let server = TestServer::start().await;
    for level in ["low", "medium", "high", "perfect"] {
        let asked = json!({ "position": "start", "history": [], "level": level, "seed": 7 });
        let (status, played) = server.post("/api/three/move", asked.clone()).await;
        assert_eq!(status, 200, "{played}");
        let (_, again) = server.post("/api/three/move", asked).await;
        assert_eq!(played, again);
        assert!(played["value"]["outcome"].is_string());
    }
    let over = json!({ "position": "B:Wa1,b1,c1:Ba2,b3", "level": "low" });
    let (status, _) = server.post("/api/three/move", over).await;
    assert_eq!(status, 400);
    let (status, _) = server
        .post(
            "/api/three/move",
            json!({ "position": "start", "level": "god" }),
        )
        .await;
    assert_eq!(status, 400);
}
