//! Ranks of draws from the command line: built, counted, probed, verified.

mod program;

use std::fs;
use std::path::Path;

use program::{build, endmill, files, printed, text};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Malom's scores of nine men's morris, and how many draws of some tables have which rank by them.
fn reference() -> Value {
    let reference = include_str!("../games/tests/reference/draw-values.json");
    serde_json::from_str(reference).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The options that rank the draws of 4v3 and what it depends on by the scores of a file.
fn ranked_by(scores: &Path) -> [&str; 6] {
    let scores = path(scores);
    [
        "nine",
        "--tables",
        "4v3",
        "--draws",
        "--draw-scores",
        scores,
    ]
}

#[test]
fn draws_have_the_ranks_of_the_reference() {
    let db = TempDir::new().unwrap();
    let scores = db.path().join("scores.json");
    fs::write(&scores, reference().to_string()).unwrap();
    build(db.path(), &ranked_by(&scores));
    let stats = json(&["stats", "nine", "--json", "--db", path(db.path())]);
    let mut compared = 0;
    for table in stats["tables"].as_array().unwrap() {
        let name = table["table"].as_str().unwrap();
        let ranks = table["draw_ranks"].as_array().unwrap().iter();
        let counts = ranks.map(|rank| {
            let score = rank["exact"].as_str().unwrap().to_owned();
            (score, rank["positions"].clone())
        });
        let counts: serde_json::Map<String, Value> = counts.collect();
        assert_eq!(
            Value::Object(counts),
            reference()["draws_by_rank"][name],
            "{name}"
        );
        compared += 1;
    }
    assert_eq!(compared, 3);
    // A list of Malom says the same.
    let mut sectors = "virt_loss_val: -299\nvirt_win_val: 299\n4\n0 0 9 9  21\n".to_owned();
    for (table, score) in reference()["nine"].as_object().unwrap() {
        let (own, other) = table.split_once('v').unwrap();
        sectors += &format!("{own} {other} 0 0  {score}\n");
    }
    let other = TempDir::new().unwrap();
    let list = other.path().join("std.secval");
    fs::write(&list, sectors).unwrap();
    build(other.path(), &ranked_by(&list));
    assert!(files(&db.path().join("nine")) == files(&other.path().join("nine")));
}

#[test]
fn scores_that_contradict_each_other_are_refused() {
    let db = TempDir::new().unwrap();
    let scores = db.path().join("scores.json");
    for (text, why) in [
        (
            r#"{"3v3": 0, "4v3": -40, "3v4": 39}"#,
            "contradict each other",
        ),
        (
            r#"{"3v3": 1, "4v3": -40, "3v4": 40}"#,
            "contradict each other",
        ),
        (r#"{"3v3": 0, "4v3": -40}"#, "none for 3v4"),
        (r#"{"3v3": 0, "4v3": "much"}"#, "4v3: much"),
        (r#"{"3v3": 0, "4w3": 1}"#, "other side's men"),
        ("[]", "expected an object"),
    ] {
        fs::write(&scores, text).unwrap();
        let args = [
            &["build"][..],
            &ranked_by(&scores),
            &["--db", path(db.path())],
        ]
        .concat();
        let run = endmill(&args);
        assert!(!run.status.success(), "{text}");
        let message = program::text(run.stderr);
        assert!(message.contains(why), "{text}: {message}");
    }
}

#[test]
fn a_draw_carries_its_rank_and_moves_are_listed_by_it() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["six", "--tables", "4v3"]);
    let ask = |args: &[&str]| json(&[args, &["--json", "--db", path(db.path())]].concat());
    let sample = [
        "sample",
        "six",
        "--table",
        "4v3",
        "--outcome",
        "draw",
        "-n",
        "40",
        "--json",
    ];
    let sample = printed(&[&sample[..], &["--db", path(db.path())]].concat());
    let positions: Vec<String> = (sample.lines())
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|sampled| sampled["position"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(positions.len(), 40);
    // Without ranks a draw says so, and no other value does.
    let answer = ask(&["probe", "six", &positions[0]]);
    assert_eq!(answer.get("draw_rank"), Some(&Value::Null));
    build(db.path(), &["six", "--tables", "4v3", "--draws"]);
    let (mut ranks, mut conversions) = (Vec::new(), 0);
    for position in &positions {
        let answer = ask(&["probe", "six", position]);
        let rank = &answer["draw_rank"];
        ranks.push(rank["exact"].as_str().unwrap().to_owned());
        let moves = answer["moves"].as_array().unwrap();
        assert_eq!(moves[0]["draw_rank"]["exact"], rank["exact"], "{position}");
        assert_eq!(
            moves[0]["draw_rank"]["conversion_plies"],
            rank["conversion_plies"]
        );
        assert_eq!(
            moves[0]["draw_rank"]["tables"], rank["tables"],
            "{position}"
        );
        let drawing = moves.iter().filter(|turn| turn["outcome"] == "draw");
        let scores = drawing.map(|turn| turn["draw_rank"]["score"].as_f64().unwrap());
        assert!(scores.is_sorted_by(|one, other| one >= other), "{position}");
        let others = moves.iter().filter(|turn| turn["outcome"] != "draw");
        assert!(
            others
                .into_iter()
                .all(|turn| turn.get("draw_rank").is_none())
        );
        // The line keeps the rank, and converts when it says.
        let line = ask(&["line", "six", position]);
        assert_eq!(line["draw_ranks"][0]["exact"], rank["exact"], "{position}");
        if let Some(plies) = rank["conversion_plies"].as_u64() {
            conversions += 1;
            let table = |position: &Value| {
                let answer = ask(&["probe", "six", position.as_str().unwrap()]);
                answer["table"].clone()
            };
            let positions = line["positions"].as_array().unwrap();
            let last = table(&positions[plies as usize - 1]);
            assert!(
                last != json!("4v3") && last != json!("3v4"),
                "{position}: {last}"
            );
            let before = positions[..plies as usize - 1].iter();
            assert!(
                before
                    .into_iter()
                    .map(table)
                    .all(|own| own == "4v3" || own == "3v4")
            );
        }
    }
    ranks.sort();
    ranks.dedup();
    assert!(
        ranks.len() > 1 && conversions > 0,
        "{ranks:?} {conversions}"
    );
}

#[test]
fn ranks_are_verified_and_repaired_and_refused_where_there_are_none() {
    let db = TempDir::new().unwrap();
    let scope = ["six", "--tables", "4v3", "--draws"];
    build(db.path(), &scope);
    let before = files(&db.path().join("six"));
    for by in [&[][..], &["--by-turns"]] {
        let shown = printed(&[&["verify", "six", "--db", path(db.path())], by].concat());
        assert!(
            shown.contains("ranks of draws and all their counts"),
            "{shown}"
        );
    }
    let file = db.path().join("six/4v3.drw");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let run = endmill(&["verify", "six", "--db", path(db.path())]);
    assert_eq!(run.status.code(), Some(1), "{}", text(run.stdout));
    build(db.path(), &["six", "--repair"]);
    assert!(files(&db.path().join("six")) == before);
    let rules = db.path().join("short.toml");
    fs::write(
        &rules,
        "id = \"short\"\nboard = \"three\"\nmen = 3\nquiet-limit = 4\n",
    )
    .unwrap();
    let run = endmill(&["build", path(&rules), "--draws", "--db", path(db.path())]);
    assert!(!run.status.success());
    let message = text(run.stderr);
    assert!(message.contains("draws have no ranks"), "{message}");
}
