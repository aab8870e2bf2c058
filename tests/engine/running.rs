//! A running engine. Every wait has a bound: an engine that says nothing fails the test.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

use tempfile::TempDir;

use crate::program::{PATIENCE, ended, printed, program};

/// A running engine.
pub struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// The last line, for the message of a timeout.
    last: String,
}

impl Engine {
    pub fn start(ruleset: &str, db: &Path, args: &[&str]) -> Engine {
        let mut program = program();
        program.args(["engine", ruleset, "--db"]).arg(db).args(args);
        program.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = program.spawn().expect("the program starts");
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let (said, output) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if said.send(line).is_err() {
                    break;
                }
            }
        });
        Engine {
            input: process.stdin.take(),
            process,
            output,
            last: String::new(),
        }
    }

    /// Starts an engine, which reports that tables are missing.
    pub fn without_database(ruleset: &str, args: &[&str]) -> Engine {
        let nowhere = "there-is-no-such-directory";
        let mut engine = Engine::start(ruleset, Path::new(nowhere), args);
        let said = engine.hear();
        let none = format!("{nowhere} has no tables of {ruleset}; playing without tables");
        assert!(said.contains(&none), "{said}");
        engine
    }

    pub fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes());
    }

    pub fn say_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// The next line, or `None` after the last.
    fn line(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.last = without_time(line.trim_end());
                Some(self.last.clone())
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("nothing after {:?}", self.last),
        }
    }

    pub fn hear(&mut self) -> String {
        self.line().expect("the engine has gone")
    }

    /// All lines up to one with this beginning.
    pub fn hear_until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = vec![self.hear()];
        while !lines[lines.len() - 1].starts_with(beginning) {
            lines.push(self.hear());
        }
        lines
    }

    /// The answer to `go …`.
    pub fn search(&mut self, position: &str, go: &str) -> Vec<String> {
        self.say(&format!("position {position}"));
        self.say(go);
        self.hear_until("bestmove ")
    }

    /// Closes the input, and returns the remaining lines.
    pub fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        let rest: Vec<String> = std::iter::from_fn(|| self.line()).collect();
        let status = ended(&mut self.process);
        assert!(status.success(), "{status}");
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // After a failed test the engine may still run.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Times differ from run to run.
fn without_time(line: &str) -> String {
    let mut kept = Vec::new();
    let mut words = line.split(' ');
    while let Some(word) = words.next() {
        match word {
            "time" => drop(words.next()),
            _ if word.starts_with("time=") || word.starts_with("nps=") => {}
            _ => kept.push(word),
        }
    }
    kept.join(" ")
}

/// A temporary database.
pub fn database(args: &[&str]) -> TempDir {
    let db = TempDir::new().unwrap();
    let mut all = vec!["build"];
    all.extend(args);
    all.extend(["--db", db.path().to_str().unwrap()]);
    printed(&all);
    db
}
