//! Choosing a turn: by the database, or else by a search with increasing depth.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use endmill_games::{Evaluate, Features};
use endmill_probe::{Database, ProbeError};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::budget::Budget;
use crate::knowledge::{Knowledge, best_line};
use crate::level::{Level, Limits};
use crate::memory::Memory;
use crate::ordering::Ordering;
use crate::points;
use crate::score::Score;
use crate::search::{RootTurn, Search};

/// The default size of the transposition table.
const MEMORY_BYTES: usize = 16 << 20;
/// The maximum depth of a search.
const MAX_DEPTH: u32 = 128;
/// The maximum length of a line from the database.
const MAX_LINE: usize = 12;
/// The lowest level treats turns within this margin of the best as equal.
const NEARLY: i32 = 30;

/// A turn that the engine would make.
#[derive(Clone, Debug)]
pub struct Choice<G: Evaluate + Features> {
    /// The turn.
    pub turn: G::Turn,
    /// Its value for the side that makes it, counting this turn.
    pub score: Score,
    /// The expected continuation, beginning with this turn.
    pub line: Vec<G::Turn>,
    /// The last finished depth, in plies; 0 if the database answered.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Whether the score is certain: by the database, or because every line was searched to its end.
    pub proved: bool,
}

/// The result of a search so far.
#[derive(Clone, Debug)]
pub struct Report<G: Evaluate + Features> {
    /// The depth in plies.
    pub depth: u32,
    /// The score of the side to move.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The best line.
    pub line: Vec<G::Turn>,
}

/// A player that reuses the results of earlier searches.
pub struct Engine<'a, G: Evaluate + Features> {
    game: &'a G,
    database: Option<&'a Database<G>>,
    level: Level,
    random: StdRng,
    memory: Memory<G::Position>,
    ordering: Ordering<G::Turn>,
    error: Option<ProbeError>,
}

