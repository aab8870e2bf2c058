//! What to do where a table is missing: the command that builds it, and the offer to do so at once
//! where that takes seconds.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};

use clap::{Parser, ValueEnum};
use endmill_games::{Game, Ruleset, Visitor};
use endmill_probe::Database;
use endmill_solver::{Plan, PlyChoice};

use crate::db::Db;

/// Seconds of one processor that are offered unasked.
const FEW_SECONDS: f64 = 30.0;

/// Seconds of one processor after which somebody may prefer less.
const LONG: f64 = 600.0;

/// Whether missing tables are built on the way.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Policy {
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
            let cost = Plan::new(&game, tables).cost(&game, |group| all.of(group));
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

/// Builds what is missing if that is wanted: told to, or asked at a terminal and said yes to.
/// Whether it has been built.
pub fn offer(db: &Db, what: &str, work: &Work) -> anyhow::Result<bool> {
    let wanted = match db.build {
        Policy::Yes => true,
        Policy::No => false,
        Policy::Ask => may_ask() && work.seconds < FEW_SECONDS && ask(db, what, work)?,
    };
    if !wanted {
        return Ok(false);
    }
    let mut words = vec!["endmill".to_owned(), "build".to_owned()];
    words.extend(work.command.iter().cloned());
    words.extend(["--db".to_owned(), db.directory.display().to_string()]);
    // What is built is told with the questions, not among the answers.
    crate::Cli::parse_from(words)
        .command
        .run(&mut io::stderr())?;
    Ok(true)
}

/// Offers to build a beginning of a database that has nothing at all. Whether it has been built.
pub fn build_beginning<G: Game>(
    db: &Db,
    ruleset: &str,
    database: &Database<G>,
) -> anyhow::Result<bool> {
    let asks = db.build == Policy::Yes || db.build == Policy::Ask && may_ask();
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

fn ask(db: &Db, what: &str, work: &Work) -> io::Result<bool> {
    let mut screen = io::stderr();
    write!(
        screen,
        "{what} is not in {}. Build it now ({})? [Y/n] ",
        db.directory.display(),
        in_words(work.seconds)
    )?;
    screen.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    let no = answer.is_empty() || answer.trim_start().starts_with(['n', 'N']);
    Ok(!no)
}

#[cfg(test)]
mod tests {
    use super::*;

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
