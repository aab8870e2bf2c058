//! A database of any game together with the engine: what the answer types of `probe` do not know.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use endmill_dbformat::{Manifest, Rules, Store};
use endmill_engine::{Engine, Level, Score, estimate, opinion};
use endmill_games::{Game, Outcome, Visitor};
use endmill_probe::answers::{
    Estimate, Head, MoveAnswer, Opinion, PositionAnswer, SampleAnswer, SampledPosition, ValueAnswer,
};
use endmill_probe::{AnyDatabase, Database, Options, ProbeError, SampleFilter, Verdict};

/// Bytes for the positions that a search remembers.
const SEARCH_MEMORY: usize = 1 << 20;
/// No search takes longer. The nodes are its usual end: only on a slow machine, or with a slow
/// disk, the answer depends on the time.
const LONGEST: Duration = Duration::from_secs(3);
/// A table with no more positions may be gone through as a whole.
const SMALL: u64 = 1 << 18;

/// What is asked of the engine.
pub struct ToPlay<'a> {
    /// The position, in any notation.
    pub position: &'a str,
    /// The positions before it, oldest first.
    pub history: &'a [String],
    /// How strong.
    pub level: Level,
    /// The same seed gives the same turn.
    pub seed: u64,
    /// Positions that may be visited at the most.
    pub nodes: u64,
}

/// The engine's turn.
pub struct Played {
    /// As the game writes it.
    pub text: String,
    /// The position after it.
    pub position: String,
    /// What the tables say of it.
    pub value: Option<ValueAnswer>,
    /// What the search thinks, where they say nothing.
    pub estimate: Option<Estimate>,
}

/// The tables of a ruleset with an engine that knows its game.
pub trait Opened: Send + Sync {
    /// The tables.
    fn any(&self) -> &dyn AnyDatabase;

    /// What a search would play in a position; `None` if the game is over.
    fn opinion(&self, position: &str, nodes: u64) -> endmill_probe::Result<Option<Opinion>>;

    /// What a search thinks of a position; `None` if the game is over.
    fn estimate(&self, position: &str, nodes: u64) -> endmill_probe::Result<Option<Estimate>> {
        let opinion = self.opinion(position, nodes)?;
        Ok(opinion.map(|opinion| opinion.estimate))
    }

    /// What a search thinks of a turn, by the position that it leads to.
    fn estimate_turn(&self, after: &str, nodes: u64) -> endmill_probe::Result<Option<Estimate>> {
        Ok(self.estimate(after, nodes)?.map(Estimate::one_turn_earlier))
    }

    /// Lets the engine choose a turn; `None` if the game is over.
    fn play(&self, question: &ToPlay<'_>) -> endmill_probe::Result<Option<Played>>;

    /// As [`AnyDatabase::sample`], but gives up after a bounded number of tries in large tables: what is rare
    /// there may not be found.
    fn draw(
        &self,
        table: &str,
        wanted: &SampleFilter,
        count: usize,
        seed: u64,
        tries: u64,
    ) -> endmill_probe::Result<SampleAnswer>;

    /// A text that changes with the rules.
    fn rules_text(&self) -> String;

    /// What was recorded of the files of this ruleset in a database.
    fn recorded(&self, database: &Path) -> endmill_dbformat::Result<Manifest>;
}

/// Opens the tables of a ruleset.
pub fn open(
    directory: &Path,
    ruleset: endmill_games::Ruleset,
    options: &Options,
) -> endmill_probe::Result<Box<dyn Opened>> {
    ruleset.visit(Open { directory, options })
}

struct Open<'a> {
    directory: &'a Path,
    options: &'a Options,
}

impl Visitor for Open<'_> {
    type Output = endmill_probe::Result<Box<dyn Opened>>;

    fn visit<G: Game>(self, game: G) -> endmill_probe::Result<Box<dyn Opened>> {
        // Tables may come later; until then the engine answers.
        let options = Options {
            allow_empty: true,
            ..*self.options
        };
        let database = Database::open_with(self.directory, game, &options)?;
        Ok(Box::new(database))
    }
}

impl<G: Game> Opened for Database<G> {
    fn any(&self) -> &dyn AnyDatabase {
        self
    }

    fn opinion(&self, position: &str, nodes: u64) -> endmill_probe::Result<Option<Opinion>> {
        let position = self.game().parse_position(position);
        let position = position.map_err(ProbeError::Position)?;
        Ok(opinion(self, &position, nodes, &AtomicBool::new(false)))
    }

