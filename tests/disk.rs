//! Trouble with the disk: it is full, a table's name belongs to something that is not a file, a
//! table is truncated. The program reports it; it neither hangs nor dies from a signal.

#![cfg(unix)]

mod halted;
mod program;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};

use program::{build, built, ended, files, printed, program, text, until};
use serde_json::Value;
use tempfile::TempDir;

/// A separate small disk for the duration of one command.
#[cfg(target_os = "linux")]
mod small_disk {
    use std::path::Path;
    use std::process::{Command, Output};

    use super::{TempDir, program};

    /// Runs a shell command in which `$1` is a directory on a disk of this size, `$2` the program,
    /// and `$3` a library that halts it. Returns `None`, and counts the test as skipped, where no
    /// disk can be mounted.
    pub fn run(size: &str, command: &str, library: &Path) -> Option<Output> {
        let directory = TempDir::new().unwrap();
        // As root in a mount namespace, otherwise as root of a user namespace.
        let ways = [&["--mount"][..], &["--mount", "--map-root-user"]];
        let way = ways.into_iter().find(|way| {
            let mut probe = unshare(way, size, "exit 0");
            let done = probe.arg(directory.path()).output();
            done.is_ok_and(|done| done.status.success())
        });
        let Some(way) = way else {
            endmill_testkit::skip(
                "mounting a small disk takes root or user namespaces \
                 (sysctl kernel.apparmor_restrict_unprivileged_userns=0)",
            );
            return None;
        };
        let mut run = unshare(way, size, command);
        run.arg(directory.path()).arg(program().get_program());
        run.arg(library);
        Some(run.output().unwrap())
    }

