//! Random sequences of commands on one directory: builds of any scope with any storing options,
//! alone and in pairs, killed or not, conversions, repairs, removed and damaged files. After any
//! sequence a plain build ends with the bytes of a clean one.

mod program;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use program::{files, program, text};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use tempfile::TempDir;

/// Far longer than any command takes; one that is still running by then hangs.
const PATIENCE: Duration = Duration::from_secs(600);

/// A small game, with the tables that the sequences build.
struct Game {
    id: &'static str,
    /// A rules file, if the ruleset is not built in.
    toml: &'static str,
    /// The scope of the last build.
    whole: &'static [&'static str],
    /// The scopes of the other builds.
    scopes: &'static [&'static [&'static str]],
    clean: OnceLock<Clean>,
}

/// Clean builds of a game.
struct Clean {
    /// Holds the rules file.
    _directory: TempDir,
    rules: PathBuf,
    full: BTreeMap<String, Vec<u8>>,
    others: [BTreeMap<String, Vec<u8>>; 2],
    duration: Duration,
}

static THREE: Game = Game {
    id: "small",
    toml: "id = \"small\"\nboard = \"three\"\nmen = 4\nflying = true\n",
    whole: &[],
    scopes: &[
        &["--pieces", "6"],
        &["--pieces", "7"],
        &["--men", "7"],
        &["--tables", "4v3"],
        &["--tables", "3v4,2+1v3+0"],
        &["--tables", "2+1v3+1"],
        &["--tables", "2+2v2+1"],
        &[],
    ],
    clean: OnceLock::new(),
};

/// Men move while others are in hand, on a separate board.
static LASKER: Game = Game {
    id: "small-lasker",
    toml: "id = \"small-lasker\"\nmen = 5\nflying = true\nmoves-while-placing = true\n[board]\n\
           lines = [\"a1 b1 c1\", \"a2 b2 c2\", \"a3 b3 c3\", \"a4 b4 c4\", \"a1 a2 a3\", \
           \"b2 b3 b4\", \"c1 c2 c3\"]\nspokes = [\"a3 a4\"]\n",
    whole: &["--men", "7"],
    scopes: &[
        &["--pieces", "7"],
        &["--men", "7"],
        &["--men", "6"],
        &["--tables", "4v3"],
        // No game leads to its partner.
        &["--tables", "0+4v3+0"],
        &["--tables", "1+2v2+1"],
    ],
    clean: OnceLock::new(),
};

/// Counts of quiet plies and bans.
static MEMORY: Game = Game {
    id: "small-memory",
    toml: "id = \"small-memory\"\nboard = \"three\"\nmen = 4\nflying = true\nquiet-limit = 4\n\
           broken-mill = \"banned\"\n",
    whole: &[],
    scopes: &[
        &["--pieces", "6"],
        &["--men", "7"],
        &["--tables", "3v3@2"],
        &["--tables", "3v4@0"],
        &["--tables", "4v3@3,2+1v3+0"],
        &["--tables", "2+1v3+1"],
        &[],
    ],
    clean: OnceLock::new(),
};

/// Captures are resolved by turns.
static DRAUGHTS: Game = Game {
    id: "draughts",
    toml: "",
    whole: &["--pieces", "3"],
    scopes: &[
        &["--pieces", "2"],
        &["--tables", "10v10"],
        &["--tables", "01v02"],
        &["--tables", "11v01,10v01"],
        &["--pieces", "3"],
    ],
    clean: OnceLock::new(),
};

static GAMES: [&Game; 4] = [&THREE, &LASKER, &MEMORY, &DRAUGHTS];

/// In memory if possible, because builds mostly wait for the disk.
fn directory() -> TempDir {
    TempDir::new_in("/dev/shm").unwrap_or_else(|_| TempDir::new().unwrap())
}

impl Game {
    fn clean(&self) -> &Clean {
        self.clean.get_or_init(|| {
            let directory = directory();
            let rules = match self.toml {
                "" => PathBuf::from(self.id),
                toml => {
                    let path = directory.path().join("rules.toml");
                    fs::write(&path, toml).unwrap();
                    path
                }
            };
            let mut duration = Duration::ZERO;
            let mut build = |options: &[&str]| {
                let db = TempDir::new_in(directory.path()).unwrap();
                let started = Instant::now();
                let run = (program().arg("build").arg(&rules).args(self.whole))
                    .args(options)
                    .arg("--db")
                    .arg(db.path())
                    .output()
                    .unwrap();
                assert!(run.status.success(), "{}", text(run.stderr));
                duration = started.elapsed();
                files(&db.path().join(self.id))
            };
            let with = |option| [option, "--draws"];
            let others = [build(&with("--no-plies")), build(&with("--compact"))];
            let full = build(&["--draws"]);
            Clean {
                _directory: directory,
                rules,
                full,
                others,
                duration,
            }
        })
    }
}

