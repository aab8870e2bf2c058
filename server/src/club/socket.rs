//! A client's socket in a game: its messages in, everybody's news out.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use endmill_games::Colour;
use futures_util::StreamExt;
use tokio::time::{Instant, timeout};

use super::frames::{self, Garbled, Incoming};
use super::room::{Crowded, Ear, Room};
use super::{Club, now_ms, refused, secret};
use crate::referee::{Present, Refused};

/// Until the first message.
const FIRST: Duration = Duration::from_secs(10);
/// Until a silent client is given up. The page says something every 20 s.
const SILENCE: Duration = Duration::from_secs(75);
/// Until a message is given up that the client does not take.
const SEND: Duration = Duration::from_secs(10);
/// Between two messages that tell who is connected.
const PRESENT: Duration = Duration::from_millis(200);
/// Messages at once, and a second in the long run.
const BURST: f64 = 60.0;
const PER_SECOND: f64 = 20.0;
/// A hello is answered with the whole game, and counts as this number of messages.
const HELLO: f64 = 5.0;

/// Whom a socket belongs to.
struct Guest {
    side: Option<Colour>,
    ear: Ear,
}

/// Why a conversation ends, as a close code and a few words.
type End = (u16, &'static str);

/// Talks with a client until one of them has enough.
pub async fn converse(club: Arc<Club>, room: Arc<Room>, mut socket: WebSocket, after: Option<u64>) {
    let mut guest = None;
    let mut visit = Visit {
        club: &club,
        room: &room,
        socket: &mut socket,
        after,
    };
    let end = visit.talk(&mut guest).await;
    if let Some(Guest { ear, .. }) = &guest {
        room.leave(ear);
    }
    if let Some((code, reason)) = end {
        let reason = Utf8Bytes::from_static(reason);
        let close = Message::Close(Some(CloseFrame { code, reason }));
        let _ = timeout(SEND, socket.send(close)).await;
    }
}

struct Visit<'a> {
    club: &'a Arc<Club>,
    room: &'a Arc<Room>,
    socket: &'a mut WebSocket,
    after: Option<u64>,
}

/// What comes next in a conversation.
enum Next {
    Said(Option<Message>),
    News(Option<Utf8Bytes>),
    Present(Present),
    Silence,
    Closing,
}

impl Ear {
    /// What is to be told next; who is connected not before a moment.
    async fn hear(&mut self, next_present: Instant) -> Next {
        let present = async {
            tokio::time::sleep_until(next_present).await;
            // The room outlives its visitors, so that this does not fail.
            let changed = self.present.changed().await;
            changed.map(|()| *self.present.borrow_and_update())
        };
        tokio::select! {
            biased;
            news = self.messages.recv() => Next::News(news),
            Ok(present) = present => Next::Present(present),
        }
    }
}

