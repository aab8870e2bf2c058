//! The socket of a client: its messages in, the events of the game out.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use endmill_games::Colour;
use futures_util::StreamExt;
use tokio::time::{Instant, timeout};

use super::game::{Game, Subscriber, TooManyWatchers};
use super::messages::{self, BadMessage, Incoming};
use super::{Games, now_ms, refused, secret};
use crate::referee::Present;

/// The deadline of the first message.
const FIRST: Duration = Duration::from_secs(10);
/// When a silent client is disconnected. The page sends a message every 20 s.
const SILENCE: Duration = Duration::from_secs(75);
/// How long the client may take to accept a message.
const SEND: Duration = Duration::from_secs(10);
/// The shortest time between two messages about who is connected.
const PRESENT: Duration = Duration::from_millis(200);
/// The number of messages at once.
const BURST: f64 = 60.0;
/// The number of messages per second in the long run.
const PER_SECOND: f64 = 20.0;
/// A hello is answered with the whole game, so it counts as several messages.
const HELLO: f64 = 5.0;

/// A client that has said hello.
struct Client {
    /// `None` for a spectator.
    side: Option<Colour>,
    subscriber: Subscriber,
}

/// Why the server closes a socket: a close code and a reason.
type Close = (u16, &'static str);

/// Serves a client until either end closes the socket.
pub async fn serve(games: Arc<Games>, game: Arc<Game>, mut socket: WebSocket, after: Option<u64>) {
    let mut session = Session {
        games: &games,
        game: &game,
        socket: &mut socket,
        after,
        client: None,
        rate: MessageRate::new(),
    };
    let close = session.run().await;
    if let Some(client) = &session.client {
        game.unsubscribe(&client.subscriber);
    }
    if let Some((code, reason)) = close {
        let reason = Utf8Bytes::from_static(reason);
        let close = Message::Close(Some(CloseFrame { code, reason }));
        let _ = timeout(SEND, socket.send(close)).await;
    }
}

struct Session<'a> {
    games: &'a Arc<Games>,
    game: &'a Arc<Game>,
    socket: &'a mut WebSocket,
    /// From the address of the socket; the first hello uses it up.
    after: Option<u64>,
    client: Option<Client>,
    rate: MessageRate,
}

/// What a session waits for.
enum Next {
    Received(Option<Message>),
    Broadcast(Option<Utf8Bytes>),
    Present(Present),
    Silence,
    Closing,
}

impl Subscriber {
    /// The next message to send; who is connected not before `next_present`.
    async fn next(&mut self, next_present: Instant) -> Next {
        let present = async {
            tokio::time::sleep_until(next_present).await;
            // Cannot fail: the game outlives its subscribers.
            let changed = self.present.changed().await;
            changed.map(|()| *self.present.borrow_and_update())
        };
        tokio::select! {
            biased;
            message = self.messages.recv() => Next::Broadcast(message),
            Ok(present) = present => Next::Present(present),
        }
    }
}