/// One step of a sequence.
#[derive(Clone, Debug)]
enum Step {
    /// Runs commands concurrently; those with a number are killed after that percentage of the time
    /// of a clean build.
    Run(Vec<(Vec<String>, Option<u32>)>),
    /// Removes a file.
    Remove(String),
    /// Flips a byte in the middle.
    Flip(String),
    /// Removes the second half.
    Cut(String),
    /// Replaces a file by that of a build without plies, or of a compact one.
    Plant(String, usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step::Run(commands) = self else {
            return fmt::Debug::fmt(self, f);
        };
        for (args, killed) in commands {
            write!(f, "[endmill {}", args.join(" "))?;
            if let Some(moment) = killed {
                write!(f, ", killed at {moment} %")?;
            }
            write!(f, "] ")?;
        }
        Ok(())
    }
}

fn owned(args: &[&str]) -> Vec<String> {
    args.iter().map(|&arg| arg.to_owned()).collect()
}

/// A build with random options.
fn random_build(game: &Game, rng: &mut StdRng) -> Vec<String> {
    let mut args = owned(&["build"]);
    args.extend(owned(game.scopes.choose(rng).unwrap()));
    let plies = [
        &[][..],
        &["--no-plies"],
        &["--no-placing-plies"],
        &["--compact"],
    ];
    let plies = *plies.choose(rng).unwrap();
    args.extend(owned(plies));
    if plies == ["--no-placing-plies"] && rng.random_bool(0.5) {
        args.extend(owned(&["--compact"]));
    }
    let how = [
        &[][..],
        &["--threads", "1"],
        &["--memory", "1M"],
        &["--threads", "2"],
    ];
    args.extend(owned(how.choose(rng).unwrap()));
    if rng.random_bool(0.4) {
        args.extend(owned(&["--draws"]));
    }
    args
}

fn random_step(game: &Game, names: &[&String], rng: &mut StdRng) -> Step {
    let file = |rng: &mut StdRng| (*names.choose(rng).unwrap()).clone();
    let moment = |rng: &mut StdRng| rng.random_range(0..120);
    match rng.random_range(0..100) {
        0..30 => Step::Run(vec![(random_build(game, rng), None)]),
        30..45 => Step::Run(vec![(random_build(game, rng), Some(moment(rng)))]),
        45..57 => {
            let mut builders = Vec::new();
            let claims = *["locks", "leases"].choose(rng).unwrap();
            for _ in 0..rng.random_range(2..=3) {
                let mut args = random_build(game, rng);
                args.extend(owned(&["--claims", claims]));
                // The lease of a killed process delays the others for a minute.
                let killed = claims == "locks" && rng.random_bool(0.3);
                builders.push((args, killed.then(|| moment(rng))));
            }
            Step::Run(builders)
        }
        57..69 => {
            let form = *["compact", "full"].choose(rng).unwrap();
            let killed = rng.random_bool(0.4).then(|| moment(rng));
            let mut commands = vec![(owned(&["convert", "--to", form]), killed)];
            if rng.random_bool(0.3) {
                commands.push((random_build(game, rng), None));
            }
            Step::Run(commands)
        }
        69..75 => {
            let killed = rng.random_bool(0.5).then(|| moment(rng));
            Step::Run(vec![(owned(&["build", "--repair"]), killed)])
        }
        75..78 => Step::Run(vec![(owned(&["verify"]), None)]),
        78..88 => Step::Remove(file(rng)),
        88..92 => Step::Flip(file(rng)),
        92..95 => Step::Cut(file(rng)),
        _ => Step::Plant(file(rng), rng.random_range(0..2)),
    }
}

/// A database that a sequence of steps changes.
struct Run<'a> {
    game: &'a Game,
    db: TempDir,
    done: Vec<Step>,
    /// Whether a file has been damaged since the last repair.
    damaged: bool,
    number: u64,
}

