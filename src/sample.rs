//! `endmill sample`: positions of a table by outcome and plies.

use std::io::Write;
use std::path::PathBuf;

use ::probe::{Database, Wanted};
use games::{Game, Outcome, Ruleset, Visitor};
use serde::Serialize;

use crate::probe::{Head, Refusal, STATUS, Value};

/// Draw random positions from a table, for puzzles, training and tests.
///
/// One position a line, as `endmill probe --stdin` reads them. Every position that fits is equally
/// likely and comes at most once; symmetric positions count as one. The same seed gives the same
/// positions.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// The table, e.g. `5v4`: the side to move has 5 men
    #[arg(long, value_name = "TABLE")]
    table: String,
    /// Only positions that the side to move wins, loses or draws
    #[arg(long, value_name = "OUTCOME")]
    outcome: Option<Wants>,
    /// Only positions decided in exactly so many plies
    #[arg(long, value_name = "N")]
    plies: Option<u16>,
    /// How many, at most
    #[arg(short = 'n', value_name = "N", default_value_t = 10)]
    count: usize,
    /// Another seed, other positions
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// One JSON object a line, with outcome and plies
    #[arg(long)]
    json: bool,
}

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
    /// Writes the positions.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let drawn = match Ruleset::find(&self.ruleset) {
            Ok(ruleset) => ruleset.visit(Sample {
                args: &self,
                out: &mut *out,
            }),
            Err(error) => Err(error.into()),
        };
        drawn.or_else(|error| Refusal::new(&self.ruleset, None).or_pass(self.json, error, out))
    }
}

struct Sample<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    value: Value,
}

impl Visitor for Sample<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Sample { args, out } = self;
        let table = game.parse_table(&args.table)?;
        let wanted = Wanted {
            outcome: args.outcome.map(Outcome::from),
            plies: args.plies,
        };
        let database = Database::open(&args.db, game)?;
        for (position, verdict) in database.sample(table, &wanted, args.count, args.seed)? {
            if args.json {
                let entry = Entry {
                    head: Head::new(database.game(), &position),
                    value: Some(verdict).into(),
                };
                writeln!(out, "{}", serde_json::to_string(&entry)?)?;
            } else {
                writeln!(out, "{}", database.game().format_position(&position))?;
            }
        }
        Ok(())
    }
}
