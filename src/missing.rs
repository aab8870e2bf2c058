//! Missing tables: the command that builds one, and the offer to run it if that takes seconds.

use std::env;
use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::ValueEnum;
use endmill_games::{Charset, Game, Ruleset, Visitor};
use endmill_probe::Database;
use endmill_solver::{Plan, PlyChoice, SolveError};

use crate::db::Db;
use crate::drawing;

/// Builds are offered if they take less than this, in seconds of one processor.
const FEW_SECONDS: f64 = 30.0;

/// For longer builds a smaller one is suggested too, in seconds of one processor.
const LONG: f64 = 600.0;

/// Whether to build missing tables.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BuildPolicy {
    Yes,
    No,
    Ask,
}

/// A build.
pub struct Work {
    /// The arguments of `endmill build`, without the database.
    pub command: Vec<String>,
    /// The estimated time on one processor.
    seconds: f64,
}

impl Work {
    /// The command line.
    fn text(&self, db: &Db) -> String {
        format!("endmill build {}{}", self.command.join(" "), db.option())
    }
}

/// The location of the database and the command that builds a missing table: the context of an error,
/// printed on separate lines.
#[derive(Debug)]
pub struct Advice(String);

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Advice {
    /// Advice about a table that this work would build.
    pub fn new(db: &Db, work: Option<&Work>) -> Advice {
        let directory = db.directory.display();
        let there = if db.directory.is_dir() {
            ""
        } else {
            ", which does not exist"
        };
        let mut text = format!("the database is {directory}{there}");
        if let Some(work) = work {
            let time = in_words(work.seconds);
            text += &format!("\nto build the table: {} ({time})", work.text(db));
            let long = work.seconds > LONG;
            let few = long.then(|| beginning(&work.command[0])).flatten();
            if let Some(few) = few {
                let time = in_words(few.seconds);
                text += &format!("\nto begin with endings: {} ({time})", few.text(db));
            }
        }
        Advice(text)
    }
}

/// A time on one processor, roughly.
fn in_words(seconds: f64) -> String {
    match seconds {
        ..10.0 => "a few seconds".to_owned(),
        10.0..60.0 => "less than a minute".to_owned(),
        60.0..5400.0 => format!(
            "about {:.0} minutes of one processor",
            (seconds / 60.0).ceil()
        ),
        _ => format!(
            "about {:.0} hours of one processor",
            (seconds / 3600.0).ceil()
        ),
    }
}

/// The build of a table.
pub fn table(ruleset: &str, name: &str) -> Option<Work> {
    let what = What::Table(name);
    Ruleset::open(ruleset).ok()?.visit(Find { ruleset, what })
}

/// The build of a first database: the whole game, or the endings that take seconds.
pub fn beginning(ruleset: &str) -> Option<Work> {
    let what = What::Beginning;
    Ruleset::open(ruleset).ok()?.visit(Find { ruleset, what })
}

struct Find<'a> {
    /// As in the command: an id or a file.
    ruleset: &'a str,
    what: What<'a>,
}

enum What<'a> {
    Table(&'a str),
    Beginning,
}

impl Visitor for Find<'_> {
    type Output = Option<Work>;

    fn visit<G: Game>(self, game: G) -> Option<Work> {
        let work = |tables: &[G::Table], words: &[&str]| {
            let all = PlyChoice {
                solved: true,
                swept: true,
            };
            let cost = Plan::new(&game, tables).cost(&game, |group, _| all.of(group));
            let command = std::iter::once(self.ruleset).chain(words.iter().copied());
            Work {
                command: command.map(str::to_owned).collect(),
                seconds: cost.nanoseconds / 1e9,
            }
        };
        let name = match self.what {
            What::Table(name) => name,
            What::Beginning => {
                let pieces = (2..=8).map(|pieces: u32| {
                    let tables = game.tables(Some(pieces));
                    work(&tables, &["--pieces", &pieces.to_string()])
                });
                let few = pieces
                    .take_while(|work| work.seconds < FEW_SECONDS)
                    .last()?;
                // The whole game if it is small.
                let start = game.table_of(&game.start())?;
                let tables = game.tables(None).into_iter();
                let whole: u128 = tables.map(|table| u128::from(game.size(table))).sum();
                if whole < 100_000_000 {
                    let whole = work(&[start], &[]);
                    return Some(if whole.seconds < FEW_SECONDS {
                        whole
                    } else {
                        few
                    });
                }
                return Some(few);
            }
        };
        let table = game.parse_table(name).ok()?;
        Some(work(&[table], &["--tables", name]))
    }
}

