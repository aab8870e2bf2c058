//! One game and the clients connected to it.

use std::sync::Mutex;

use axum::extract::ws::Utf8Bytes;
use endmill_games::Colour;
use tokio::sync::{mpsc, watch};

use crate::referee::{Present, Referee};
use crate::sync::lock;

/// The messages that may wait for a slow client; a client that falls further behind is
/// disconnected.
const QUEUE: usize = 64;
/// The number of spectators per game.
const MAX_WATCHERS: usize = 200;

/// A game and its connected clients.
pub struct Game {
    /// The game. It stays locked while an event is written to disk, so that no client sees an
    /// event that could still be lost.
    pub referee: tokio::sync::Mutex<Referee>,
    /// The id of the ruleset.
    pub ruleset: String,
    subscribers: Mutex<Subscribers>,
}

#[derive(Default)]
struct Subscribers {
    queues: Vec<Queue>,
    next_id: u64,
    /// Who is connected. Published apart from the queues: clients that come and go in quick
    /// succession must not fill the queues of the players.
    present: watch::Sender<Present>,
}

struct Queue {
    id: u64,
    side: Option<Colour>,
    sender: mpsc::Sender<Utf8Bytes>,
}

/// The receiving end of a connection.
pub struct Subscriber {
    id: u64,
    /// Closes when another window takes the seat, or when the client is too slow.
    pub messages: mpsc::Receiver<Utf8Bytes>,
    /// Who is connected: always the latest state, however slow the client.
    pub present: watch::Receiver<Present>,
}

/// The game has too many spectators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyWatchers;

impl Game {
    /// A game without clients.
    pub fn new(referee: Referee) -> Game {
        Game {
            ruleset: referee.terms().ruleset.clone(),
            referee: tokio::sync::Mutex::new(referee),
            subscribers: Mutex::default(),
        }
    }

    /// Connects a player, who takes the seat over from an older window, or a spectator.
    pub fn subscribe(&self, side: Option<Colour>) -> Result<Subscriber, TooManyWatchers> {
        let mut subscribers = lock(&self.subscribers);
        if side.is_none() && subscribers.count().watchers >= MAX_WATCHERS {
            return Err(TooManyWatchers);
        }
        if side.is_some() {
            let taken_over = Utf8Bytes::from_static(r#"{"type":"taken_over"}"#);
            subscribers.queues.retain(|queue| {
                let same = queue.side == side;
                if same {
                    let _ = queue.sender.try_send(taken_over.clone());
                }
                !same
            });
        }
        let (sender, messages) = mpsc::channel(QUEUE);
        let id = subscribers.next_id;
        subscribers.next_id += 1;
        subscribers.queues.push(Queue { id, side, sender });
        subscribers.publish_present();
        let present = subscribers.present.subscribe();
        Ok(Subscriber {
            id,
            messages,
            present,
        })
    }

    /// Disconnects a client.
    pub fn unsubscribe(&self, subscriber: &Subscriber) {
        let mut subscribers = lock(&self.subscribers);
        subscribers.queues.retain(|queue| queue.id != subscriber.id);
        subscribers.publish_present();
    }

    /// Who is connected.
    pub fn present(&self) -> Present {
        *lock(&self.subscribers).present.borrow()
    }

    /// Sends a message to every client, and drops clients whose queue is full.
    pub fn broadcast(&self, message: &Utf8Bytes) {
        let mut subscribers = lock(&self.subscribers);
        let before = subscribers.queues.len();
        let sent = |queue: &Queue| queue.sender.try_send(message.clone()).is_ok();
        subscribers.queues.retain(sent);
        if subscribers.queues.len() < before {
            subscribers.publish_present();
        }
    }
}

impl Subscribers {
    fn count(&self) -> Present {
        let of = |side| self.queues.iter().filter(move |queue| queue.side == side);
        Present {
            white: of(Some(Colour::White)).next().is_some(),
            black: of(Some(Colour::Black)).next().is_some(),
            watchers: of(None).count(),
        }
    }

    fn publish_present(&mut self) {
        let now = self.count();
        self.present.send_if_modified(|present| {
            let changed = *present != now;
            *present = now;
            changed
        });
    }
}
