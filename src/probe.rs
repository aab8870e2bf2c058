//! `endmill probe`: who wins a position, in how many plies, and by which move?
//!
//! Also the common part of all questions about a position: their arguments, and the format of answers
//! and errors for people and programs.

use std::io::{self, BufRead, Write};

use endmill_games::{Colour, Outcome, Ruleset};
use endmill_probe::answers::{
    DrawRankAnswer, Head, MoveAnswer, PerhapsRank, Reason, Refusal, ValueAnswer,
};
use endmill_probe::{AnyDatabase, ProbeError, Verdict};
use thiserror::Error;

use crate::db::Db;
use crate::drawing;
use crate::missing::{self, Advice, BuildPolicy, may_ask};
use crate::repair::or_repair;

/// The exit statuses and error codes of all questions, for `--help`.
pub const STATUS: &str = "\
Exit status:
  0  answered (with --stdin: all lines read, whatever the answers)
  1  a file is damaged, misplaced, too new or for other rules, or an I/O error occurred
  2  the position, the table, the ruleset or the command cannot be read
  3  unknown: a table that the answer needs is not in the database

With --json errors are also printed on standard output, as objects with a stable code in \"error\":
bad_input, bad_rules_file, unknown_ruleset (2); no_tables, table_missing, plies_missing (3);
rules_differ, wrong_file, file_damaged, format_too_new, format_too_old, file_replaced, contradiction,
io (1).";

/// Print the value of a position, and all moves, best first.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
}

/// One or many positions, and the database to probe.
#[derive(clap::Args)]
pub struct Question {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The position, e.g. `W:Wa1,d1,g7:Bb2,b4,d6` or `B:W18,K31:B12,K5`; `start` for the start of
    /// the game
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    position: Option<String>,
    #[command(flatten)]
    db: Db,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Read one position per line, and print one JSON object per line
    #[arg(long)]
    stdin: bool,
}

impl Args {
    /// Prints the answer.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.question.ask(&reply, out)
    }
}

/// The reply to a question, without the last line end.
pub struct Reply {
    pub text: String,
    /// Why the value is unknown, if it is: the text has what is known.
    pub unknown: Option<Reason>,
}

impl From<String> for Reply {
    fn from(text: String) -> Reply {
        let unknown = None;
        Reply { text, unknown }
    }
}

/// A question about a position, answered in JSON or in words.
pub type Ask<'a> = &'a dyn Fn(&dyn AnyDatabase, &str, bool) -> anyhow::Result<Reply>;

/// The value is unknown; what is known has been printed.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct UnknownValue(String);

impl Question {
    /// Asks about the position, or about every line of the input.
    pub fn ask(&self, ask: Ask<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
        self.build_before()?;
        let answered = self.answer(ask, out).map_err(|error| {
            if crate::errors::status(&error) != 3 {
                return error;
            }
            let work = self
                .missing()
                .and_then(|table| missing::table(&self.ruleset, &table));
            error.context(Advice::new(&self.db, work.as_ref()))
        });
        or_repair(answered, &self.ruleset, &self.db.directory)
    }

    /// The table of the position, if its value or the value of a move is unknown.
    fn missing(&self) -> Option<String> {
        let database = self.db.open_any(&self.ruleset).ok()?;
        let answer = database
            .probe(self.position.as_deref()?.into(), true)
            .ok()?;
        let mut moves = answer.moves.into_iter().flatten();
        let missing = moves.find_map(|turn| turn.missing);
        if answer.unknown.is_none() && missing.is_none() {
            return None;
        }
        // Building the table of the position builds those of its moves.
        let of_a_turn = missing.filter(|table| !table.is_empty());
        answer.head.table.or(of_a_turn)
    }

    /// Builds the table of the position, or of a move, if it is missing and the user agrees.
    fn build_before(&self) -> anyhow::Result<()> {
        let silent = self.json || self.stdin || self.db.build == BuildPolicy::Ask && !may_ask();
        if self.db.build == BuildPolicy::No || silent && self.db.build != BuildPolicy::Yes {
            return Ok(());
        }
        let Some(table) = self.missing() else {
            return Ok(());
        };
        if let Some(work) = missing::table(&self.ruleset, &table) {
            missing::offer(&self.db, &format!("Table {table}"), &work)?;
        }
        Ok(())
    }

    fn answer(&self, ask: Ask<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
        let json = self.json || self.stdin;
        let refuse = |position: Option<&str>, error, out: &mut dyn Write| {
            refused(&self.ruleset, position, json, error, out)
        };
        let database = match self.db.open_any(&self.ruleset) {
            Ok(database) => database,
            Err(error) => return refuse(self.position.as_deref(), error.into(), out),
        };
        let mut answer = |text: &str| -> anyhow::Result<()> {
            match ask(&*database, text, json) {
                Ok(Reply { text, unknown }) => {
                    writeln!(out, "{text}")?;
                    out.flush()?;
                    unknown.map_or(Ok(()), |reason| Err(UnknownValue(reason.message).into()))
                }
                Err(error) => refuse(Some(text), error, &mut *out),
            }
        };
        let Some(position) = &self.position else {
            return each_line(|line| match answer(line) {
                // The reader of the answers has left.
                Err(error) if error.is::<io::Error>() => Err(error),
                _ => Ok(()),
            });
        };
        answer(position)
    }
}

/// Reads the lines of standard input. Bytes that are not UTF-8 make a bad position, not the end.
fn each_line(mut each: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        each(String::from_utf8_lossy(&line).trim())?;
        line.clear();
    }
    Ok(())
}