/// Builds tables if that takes seconds and the user wants it, by option or by answering a question on
/// the terminal. Returns whether they were built.
pub fn offer(db: &Db, what: &str, work: &Work) -> anyhow::Result<bool> {
    let wanted = work.takes_seconds()
        && match db.build {
            BuildPolicy::Yes => true,
            BuildPolicy::No => false,
            BuildPolicy::Ask => may_ask() && ask(&work.question(&db.directory, what))?,
        };
    if wanted {
        work.build(&db.directory)?;
    }
    Ok(wanted)
}

impl Work {
    /// Whether the build is short enough to offer.
    pub fn takes_seconds(&self) -> bool {
        self.seconds < FEW_SECONDS
    }

    /// The question to the user.
    pub fn question(&self, directory: &Path, what: &str) -> String {
        let (directory, time) = (directory.display(), in_words(self.seconds));
        format!("{what} is not in {directory}. Build it now ({time})? [Y/n] ")
    }

    /// Runs the build in a child process, because this process may handle signals itself. The output
    /// goes to standard error, apart from the answers.
    pub fn build(&self, directory: &Path) -> anyhow::Result<()> {
        let mut build = Command::new(env::current_exe()?);
        build.arg("build").args(&self.command);
        build.arg("--db").arg(directory);
        if drawing::charset() == Charset::Ascii {
            build.arg("--ascii");
        }
        build.stdin(Stdio::null()).stdout(io::stderr());
        let status = build.status().context("cannot start the build")?;
        match status.code() {
            Some(0) => Ok(()),
            Some(130) => Err(SolveError::Stopped.into()),
            _ => bail!("the build failed"),
        }
    }
}

/// Offers to build a first database if there are no tables. Returns whether it was built.
pub fn build_beginning<G: Game>(
    db: &Db,
    ruleset: &str,
    database: &Database<G>,
) -> anyhow::Result<bool> {
    let asks = db.build == BuildPolicy::Yes || db.build == BuildPolicy::Ask && may_ask();
    if !asks || !database.coverage().tables.is_empty() {
        return Ok(false);
    }
    let id = database.game().description().id;
    match beginning(ruleset) {
        Some(work) => offer(db, &format!("A database of {id}"), &work),
        None => Ok(false),
    }
}

/// Whether a user can be asked.
pub fn may_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks several times for a clear answer. The end of the input means no.
fn ask(question: &str) -> io::Result<bool> {
    let mut screen = io::stderr();
    for _ in 0..ATTEMPTS {
        write!(screen, "{question}")?;
        screen.flush()?;
        let mut answer = String::new();
        if io::stdin().lock().read_line(&mut answer)? == 0 {
            break;
        }
        if let Some(answer) = yes_or_no(&answer) {
            return Ok(answer);
        }
    }
    Ok(false)
}

/// The number of attempts to get a clear answer; then it is a no.
pub const ATTEMPTS: usize = 3;

/// Parses an answer to [`Work::question`]; Enter alone means yes.
pub fn yes_or_no(answer: &str) -> Option<bool> {
    match answer.trim().to_ascii_lowercase().as_str() {
        "" | "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_parsed() {
        for yes in ["", "\n", "y\n", " Yes "] {
            assert_eq!(yes_or_no(yes), Some(true), "{yes:?}");
        }
        for no in ["n\n", "NO", " no "] {
            assert_eq!(yes_or_no(no), Some(false), "{no:?}");
        }
        for other in ["quit", "never", "yesterday", "a1-a4"] {
            assert_eq!(yes_or_no(other), None, "{other}");
        }
    }

    #[test]
    fn builds_are_commands() {
        let table = table("nine", "4v3").unwrap();
        assert_eq!(table.command, ["nine", "--tables", "4v3"]);
        assert!(table.seconds < FEW_SECONDS);
        let whole = super::table("nine", "0+9v0+9").unwrap();
        assert!(whole.seconds > 1000.0, "{}", whole.seconds);
        assert_eq!(beginning("three").unwrap().command, ["three"]);
        assert_eq!(
            beginning("nine").unwrap().command,
            ["nine", "--pieces", "8"]
        );
        assert!(super::table("nine", "9v99").is_none());
    }
}
