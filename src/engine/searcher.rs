//! The thread that searches.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};

use endmill_engine::{Choice, Engine, Level, Limits, Report};
use endmill_games::Game;
use endmill_probe::Database;

use super::Event;
use super::protocol::Protocol;
use super::uci::Wording;

/// What the thread is told to do.
pub enum Order<G: Game> {
    /// Forget everything and play like this.
    Renew(Manner),
    /// Search.
    Search(Job<G>),
}

/// How to play.
#[derive(Clone, Copy)]
pub struct Manner {
    pub level: Level,
    pub seed: u64,
    /// In bytes.
    pub memory: usize,
}

/// What to search.
pub struct Job<G: Game> {
    pub position: G::Position,
    pub history: Vec<G::Position>,
    /// Only these; all if there are none.
    pub turns: Vec<G::Turn>,
    pub limits: Limits,
    /// How the answer is written.
    pub wording: Wording,
}

/// Follows orders until there are no more.
pub fn work<G: Game>(
    database: &Database<G>,
    protocol: Protocol,
    manner: Manner,
    orders: &Receiver<Order<G>>,
    stop: &AtomicBool,
    events: &Sender<Event>,
) {
    let new = |manner: Manner| {
        let Manner {
            level,
            seed,
            memory,
        } = manner;
        Engine::new(database.game(), Some(database), level, seed).with_memory(memory)
    };
    let spoken = Spoken {
        game: database.game(),
        protocol,
    };
    follow(&spoken, manner, new, orders, stop, events);
}

/// A game, and the protocol in which it is talked about.
struct Spoken<'a, G> {
    game: &'a G,
    protocol: Protocol,
}

/// Who chooses turns. [`Engine`], but for the tests.
trait Chooses<G: Game> {
    fn choose(
        &mut self,
        job: &Job<G>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Option<Choice<G>>;

    fn take_trouble(&mut self) -> Option<String>;
}

impl<G: Game> Chooses<G> for Engine<'_, G> {
    fn choose(
        &mut self,
        job: &Job<G>,
        stop: &AtomicBool,
        report: &mut dyn FnMut(&Report<G>),
    ) -> Option<Choice<G>> {
        let Job {
            position,
            history,
            turns,
            limits,
            ..
        } = job;
        if turns.is_empty() {
            return self.choose(position, history, limits, stop, report);
        }
        self.choose_among(turns, position, history, limits, stop, report)
    }

    fn take_trouble(&mut self) -> Option<String> {
        self.take_trouble().map(|trouble| trouble.to_string())
    }
}

/// Follows orders. A search that panics is an error of this program, but whoever waits for the
/// answer gets one, and the next search begins anew.
fn follow<G: Game, C: Chooses<G>>(
    spoken: &Spoken<'_, G>,
    mut manner: Manner,
    new: impl Fn(Manner) -> C,
    orders: &Receiver<Order<G>>,
    stop: &AtomicBool,
    events: &Sender<Event>,
) {
    let Spoken { game, protocol } = *spoken;
    let mut engine = new(manner);
    // Whoever gave the orders listens until there are no more of them.
    let say = |event: Event| drop(events.send(event));
    for order in orders {
        let job = match order {
            Order::Search(job) => job,
            Order::Renew(other) => {
                manner = other;
                engine = new(manner);
                continue;
            }
        };
        let mut so_far = None;
        let chosen = caught(|| {
            let choice = engine.choose(&job, stop, &mut |report| {
                so_far = report.line.first().copied();
                let line = protocol.info(game, &job.position, report, &job.wording);
                say(Event::Info(line));
            });
            let line = choice.map_or(Vec::new(), |choice| choice.line);
            protocol.best(game, &job.position, &line, &job.wording)
        });
        let best = chosen.unwrap_or_else(|panic| {
            // What it remembers may be half written.
            engine = new(manner);
            let why = format!("the search failed: {panic}");
            say(Event::Info(protocol.error(&why)));
            any(spoken, &job, so_far)
        });
        if let Some(trouble) = engine.take_trouble() {
            say(Event::Info(protocol.error(&trouble)));
        }
        say(Event::Done(best));
    }
}

/// The result of some work, or what its panic said, in one line.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever the work has changed is thrown away after a panic.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    done.map_err(|panic| {
        let said = match panic.downcast_ref::<String>() {
            Some(said) => said.as_str(),
            None => panic.downcast_ref().copied().unwrap_or("for no reason"),
        };
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

