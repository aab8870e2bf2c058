//! `endmill play`: the board on the console, for people and levels.
//!
//! `session` is the game at the table: it shows the board, asks whoever is to move and does what
//! is said. `record` is the game as far as it has been played, `saved` its text, `keeper` the file
//! where that goes. `command` reads what is typed, `input` waits for it; `style` and `hints` are
//! what is seen. Nothing here knows a game: what a text means is asked of [`Game::read_turn`].

mod command;
mod hints;
mod input;
mod keeper;
mod record;
mod saved;
mod session;
mod style;

use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::SystemTime;

use ::engine::Level;
use ::probe::Database;
use games::{Game, Ruleset, Visitor};

use self::input::Input;
use self::keeper::Keeper;
use self::record::Record;
pub use self::saved::BadGame;
use self::session::{Session, Setup};
use self::style::Style;

const EXAMPLES: &str = "\
Examples:
  endmill play nine                              two people at one keyboard
  endmill play nine --black medium               a person against the program
  endmill play six --white perfect --black high --seed 1
  endmill play draughts --from 'W:W18,K31:B12,K5' --hints

At the prompt, help lists the commands. The end of the input (Ctrl-D) and Ctrl-C keep the game in a
file and leave; --load goes on with it.";

/// Play on the console: people, or levels, or both.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// Who plays White: human, low, medium, high or perfect
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    white: Player,
    /// Who plays Black: human, low, medium, high or perfect
    #[arg(long, value_name = "PLAYER", default_value = "human")]
    black: Player,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// Where to begin instead of the start of the game, e.g. `W:Wa1,d1,g7:Bb2,b4,d6`
    #[arg(long, value_name = "POSITION", conflicts_with = "load")]
    from: Option<String>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Keep the game here when it is left; by default where it was loaded from, or in a new file
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Tell at every prompt what the database knows of the position and of every turn
    #[arg(long)]
    hints: bool,
    /// The same number makes the levels play the same game again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Plain ASCII, without colours
    #[arg(long)]
    ascii: bool,
}

/// Who makes the turns of a side.
#[derive(Clone, Copy, PartialEq, Eq)]
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
            .map_err(|_| format!("there are: human, {names}"))
    }
}

impl Args {
    /// Plays until somebody leaves or nobody can go on.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(Play { args: &self, out })
    }
}

struct Play<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Play<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Play { args, out } = self;
        let database = Database::open(&args.db, game)?;
        let game = database.game();
        let record = match (&args.load, &args.from) {
            (Some(file), _) => saved::load(game, file)?,
            (None, Some(text)) => Record::new(game, game.parse_position(text)?),
            (None, None) => Record::new(game, game.start()),
        };
        let keeper = match args.save.as_ref().or(args.load.as_ref()) {
            // What stands there already is not to be lost.
            Some(file) if file.exists() => {
                let there = saved::load(game, file)?;
                Keeper::new(file, Some(saved::write(game, &there)))
            }
            Some(file) => Keeper::new(file, None),
            None => Keeper::default(),
        };
        let setup = Setup {
            database: &database,
            players: [args.white, args.black],
            seed: args.seed.unwrap_or_else(any_seed),
            record,
            keeper,
            style: Style::detect(args.ascii),
            hints: args.hints,
        };
        Session::new(setup, Input::new()?, out).run()
    }
}

/// A seed that is hardly ever the same.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}
