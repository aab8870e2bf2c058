//! Reviews over HTTP.

use serde_json::{Value, json};

use crate::harness::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn a_review_finds_mistakes() {
    let server = TestServer::start().await;
    let puzzle = server.ok("/api/nine/puzzle?plies=7&seed=1").await;
    let start = puzzle["position"].as_str().unwrap();
    let found = server
        .ok(&format!("/api/nine/probe?position={start}"))
        .await;
    let bad = found["moves"].as_array().unwrap().last().unwrap();
    let game = json!({ "moves": [bad["move"]], "start": start });
    let (status, review) = server.post("/api/nine/review", game).await;
    assert_eq!(status, 200, "{review}");
    let turn = &review["turns"][0];
    let expected = format!("win_to_{}", bad["outcome"].as_str().unwrap());
    assert_eq!(turn["mistake"], expected);
    assert_eq!(turn["best"], json!([puzzle["solution"]]));
    // There was an only move, and it was not played.
    assert_eq!(turn["only_move"], false);
    let solved = format!(
        "endmill game 1\nruleset nine\nstart {start}\n{}\n",
        puzzle["solution"].as_str().unwrap()
    );
    let (_, review) = server
        .post("/api/nine/review", json!({ "text": solved }))
        .await;
    let turn = &review["turns"][0];
    assert_eq!(
        (&turn["mistake"], &turn["plies_lost"]),
        (&Value::Null, &json!(0))
    );
    let (_, review) = server
        .post("/api/nine/review", json!({ "text": "1. d6 f4 2. d6" }))
        .await;
    assert_eq!(review["turns"].as_array().unwrap().len(), 2);
    assert_eq!(review["problems"].as_array().unwrap().len(), 1);
    // PDN with several games.
    let pdn = format!(
        "[Event \"1\"]\n[FEN \"{start}\"]\n1. {0} *\n\n[Event \"2\"]\n1. d6 {{hm}} f4 $2 1-0",
        puzzle["solution"].as_str().unwrap()
    );
    for (game, turns, event) in [(1, 1, "1"), (2, 2, "2")] {
        let question = json!({ "text": pdn, "game": game });
        let (status, review) = server.post("/api/nine/review", question).await;
        assert_eq!(status, 200, "{review}");
        assert_eq!(review["turns"].as_array().unwrap().len(), turns);
        assert_eq!(
            (&review["game"], &review["games"]),
            (&json!(game), &json!(2))
        );
        assert_eq!(review["tags"]["Event"], event);
    }
    let (_, first) = server
        .post("/api/nine/review", json!({ "text": pdn }))
        .await;
    assert_eq!(first["game"], 1);
    let moves = json!({ "moves": ["d6", "f4", "d6"] });
    let (_, review) = server.post("/api/nine/review", moves).await;
    let problem = "move 3: d6 is not legal: d6 is occupied";
    assert_eq!(review["problems"], json!([problem]));
    for bad in [
        json!({}),
        json!({ "text": "d6", "game": 2 }),
        json!({ "text": "[GameType \"21\"] 11-15" }),
        json!({ "text": "" }),
        json!({ "text": "hello" }),
        json!([1]),
    ] {
        let (status, refused) = server.post("/api/nine/review", bad).await;
        assert_eq!((status, &refused["error"]), (400, &json!("bad_input")));
    }
}

/// The first number of a PDN result belongs to the side that moves first. Only games with few pieces,
/// which need no search; the tests of the program review all of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_review_has_the_winner_of_the_result() {
    let server = TestServer::start().await;
    let english = include_str!("../../../tests/fixtures/results/english.pdn");
    let morris = include_str!("../../../tests/fixtures/results/morris.pdn");
    let mut reviewed = Vec::new();
    for (text, ruleset) in [(english, "draughts"), (morris, "three")] {
        for (number, game) in text.split("[Event ").enumerate().skip(1) {
            if !game.contains("[FEN ") {
                continue;
            }
            let question = json!({ "text": text, "game": number });
            let route = format!("/api/{ruleset}/review");
            let (status, review) = server.post(&route, question).await;
            assert_eq!(status, 200, "{review}");
            assert_eq!(review["problems"], json!([]), "{review}");
            let result = &review["result"];
            let winner = result["winner"].as_str().unwrap_or("draw");
            assert_eq!(winner, review["tags"]["Winner"], "game {number}");
            assert_eq!(result["reason"], review["tags"]["Ended"], "game {number}");
            reviewed.push(winner.to_owned());
        }
    }
    let count = |winner: &str| reviewed.iter().filter(|found| *found == winner).count();
    assert_eq!(["black", "white", "draw"].map(count), [6, 5, 1]);
}
