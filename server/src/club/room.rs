//! One game with whoever is connected to it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use endmill_games::Colour;
use tokio::sync::{mpsc, watch};

use crate::referee::{Present, Referee};

/// Messages that wait for a slow client; whoever is slower is cut off.
const QUEUE: usize = 64;
/// Watchers of one game.
const MOST_WATCHERS: usize = 200;

/// A game and its audience.
pub struct Room {
    /// The game. It is held locked while an event is written, so that nobody sees what is not
    /// kept.
    pub game: tokio::sync::Mutex<Referee>,
    /// The id of the ruleset.
    pub ruleset: String,
    audience: Mutex<Audience>,
}

#[derive(Default)]
struct Audience {
    listeners: Vec<Listener>,
    next: u64,
    /// Who is connected, for everybody who is. Not queued: whoever comes and goes in haste must not
    /// fill the queues of the players.
    present: watch::Sender<Present>,
}

struct Listener {
    number: u64,
    side: Option<Colour>,
    queue: mpsc::Sender<Utf8Bytes>,
}

/// What a connection hears by.
pub struct Ear {
    number: u64,
    /// Ends when somebody else takes the seat, or when the client is too slow.
    pub messages: mpsc::Receiver<Utf8Bytes>,
    /// Who is connected: always the latest, however slow the client.
    pub present: watch::Receiver<Present>,
}

/// There are too many watchers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowded;

impl Room {
    /// A game that nobody is connected to.
    pub fn new(game: Referee) -> Room {
        Room {
            ruleset: game.terms().ruleset.clone(),
            game: tokio::sync::Mutex::new(game),
            audience: Mutex::default(),
        }
    }

    /// Somebody comes: a player, who takes the seat over from an older window, or a watcher.
    pub fn enter(&self, side: Option<Colour>) -> Result<Ear, Crowded> {
        let mut audience = self.lock();
        if side.is_none() && audience.count().watchers >= MOST_WATCHERS {
            return Err(Crowded);
        }
        if side.is_some() {
            let taken_over = Utf8Bytes::from_static(r#"{"type":"taken_over"}"#);
            audience.listeners.retain(|listener| {
                let same = listener.side == side;
                if same {
                    let _ = listener.queue.try_send(taken_over.clone());
                }
                !same
            });
        }
        let (queue, messages) = mpsc::channel(QUEUE);
        let number = audience.next;
        audience.next += 1;
        audience.listeners.push(Listener {
            number,
            side,
            queue,
        });
        audience.tell_present();
        let present = audience.present.subscribe();
        Ok(Ear {
            number,
            messages,
            present,
        })
    }

    /// Somebody leaves.
    pub fn leave(&self, ear: &Ear) {
        let mut audience = self.lock();
        audience
            .listeners
            .retain(|listener| listener.number != ear.number);
        audience.tell_present();
    }

    /// Who is connected.
    pub fn present(&self) -> Present {
        *self.lock().present.borrow()
    }

    /// Tells everybody.
    pub fn tell(&self, message: &Utf8Bytes) {
        self.lock().tell(message);
    }

    fn lock(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Audience {
    fn count(&self) -> Present {
        let sits = |side| {
            self.listeners
                .iter()
                .any(|listener| listener.side == Some(side))
        };
        let watchers = self
            .listeners
            .iter()
            .filter(|listener| listener.side.is_none());
        Present {
            white: sits(Colour::White),
            black: sits(Colour::Black),
            watchers: watchers.count(),
        }
    }

    fn tell(&mut self, message: &Utf8Bytes) {
        let before = self.listeners.len();
        self.listeners
            .retain(|listener| listener.queue.try_send(message.clone()).is_ok());
        if self.listeners.len() < before {
            self.tell_present();
        }
    }

    fn tell_present(&mut self) {
        let now = self.count();
        self.present.send_if_modified(|present| {
            let news = *present != now;
            *present = now;
            news
        });
    }
}
