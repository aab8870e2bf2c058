//! `endmill probe`: who wins from here, how fast, and by which move?
//!
//! Also what all questions about a position have in common: how it is given, how an answer or a
//! refusal is written for people and for programs.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use ::probe::{Answer, Database, ProbeError, Ranked, Verdict};
use games::{Colour, Game, Outcome, ParseError, Ruleset, UnknownRuleset, Visitor};
use serde::Serialize;

/// Exit status and error codes of all questions, for `--help`.
pub const STATUS: &str = "\
Exit status:
  0  answered (with --stdin: all lines read, whatever the answers)
  1  a file is damaged, mixed up, too new or made for other rules, or the system said no
  2  the position, the table, the ruleset or the command cannot be read
  3  not known: a table that the answer needs is not in the database

With --json a refusal is an object on standard output too, with the stable codes in \"error\":
bad_input, unknown_ruleset (2); table_missing, plies_missing (3); rules_differ, wrong_file,
file_damaged, format_too_new, file_replaced, contradiction, io (1).";

/// Look a position up: its value, and every turn, best first.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
}

/// A position, or many, and the database that knows them.
#[derive(clap::Args)]
pub struct Question {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// The position, e.g. `W:Wa1,d1,g7:Bb2,b4,d6` or `B:W18,K31:B12,K5`; `start` for the start of
    /// the game
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin")]
    position: Option<String>,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// For programs
    #[arg(long)]
    json: bool,
    /// Read one position a line, write one JSON object a line, each at once
    #[arg(long)]
    stdin: bool,
}

impl Args {
    /// Answers.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.question.ask(&Probe, out)
    }
}

/// What is written, and whether it is a refusal: one that is worth writing more than its reason.
pub struct Reply {
    pub text: String,
    pub refusal: Option<ProbeError>,
}

/// What is asked about a position.
pub trait Ask {
    /// The reply in JSON or in words, without the last line end.
    fn reply<G: Game>(
        &self,
        database: &Database<G>,
        position: &G::Position,
        json: bool,
    ) -> anyhow::Result<Reply>;
}

impl Question {
    /// Asks about the position, or about every line of the input.
    pub fn ask(&self, ask: &impl Ask, out: &mut dyn Write) -> anyhow::Result<()> {
        let asking = Asking {
            question: self,
            ask,
            out,
        };
        match Ruleset::find(&self.ruleset) {
            Ok(ruleset) => ruleset.visit(asking),
            Err(error) => {
                let refusal = Refusal::new(&self.ruleset, self.position.as_deref());
                refusal.or_pass(self.json || self.stdin, error.into(), asking.out)
            }
        }
    }
}

struct Asking<'a, A> {
    question: &'a Question,
    ask: &'a A,
    out: &'a mut dyn Write,
}

impl<A: Ask> Visitor for Asking<'_, A> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Asking { question, ask, out } = self;
        let ruleset = question.ruleset.as_str();
        let json = question.json || question.stdin;
        let database = match Database::open(&question.db, game) {
            Ok(database) => database,
            Err(error) => {
                let refusal = Refusal::new(ruleset, question.position.as_deref());
                return refusal.or_pass(json, error.into(), out);
            }
        };
        let mut answer = |text: &str| -> anyhow::Result<()> {
            let parsed = database.game().parse_position(text);
            let reply = match parsed {
                Ok(position) => ask.reply(&database, &position, json),
                Err(error) => Err(error.into()),
            };
            match reply {
                Ok(Reply { text, refusal }) => {
                    writeln!(out, "{text}")?;
                    out.flush()?;
                    refusal.map_or(Ok(()), |refusal| Err(refusal.into()))
                }
                Err(error) => Refusal::new(ruleset, Some(text)).or_pass(json, error, out),
            }
        };
        let Some(position) = &question.position else {
            return each_line(|line| match answer(line) {
                // Whoever should read the answers is gone.
                Err(error) if error.is::<io::Error>() => Err(error),
                _ => Ok(()),
            });
        };
        answer(position)
    }
}

/// Hands on the lines of the standard input. Bytes that are not UTF-8 make a bad position, not
/// the end.
fn each_line(mut each: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        each(String::from_utf8_lossy(&line).trim())?;
        line.clear();
    }
    Ok(())
}

/// An error as programs read it.
#[derive(Serialize)]
pub struct Refusal<'a> {
    ruleset: &'a str,
    /// As it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'a str>,
}

#[derive(Serialize)]
struct Refused<'a> {
    #[serde(flatten)]
    of: &'a Refusal<'a>,
    error: &'static str,
    message: String,
    /// The table that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a str>,
    /// The character of the text that is wrong, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
}

impl<'a> Refusal<'a> {
    /// A refusal to say anything about this.
    pub fn new(ruleset: &'a str, position: Option<&'a str>) -> Refusal<'a> {
        Refusal { ruleset, position }
    }

    /// Writes the error as JSON if that is wanted, and hands it on in any case.
    pub fn or_pass(
        &self,
        json: bool,
        error: anyhow::Error,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if json {
            let probe = error.downcast_ref::<ProbeError>();
            let refused = Refused {
                of: self,
                error: code(&error),
                message: format!("{error:#}"),
                table: probe.and_then(ProbeError::missing_table),
                at: error.downcast_ref::<ParseError>().and_then(|at| at.at),
            };
            writeln!(out, "{}", serde_json::to_string(&refused)?)?;
            out.flush()?;
        }
        Err(error)
    }
}

