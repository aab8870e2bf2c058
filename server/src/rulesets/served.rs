//! A database of any game together with the engine.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use endmill_dbformat::{Manifest, Rules, Store};
use endmill_engine::{Engine, Level, add_estimates, estimate, opinion};
use endmill_games::{Game, Ruleset, Visitor};
use endmill_probe::answers::{Estimate, Opinion, PositionAnswer, SampleAnswer, ValueAnswer};
use endmill_probe::{AnyDatabase, Database, Options, ProbeError, Result, SampleFilter};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The size of the transposition table of the engine, in bytes.
const SEARCH_MEMORY: usize = 1 << 20;
/// A guard for slow machines and slow disks: elsewhere the nodes end a search long before.
const TIME_LIMIT: Duration = Duration::from_secs(3);

/// A question to the engine.
#[derive(Deserialize, ToSchema)]
pub struct MoveRequest {
    /// In any notation of the game.
    #[schema(example = "start")]
    pub position: String,
    /// The positions before it, oldest first: returning to one of them is a draw.
    #[serde(default)]
    pub history: Vec<String>,
    /// The playing strength.
    pub level: Level,
    /// The same seed gives the same move; random by default.
    pub seed: Option<u64>,
}

/// The move of the engine.
#[derive(Serialize, ToSchema)]
pub struct EngineMove {
    /// In the notation of the game.
    #[serde(rename = "move")]
    text: String,
    /// The position after it.
    position: String,
    /// Its value by the tables, for the side that moves; `null` if it is not known.
    #[schema(required)]
    value: Option<ValueAnswer>,
    /// The estimate of the search, if the value is not known.
    #[schema(required)]
    estimate: Option<Estimate>,
}

/// A database of any game together with the engine.
pub trait ServedDatabase: AnyDatabase {
    /// The move that a search prefers, and its estimate; `None` if the game is over.
    fn opinion(&self, position: &str, nodes: u64) -> Result<Option<Opinion>>;

    /// Estimates what the tables do not know: see [`add_estimates`].
    fn add_estimates(&self, answer: &mut PositionAnswer, nodes: u64) -> Result<()>;

    /// Lets the engine choose a move; `None` if the game is over.
    fn choose(&self, request: &MoveRequest, seed: u64, nodes: u64) -> Result<Option<EngineMove>>;

    /// See [`Database::sample_bounded`].
    fn sample_bounded(
        &self,
        table: &str,
        filter: &SampleFilter,
        count: usize,
        seed: u64,
        max_tries: u64,
    ) -> Result<SampleAnswer>;

    /// A text that changes with the rules.
    fn rules_text(&self) -> String;

    /// The recorded files of this ruleset in a database.
    fn recorded(&self, database: &Path) -> endmill_dbformat::Result<Manifest>;
}

/// Opens the tables of a ruleset. Tables may be added later; until then the engine answers.
pub fn open(
    directory: &Path,
    ruleset: Ruleset,
    options: &Options,
) -> Result<Box<dyn ServedDatabase>> {
    let options = Options {
        allow_empty: true,
        ..*options
    };
    ruleset.visit(Open { directory, options })
}

struct Open<'a> {
    directory: &'a Path,
    options: Options,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn ServedDatabase>>;

    fn visit<G: Game>(self, game: G) -> Result<Box<dyn ServedDatabase>> {
        let database = Database::open_with(self.directory, game, &self.options)?;
        Ok(Box::new(database))
    }
}

impl<G: Game> ServedDatabase for Database<G> {
    fn opinion(&self, position: &str, nodes: u64) -> Result<Option<Opinion>> {
        let position = self.game().parse_position(position);
        let position = position.map_err(ProbeError::Position)?;
        Ok(opinion(self, &position, nodes, &AtomicBool::new(false)))
    }

    fn add_estimates(&self, answer: &mut PositionAnswer, nodes: u64) -> Result<()> {
        add_estimates(self, answer, nodes, &AtomicBool::new(false))
    }

    fn choose(&self, request: &MoveRequest, seed: u64, nodes: u64) -> Result<Option<EngineMove>> {
        let game = self.game();
        let parse = |text: &String| game.parse_position(text).map_err(ProbeError::Position);
        let position = parse(&request.position)?;
        let history = request.history.iter().map(parse);
        let history = history.collect::<Result<Vec<_>>>()?;
        let mut limits = request.level.limits();
        limits.nodes = limits.nodes.into_iter().chain([nodes]).min();
        limits.time = Some(TIME_LIMIT);
        let mut engine =
            Engine::new(game, Some(self), request.level, seed).with_memory(SEARCH_MEMORY);
        let never = AtomicBool::new(false);
        let choice = engine.choose(&position, &history, &limits, &never, &mut |_| {});
        if let Some(error) = engine.take_error() {
            tracing::warn!(%error, "the engine plays without the database");
        }
        let Some(choice) = choice else {
            return Ok(None);
        };
        let after = game.play(&position, &choice.turn);
        let value = self.probe(&after).ok();
        let value = value.map(|verdict| ValueAnswer::from(verdict.one_turn_earlier()));
        let estimate = estimate(choice.score, choice.depth, choice.proved);
        Ok(Some(EngineMove {
            text: game.format_turn(&position, &choice.turn),
            position: game.format_position(&after),
            estimate: value.is_none().then_some(estimate),
            value,
        }))
    }

    fn sample_bounded(
        &self,
        table: &str,
        filter: &SampleFilter,
        count: usize,
        seed: u64,
        max_tries: u64,
    ) -> Result<SampleAnswer> {
        let table = self.game().parse_table(table).map_err(ProbeError::Table)?;
        let positions = self.sample_bounded(table, filter, count, seed, max_tries)?;
        Ok(SampleAnswer::new(self.game(), table, positions))
    }

    fn rules_text(&self) -> String {
        self.game().rules_text()
    }

    fn recorded(&self, database: &Path) -> endmill_dbformat::Result<Manifest> {
        Store::new(database, Rules::of(self.game())).recorded()
    }
}
