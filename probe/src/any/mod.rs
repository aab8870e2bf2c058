//! A database of any game behind one object-safe trait: for programs that learn the ruleset at run
//! time, or from which the game should be hidden, as the C interface, a server or a binding.
//!
//! ```no_run
//! use endmill_probe::{AnyDatabase, Options, open_any};
//!
//! let database: Box<dyn AnyDatabase> = open_any("data/db".as_ref(), "nine", &Options::default())?;
//! let answer = database.probe("W:Wa1,d1,g7:Bb2,b4,d6".into(), true)?;
//! println!("{}", answer.value.verdict().expect("it is there"));
//! # Ok::<(), endmill_probe::ProbeError>(())
//! ```

mod erased;
mod given;

use std::path::Path;

use endmill_games::{Colour, Diagram, Game, Outcome, Ruleset, Setup, Transform, Verdict, Visitor};
use endmill_records::{Sheet, Transcript};

pub use self::given::{Given, GivenTurn};
use crate::answers::{
    CoverageAnswer, LineAnswer, Man, MoveAnswer, PositionAnswer, ReviewAnswer, RulesetAnswer,
    SampleAnswer, StateAnswer, StatisticsAnswer, TableAnswer, TreeAnswer, TurnAnswer,
};
use crate::cached::Cached;
use crate::database::Database;
use crate::error::Result;
use crate::options::Options;
use crate::review::Advisor;
use crate::sample::Wanted;

/// What the rules alone answer, without knowing the game: no question needs a table.
///
/// Positions are [given](Given) as texts or as setups, and are checked.
pub trait AnyGame: Send + Sync {
    /// What the ruleset is, its board, and what the database has of it.
    fn ruleset(&self) -> RulesetAnswer;

    /// The position in which a game starts.
    fn start(&self) -> Setup;

    /// Reads a position in any notation of the game.
    fn setup(&self, position: Given<'_>) -> Result<Setup>;

    /// Writes a position in the first notation of the game.
    fn text(&self, position: Given<'_>) -> Result<String>;

    /// The position with these men on the board, if it is legal.
    fn arrange(&self, men: &[Man], hand: [u32; 2], to_move: Colour) -> Result<Setup>;

    /// What stands where, whose move it is, and whether and why the game is over.
    fn state(&self, position: Given<'_>) -> Result<StateAnswer>;

    /// Every legal turn in the order of the game, without values; none if the game is over.
    fn turns(&self, position: Given<'_>) -> Result<Vec<TurnAnswer>>;

    /// One legal turn.
    fn turn(&self, position: Given<'_>, turn: GivenTurn<'_>) -> Result<TurnAnswer>;

    /// The position after a turn.
    fn play(&self, position: Given<'_>, turn: GivenTurn<'_>) -> Result<Setup>;

    /// The position seen otherwise, worth the same. Refused where the game has no such symmetry.
    fn transform(&self, position: Given<'_>, by: Transform) -> Result<Setup>;

    /// A game that begins with a position, as texts from which PDN is written. All turns must be
    /// legal.
    fn sheet(&self, position: Given<'_>, turns: &[String]) -> Result<Sheet>;

    /// The board drawn for a console.
    fn diagram(&self, position: Given<'_>) -> Result<Diagram>;
}

/// What the tables answer, without knowing the game. Every [`Database`] is one; [`open_any`] opens
/// one by the id of its ruleset.
///
/// Questions are refused with [`TableMissing`](crate::ProbeError::TableMissing) where the tables
/// that they need are not there. All may be asked by any number of threads at once.
pub trait AnyDatabase: AnyGame {
    /// What the database has. Reads no file.
    fn coverage(&self) -> CoverageAnswer;

    /// Whether the table of a position is there: see [`Database::covers`].
    fn covers(&self, position: Given<'_>) -> Result<bool>;

    /// Who wins, for searches; `None` if the tables do not tell: see
    /// [`Database::probe_outcome`].
    fn outcome(&self, position: Given<'_>) -> Result<Option<Outcome>>;

    /// Who wins, from the cache only: see [`Database::cached_outcome`].
    fn cached_outcome(&self, position: Given<'_>) -> Result<Cached>;

    /// Who wins and how fast: see [`Database::probe`].
    fn verdict(&self, position: Given<'_>) -> Result<Verdict>;

    /// All about a position, with its turns, best first, if they are wanted. Where the value is
    /// not known, the answer says why.
    fn probe(&self, position: Given<'_>, turns: bool) -> Result<PositionAnswer>;

    /// Every legal turn with what it is worth, best first: see [`Database::moves`].
    fn moves(&self, position: Given<'_>) -> Result<Vec<MoveAnswer>>;

    /// The rest of the game under best play: see [`Database::line`].
    fn line(&self, position: Given<'_>) -> Result<LineAnswer>;

    /// A game with what each of its turns was worth: see [`Database::review`].
    fn review(&self, transcript: &Transcript, advisor: &mut Advisor<'_>) -> Result<ReviewAnswer>;

    /// The turns, the replies to them, and so on, `depth` turns in a row.
    fn tree(&self, position: Given<'_>, depth: u8) -> Result<TreeAnswer>;

    /// Positions drawn from a table: see [`Database::sample`].
    fn sample(&self, table: &str, wanted: &Wanted, count: usize, seed: u64)
    -> Result<SampleAnswer>;

    /// The counts of all tables, with sums. Reads the headers of the files.
    fn statistics(&self) -> Result<StatisticsAnswer>;

    /// The tables there are, with their material and where their turns lead, without the counts by
    /// plies.
    fn tables(&self) -> Result<Vec<TableAnswer>>;

    /// One table with everything.
    fn table(&self, table: &str) -> Result<TableAnswer>;
}

/// Opens the tables of a ruleset in a database directory: see [`Database::open`], whose contract
/// about mapped files holds here too.
pub fn open_any(
    directory: &Path,
    ruleset: &str,
    options: &Options,
) -> Result<Box<dyn AnyDatabase>> {
    Ruleset::open(ruleset)?.visit(Open {
        tables: Some((directory, options)),
    })
}

/// The rules of a ruleset alone, without any table: see [`Database::without_tables`].
pub fn rules_only(ruleset: &str) -> Result<Box<dyn AnyDatabase>> {
    Ruleset::open(ruleset)?.visit(Open { tables: None })
}

struct Open<'a> {
    tables: Option<(&'a Path, &'a Options)>,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn AnyDatabase>>;

    fn visit<G: Game>(self, game: G) -> Result<Box<dyn AnyDatabase>> {
        Ok(match self.tables {
            Some((directory, options)) => Box::new(Database::open_with(directory, game, options)?),
            None => Box::new(Database::without_tables(game)),
        })
    }
}
