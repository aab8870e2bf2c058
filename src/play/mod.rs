//! `endmill play`: games on the console, for people and levels.
//!
//! `session` is the game in progress: it shows the board, asks the side to move and executes
//! commands. `record` holds the turns so far, `saved` converts them to text, `keeper` saves them after
//! every turn. `input` waits for lines and `command` parses them; `style` draws the board, `hints`
//! describes the moves. No part knows a game: [`read_turn`](endmill_games::Notation::read_turn) parses
//! moves.

mod clock;
mod command;
mod hints;
mod input;
mod keeper;
mod record;
mod saved;
mod session;
mod style;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, IsTerminal, Write, stdout};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use anyhow::bail;
use endmill_engine::{GameClock, Level, TimeControl};
use endmill_games::Game;
use endmill_layout::Layout;

use crate::by_game::{self, GameCommand};
use crate::db::Db;
use crate::missing;

use self::input::Input;
use self::keeper::Keeper;
use self::record::Record;
use self::saved::Terms;
use self::session::{Session, Setup, first_of, not_ours};
use self::style::Style;

const EXAMPLES: &str = "\
Examples:
  endmill play nine                              two people, one keyboard
  endmill play nine --black medium               a person against the program
  endmill play six --white perfect --black high --seed 1
  endmill play draughts --from 'W:W18,K31:B12,K5' --hints

At the prompt, help lists the commands. The game is saved in a file after every move. Ctrl-D (the end
of the input), Ctrl-C and closing the terminal leave; --load resumes the game.";

/// Play on the console: people, or levels, or both.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The player of White: human, low, medium, high or perfect; by default as in the loaded game, or
    /// human
    #[arg(long, value_name = "PLAYER")]
    white: Option<Player>,
    /// The player of Black
    #[arg(long, value_name = "PLAYER")]
    black: Option<Player>,
    #[command(flatten)]
    db: Db,
    /// The position to begin from, by default the start of the game, e.g. `W:Wa1,d1,g7:Bb2,b4,d6`
    #[arg(long, value_name = "POSITION", conflicts_with = "load")]
    from: Option<String>,
    /// Resume a saved game, or the first game of a PDN file
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Save the game here, as PDN if the name ends in .pdn; by default in the loaded file, or in a new
    /// one
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Minutes per side plus seconds per move, e.g. 5+3
    #[arg(long, value_name = "M+S")]
    clock: Option<TimeControl>,
    /// Seconds between the moves of two levels; by default 1 on a terminal
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pause: Option<Duration>,
    /// Show the value of every move at every prompt
    #[arg(long)]
    hints: bool,
    /// The seed of the levels: the same seed gives the same game
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    Human,
    Engine(Level),
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Human => f.pad("human"),
            Player::Engine(level) => level.fmt(f),
        }
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        if text.eq_ignore_ascii_case("human") {
            return Ok(Player::Human);
        }
        let names = Level::ALL.map(Level::name).join(", ");
        text.parse()
            .map(Player::Engine)
            .map_err(|_| format!("expected human, {names}"))
    }
}

impl Args {
    /// Plays until the user leaves, or the game of two levels is over.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        by_game::run(&self, &self.ruleset, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let args = self;
        let database = args.db.open(game)?;
        if args.counts_on_tables() && missing::build_beginning(&args.db, &args.ruleset, &database)?
        {
            // Open the new database.
            return by_game::run(args, &args.ruleset, out);
        }
        let game = database.game();
        let (record, terms) = match (&args.load, &args.from) {
            (Some(file), _) => {
                let loaded = saved::load(game, file)?;
                if loaded.games > 1 {
                    writeln!(out, "{}", first_of(file, loaded.games))?;
                }
                (loaded.record, loaded.terms)
            }
            (None, Some(text)) => (
                Record::new(game, game.parse_position(text)?),
                Terms::default(),
            ),
            (None, None) => (Record::new(game, game.start()), Terms::default()),
        };
        let clock = match args.clock {
            Some(control) => Some(GameClock::new(control)),
            None => terms.clock(),
        };
        let keeper = match args.save.as_ref().or(args.load.as_ref()) {
            // Do not lose the contents of an existing file.
            Some(file) if args.save.is_some() && saved::is_foreign(game, file) => {
                bail!(io::Error::new(io::ErrorKind::AlreadyExists, not_ours(file)));
            }
            Some(file) if file.exists() => match saved::load(game, file)?.own {
                Some(there) => Keeper::new(file, Some(there)),
                None if args.save.is_some() => {
                    bail!(io::Error::new(io::ErrorKind::AlreadyExists, not_ours(file)));
                }
                None => Keeper::default(),
            },
            Some(file) => Keeper::new(file, None),
            None => Keeper::default(),
        };
        let [white, black] = terms.players;
        let players = [args.white.or(white), args.black.or(black)];
        let setup = Setup {
            players: players.map(|player| player.unwrap_or(Player::Human)),
            seed: args.seed.or(terms.seed).unwrap_or_else(any_seed),
            clock,
            keeper,
            style: Style::detect(),
            hints: args.hints,
            pause: args.pause.unwrap_or_else(usual_pause),
            directory: args.db.directory.clone(),
            build: args.db.build,
            ruleset: args.ruleset.clone(),
            again: args.again(),
            declined: BTreeSet::new(),
            input: Input::new()?,
        };
        let mut session = Session::new(&database, record, setup, &mut *out);
        session.introduce()?;
        let mut waiting = session.run()?;
        let mut database = database;
        while let Some(game) = waiting {
            database = args.db.open(database.into_game())?;
            waiting = Session::resumed(&database, game, &mut *out).run()?;
        }
        Ok(())
    }
}

impl Args {
    /// Whether a player or hints need tables.
    fn counts_on_tables(&self) -> bool {
        let perfect = Some(Player::Engine(Level::Perfect));
        self.hints || self.white == perfect || self.black == perfect
    }

    /// The options with which to resume a game.
    fn again(&self) -> String {
        let mut options = self.db.option();
        if self.hints {
            options += " --hints";
        }
        options
    }
}

/// The default pause: long enough to follow a game on a terminal.
fn usual_pause() -> Duration {
    Duration::from_secs(u64::from(stdout().is_terminal()))
}

/// Parses `--pause`.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds <= 3600.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("expected seconds, such as 0.5, found {text:?}"))
}

/// A seed that differs in every run.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}
