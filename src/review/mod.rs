//! `endmill review`: the value of each move of a game, and its mistakes.

mod notes;
mod words;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use endmill_engine::opinion;
use endmill_games::{Game, Ruleset, Visitor};
use endmill_probe::Database;
use endmill_probe::answers::{Reason, Refusal, ReviewAnswer};
use endmill_records::{Transcript, guess};
use serde_json::Value;

use crate::db::{self, Read};
use crate::game_file::{BadGame, contents, games};
use crate::repair::or_repair;

const EXAMPLES: &str = "\
Examples:
  endmill review game.pdn                    every move of every game
  endmill review nine-1.game --json          as JSON
  endmill review game.pdn --pdn > notes.pdn  the games with comments and annotations
  pbpaste | endmill review -                 the clipboard

Reads PDN, saved games, and move lists of morris programs; see docs/records.md. A mistake throws away
a win or a draw (win to draw, win to loss, draw to loss), or loses plies. Beyond the tables, values
are search estimates, marked as such.

Exit status: 0 if all games were read; 2 if one was not: the error names line and column, and the game
is reviewed up to there; 1 if a file of the database is damaged.";

/// Print the value of each move of a game, and the best moves.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A file of games, or - for standard input
    file: PathBuf,
    /// The database directory; by default $ENDMILL_DB, else data/db if it exists, else the user's
    /// data directory
    #[arg(long = "db", value_name = "DIR", default_value_os_t = db::usual(), hide_default_value = true)]
    directory: PathBuf,
    /// How to read files: see `endmill probe --help`
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Read::Mapped)]
    read: Read,
    /// Print JSON
    #[arg(long, conflicts_with = "pdn")]
    json: bool,
    /// Print the games as PDN with comments and annotations
    #[arg(long)]
    pdn: bool,
    /// The ruleset of games that do not name one; by default the first by which they are legal
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// Positions per search, beyond the tables; 0 for no search
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    nodes: u64,
}

/// Reviews games of one ruleset.
trait Reviewer {
    fn review(&self, transcript: &Transcript, nodes: u64) -> endmill_probe::Result<ReviewAnswer>;
}

impl<G: Game> Reviewer for Database<G> {
    fn review(&self, transcript: &Transcript, nodes: u64) -> endmill_probe::Result<ReviewAnswer> {
        let stop = AtomicBool::new(false);
        Database::review(self, transcript, &mut |position| {
            let position = self.game().parse_position(position).ok()?;
            (nodes > 0).then(|| opinion(self, &position, nodes, &stop))?
        })
    }
}

struct Open<'a> {
    directory: &'a Path,
    read: Read,
}

impl Visitor for Open<'_> {
    type Output = endmill_probe::Result<Box<dyn Reviewer>>;

    fn visit<G: Game>(self, game: G) -> endmill_probe::Result<Box<dyn Reviewer>> {
        Ok(Box::new(self.read.open(self.directory, game)?))
    }
}

impl Args {
    /// Reviews all games, and prints the result.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let named = self.ruleset.as_deref().map(Ruleset::open).transpose()?;
        let text = contents(&self.file)?;
        let games = match games(&self.file, &text) {
            Ok(games) => games,
            Err(bad) => return self.refused(bad, out),
        };
        let mut reviewers: HashMap<&'static str, Box<dyn Reviewer>> = HashMap::new();
        let (mut last, mut bad) = (None, None);
        self.write_before(out)?;
        for (number, transcript) in (1..).zip(&games) {
            let ruleset = ruleset_of(transcript, named, last);
            let reviewer = match reviewers.entry(ruleset.id()) {
                std::collections::hash_map::Entry::Occupied(open) => open.into_mut(),
                std::collections::hash_map::Entry::Vacant(slot) => {
                    let (directory, read) = (self.directory.as_path(), self.read);
                    slot.insert(ruleset.visit(Open { directory, read })?)
                }
            };
            let review = reviewer.review(transcript, self.nodes);
            let review = or_repair(review.map_err(Into::into), ruleset.id(), &self.directory)?;
            self.write(&review, number, games.len(), out)?;
            match review.broken {
                Some(error) => bad = bad.or(Some(BadGame::new(&self.file, error))),
                None => last = Some(ruleset),
            }
        }
        self.write_after(out)?;
        bad.map_or(Ok(()), |bad| Err(bad.into()))
    }

    fn write_before(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.json {
            write!(out, "{{\"games\":[")?;
        }
        Ok(())
    }

    fn write(
        &self,
        review: &ReviewAnswer,
        number: usize,
        games: usize,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        if self.json {
            let comma = if number > 1 { "," } else { "" };
            let mut answer = serde_json::to_string(review)?;
            if words::is_other_game(review) {
                // The game has other rules than the assumed ones.
                let mut nameless = serde_json::to_value(review)?;
                nameless["ruleset"] = Value::Null;
                nameless["start"] = Value::Null;
                answer = nameless.to_string();
            }
            write!(out, "{comma}\n{answer}")?;
        } else if self.pdn && words::is_other_game(review) {
            // Its moves cannot be printed as moves of the assumed rules.
            for problem in &review.problems {
                writeln!(out, "% endmill: game {number} is left out: {problem}\n")?;
            }
        } else if self.pdn {
            write!(out, "{}", notes::noted(review).pdn())?;
        } else {
            let gap = if number > 1 { "\n" } else { "" };
            let place = self.directory.display().to_string();
            write!(out, "{gap}{}", words::text(review, number, games, &place))?;
        }
        Ok(())
    }

    fn write_after(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.json {
            writeln!(out, "\n]}}")?;
        }
        Ok(())
    }

    fn refused(&self, bad: BadGame, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.json {
            let refusal = Refusal {
                ruleset: self.ruleset.clone(),
                position: None,
                reason: Reason {
                    error: "bad_input",
                    message: bad.error.to_string(),
                },
                table: None,
                at: None,
            };
            writeln!(out, "{}", serde_json::to_string(&refusal)?)?;
        }
        Err(bad.into())
    }
}

/// The ruleset of a game: from the command, from the game itself, or the first one that fits.
fn ruleset_of(transcript: &Transcript, named: Option<Ruleset>, last: Option<Ruleset>) -> Ruleset {
    let stated = || {
        let (id, _) = transcript.ruleset().ok().flatten()?;
        Ruleset::find(id).ok()
    };
    named
        .or_else(stated)
        .unwrap_or_else(|| guess(transcript, last))
}