impl Run<'_> {
    fn command(&self, args: &[String]) -> Command {
        let mut command = program();
        let rules = &self.game.clean().rules;
        command.arg(&args[0]).arg(rules).args(&args[1..]);
        command.arg("--db").arg(self.db.path());
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Fails and prints the steps so far.
    fn fail(&self, what: &str) -> ! {
        let steps = self.done.iter().map(|step| format!("  {step}\n"));
        let steps: String = steps.collect();
        panic!("{} {}: {what}, after\n{steps}", self.game.id, self.number);
    }

    fn ruleset(&self) -> PathBuf {
        self.db.path().join(self.game.id)
    }

    fn take(&mut self, step: &Step) {
        self.done.push(step.clone());
        let path = |name: &str| self.ruleset().join(name);
        match step {
            Step::Run(commands) => return self.run(commands),
            Step::Remove(name) => {
                let _ = fs::remove_file(path(name));
                // The tables that it listed may be damaged, and the files cannot show it.
                return;
            }
            Step::Flip(name) | Step::Cut(name) => {
                let Ok(mut bytes) = fs::read(path(name)) else {
                    return;
                };
                let middle = bytes.len() / 2;
                match step {
                    Step::Cut(_) => bytes.truncate(middle),
                    _ if bytes.is_empty() => {}
                    _ => bytes[middle] ^= 0x10,
                }
                fs::write(path(name), bytes).unwrap();
            }
            Step::Plant(name, from) => {
                if let Some(bytes) = self.game.clean().others[*from].get(name) {
                    fs::create_dir_all(self.ruleset()).unwrap();
                    fs::write(path(name), bytes).unwrap();
                }
            }
        }
        self.damaged = true;
    }

    fn run(&mut self, commands: &[(Vec<String>, Option<u32>)]) {
        let started = Instant::now();
        let running = commands.iter().map(|(args, _)| self.command(args).spawn());
        let mut running: Vec<Child> = running.map(Result::unwrap).collect();
        let mut kills: Vec<(u32, usize)> = (commands.iter().enumerate())
            .filter_map(|(number, (_, moment))| Some(((*moment)?, number)))
            .collect();
        kills.sort();
        for (moment, number) in kills {
            let moment = self.game.clean().duration * moment / 100;
            thread::sleep(moment.saturating_sub(started.elapsed()));
            let _ = running[number].kill();
        }
        let is_alone = commands.len() == 1;
        for ((args, killed), child) in commands.iter().zip(running) {
            let output = self.end(child);
            self.check(args, killed.is_some(), is_alone, &output);
        }
        let repaired = commands
            .iter()
            .any(|(args, killed)| killed.is_none() && args.iter().any(|arg| arg == "--repair"));
        if repaired {
            self.damaged = false;
        }
    }

    fn end(&self, mut child: Child) -> Output {
        // The output is short enough for the pipes.
        let started = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if started.elapsed() > PATIENCE {
                let _ = child.kill();
                self.fail("a command hangs");
            }
            thread::sleep(Duration::from_millis(5));
        }
        child.wait_with_output().unwrap()
    }

    /// Returns whether a command exited as expected.
    fn check(&self, args: &[String], killed: bool, is_alone: bool, output: &Output) {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let status = output.status.code();
        let wrong = [
            "is stored as",
            "the counts in the header",
            "panicked",
            "this is a bug",
        ];
        let right = match (args[0].as_str(), status) {
            _ if wrong.iter().any(|wrong| stderr.contains(wrong)) => false,
            (_, None) => killed,
            (_, Some(0)) => true,
            // If files are damaged, the message names one of them.
            (_, Some(1)) if self.damaged => true,
            // A build is running.
            ("convert", Some(1)) => !is_alone,
            // Tables were removed, left unfinished by a killed command, or have no plies.
            ("convert", Some(3)) | ("verify", Some(1 | 3 | 4)) => true,
            _ => false,
        };
        if !right {
            self.fail(&format!(
                "{} ended with {status:?}: {stderr}",
                args.join(" ")
            ));
        }
    }

    /// Finishes with a plain build, whose files must equal those of a clean one.
    fn finish(mut self) {
        let whole = |args: &[&str]| {
            let mut all = owned(args);
            all.extend(owned(self.game.whole));
            Step::Run(vec![(all, None)])
        };
        let mut last = vec![
            Step::Run(vec![(owned(&["convert", "--to", "full"]), None)]),
            whole(&["build", "--draws"]),
            Step::Run(vec![(owned(&["convert", "--to", "full"]), None)]),
        ];
        if self.damaged {
            last.insert(0, Step::Run(vec![(owned(&["build", "--repair"]), None)]));
        }
        last.push(Step::Run(vec![(
            owned(&["verify", "--sample", "200"]),
            None,
        )]));
        if !self.ruleset().exists() {
            last.remove(0);
        }
        for step in &last {
            self.take(step);
        }
        let (clean, found) = (&self.game.clean().full, files(&self.ruleset()));
        if found != *clean {
            let names = clean.keys().chain(found.keys());
            let differ = names.filter(|&name| clean.get(name) != found.get(name));
            let differ: std::collections::BTreeSet<&String> = differ.collect();
            self.fail(&format!("{differ:?} are not those of a clean build"));
        }
        let verified = self.command(&owned(&["verify", "--quick"])).status();
        assert!(verified.unwrap().success());
    }
}