impl<'a, G: Evaluate + Features> Engine<'a, G> {
    /// A new engine. The same seed and the same questions give the same answers unless time is limited.
    /// Only the level `perfect` uses the database.
    pub fn new(
        game: &'a G,
        database: Option<&'a Database<G>>,
        level: Level,
        seed: u64,
    ) -> Engine<'a, G> {
        Engine {
            game,
            database: database.filter(|_| level == Level::Perfect),
            level,
            random: StdRng::seed_from_u64(seed),
            memory: Memory::new(MEMORY_BYTES),
            ordering: Ordering::new(),
            error: None,
        }
    }

    /// Sets the size of the transposition table, by default 16 MiB.
    pub fn with_memory(mut self, bytes: usize) -> Engine<'a, G> {
        self.memory = Memory::new(bytes);
        self
    }

    /// Chooses a turn; `None` if the game is over. `history` has the earlier positions of the game: a
    /// repetition of one counts as a draw. `report` is called after every finished depth, and again if
    /// the choice is another turn. If `stop` is set, returns the best turn so far.
    pub fn choose(
        &mut self,
        position: &G::Position,
        history: &[G::Position],
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Option<Choice<G>> {
        let mut turns = Vec::new();
        self.game.turns(position, &mut turns);
        self.choose_among(&turns, position, history, limits, stop, report)
    }

    /// Chooses one of these legal turns; `None` if there are none. See [`choose`](Engine::choose).
    pub fn choose_among(
        &mut self,
        turns: &[G::Turn],
        position: &G::Position,
        history: &[G::Position],
        limits: &Limits,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Option<Choice<G>> {
        if turns.is_empty() {
            return None;
        }
        let mut task = Task {
            position,
            history: self.repeatable(position, history),
            limits: *limits,
            stop,
            database: self.database,
        };
        let (verdict, turns) = match self.ask(position, turns) {
            Knowledge::Best(turn, verdict) => {
                let choice = self.known_choice(position, turn, verdict.into());
                report(&Report::of(&choice, Duration::ZERO));
                return Some(choice);
            }
            Knowledge::Keeping(verdict, turns) => (verdict, turns),
            Knowledge::Nothing => {
                let turns = turns.iter().map(|&turn| (turn, 0)).collect();
                return Some(self.search(&task, turns, report));
            }
        };
        // The outcome is certain, and the same for all these turns: the database does not prefer any.
        let enough = Level::High.limits().nodes;
        task.limits.nodes = task.limits.nodes.into_iter().chain(enough).min();
        task.database = None;
        let score = Score::from(verdict);
        let mut pass_on = |found: &Report<G>| {
            let line = found.line.clone();
            report(&Report {
                score,
                line,
                ..*found
            });
        };
        let choice = self.search(&task, turns, &mut pass_on);
        Some(Choice {
            score,
            proved: true,
            ..choice
        })
    }

    /// Returns the first error of the database since the last call. The engine continues without the
    /// database, but the user should know.
    pub fn take_error(&mut self) -> Option<ProbeError> {
        self.error.take()
    }

    /// Asks the database, if there is one and it can be read.
    fn ask(&mut self, position: &G::Position, turns: &[G::Turn]) -> Knowledge<G> {
        let Some(database) = self.database else {
            return Knowledge::Nothing;
        };
        Knowledge::ask(database, position, turns).unwrap_or_else(|error| {
            self.error.get_or_insert(error);
            Knowledge::Nothing
        })
    }

    /// A choice without a search.
    fn known_choice(&self, position: &G::Position, turn: G::Turn, score: Score) -> Choice<G> {
        let after = self.game.play(position, &turn);
        let rest = self.database.map_or(Vec::new(), |database| {
            best_line(database, &after, MAX_LINE - 1)
        });
        Choice {
            turn,
            score,
            line: std::iter::once(turn).chain(rest).collect(),
            depth: 0,
            nodes: 0,
            proved: true,
        }
    }

    /// The positions that can repeat: those since the material last changed.
    fn repeatable<'h>(
        &self,
        position: &G::Position,
        history: &'h [G::Position],
    ) -> &'h [G::Position] {
        let table = self.game.table_of(position);
        let differs = |earlier: &G::Position| {
            let then = self.game.table_of(earlier);
            then != table && then.map(|then| self.game.partner(then)) != table
        };
        let last = history.iter().rposition(differs);
        &history[last.map_or(0, |last| last + 1)..]
    }

    /// Searches some turns, each with a bonus.
    fn search(
        &mut self,
        task: &Task<G>,
        turns: Vec<(G::Turn, i32)>,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Choice<G> {
        let mut turns = self.root_turns(task, turns.into_iter());
        // The first of equal turns is chosen.
        turns.shuffle(&mut self.random);
        let all_exact = self.level == Level::Low;
        let begun = Instant::now();
        let mut reported = None;
        let mut choice = self.deepen(task, &mut turns, all_exact, &mut |found| {
            reported = found.line.first().copied();
            report(found);
        });
        if all_exact {
            self.choose_nearly_best(&turns, &mut choice);
        }
        // An unfinished depth may have found a better turn, and the lowest level may choose another.
        if reported.is_some_and(|turn| turn != choice.turn) {
            report(&Report::of(&choice, begun.elapsed()));
        }
        choice
    }

    fn root_turns(
        &self,
        task: &Task<G>,
        turns: impl Iterator<Item = (G::Turn, i32)>,
    ) -> Vec<RootTurn<G>> {
        let root_turn = |(turn, bonus)| RootTurn {
            turn,
            bonus,
            points: points::estimated(self.game.evaluate(task.position)),
        };
        turns.map(root_turn).collect()
    }

    /// Searches with increasing depth, and moves the best turn to the front. With `all_exact` every turn
    /// gets its exact score.
    fn deepen(
        &mut self,
        task: &Task<G>,
        turns: &mut [RootTurn<G>],
        all_exact: bool,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Choice<G> {
        self.memory.begin_search();
        self.ordering.begin_search();
        let mut search = Search {
            game: self.game,
            database: task.database,
            memory: &mut self.memory,
            ordering: &mut self.ordering,
            budget: Budget::new(task.limits, task.stop),
            path: task.history.to_vec(),
            frames: Vec::new(),
            error: None,
        };
        let mut choice = Choice::of(&turns[0], vec![turns[0].turn]);
        let deepest = task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        for depth in 1..=deepest {
            let mut line = Vec::new();
            let end = search.root(task.position, turns, depth, all_exact, &mut line);
            if !line.is_empty() {
                let depth = choice.depth;
                choice = Choice::of(&turns[0], line);
                choice.depth = depth;
            }
            choice.nodes = search.budget.nodes();
            if end.is_err() {
                break;
            }
            choice.depth = depth;
            report(&Report::of(&choice, search.budget.time()));
            if is_settled(choice.score, depth) {
                break;
            }
        }
        if let Some(error) = search.error {
            self.error.get_or_insert(error);
        }
        choice
    }

    /// Chooses any turn that is nearly as good as the best, which is the first.
    fn choose_nearly_best(&mut self, turns: &[RootTurn<G>], choice: &mut Choice<G>) {
        let best = turns[0].points;
        let near = |turn: &&RootTurn<G>| turn.points >= best - NEARLY;
        let near: Vec<_> = turns.iter().filter(near).collect();
        if let Some(chosen) = near.choose(&mut self.random)
            && chosen.turn != choice.turn
            && !points::is_decided(best)
        {
            let Choice { depth, nodes, .. } = *choice;
            *choice = Choice {
                depth,
                nodes,
                ..Choice::of(chosen, vec![chosen.turn])
            };
        }
    }
}

/// The task of a search.
struct Task<'t, G: Evaluate + Features> {
    position: &'t G::Position,
    /// The earlier positions that can repeat.
    history: &'t [G::Position],
    limits: Limits,
    stop: &'t AtomicBool,
    database: Option<&'t Database<G>>,
}

impl<G: Evaluate + Features> Choice<G> {
    /// A searched turn with its line.
    fn of(turn: &RootTurn<G>, line: Vec<G::Turn>) -> Choice<G> {
        let score = points::score(turn.points);
        Choice {
            turn: turn.turn,
            score,
            line,
            depth: 0,
            nodes: 0,
            proved: points::is_decided(turn.points),
        }
    }
}

impl<G: Evaluate + Features> Report<G> {
    fn of(choice: &Choice<G>, time: Duration) -> Report<G> {
        Report {
            depth: choice.depth,
            score: choice.score,
            nodes: choice.nodes,
            time,
            line: choice.line.clone(),
        }
    }
}

/// Whether a deeper search cannot find a better result. A win that is longer than the depth comes from
/// captures or from the transposition table: there may be a shorter one.
fn is_settled(score: Score, depth: u32) -> bool {
    match score {
        Score::WinIn(plies) | Score::LossIn(plies) => u32::from(plies) <= depth,
        Score::Win | Score::Loss => true,
        Score::Draw | Score::Points(_) => false,
    }
}
