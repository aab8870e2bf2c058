//! What to do where a table is missing: the command that builds it, and the offer to do so at once
//! where that takes seconds.

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

/// Seconds of one processor that are offered unasked.
const FEW_SECONDS: f64 = 30.0;

/// Seconds of one processor after which somebody may prefer less.
const LONG: f64 = 600.0;

/// Whether missing tables are built on the way.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BuildPolicy {
    Yes,
    No,
    Ask,
}

/// What would have to be built.
pub struct Work {
    /// The words after `endmill build`, but for the database.
    pub command: Vec<String>,
    /// Of one processor.
    seconds: f64,
}

impl Work {
    /// The command, for people.
    fn text(&self, db: &Db) -> String {
        format!("endmill build {}{}", self.command.join(" "), db.option())
    }
}

/// Where the database is and what would build the table, after an error that one is missing. It
/// goes with the error as its context, and is printed on a line of its own.
#[derive(Debug)]
pub struct Advice(String);

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Advice {
    /// For a table that would be built by this work.
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

/// A time of one processor, roughly.
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

/// What would build a table.
pub fn table(ruleset: &str, name: &str) -> Option<Work> {
    let what = What::Table(name);
    Ruleset::open(ruleset).ok()?.visit(Find { ruleset, what })
}

/// What would build a start: the whole game, or the endings that take seconds.
pub fn beginning(ruleset: &str) -> Option<Work> {
    let what = What::Beginning;
    Ruleset::open(ruleset).ok()?.visit(Find { ruleset, what })
}

struct Find<'a> {
    /// As a command names it: by its id, or by its file.
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
                // A small game whole, if it is little more.
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

/// Builds what is missing and takes seconds, if that is wanted: told to, or asked at a terminal and
/// said yes to. Whether it has been built.
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
    /// Whether it is worth an offer.
    pub fn takes_seconds(&self) -> bool {
        self.seconds < FEW_SECONDS
    }

    /// What somebody is asked before it is done.
    pub fn question(&self, directory: &Path, what: &str) -> String {
        let (directory, time) = (directory.display(), in_words(self.seconds));
        format!("{what} is not in {directory}. Build it now ({time})? [Y/n] ")
    }

    /// Does it, by a process of its own: whoever asks, plays or searches has the signals for
    /// itself. What is built is told with the questions, not among the answers.
    pub fn build(&self, directory: &Path) -> anyhow::Result<()> {
        let mut build = Command::new(env::current_exe()?);
        build.arg("build").args(&self.command);
        build.arg("--db").arg(directory);
        if drawing::charset() == Charset::Ascii {
            build.arg("--ascii");
        }
        build.stdin(Stdio::null()).stdout(io::stderr());
        let status = build.status().context("cannot begin to build")?;
        match status.code() {
            Some(0) => Ok(()),
            Some(130) => Err(SolveError::Stopped.into()),
            _ => bail!("the build failed"),
        }
    }
}

/// Offers to build a beginning of a database that has nothing at all. Whether it has been built.
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

/// Whether somebody is there to be asked.
pub fn may_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks until it is answered, a few times; the end of the input is a no.
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

/// How often somebody is asked who answers something else; then it is a no.
pub const ATTEMPTS: usize = 3;

/// What an answer to [`Work::question`] means, if anything: nothing but Enter is a yes.
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
    fn only_a_yes_is_a_yes() {
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
    fn what_builds_a_table_or_a_beginning_is_a_command() {
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