/// The answer of a search that failed: the best turn of the last depth that it finished, or else
/// any turn there is.
fn any<G: Game>(spoken: &Spoken<'_, G>, job: &Job<G>, so_far: Option<G::Turn>) -> String {
    let Spoken { game, protocol } = *spoken;
    let any = || {
        let mut turns = job.turns.clone();
        if turns.is_empty() {
            game.turns(&job.position, &mut turns);
        }
        let turn = so_far.or(turns.first().copied());
        protocol.best(game, &job.position, turn.as_slice(), &job.wording)
    };
    // The rules themselves may have failed: then there is no turn that could be named.
    caught(any).unwrap_or_else(|_| protocol.no_turn().to_owned())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::mpsc;

    use endmill_games::{Ruleset, Visitor};
    use endmill_probe::Options;

    use super::super::uci::NO_TURN;
    use super::*;

    /// An engine that panics, before or after its search.
    struct Failing<'a, G: Game> {
        engine: Engine<'a, G>,
        fails: Option<When>,
    }

    #[derive(Clone, Copy)]
    enum When {
        Before,
        After,
    }

    impl<G: Game> Chooses<G> for Failing<'_, G> {
        fn choose(
            &mut self,
            job: &Job<G>,
            stop: &AtomicBool,
            report: &mut dyn FnMut(&Report<G>),
        ) -> Option<Choice<G>> {
            if let Some(When::Before) = self.fails {
                panic!("before,\non purpose");
            }
            let choice = Chooses::choose(&mut self.engine, job, stop, report);
            assert!(self.fails.is_none(), "after, on purpose");
            choice
        }

        fn take_trouble(&mut self) -> Option<String> {
            None
        }
    }

    /// Searches these positions one after the other, with engines that fail like this, in the
    /// order in which they are made. Gives the errors and answers.
    struct Searches<'a> {
        fails: &'a [Option<When>],
        positions: &'a [&'a str],
    }

    impl Visitor for Searches<'_> {
        type Output = Vec<String>;

        fn visit<G: Game>(self, game: G) -> Vec<String> {
            let none: [(&str, &[u8]); 0] = [];
            let database = Database::from_bytes(none, game, &Options::default()).unwrap();
            let game = database.game();
            let (orders, inbox) = mpsc::channel();
            for text in self.positions {
                let job = Job {
                    position: game.parse_position(text).unwrap(),
                    history: Vec::new(),
                    turns: Vec::new(),
                    limits: Limits {
                        depth: Some(3),
                        ..Limits::default()
                    },
                    wording: Wording::default(),
                };
                assert!(orders.send(Order::Search(job)).is_ok());
            }
            drop(orders);
            let (sender, events) = mpsc::channel();
            let made = Cell::new(0);
            let new = |manner: Manner| Failing {
                engine: Engine::new(game, Some(&database), manner.level, manner.seed),
                fails: self.fails[made.replace(made.get() + 1)],
            };
            let manner = Manner {
                level: Level::Medium,
                seed: 1,
                memory: 1 << 20,
            };
            let spoken = Spoken {
                game,
                protocol: Protocol::Uci,
            };
            follow(
                &spoken,
                manner,
                new,
                &inbox,
                &AtomicBool::new(false),
                &sender,
            );
            drop(sender);
            assert_eq!(made.get(), self.fails.len());
            let told = events.iter().filter_map(|event| match event {
                Event::Info(line) => line.contains("error").then_some(line),
                Event::Done(line) => Some(line),
                Event::Line(_) | Event::End => None,
            });
            told.collect()
        }
    }

    fn searches(fails: &[Option<When>], positions: &[&str]) -> Vec<String> {
        let searches = Searches { fails, positions };
        Ruleset::find("three").unwrap().visit(searches)
    }

    /// White closes a mill and wins, with any man that it takes.
    const WINS: &str = "W:Wa1,b1,c2:Ba2,b2,c3";

    #[test]
    fn search_that_panics_is_answered_and_the_next_one_works() {
        let sound = searches(&[None], &[WINS]);
        assert!(sound[0].starts_with("bestmove c2-c1 x"), "{sound:?}");
        let both = searches(&[Some(When::Before), None], &[WINS, WINS]);
        let [error, any, next] = &both[..] else {
            panic!("{both:?}");
        };
        assert!(error.starts_with("info string error: the search failed"));
        assert!(error.contains("before, on purpose"), "{error}");
        assert!(any.starts_with("bestmove ") && any != NO_TURN, "{any}");
        assert_eq!(*next, sound[0]);
    }

    #[test]
    fn search_that_panics_late_is_answered_with_the_best_turn_so_far() {
        let told = searches(&[Some(When::After), None], &[WINS]);
        assert!(told[0].contains("after, on purpose"), "{told:?}");
        assert!(told[1].starts_with("bestmove c2-c1 x"), "{told:?}");
    }

    #[test]
    fn search_that_panics_has_no_turn_only_where_the_game_is_over() {
        let over = "B:Wa1,b1,c1:Ba2,b2";
        let told = searches(&[Some(When::Before), None], &[over]);
        assert_eq!(told[1], NO_TURN);
    }
}
