//! `endmill sample`: positions of a table by outcome and plies.

use std::io::Write;

use endmill_games::Outcome;
use endmill_probe::{ProbeError, SampleFilter};
use thiserror::Error;

use crate::db::Db;
use crate::missing::{self, Advice, BuildPolicy};
use crate::probe::{STATUS, refused};
use crate::repair::or_repair;

/// Draw random positions from a table, for puzzles, training and tests.
///
/// Prints one position per line, as `endmill probe --stdin` reads them. Every matching position is
/// equally likely and drawn at most once; symmetric positions count as one. The same seed gives the
/// same positions.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The table, e.g. `5v4`: the side to move has 5 men
    #[arg(long, value_name = "TABLE")]
    table: String,
    /// Only positions that the side to move wins, loses or draws
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<Wants>,
    /// Only positions decided in exactly N plies
    #[arg(long, value_name = "N")]
    plies: Option<u16>,
    /// The maximum number of positions
    #[arg(short = 'n', value_name = "N", default_value_t = 10)]
    count: usize,
    /// The seed of the positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    db: Db,
    /// Print one JSON object per line, with outcome and plies
    #[arg(long)]
    json: bool,
}

/// No position of the table matches.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct NoMatch(String);

#[derive(Clone, Copy, clap::ValueEnum)]
enum Wants {
    Win,
    Loss,
    Draw,
}

impl From<Wants> for Outcome {
    fn from(wants: Wants) -> Outcome {
        match wants {
            Wants::Win => Outcome::Win,
            Wants::Loss => Outcome::Loss,
            Wants::Draw => Outcome::Draw,
        }
    }
}

impl Args {
    /// Prints the positions.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let drawn = self.draw(out).or_else(|error| {
            let asked = error.downcast_ref::<ProbeError>();
            let Some(table) = asked.and_then(ProbeError::missing_table) else {
                return Err(error);
            };
            let work = missing::table(&self.ruleset, table);
            let silent = self.json && self.db.build == BuildPolicy::Ask;
            let built = match &work {
                Some(work) if !silent => missing::offer(&self.db, &format!("Table {table}"), work)?,
                _ => false,
            };
            match built {
                true => self.draw(out),
                false => Err(error.context(Advice::new(&self.db, work.as_ref()))),
            }
        });
        let drawn = drawn.or_else(|error| refused(&self.ruleset, None, self.json, error, out));
        or_repair(drawn, &self.ruleset, &self.db.directory)
    }

    /// The reason for an empty sample.
    fn why_none(&self) -> String {
        let odd = self.plies.is_some_and(|plies| plies % 2 == 1);
        let why = match (self.outcome, self.plies) {
            (Some(Wants::Draw), Some(_)) => ": a draw has no distance",
            (Some(Wants::Win), Some(_)) if !odd => {
                ": a win takes an odd number of plies, since the winner makes the first and the last move"
            }
            (Some(Wants::Loss), Some(_)) if odd => {
                ": a loss takes an even number of plies, since the other side makes the last move"
            }
            _ => "",
        };
        format!("no matching positions in {}{why}", self.table)
    }

    fn draw(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let database = self.db.open_any(&self.ruleset)?;
        let wanted = SampleFilter {
            outcome: self.outcome.map(Outcome::from),
            plies: self.plies,
        };
        let sample = database.sample(&self.table, &wanted, self.count, self.seed)?;
        if sample.positions.is_empty() && self.count > 0 {
            return Err(NoMatch(self.why_none()).into());
        }
        for drawn in sample.positions {
            if self.json {
                writeln!(out, "{}", serde_json::to_string(&drawn)?)?;
            } else {
                writeln!(out, "{}", drawn.head.position)?;
            }
        }
        Ok(())
    }
}