    fn play(&self, question: &ToPlay<'_>) -> endmill_probe::Result<Option<Played>> {
        let game = self.game();
        let read = |text: &str| game.parse_position(text).map_err(ProbeError::Position);
        let position = read(question.position)?;
        let history = question.history.iter().map(|text| read(text));
        let history = history.collect::<endmill_probe::Result<Vec<_>>>()?;
        let mut engine =
            Engine::new(game, Some(self), question.level, question.seed).with_memory(SEARCH_MEMORY);
        let mut limits = question.level.limits();
        limits.nodes = limits.nodes.into_iter().chain([question.nodes]).min();
        limits.time = Some(LONGEST);
        let never = AtomicBool::new(false);
        let choice = engine.choose(&position, &history, &limits, &never, &mut |_| {});
        if let Some(error) = engine.take_trouble() {
            tracing::warn!(%error, "the engine plays without the database");
        }
        let Some(choice) = choice else {
            return Ok(None);
        };
        let after = game.play(&position, &choice.turn);
        let value = match self.probe(&after) {
            Ok(verdict) => Some(verdict.one_turn_earlier().into()),
            Err(_) => None,
        };
        let thought = estimate(choice.score, choice.depth, choice.proved);
        Ok(Some(Played {
            text: game.format_turn(&position, &choice.turn),
            position: game.format_position(&after),
            estimate: value.is_none().then_some(thought),
            value,
        }))
    }

    fn draw(
        &self,
        table: &str,
        wanted: &SampleFilter,
        count: usize,
        seed: u64,
        tries: u64,
    ) -> endmill_probe::Result<SampleAnswer> {
        let game = self.game();
        let table = game.parse_table(table).map_err(ProbeError::Table)?;
        let size = game.size(table);
        if size <= SMALL {
            return Ok(SampleAnswer::ask(self, table, wanted, count, seed)?);
        }
        if !self.covers(&game.unrank(table, 0)) {
            let table = table.to_string();
            return Err(endmill_probe::ProbeError::TableMissing { table }.into());
        }
        let mut random = Random(seed);
        let mut found = BTreeMap::new();
        for _ in 0..tries {
            if found.len() >= count {
                break;
            }
            let index = random.below(size);
            let position = game.unrank(table, index);
            let verdict = self.probe(&position)?;
            if fits(wanted, verdict) {
                found.insert(index, (position, verdict));
            }
        }
        let positions = found
            .into_values()
            .map(|(position, verdict)| SampledPosition {
                head: Head::new(game, &position),
                value: verdict.into(),
            });
        Ok(SampleAnswer {
            table: table.to_string(),
            positions: positions.collect(),
        })
    }

    fn rules_text(&self) -> String {
        self.game().rules_text()
    }

    fn recorded(&self, database: &Path) -> endmill_dbformat::Result<Manifest> {
        Store::new(database, Rules::of(self.game())).recorded()
    }
}

fn fits(wanted: &SampleFilter, verdict: Verdict) -> bool {
    let outcome = wanted.outcome;
    outcome.is_none_or(|outcome| verdict.outcome() == outcome)
        && (wanted.plies.is_none() || verdict.plies() == wanted.plies)
}

/// Searches where the tables do not know: each turn of which nothing is known, symmetric ones once,
/// and the position. With its turns listed, a position is estimated by the best of them, so that
/// the two agree.
pub fn fill_in(
    opened: &dyn Opened,
    answer: &mut PositionAnswer,
    nodes: u64,
) -> endmill_probe::Result<()> {
    let moves = answer.moves.as_deref_mut().unwrap_or_default();
    let unknown = moves.iter().filter(|turn| turn.value.outcome.is_none());
    let classes: BTreeSet<usize> = unknown.map(|turn| turn.class).collect();
    let share = nodes / classes.len().max(1) as u64;
    let mut found: BTreeMap<usize, Option<Estimate>> = BTreeMap::new();
    for turn in moves.iter_mut() {
        if turn.value.outcome.is_none() {
            turn.estimate = match found.entry(turn.class) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(open) => {
                    let searched = opened.estimate_turn(&turn.position, share.max(1))?;
                    *open.insert(searched)
                }
            };
        }
    }
    if answer.value.outcome.is_none() {
        answer.estimate = match best_of(moves) {
            Some(best) => Some(best),
            None => opened.estimate(&answer.head.position, nodes)?,
        };
    }
    Ok(())
}

/// What a position is worth by its turns; `None` where one of them is neither known nor estimated.
fn best_of(moves: &[MoveAnswer]) -> Option<Estimate> {
    let estimates = moves.iter().map(|turn| match turn.value.verdict() {
        Some(known) => Some(of_verdict(known)),
        None => turn.estimate,
    });
    let estimates = estimates.collect::<Option<Vec<_>>>()?;
    let all_proved = estimates.iter().all(|one| one.proved.outcome.is_some());
    let best = estimates.into_iter().max_by_key(|one| one.score)?;
    // A proved win is one whatever the other turns are; a draw or a loss only if they are proved.
    let proved = all_proved || best.proved.outcome == Some(Outcome::Win);
    Some(Estimate {
        proved: match proved {
            true => best.proved,
            false => ValueAnswer::default(),
        },
        ..best
    })
}

/// What the tables know, on the scale of a search.
fn of_verdict(verdict: Verdict) -> Estimate {
    let score = match (verdict.outcome(), verdict.plies()) {
        (Outcome::Win, Some(plies)) => Score::WinIn(plies),
        (Outcome::Win, None) => Score::Win,
        (Outcome::Loss, Some(plies)) => Score::LossIn(plies),
        (Outcome::Loss, None) => Score::Loss,
        (Outcome::Draw, _) => Score::Draw,
    };
    estimate(score, 1, true)
}

/// SplitMix64, as the probe draws: the same seed gives the same positions everywhere.
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}
