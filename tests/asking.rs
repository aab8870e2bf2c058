//! Command-line questions without an answer: the message, the place in the text, the exit status,
//! and the stable codes for programs.

mod program;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use program::{complaint, endmill, printed, program, text};
use serde_json::{Value, json};
use tempfile::TempDir;

fn three() -> TempDir {
    let db = TempDir::new().unwrap();
    printed(&["build", "three", "--db", db.path().to_str().unwrap()]);
    db
}

/// Ruleset, position, message, and the index of the wrong character.
const BAD: [(&str, &str, &str, Option<u32>); 7] = [
    (
        "nine",
        "W:Wa2,d1,g7:Bb2,b4,d6",
        "a2 is not a point (character 4)",
        Some(3),
    ),
    (
        "nine",
        "W:Wa1,d1,g7:Bb2,b4,a1",
        "point a1 is used twice (character 20)",
        Some(19),
    ),
    (
        "nine",
        "W:Wa1,d1,g7:Bb2,b4",
        "black has only 2 men and is not to move: the game was over before",
        None,
    ),
    (
        "three",
        "X:Wa1:B",
        "expected the side to move, W or B, found \"X\" (character 1)",
        Some(0),
    ),
    (
        "draughts",
        "W:W33:B1",
        "33 is not a square (character 4)",
        Some(3),
    ),
    (
        "draughts",
        "B:WK1:B12,K1",
        "square 1 is used twice (character 12)",
        Some(11),
    ),
    (
        "draughts",
        "B:W2:B12",
        "man on its crowning row: 2 (character 4)",
        Some(3),
    ),
];

#[test]
fn bad_positions_are_answered_with_the_place() {
    for (ruleset, position, message, at) in BAD {
        for command in ["probe", "line"] {
            let words = complaint(&[command, ruleset, position]);
            assert_eq!(words, format!("endmill: {message}\n"), "{command}");
            let run = endmill(&[command, ruleset, position, "--json"]);
            assert_eq!(run.status.code(), Some(2), "{command} {position}");
            let refusal: Value = serde_json::from_slice(&run.stdout).unwrap();
            let mut expected = json!({
                "ruleset": ruleset, "position": position, "error": "bad_input", "message": message,
            });
            if let Some(at) = at {
                expected["at"] = at.into();
            }
            assert_eq!(refusal, expected);
        }
    }
}

/// Runs `endmill probe … --json` on a database; returns the exit status and the code.
fn refusal(db: &TempDir, ruleset: &str, position: &str) -> (Option<i32>, Value) {
    let db = db.path().to_str().unwrap();
    let run = endmill(&["probe", ruleset, position, "--json", "--db", db]);
    let refusal: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert!(refusal["message"].is_string(), "{refusal}");
    assert!(!run.stderr.is_empty(), "{refusal}");
    (run.status.code(), refusal["error"].clone())
}

#[test]
fn every_kind_of_refusal_has_its_status_and_code() {
    let db = three();
    let position = "W:Wa1,b1,c3:Bc1,a2,b2";
    assert_eq!(
        refusal(&db, "thirteen", position),
        (Some(2), "unknown_ruleset".into())
    );
    // Four men each: no turn ends the game.
    let nine = "W:Wa1,b2,c5,f6:Be3,b4,d6,g7";
    assert_eq!(
        refusal(&db, "nine", nine),
        (Some(3), "table_missing".into())
    );
    let file = db.path().join("three/3v3.wld");
    let sound = fs::read(&file).unwrap();
    let other = fs::read(db.path().join("three/2+1v2+1.wld")).unwrap();
    let mut newer = sound.clone();
    newer[8..10].copy_from_slice(&99_u16.to_le_bytes());
    let checksum = crc32c::crc32c(&newer[..252]);
    newer[252..256].copy_from_slice(&checksum.to_le_bytes());
    for (bytes, code) in [
        (&sound[..100], "file_damaged"),
        (&other, "wrong_file"),
        (&newer, "format_too_new"),
    ] {
        fs::write(&file, bytes).unwrap();
        assert_eq!(refusal(&db, "three", position), (Some(1), code.into()));
    }
    fs::write(&file, &sound).unwrap();
    fs::rename(db.path().join("three"), db.path().join("six")).unwrap();
    let six = "W:Wa1,c1,e5:Bb2,b4,d2";
    assert_eq!(refusal(&db, "six", six), (Some(1), "rules_differ".into()));
    printed(&[
        "build",
        "three",
        "--no-plies",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    let run = endmill(&[
        "line",
        "three",
        position,
        "--json",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    assert_eq!(run.status.code(), Some(3));
    let refusal: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(refusal["error"], "plies_missing");
}

/// One answer per line, in order, whatever the lines are, and a successful exit.
#[test]
fn bad_lines_among_good_ones_do_not_stop_the_stream() {
    let db = three();
    let mut probe = program();
    probe
        .args(["probe", "three", "--stdin", "--db"])
        .arg(db.path());
    probe.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut probe = probe.spawn().unwrap();
    let good = "W:Wa1,b1,c3:Bc1,a2,b2";
    let lines: [(&[u8], Option<&str>); 7] = [
        (good.as_bytes(), None),
        (b"W:Wa9:B", Some("bad_input")),
        (b"", Some("bad_input")),
        (b"\xff\xfe", Some("bad_input")),
        (good.as_bytes(), None),
        (b"W:W18,K31:B12,K5", Some("bad_input")),
        (b"start", None),
    ];
    let input = lines.map(|(line, _)| line).join(&b'\n');
    probe.stdin.take().unwrap().write_all(&input).unwrap();
    let run = probe.wait_with_output().unwrap();
    assert!(run.status.success());
    let answers = text(run.stdout);
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), lines.len());
    for ((line, error), answer) in lines.iter().zip(&answers) {
        let line = String::from_utf8_lossy(line);
        assert_eq!(answer["error"].as_str(), *error, "{line}");
        assert_eq!(answer["outcome"].is_string(), error.is_none(), "{line}");
    }
    assert_eq!(answers[0], answers[4]);
    assert_eq!(answers[1]["at"], 3);
    assert_eq!(answers[6]["outcome"], "win");
}