/// Prints an error as JSON on request, and returns it.
pub fn refused(
    ruleset: &str,
    position: Option<&str>,
    json: bool,
    error: anyhow::Error,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if json {
        // Answers name a ruleset by its id, even if it comes from a file.
        let ruleset = Ruleset::open(ruleset).map_or(ruleset, |known| known.id());
        let refusal = match error.downcast_ref::<ProbeError>() {
            Some(error) => Refusal::new(ruleset, position, error),
            None => Refusal {
                ruleset: Some(ruleset.to_owned()),
                position: position.map(str::to_owned),
                reason: Reason {
                    error: "io",
                    message: format!("{error:#}"),
                },
                table: None,
                at: None,
            },
        };
        writeln!(out, "{}", serde_json::to_string(&refusal)?)?;
        out.flush()?;
    }
    Err(error)
}

/// The board, the position and its value, for people.
pub fn heading(
    database: &dyn AnyDatabase,
    head: &Head,
    value: &ValueAnswer,
    rank: Option<&DrawRankAnswer>,
) -> anyhow::Result<String> {
    let position = head.position.as_str();
    let side = || database.state(position.into()).map(|state| state.side);
    let words = match (value.verdict(), rank) {
        (Some(_), Some(rank)) => rank_in_words(side()?, rank),
        (Some(verdict), None) => in_words(side()?, verdict),
        (None, _) => "Unknown".to_owned(),
    };
    let board = drawing::board(&database.diagram(position.into())?);
    Ok(format!("{board}\n{position}\n{words}"))
}

/// `White wins in 17 plies`.
pub fn in_words(mover: Colour, verdict: Verdict) -> String {
    let winner = match verdict.outcome() {
        Outcome::Win => mover,
        Outcome::Loss => mover.other(),
        Outcome::Draw => return "Draw: neither side can force a win".to_owned(),
    };
    let name = title(winner);
    match verdict.plies() {
        None => format!("{name} wins (distance unknown)"),
        Some(0) => format!("{name} has won: the game is over"),
        Some(1) => format!("{name} wins in 1 ply"),
        Some(plies) => format!("{name} wins in {plies} plies"),
    }
}

/// `Draw, White presses: heads for 9v8 within 14 plies`.
pub fn rank_in_words(mover: Colour, rank: &DrawRankAnswer) -> String {
    let presses = match rank.score {
        score if score > 0.0 => format!("{} presses", title(mover)),
        score if score < 0.0 => format!("{} presses", title(mover.other())),
        _ => "neither side presses".to_owned(),
    };
    let tables = match &rank.tables[..] {
        [] => return format!("Draw, {presses}"),
        [table] => table.clone(),
        [first, .., last] => format!("{first} … {last}"),
    };
    match rank.conversion_plies {
        None => format!("Draw, {presses}: stays in {tables}"),
        Some(1) => format!("Draw, {presses}: heads for {tables}, at once"),
        Some(plies) => format!("Draw, {presses}: heads for {tables}, first step in {plies} plies"),
    }
}

/// `+59`, or `-0.0123` if the score is not an integer.
fn score(rank: &DrawRankAnswer) -> String {
    match rank.exact.contains('/') {
        true => format!("{:+.4}", rank.score),
        false if rank.score == 0.0 => "0".to_owned(),
        false => format!("{:+}", rank.score),
    }
}

/// The capitalised name of a side.
pub fn title(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

/// If the value is unknown but some moves are known, the reply has these.
fn reply(database: &dyn AnyDatabase, position: &str, json: bool) -> anyhow::Result<Reply> {
    let answer = database.probe(position.into(), true)?;
    let text = if json {
        serde_json::to_string(&answer)?
    } else {
        let moves = answer.moves.as_deref().unwrap_or_default();
        let rank = answer.draw_rank.as_ref().and_then(Option::as_ref);
        heading(database, &answer.head, &answer.value, rank)? + &moves_in_words(moves)
    };
    Ok(Reply {
        text,
        unknown: answer.unknown,
    })
}

/// The value of a move, for people: `draw +59, leaves in 14`.
pub fn worth(value: &ValueAnswer, rank: &PerhapsRank, missing: Option<&str>) -> String {
    if let Some(Some(rank)) = rank {
        let score = score(rank);
        return match rank.conversion_plies {
            None => format!("draw {score}"),
            Some(plies) => format!("draw {score}, leaves in {plies}"),
        };
    }
    match (value.verdict(), missing) {
        (Some(verdict), _) => verdict.to_string(),
        (None, None | Some("")) => "unknown (too many pieces)".to_owned(),
        (None, Some(table)) => format!("unknown (no table {table})"),
    }
}

/// More moves would push the board off the screen: then moves with the same value share lines.
const FEW_MOVES: usize = 24;

fn moves_in_words(moves: &[MoveAnswer]) -> String {
    if moves.len() > FEW_MOVES {
        let worth =
            |turn: &MoveAnswer| worth(&turn.value, &turn.draw_rank, turn.missing.as_deref());
        let alike = moves.chunk_by(|a, b| worth(a) == worth(b));
        let lines = alike.map(|alike| {
            let names = alike.iter().map(|turn| turn.text.clone());
            format!(
                "\n{}",
                drawing::listed(&format!("  {}:", worth(&alike[0])), names)
            )
        });
        return format!("\n{}", lines.collect::<String>());
    }
    let wide = moves.iter().map(|turn| turn.text.len()).max().unwrap_or(0);
    let lines = moves.iter().map(|turn| {
        let worth = worth(&turn.value, &turn.draw_rank, turn.missing.as_deref());
        format!("\n  {:<wide$}  {worth}", turn.text)
    });
    let lines: String = lines.collect();
    if lines.is_empty() {
        lines
    } else {
        format!("\n{lines}")
    }
}
