//! `endmill engine`: the engine behind a line protocol, for programs that show a board.

use std::io::{self, BufReader, Write};
use std::path::Path;

use clap::ValueEnum;
use endmill_engine::Level;
use endmill_engine::protocol::{self, MAX_HASH, PlaySettings, SessionOptions};
use endmill_games::{Game, ParseError, Ruleset, Visitor};

use crate::db::Db;
use crate::errors::chain;
use crate::missing::{self, BuildPolicy, Work};

/// Play by a line protocol: UCI, or Hub for draughts.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The line protocol
    #[arg(long, value_enum, default_value_t = Protocol::Uci)]
    protocol: Protocol,
    #[command(flatten)]
    db: Db,
    /// low, medium, high or perfect; only perfect uses the database
    #[arg(long, default_value_t = Level::Perfect)]
    level: Level,
    /// The same seed and the same lines give the same answers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Memory for the transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = hash)]
    hash: usize,
}

/// A line protocol.
#[derive(Clone, Copy, ValueEnum)]
enum Protocol {
    /// The protocol of chess engines, with the moves, positions and scores of these games
    Uci,
    /// Hub version 2, the protocol of draughts engines; draughts only
    Hub,
}

impl From<Protocol> for protocol::Protocol {
    fn from(protocol: Protocol) -> protocol::Protocol {
        match protocol {
            Protocol::Uci => protocol::Protocol::Uci,
            Protocol::Hub => protocol::Protocol::Hub,
        }
    }
}

impl Args {
    /// Answers lines until `quit` or the end of the input.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let ruleset = Ruleset::open(&self.ruleset)?;
        ruleset.visit(Prepare(&self))?;
        let build = |directory: &Path, table: &str| {
            let work = missing::table(&self.ruleset, table).filter(Work::takes_seconds)?;
            Some(work.build(directory).map_err(|error| chain(&error)))
        };
        let options = SessionOptions {
            protocol: self.protocol.into(),
            database: Some(self.db.directory.clone()),
            reading: self.db.read.options(),
            play: PlaySettings {
                level: self.level,
                seed: self.seed,
                hash: self.hash,
            },
        };
        let build = (self.db.build == BuildPolicy::Yes).then_some(&build as _);
        let input = BufReader::new(io::stdin());
        Ok(protocol::run(ruleset, options, build, input, out)?)
    }
}

/// Refuses a game that the protocol cannot express, and offers to build a missing database.
struct Prepare<'a>(&'a Args);

impl Visitor for Prepare<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Args {
            ruleset,
            protocol,
            db,
            ..
        } = self.0;
        let protocol = protocol::Protocol::from(*protocol);
        protocol.check(&game).map_err(ParseError::from)?;
        // The session reports a database that cannot be opened.
        if let Ok(database) = db.open(game) {
            missing::build_beginning(db, ruleset, &database)?;
        }
        Ok(())
    }
}

/// Reads `--hash` with the bounds of the option of that name.
fn hash(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(hash @ 1..=MAX_HASH) => Ok(hash),
        _ => Err(format!("expected 1 to {MAX_HASH}")),
    }
}