/// The stable name of an error.
fn code(error: &anyhow::Error) -> &'static str {
    if let Some(error) = error.downcast_ref::<ProbeError>() {
        error.code()
    } else if error.is::<ParseError>() {
        "bad_input"
    } else if error.is::<UnknownRuleset>() {
        "unknown_ruleset"
    } else {
        "io"
    }
}

/// What a value is, as programs read it.
#[derive(Serialize)]
pub struct Value {
    outcome: Option<Outcomes>,
    plies: Option<u16>,
    /// Only written where `plies` might be taken for that of a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies_known: Option<bool>,
}

/// An outcome, as programs read it.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcomes {
    Win,
    Loss,
    Draw,
}

impl From<Option<Verdict>> for Value {
    fn from(verdict: Option<Verdict>) -> Value {
        let exact = verdict.is_none_or(|verdict| verdict.value().is_some());
        Value {
            outcome: verdict.map(|verdict| match verdict.outcome() {
                Outcome::Win => Outcomes::Win,
                Outcome::Loss => Outcomes::Loss,
                Outcome::Draw => Outcomes::Draw,
            }),
            plies: verdict.and_then(Verdict::plies),
            plies_known: (!exact).then_some(false),
        }
    }
}

/// What every answer about a position begins with.
#[derive(Serialize)]
pub struct Head {
    ruleset: String,
    position: String,
    /// `None` if the game is over because a side has too few men, or has no table for so many.
    table: Option<String>,
}

impl Head {
    pub fn new<G: Game>(game: &G, position: &G::Position) -> Head {
        Head {
            ruleset: game.description().id,
            position: game.format_position(position),
            table: game.table_of(position).map(|table| table.to_string()),
        }
    }
}

/// The board, the position and its value, for people.
pub fn heading<G: Game>(game: &G, position: &G::Position, verdict: Option<Verdict>) -> String {
    let words = verdict.map_or("Not known".to_owned(), |verdict| {
        in_words(game, position, verdict)
    });
    let diagram = game.diagram(position).to_string();
    let text = game.format_position(position);
    format!("{}\n\n{text}\n{words}", diagram.trim_end())
}

/// `White wins in 17 plies`.
pub fn in_words<G: Game>(game: &G, position: &G::Position, verdict: Verdict) -> String {
    let mover = game.to_move(position);
    let winner = match verdict.outcome() {
        Outcome::Win => mover,
        Outcome::Loss => mover.other(),
        Outcome::Draw => return "Draw: neither side can win".to_owned(),
    };
    let name = title(winner);
    match verdict.plies() {
        None => format!("{name} wins, in how many plies is not known"),
        Some(0) => format!("{name} has won: the game is over"),
        Some(1) => format!("{name} wins in 1 ply"),
        Some(plies) => format!("{name} wins in {plies} plies"),
    }
}

/// A side's name at the beginning of a sentence.
pub fn title(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "White",
        Colour::Black => "Black",
    }
}

struct Probe;

#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    head: Head,
    /// Only in a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(flatten)]
    value: Value,
    moves: Vec<Turn>,
}

#[derive(Serialize)]
struct Turn {
    #[serde(rename = "move")]
    turn: String,
    #[serde(flatten)]
    value: Value,
    /// The table it leads into, if that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

impl Ask for Probe {
    /// Where the value is not known but some turns are, these are told with the refusal.
    fn reply<G: Game>(
        &self,
        database: &Database<G>,
        position: &G::Position,
        json: bool,
    ) -> anyhow::Result<Reply> {
        let game = database.game();
        let moves = database.moves(position)?;
        let (verdict, refusal) = match database.probe(position) {
            Ok(verdict) => (Some(verdict), None),
            Err(error) if error.is_missing() => (None, Some(error)),
            Err(error) => return Err(error.into()),
        };
        let text = if json {
            let turn = |ranked: &Ranked<G>| Turn {
                turn: game.format_turn(position, &ranked.turn),
                value: ranked.answer.verdict().into(),
                missing: match &ranked.answer {
                    Answer::Known(_) => None,
                    Answer::Missing(table) => Some(table.clone().unwrap_or_default()),
                },
            };
            serde_json::to_string(&Report {
                head: Head::new(game, position),
                error: refusal.as_ref().map(ProbeError::code),
                message: refusal.as_ref().map(ToString::to_string),
                value: verdict.into(),
                moves: moves.iter().map(turn).collect(),
            })?
        } else {
            heading(game, position, verdict) + &turns_in_words(game, position, &moves)
        };
        Ok(Reply { text, refusal })
    }
}

/// What a turn is worth, for people.
pub fn worth(answer: &Answer) -> String {
    match answer {
        Answer::Known(verdict) => verdict.to_string(),
        Answer::Missing(Some(table)) => format!("not known, no table {table}"),
        Answer::Missing(None) => "not known, too many pieces".to_owned(),
    }
}

fn turns_in_words<G: Game>(game: &G, position: &G::Position, moves: &[Ranked<G>]) -> String {
    let names = moves
        .iter()
        .map(|ranked| game.format_turn(position, &ranked.turn));
    let names: Vec<String> = names.collect();
    let wide = names.iter().map(String::len).max().unwrap_or(0);
    let lines = names
        .iter()
        .zip(moves)
        .map(|(name, ranked)| format!("\n  {name:<wide$}  {}", worth(&ranked.answer)));
    let lines: String = lines.collect();
    if lines.is_empty() {
        lines
    } else {
        format!("\n{lines}")
    }
}
