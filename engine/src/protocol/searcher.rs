//! The thread that searches.

use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};

use endmill_games::Game;
use endmill_probe::Database;

use super::session::PlaySettings;
use super::uci::TurnPart;
use super::{Event, Protocol};
use crate::engine::Report;
use crate::level::Limits;

/// An order to the thread.
pub enum Order<G: Game> {
    /// Forget everything, and play like this.
    Renew(PlaySettings),
    Search(Job<G>),
}

/// A search.
pub struct Job<G: Game> {
    pub position: G::Position,
    pub history: Vec<G::Position>,
    /// The turns to consider; all if empty.
    pub turns: Vec<G::Turn>,
    pub limits: Limits,
    /// The part of the turn to answer with.
    pub part: TurnPart,
}

/// Searches, reports every depth, and returns the best line and the first error of the database.
trait Search<G: Game>:
    FnMut(&Job<G>, &mut dyn FnMut(&Report<G>)) -> (Vec<G::Turn>, Option<String>)
{
}

impl<G: Game, F> Search<G> for F where
    F: FnMut(&Job<G>, &mut dyn FnMut(&Report<G>)) -> (Vec<G::Turn>, Option<String>)
{
}

/// Follows orders until there are no more.
pub fn work<G: Game>(
    database: &Database<G>,
    protocol: Protocol,
    play: PlaySettings,
    orders: &Receiver<Order<G>>,
    stop: &AtomicBool,
    events: &Sender<Event>,
) {
    let game = database.game();
    let new = |play: PlaySettings| {
        let mut engine = play.engine(database);
        move |job: &Job<G>, report: &mut dyn FnMut(&Report<G>)| {
            let mut turns = job.turns.clone();
            if turns.is_empty() {
                game.turns(&job.position, &mut turns);
            }
            let (position, history, limits) = (&job.position, &job.history, &job.limits);
            let choice = engine.choose_among(&turns, position, history, limits, stop, report);
            let line = choice.map_or(Vec::new(), |choice| choice.line);
            (line, engine.take_error().map(|error| error.to_string()))
        }
    };
    follow(&Speaker { game, protocol }, play, new, orders, events);
}

/// Formats turns of a game for a protocol.
struct Speaker<'a, G> {
    game: &'a G,
    protocol: Protocol,
}

/// Follows orders. A search that panics is a bug, but the client still gets a result, and the next
/// search starts with a new engine.
fn follow<G: Game, S: Search<G>>(
    speaker: &Speaker<'_, G>,
    mut play: PlaySettings,
    new: impl Fn(PlaySettings) -> S,
    orders: &Receiver<Order<G>>,
    events: &Sender<Event>,
) {
    let Speaker { game, protocol } = *speaker;
    let mut search = new(play);
    // The receiver outlives the orders.
    let say = |event: Event| drop(events.send(event));
    for order in orders {
        let job = match order {
            Order::Search(job) => job,
            Order::Renew(other) => {
                play = other;
                search = new(play);
                continue;
            }
        };
        let mut so_far = None;
        let result = caught(|| {
            let (line, trouble) = search(&job, &mut |report| {
                so_far = report.line.first().copied();
                let line = protocol.info(game, &job.position, report, &job.part);
                say(Event::Info(line));
            });
            let best = protocol.best(game, &job.position, &line, &job.part);
            (best, trouble)
        });
        let (best, trouble) = result.unwrap_or_else(|panic| {
            // A table may be half written.
            search = new(play);
            let why = format!("the search failed: {panic}");
            (any_turn(speaker, &job, so_far), Some(why))
        });
        if let Some(trouble) = trouble {
            say(Event::Info(protocol.error(&trouble)));
        }
        say(Event::Done(best));
    }
}

/// Returns the result of some work, or the message of its panic in one line.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // After a panic everything that the work has changed is discarded.
    let done = panic::catch_unwind(AssertUnwindSafe(work));
    done.map_err(|panic| {
        let message = match panic.downcast_ref::<String>() {
            Some(message) => message.as_str(),
            None => panic.downcast_ref().copied().unwrap_or("no message"),
        };
        message.split_whitespace().collect::<Vec<_>>().join(" ")
    })
}

/// The result of a failed search: the best turn of the last finished depth, or else any turn.
fn any_turn<G: Game>(speaker: &Speaker<'_, G>, job: &Job<G>, so_far: Option<G::Turn>) -> String {
    let Speaker { game, protocol } = *speaker;
    let any = || {
        let mut turns = job.turns.clone();
        if turns.is_empty() {
            game.turns(&job.position, &mut turns);
        }
        let turn = so_far.or(turns.first().copied());
        protocol.best(game, &job.position, turn.as_slice(), &job.part)
    };
    // The rules themselves may have failed: then no turn is known.
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
    use crate::level::Level;

    /// When a search panics.
    #[derive(Clone, Copy)]
    enum When {
        Before,
        After,
    }

    /// Searches these positions one after the other, with engines that fail like this, in the order
    /// of their creation. Returns errors and results.
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
                    part: TurnPart::default(),
                };
                assert!(orders.send(Order::Search(job)).is_ok());
            }
            drop(orders);
            let (sender, events) = mpsc::channel();
            let made = Cell::new(0);
            let never = AtomicBool::new(false);
            let new = |play: PlaySettings| {
                let fails = self.fails[made.replace(made.get() + 1)];
                let mut engine = play.engine(&database);
                let never = &never;
                move |job: &Job<_>, report: &mut dyn FnMut(&Report<_>)| {
                    if let Some(When::Before) = fails {
                        panic!("before,\non purpose");
                    }
                    let choice = engine.choose(&job.position, &[], &job.limits, never, report);
                    assert!(fails.is_none(), "after, on purpose");
                    (choice.map_or(Vec::new(), |choice| choice.line), None)
                }
            };
            let play = PlaySettings {
                level: Level::Medium,
                seed: 1,
                hash: 1,
            };
            let speaker = Speaker {
                game,
                protocol: Protocol::Uci,
            };
            follow(&speaker, play, new, &inbox, &sender);
            drop(sender);
            assert_eq!(made.get(), self.fails.len());
            let lines = events.iter().filter_map(|event| match event {
                Event::Info(line) => line.contains("error").then_some(line),
                Event::Done(line) => Some(line),
                Event::Line(_) | Event::End => None,
            });
            lines.collect()
        }
    }

    fn searches(fails: &[Option<When>], positions: &[&str]) -> Vec<String> {
        let searches = Searches { fails, positions };
        Ruleset::find("three").unwrap().visit(searches)
    }

    /// White closes a mill and wins, whichever man it removes.
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
        let lines = searches(&[Some(When::After), None], &[WINS]);
        assert!(lines[0].contains("after, on purpose"), "{lines:?}");
        assert!(lines[1].starts_with("bestmove c2-c1 x"), "{lines:?}");
    }

    #[test]
    fn search_that_panics_has_no_turn_only_if_the_game_is_over() {
        let over = "B:Wa1,b1,c1:Ba2,b2";
        let lines = searches(&[Some(When::Before), None], &[over]);
        assert_eq!(lines[1], NO_TURN);
    }
}
