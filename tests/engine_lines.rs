//! A short run of garbled lines through the engine protocol: none may end or silence the engine.

mod program;

use std::io::{Read, Write};
use std::process::Stdio;

use program::{ended, program};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Valid lines, from which garbled ones are made.
const LINES: [&str; 12] = [
    "uci",
    "debug on",
    "isready",
    "setoption name Hash value 1",
    "setoption name Level value low",
    "setoption name Seed value 7",
    "ucinewgame",
    "position startpos moves b2 a1 b3",
    "position fen W:Wb2,b3:Ba1,a2:H1,1 moves b1 xa1",
    "go depth 2 nodes 100 searchmoves b2 a1 wtime 50 btime -3 movestogo 0",
    "ponderhit",
    "stop",
];

fn garbled(random: &mut StdRng) -> String {
    let line = LINES[random.random_range(0..LINES.len())];
    let mut bytes = line.as_bytes().to_vec();
    for _ in 0..random.random_range(0..4) {
        let at = random.random_range(0..=bytes.len());
        match random.random_range(0..4) {
            0 if at < bytes.len() => bytes[at] = random.random(),
            1 if at < bytes.len() => {
                bytes.remove(at);
            }
            2 => bytes.truncate(at),
            _ => {
                let other = LINES[random.random_range(0..LINES.len())].as_bytes();
                bytes.splice(at..at, other.iter().copied());
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ");
    // An unbounded search is stopped, and the engine does not quit early.
    text.replace("quit", "quiet")
}

#[test]
fn garbled_lines_neither_end_nor_silence_the_engine() {
    let mut engine = program()
        .args(["engine", "three"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = engine.stdin.take().unwrap();
    let mut output = engine.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut said = String::new();
        output.read_to_string(&mut said).map(|_| said)
    });
    let writer = std::thread::spawn(move || {
        let mut random = StdRng::seed_from_u64(3);
        for _ in 0..3000 {
            writeln!(input, "{}\nstop", garbled(&mut random))?;
        }
        writeln!(input, "isready\nquit")
    });
    let status = ended(&mut engine);
    let mut complaints = String::new();
    let mut stderr = engine.stderr.take().unwrap();
    stderr.read_to_string(&mut complaints).unwrap();
    assert!(status.success(), "{complaints}");
    assert!(!complaints.contains("panicked"), "{complaints}");
    writer.join().unwrap().expect("the engine reads to the end");
    let said = reader.join().unwrap().expect("the engine says UTF-8");
    // Pending searches are answered after it.
    assert!(said.lines().any(|line| line == "readyok"), "{said}");
}