    fn unshare(way: &[&str], size: &str, command: &str) -> Command {
        let mut unshare = Command::new("unshare");
        let script = format!("mount -t tmpfs -o size={size} tmpfs \"$1\" || exit 99; {command}");
        unshare.args(way).args(["sh", "-c", &script, "sh"]);
        unshare
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_build_on_a_full_disk_prints_how_much_scratch_space_it_needs_and_where() {
    let build = "exec \"$2\" build nine --pieces 8 --memory 1M --db \"$1\"";
    let Some(run) = small_disk::run("8m", build, "".as_ref()) else {
        return;
    };
    let stderr = text(run.stderr);
    assert_eq!(run.status.code(), Some(1), "{}: {stderr}", run.status);
    let last = stderr.lines().last().unwrap();
    assert!(last.contains("/nine: no scratch file of "), "{last}");
    assert!(last.contains("No space left on device"), "{last}");
}

/// The disk fills up after the builds have started.
#[cfg(target_os = "linux")]
#[test]
fn builders_report_a_disk_that_fills_and_resume_when_there_is_room() {
    let script = r#"
        # Neither stores more than 3v3 before the disk is full.
        export LD_PRELOAD="$3" STOP_AT_NAME=3v3.record
        "$2" build nine --pieces 8 --threads 1 --db "$1" & first=$!
        "$2" build nine --pieces 8 --threads 1 --db "$1" & second=$!
        unset LD_PRELOAD STOP_AT_NAME
        until grep -q "^State:.T" /proc/$first/status /proc/$second/status; do sleep 0.01; done
        cat /dev/zero >"$1/filler"
        while kill -CONT $first $second; do sleep 0.05; done &
        wait $first; echo "first $?"
        wait $second; echo "second $?"
        # What is recorded is whole. One of the two files of a table may be there without a record.
        "$2" verify nine --quick --db "$1" 2>&1 |
            grep -vE "files? match(es)? (its|their) checksums?$|(not recorded|missing): " && exit 98
        ls -A "$1"/nine | grep tmp && exit 97
        rm "$1/filler"
        "$2" build nine --pieces 8 --threads 1 --db "$1" || exit 96
        cd "$1"/nine && cksum manifest.json *.wld *.dtw
    "#;
    let Some(run) = small_disk::run("8m", script, &halted::Halting::new().library) else {
        return;
    };
    let (stdout, stderr) = (text(run.stdout), text(run.stderr));
    assert!(run.status.success(), "{}: {stdout}{stderr}", run.status);
    assert!(stdout.contains("first 1\nsecond 1\n"), "{stdout}{stderr}");
    let why = ["No space left on device", " MiB free, but "];
    assert!(why.iter().any(|why| stderr.contains(why)), "{stderr}");
    let plain = built(&["nine", "--pieces", "8"]);
    let sums = Command::new("sh")
        .args(["-c", "cksum manifest.json *.wld *.dtw"])
        .current_dir(plain.path().join("nine"))
        .output()
        .unwrap();
    assert!(stdout.ends_with(&text(sums.stdout)), "{stdout}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_build_on_a_read_only_disk_reports_it_and_changes_nothing() {
    let script = r#"
        "$2" build nine --pieces 7 --db "$1" >"$1/stdout" 2>&1 || exit 98
        mount -o remount,ro "$1" || exit 97
        "$2" verify nine --db "$1" || exit 96
        "$2" build nine --pieces 7 --db "$1" || exit 95
        exec "$2" build nine --pieces 8 --db "$1"
    "#;
    let Some(run) = small_disk::run("8m", script, "".as_ref()) else {
        return;
    };
    let (stdout, stderr) = (text(run.stdout), text(run.stderr));
    assert_eq!(
        run.status.code(),
        Some(1),
        "{}: {stdout}{stderr}",
        run.status
    );
    assert!(stdout.contains("nothing to build"), "{stdout}");
    let last = stderr.lines().last().unwrap();
    assert!(last.contains("Read-only file system"), "{stderr}");
}

/// `ulimit -f` counts blocks of 512 bytes.
#[test]
fn a_file_beyond_the_limit_of_the_process_is_an_error() {
    let db = TempDir::new().unwrap();
    let script = r#"ulimit -f 16; exec "$1" build nine --pieces 7 --db "$2""#;
    let run = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(program().get_program())
        .arg(db.path())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(1), "{}", run.status);
    let stderr = text(run.stderr);
    let last = stderr.lines().last().unwrap();
    assert!(
        last.starts_with("endmill: ") && last.contains("File too large"),
        "{stderr}"
    );
    // Without the limit the same command succeeds.
    build(db.path(), &["nine", "--pieces", "7"]);
}

#[test]
fn a_machine_without_threads_is_an_error() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    for args in [
        &["build", "three", "--repair"][..],
        &["build", "six"],
        &["verify", "three"],
        &["verify", "three", "--quick"],
        &["verify", "three", "--by-turns", "--threads", "1"],
        &["convert", "three", "--to", "compact"],
    ] {
        // No thread can be started with a stack of this size.
        let mut program = program();
        program.env("RUST_MIN_STACK", (1_u64 << 50).to_string());
        let run = program.args(args).arg("--db").arg(db.path()).output();
        let run = run.unwrap();
        let stderr = text(run.stderr);
        assert_eq!(run.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(
            stderr.starts_with("endmill: cannot start threads: "),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

/// The build does not start over; it resumes when the directory is back.
#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_disappears_ends_the_build() {
    let db = TempDir::new().unwrap();
    let (here, away) = (db.path().join("nine"), db.path().join("away"));
    let halting = halted::Halting::new();
    let mut builder = program();
    builder.args(["build", "nine", "--pieces", "8", "--db"]);
    builder.arg(db.path());
    builder.stdout(Stdio::null()).stderr(Stdio::piped());
    let child = halting.stop_at("4v3.wld", &mut builder).spawn().unwrap();
    until("it is at 4v3", || halted::is_stopped(&child));
    assert!(here.join("3v3.record").exists());
    fs::rename(&here, &away).unwrap();
    let id = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(id, rustix::process::Signal::CONT).unwrap();
    let run = child.wait_with_output().unwrap();
    let stderr = text(run.stderr);
    assert_eq!(run.status.code(), Some(1), "{stderr}");
    let vanished = format!("{} disappeared during the build", here.display());
    assert!(stderr.contains(&vanished), "{stderr}");
    assert!(!here.exists());
    fs::rename(&away, &here).unwrap();
    build(db.path(), &["nine", "--pieces", "8"]);
    assert!(files(&here) == files(&built(&["nine", "--pieces", "8"]).path().join("nine")));
}

/// Runs a command that must not hang.
fn run_in_time(args: &[&str]) -> Output {
    let mut child = program()
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    ended(&mut child);
    child.wait_with_output().unwrap()
}

#[test]
fn a_fifo_under_a_table_name_is_a_missing_table_until_it_is_rebuilt() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let sound = files(&db.path().join("three"));
    let table = db.path().join("three/3v3.wld");
    fs::remove_file(&table).unwrap();
    let made = Command::new("mkfifo").arg(&table).status().unwrap();
    assert!(made.success());
    let at = db.path().to_str().unwrap();
    let run = run_in_time(&["probe", "three", "W:Wa1,b3,c2:Ba2,b1,c3", "--db", at]);
    assert_eq!(run.status.code(), Some(3), "{}", text(run.stdout));
    assert!(text(run.stderr).contains("table 3v3 is not in the database"));
    let run = run_in_time(&["verify", "three", "--db", at]);
    assert_eq!(run.status.code(), Some(1), "{}", text(run.stdout));
    assert!(text(run.stderr).contains("3v3.wld: a FIFO, not a regular file"));
    let run = run_in_time(&["build", "three", "--db", at]);
    assert!(run.status.success(), "{}", text(run.stderr));
    assert!(files(&db.path().join("three")) == sound);
}

/// Every answer is the right one or reports the damaged file, and some report it.
#[test]
fn a_table_truncated_while_it_is_read_is_damaged() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["nine", "--pieces", "7"]);
    let at = db.path().to_str().unwrap();
    for (read, table, kind) in [
        ("mapped", "3v4", "wld"),
        ("mapped", "3v3", "dtw"),
        ("positioned", "3v3", "dtw"),
    ] {
        let positions = printed(&["sample", "nine", "--table", table, "-n", "300", "--db", at]);
        let positions: Vec<&str> = positions.lines().collect();
        assert_eq!(positions.len(), 300);
        let file = &format!("{table}.{kind}");
        let ask = ["probe", "nine", "--stdin", "--read", read, "--db", at];
        let mut sound = Asked::start(&ask);
        let sound: Vec<Value> = positions.iter().map(|ask| sound.ask(ask)).collect();
        let mut asked = Asked::start(&ask);
        assert_eq!(asked.ask(positions[0]), sound[0]);
        let path = db.path().join("nine").join(file);
        let whole = fs::read(&path).unwrap();
        // Only part of the first of several pages remains.
        assert!(whole.len() > 1 << 14, "{file} is small");
        let cut = fs::File::options().write(true).open(&path).unwrap();
        cut.set_len(2000).unwrap();
        let mut damaged = 0;
        for (position, sound) in positions.iter().zip(&sound) {
            let answer = asked.ask(position);
            if answer["error"] == "file_damaged" {
                let message = answer["message"].as_str().unwrap();
                assert!(message.contains(file), "{message}");
                assert!(message.contains("damaged"), "{message}");
                damaged += 1;
            } else {
                assert_eq!(answer, *sound);
            }
        }
        assert!(damaged > 100, "{read} {file}: only {damaged} damaged");
        assert_eq!(asked.end().code(), Some(0));
        fs::write(&path, whole).unwrap();
    }
}

/// A running `probe --stdin`.
struct Asked {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Asked {
    fn start(args: &[&str]) -> Asked {
        let mut child = program()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Asked { child, answers }
    }

    fn ask(&mut self, position: &str) -> Value {
        writeln!(self.child.stdin.as_mut().unwrap(), "{position}").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        if answer.is_empty() {
            panic!("no answer: {}", self.child.wait().unwrap());
        }
        serde_json::from_str(&answer).unwrap()
    }

    fn end(mut self) -> ExitStatus {
        drop(self.child.stdin.take());
        self.child.wait().unwrap()
    }
}

/// A signal from another process does not mean that a page was lost.
#[test]
fn a_bus_error_sent_by_another_process_ends_the_program() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let mut asked = Asked::start(&[
        "probe",
        "three",
        "--stdin",
        "--db",
        db.path().to_str().unwrap(),
    ]);
    asked.ask("start");
    let id = rustix::process::Pid::from_child(&asked.child);
    rustix::process::kill_process(id, rustix::process::Signal::BUS).unwrap();
    assert_eq!(
        asked.child.wait().unwrap().signal(),
        Some(rustix::process::Signal::BUS.as_raw())
    );
}
