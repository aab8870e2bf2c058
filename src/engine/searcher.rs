//! The thread that searches.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};

use ::engine::{Choice, Engine, Level, Limits, Report, Score};
use ::probe::Database;
use games::Game;

use super::Event;

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
    pub limits: Limits,
}

/// Follows orders until there are no more.
pub fn work<G: Game>(
    database: &Database<G>,
    manner: Manner,
    orders: &Receiver<Order<G>>,
    stop: &AtomicBool,
    events: &Sender<Event>,
) {
    let new = |Manner {
                   level,
                   seed,
                   memory,
               }: Manner| {
        Engine::new(database.game(), Some(database), level, seed).with_memory(memory)
    };
    let mut engine = new(manner);
    // Whoever gave the orders listens until there are no more of them.
    let say = |event: Event| drop(events.send(event));
    for order in orders {
        let job = match order {
            Order::Search(job) => job,
            Order::Renew(manner) => {
                engine = new(manner);
                continue;
            }
        };
        let Job {
            position,
            history,
            limits,
        } = &job;
        let game = database.game();
        let choice = engine.choose(position, history, limits, stop, &mut |report| {
            say(Event::Info(info(game, position, report)));
        });
        if let Some(trouble) = engine.take_trouble() {
            say(Event::Info(format!("info string error: {trouble}")));
        }
        say(Event::Done(best(game, position, choice.as_ref())));
    }
}

fn best<G: Game>(game: &G, position: &G::Position, choice: Option<&Choice<G>>) -> String {
    let words = choice.map(|choice| game.turn_words(position, &choice.turn).join(" "));
    format!("bestmove {}", words.as_deref().unwrap_or("(none)"))
}

fn info<G: Game>(game: &G, position: &G::Position, report: &Report<G>) -> String {
    let mut position = *position;
    let mut line = String::new();
    for turn in &report.line {
        for word in game.turn_words(&position, turn) {
            line.push(' ');
            line.push_str(&word);
        }
        position = game.play(&position, turn);
    }
    format!(
        "info depth {} score {} nodes {} time {} pv{line}",
        report.depth,
        written(report.score),
        report.nodes,
        report.time.as_millis(),
    )
}

fn written(score: Score) -> String {
    match score {
        Score::Points(points) => format!("cp {points}"),
        Score::WinIn(plies) => format!("plies {plies}"),
        Score::LossIn(plies) => format!("plies -{plies}"),
        Score::Win => "win".to_owned(),
        Score::Loss => "loss".to_owned(),
        Score::Draw => "draw".to_owned(),
    }
}