impl Visit<'_> {
    /// `None` if the client has left.
    async fn talk(&mut self, guest: &mut Option<Guest>) -> Option<End> {
        let mut allowance = Allowance::new();
        let mut deadline = Instant::now() + FIRST;
        let mut closing = self.club.closing.subscribe();
        let mut next_present = Instant::now();
        loop {
            let next = {
                let news = async {
                    match guest {
                        Some(guest) => guest.ear.hear(next_present).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    news = news => news,
                    said = self.socket.next() => Next::Said(said.and_then(Result::ok)),
                    () = tokio::time::sleep_until(deadline) => Next::Silence,
                    _ = closing.wait_for(|closing| *closing) => Next::Closing,
                }
            };
            match next {
                Next::News(Some(news)) => self.send(news).await?,
                Next::Present(present) => {
                    next_present = Instant::now() + PRESENT;
                    let seq = self.room.game.lock().await.seq();
                    self.send(frames::present(seq, present)).await?;
                }
                Next::News(None) => {
                    return Some((close_code::POLICY, "another window, or too slow"));
                }
                Next::Silence => return Some((close_code::AWAY, "nothing was heard for long")),
                Next::Closing => return Some((close_code::RESTART, "the server stops")),
                Next::Said(None | Some(Message::Close(_))) => return None,
                Next::Said(Some(message)) => {
                    deadline = Instant::now() + SILENCE;
                    if !allowance.spend(1.0) {
                        return Some((close_code::POLICY, "too many messages"));
                    }
                    match message {
                        Message::Text(text) => {
                            self.hear(guest, &text, &mut allowance).await?;
                        }
                        Message::Binary(_) => {
                            return Some((close_code::UNSUPPORTED, "messages are text"));
                        }
                        // Answered by the library.
                        _ => {}
                    }
                }
            }
        }
    }

    async fn hear(
        &mut self,
        guest: &mut Option<Guest>,
        text: &str,
        allowance: &mut Allowance,
    ) -> Option<()> {
        let incoming = match frames::read(text) {
            Ok(incoming) => incoming,
            Err(Garbled { id, message }) => {
                let answer = frames::refused(id.as_deref(), &refused("bad_input", message));
                return self.send(answer).await;
            }
        };
        match incoming {
            Incoming::Ping => self.send(frames::pong()).await,
            Incoming::Hello { secret, after } => {
                // The message itself is counted; what is lacking is noticed at the next one.
                allowance.spend(HELLO - 1.0);
                self.greet(guest, secret, after).await
            }
            Incoming::Command { id, command } => {
                let Some(Guest { side, .. }) = guest else {
                    let answer = refused("forbidden", "say hello first");
                    return self.send(frames::refused(id.as_deref(), &answer)).await;
                };
                let side = *side;
                let (club, room) = (Arc::clone(self.club), Arc::clone(self.room));
                let named = id.clone();
                // A task of its own: what is being written has to happen even if this socket
                // ends meanwhile.
                let done = tokio::spawn(async move {
                    club.obey(&room, side, named.as_deref(), &command).await
                });
                let done = done.await.unwrap_or_else(|error| {
                    tracing::error!(%error, "a command failed");
                    Err(refused("internal", "the server made a mistake"))
                });
                let answer = match done {
                    Ok(()) => frames::ok(id.as_deref()),
                    Err(why) => frames::refused(id.as_deref(), &why),
                };
                // The news that it caused comes first.
                while let Some(Guest { ear, .. }) = guest
                    && let Ok(news) = ear.messages.try_recv()
                {
                    self.send(news).await?;
                }
                self.send(answer).await
            }
        }
    }

    /// Gives the client the seat that its secret opens, or a place to watch from, and the state.
    async fn greet(
        &mut self,
        guest: &mut Option<Guest>,
        secret: Option<String>,
        after: Option<u64>,
    ) -> Option<()> {
        let after = after.or(self.after.take());
        let game = self.room.game.lock().await;
        let opened = secret.as_deref().map(|given| {
            let seat = secret::seat(&game.terms().seats, given)?;
            Some([Colour::White, Colour::Black][seat])
        });
        let stranger = opened == Some(None);
        let side = opened.flatten();
        let known = guest.as_ref().is_some_and(|guest| guest.side == side);
        if !known {
            if let Some(Guest { ear, .. }) = guest.take() {
                self.room.leave(&ear);
            }
            match self.room.enter(side) {
                Ok(ear) => *guest = Some(Guest { side, ear }),
                Err(Crowded) => {
                    drop(game);
                    let full = refused("busy", "too many watch this game");
                    self.send(frames::refused(None, &full)).await?;
                    return None;
                }
            }
        }
        let answer = match after == Some(game.seq()) {
            true => frames::resumed(game.seq(), side),
            false => {
                let state = game.state(self.room.present(), now_ms());
                frames::state(&state, side)
            }
        };
        drop(game);
        if stranger {
            let why: Refused =
                refused("forbidden", "this link does not open a seat; you can watch");
            self.send(frames::refused(None, &why)).await?;
        }
        self.send(answer).await
    }

    /// `None` if the client does not take it.
    async fn send(&mut self, message: Utf8Bytes) -> Option<()> {
        let sent = timeout(SEND, self.socket.send(Message::Text(message))).await;
        sent.ok()?.ok()
    }
}

/// How many messages a client may send.
struct Allowance {
    left: f64,
    at: Instant,
}

impl Allowance {
    fn new() -> Allowance {
        Allowance {
            left: BURST,
            at: Instant::now(),
        }
    }

    /// `false` if there is not so much left.
    fn spend(&mut self, cost: f64) -> bool {
        let now = Instant::now();
        let more = (now - self.at).as_secs_f64() * PER_SECOND;
        self.left = (self.left + more).min(BURST) - cost;
        self.at = now;
        self.left >= 0.0
    }
}