impl Session<'_> {
    /// Returns `None` if the client has left.
    async fn run(&mut self) -> Option<Close> {
        let mut deadline = Instant::now() + FIRST;
        let mut closing = self.games.closing.subscribe();
        let mut next_present = Instant::now();
        loop {
            let outgoing = async {
                match &mut self.client {
                    Some(client) => client.subscriber.next(next_present).await,
                    None => std::future::pending().await,
                }
            };
            let next = tokio::select! {
                next = outgoing => next,
                received = self.socket.next() => Next::Received(received.and_then(Result::ok)),
                () = tokio::time::sleep_until(deadline) => Next::Silence,
                _ = closing.wait_for(|closing| *closing) => Next::Closing,
            };
            match next {
                Next::Broadcast(Some(message)) => self.send(message).await?,
                Next::Present(present) => {
                    next_present = Instant::now() + PRESENT;
                    let seq = self.game.referee.lock().await.seq();
                    self.send(messages::present(seq, present)).await?;
                }
                Next::Broadcast(None) => {
                    return Some((close_code::POLICY, "another window, or too slow"));
                }
                Next::Silence => return Some((close_code::AWAY, "silent for too long")),
                Next::Closing => return Some((close_code::RESTART, "the server is stopping")),
                Next::Received(None | Some(Message::Close(_))) => return None,
                Next::Received(Some(message)) => {
                    deadline = Instant::now() + SILENCE;
                    if !self.rate.spend(1.0) {
                        return Some((close_code::POLICY, "too many messages"));
                    }
                    match message {
                        Message::Text(text) => self.handle(&text).await?,
                        Message::Binary(_) => {
                            return Some((close_code::UNSUPPORTED, "messages are text"));
                        }
                        // The library answers pings.
                        _ => {}
                    }
                }
            }
        }
    }

    async fn handle(&mut self, text: &str) -> Option<()> {
        match messages::parse(text) {
            Err(BadMessage { id, message }) => {
                self.refuse(id.as_deref(), "bad_input", message).await
            }
            Ok(Incoming::Ping) => self.send(messages::pong()).await,
            Ok(Incoming::Hello { secret, after }) => {
                // The message itself is already counted; a deficit shows at the next message.
                self.rate.spend(HELLO - 1.0);
                self.hello(secret, after).await
            }
            Ok(Incoming::Command { id, command }) => {
                let Some(Client { side, .. }) = self.client else {
                    let id = id.as_deref();
                    return self.refuse(id, "forbidden", "say hello first").await;
                };
                let (games, game) = (Arc::clone(self.games), Arc::clone(self.game));
                let command_id = id.clone();
                // In a separate task: an event that is being written must be applied even if
                // this socket closes meanwhile.
                let done = tokio::spawn(async move {
                    games
                        .execute(&game, side, command_id.as_deref(), &command)
                        .await
                });
                let done = done.await.unwrap_or_else(|error| {
                    tracing::error!(%error, "a command failed");
                    Err(refused("internal", "internal error"))
                });
                let answer = match done {
                    Ok(()) => messages::ok(id.as_deref()),
                    Err(why) => messages::refused(id.as_deref(), &why),
                };
                // The events that the command caused come first.
                while let Some(client) = &mut self.client
                    && let Ok(message) = client.subscriber.messages.try_recv()
                {
                    self.send(message).await?;
                }
                self.send(answer).await
            }
        }
    }

    /// Makes the client a player if its secret opens a seat, else a spectator, and sends the state.
    async fn hello(&mut self, secret: Option<String>, after: Option<u64>) -> Option<()> {
        let after = after.or(self.after.take());
        let referee = self.game.referee.lock().await;
        let seats = &referee.terms().seats;
        let side = secret
            .as_deref()
            .and_then(|secret| secret::seat(seats, secret));
        let wrong_secret = secret.is_some() && side.is_none();
        let known = self
            .client
            .as_ref()
            .is_some_and(|client| client.side == side);
        if !known {
            if let Some(client) = self.client.take() {
                self.game.unsubscribe(&client.subscriber);
            }
            match self.game.subscribe(side) {
                Ok(subscriber) => self.client = Some(Client { side, subscriber }),
                Err(TooManyWatchers) => {
                    drop(referee);
                    self.refuse(None, "busy", "this game has too many spectators")
                        .await?;
                    return None;
                }
            }
        }
        let answer = match after == Some(referee.seq()) {
            true => messages::resumed(referee.seq(), side),
            false => messages::state(&referee.state(self.game.present(), now_ms()), side),
        };
        drop(referee);
        if wrong_secret {
            let message = "this link does not open a seat; you can watch";
            self.refuse(None, "forbidden", message).await?;
        }
        self.send(answer).await
    }

    async fn refuse(
        &mut self,
        id: Option<&str>,
        error: &'static str,
        message: &'static str,
    ) -> Option<()> {
        self.send(messages::refused(id, &refused(error, message)))
            .await
    }

    /// Returns `None` if the client does not accept the message.
    async fn send(&mut self, message: Utf8Bytes) -> Option<()> {
        let sent = timeout(SEND, self.socket.send(Message::Text(message))).await;
        sent.ok()?.ok()
    }
}

/// The messages that a client may still send: a bucket that fills steadily.
struct MessageRate {
    left: f64,
    at: Instant,
}

impl MessageRate {
    fn new() -> MessageRate {
        MessageRate {
            left: BURST,
            at: Instant::now(),
        }
    }

    /// Returns `false` if the client has exceeded its rate.
    fn spend(&mut self, cost: f64) -> bool {
        let now = Instant::now();
        let refill = (now - self.at).as_secs_f64() * PER_SECOND;
        self.left = (self.left + refill).min(BURST) - cost;
        self.at = now;
        self.left >= 0.0
    }
}