/// Runs the sequence with this number.
fn sequence(number: u64) {
    let mut rng = StdRng::seed_from_u64(number);
    let game = GAMES[number as usize % GAMES.len()];
    let clean = game.clean();
    let names: Vec<&String> = clean.full.keys().collect();
    let mut run = Run {
        game,
        db: directory(),
        done: Vec::new(),
        damaged: false,
        number,
    };
    for _ in 0..rng.random_range(2..=7) {
        let step = random_step(game, &names, &mut rng);
        run.take(&step);
    }
    run.finish();
}

/// Runs sequences on two threads, or only the one that the variable `SEQUENCE` names.
fn sequences(numbers: std::ops::Range<u64>) {
    if let Ok(number) = std::env::var("SEQUENCE") {
        return sequence(number.parse().expect("SEQUENCE is a number"));
    }
    let next = std::sync::atomic::AtomicU64::new(numbers.start);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    sequence(number);
                }
            });
        }
    });
}

#[test]
fn after_any_sequence_of_commands_a_build_has_the_bytes_of_a_clean_one() {
    sequences(0..50);
}

/// `cargo test --release --features long-tests --test sequences long_`
#[cfg(feature = "long-tests")]
#[test]
fn long_after_any_of_2000_sequences_a_build_has_the_bytes_of_a_clean_one() {
    sequences(50..2050);
}

/// If no game leads to the partner of a table, its plies follow from the tables outside alone.
#[test]
fn a_build_and_a_conversion_leave_out_the_same_plies() {
    for game in GAMES {
        let clean = game.clean();
        let run = |args: &[&str], whole: &[&str], db: &Path| {
            let mut command = program();
            command.arg(args[0]).arg(&clean.rules).args(&args[1..]);
            let run = command.args(whole).arg("--db").arg(db).output().unwrap();
            assert!(run.status.success(), "{args:?}: {}", text(run.stderr));
            text(run.stdout)
        };
        let db = directory();
        let ruleset = db.path().join(game.id);
        run(&["build", "--draws"], game.whole, db.path());
        run(&["convert", "--to", "compact"], &[], db.path());
        assert!(files(&ruleset) == clean.others[1], "{}", game.id);
        let verified = run(&["verify", "--by-turns"], &[], db.path());
        assert!(verified.contains("proved by turns"), "{verified}");
        assert!(!verified.contains("not verified"), "{verified}");
        run(&["convert", "--to", "full"], &[], db.path());
        assert!(files(&ruleset) == clean.full, "{}", game.id);
    }
}

/// The commands that once stored wrong distances: the next group mistook a table read without plies
/// for one with plies.
#[test]
fn tables_read_without_plies_are_never_used_for_distances() {
    let longest = |db: &Path, ruleset: &str, table: &str| {
        let stats = program::json(&["stats", ruleset], db);
        let tables = stats["tables"].as_array().unwrap().clone();
        let found = tables.into_iter().find(|row| row["table"] == table);
        let found = found.unwrap();
        (found["longest_win"].clone(), found["longest_loss"].clone())
    };
    for (ruleset, first, second) in [
        (
            "nine",
            &["--pieces", "6"][..],
            &["--no-placing-plies", "--tables", "2+1v3+0,4v3"][..],
        ),
        ("twelve", &["--pieces", "6"], &["--tables", "2+1v3+1"]),
        ("eleven", &["--pieces", "6"], &["--tables", "2+1v3+1"]),
    ] {
        let db = directory();
        program::build(db.path(), &[&[ruleset], first].concat());
        program::build(db.path(), &[&[ruleset], second].concat());
        let clean = directory();
        program::build(clean.path(), &[ruleset, "--tables", "4v3"]);
        for table in ["3v4", "4v3"] {
            let [found, right] = [&db, &clean].map(|db| longest(db.path(), ruleset, table));
            assert_eq!(found, right, "{ruleset} {table}");
            for kind in ["wld", "dtw"] {
                let read = |db: &TempDir| {
                    fs::read(db.path().join(ruleset).join(format!("{table}.{kind}"))).unwrap()
                };
                assert!(read(&db) == read(&clean), "{ruleset} {table}.{kind}");
            }
        }
    }
}
