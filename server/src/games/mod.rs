//! Games by link: where they are stored, who is connected to them, and when they expire.
//!
//! The [referee](crate::referee) decides; its decisions are written to the [`journal`] here and
//! then broadcast to every client of the [`game`].

mod create;
mod game;
mod journal;
mod messages;
mod secret;
mod socket;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use endmill_games::Colour;
use tokio::sync::watch;

pub use self::create::{CreatedGame, NewClock, NewGame, SideChoice};
pub use self::game::Game;
pub use self::journal::JournalError;
use self::journal::{Journal, Record, StoreError};
pub use self::socket::serve;
use crate::config::Limits;
use crate::error::ApiError;
use crate::referee::{
    Change, Command, Decision, Event, GameState, Present, Referee, Refused, Terms,
};
use crate::rulesets::Rulesets;

/// How long a game without moves is kept.
const KEEP_EMPTY: Duration = Duration::from_secs(24 * 3600);

/// When the game limit is reached, a game without moves and without clients may be evicted after
/// this time.
const ABANDONED: Duration = Duration::from_secs(600);

const LIMIT_REACHED: &str = "game limit reached; try again later";

/// All games by link.
pub struct Games {
    journal: Journal,
    games: RwLock<HashMap<String, Arc<Game>>>,
    rulesets: Arc<Rulesets>,
    limit: usize,
    keep: Duration,
    /// Becomes true when the server stops.
    closing: watch::Sender<bool>,
}

impl Games {
    /// Opens the journal and resumes its games.
    pub fn open(
        directory: &std::path::Path,
        rulesets: Arc<Rulesets>,
        limits: &Limits,
    ) -> Result<Games, JournalError> {
        let (journal, stored) = Journal::open(directory, now_ms())?;
        let games = stored
            .into_iter()
            .map(|referee| (referee.terms().id.clone(), Arc::new(Game::new(referee))));
        Ok(Games {
            journal,
            games: RwLock::new(games.collect()),
            rulesets,
            limit: limits.open_games,
            keep: limits.keep_games,
            closing: watch::Sender::new(false),
        })
    }

    /// Disconnects every client: the server stops.
    pub fn disconnect(&self) {
        self.closing.send_replace(true);
    }

    /// Closes the journal. No event is accepted any more.
    pub fn close(&self) {
        self.journal.close();
    }

    /// The number of games.
    pub fn count(&self) -> usize {
        self.read().len()
    }

    /// A game by its id.
    pub fn find(&self, id: &str) -> Option<Arc<Game>> {
        self.read().get(id).cloned()
    }

    /// Creates a game.
    pub async fn create(&self, request: NewGame) -> Result<CreatedGame, ApiError> {
        let control = request.clock.map(NewClock::control).transpose()?;
        let snapshot = self.rulesets.get(&request.ruleset)?;
        let start = request.start.as_deref().unwrap_or("start");
        let start = snapshot.database.text(start.into())?;
        let state = snapshot.database.state(start.as_str().into())?;
        if state.finished.is_some() {
            return Err(ApiError::bad_input("the game is over in this position"));
        }
        let no_randomness = |_| ApiError::internal();
        let secrets = [
            secret::new_secret().map_err(no_randomness)?,
            secret::new_secret().map_err(no_randomness)?,
        ];
        let random_side = secret::random_side().map_err(no_randomness)?;
        let id = secret::new_id().map_err(no_randomness)?;
        let terms = Terms {
            id: id.clone(),
            ruleset: snapshot.id.to_owned(),
            start,
            first: state.side,
            control,
            seats: secrets.each_ref().map(|secret| secret::digest(secret)),
            at_ms: now_ms(),
        };
        if self.count() >= self.limit && !self.evict_abandoned().await {
            return Err(ApiError::busy(LIMIT_REACHED));
        }
        let referee = Referee::new(terms);
        let record = [Record::Game(Box::new(referee.clone()))];
        let stored = self.journal.append(&record).await;
        stored.map_err(|StoreError| ApiError::internal())?;
        self.insert(referee);
        let you = match request.side {
            SideChoice::White => Colour::White,
            SideChoice::Black => Colour::Black,
            SideChoice::Random => random_side,
        };
        Ok(CreatedGame::new(id, secrets, you))
    }

    /// The whole game as clients see it.
    pub async fn state(&self, game: &Game) -> GameState {
        let referee = game.referee.lock().await;
        referee.state(game.present(), now_ms())
    }

    /// Executes a command of a client and returns when it is stored. Must not be cancelled
    /// half-way: what is on disk must also happen in memory.
    async fn execute(
        &self,
        game: &Game,
        side: Option<Colour>,
        id: Option<&str>,
        command: &Command,
    ) -> Result<(), Refused> {
        let snapshot = self.rulesets.find(&game.ruleset).ok_or(Refused {
            error: "not_found",
            message: "this server no longer has the ruleset of this game".into(),
        })?;
        let mut referee = game.referee.lock().await;
        let now = now_ms();
        if let Some(event) = referee.time_out(now) {
            self.commit(game, &mut referee, None, event).await?;
        }
        let (change, rematch) = match referee.decide(&*snapshot.database, side, id, command)? {
            Decision::Already => return Ok(()),
            Decision::Happens(change) => (change, None),
            Decision::Rematch => {
                if self.count() >= self.limit {
                    return Err(refused("busy", LIMIT_REACHED));
                }
                let id = secret::new_id();
                let id = id.map_err(|_| refused("io", "no random numbers"))?;
                let rematch = Referee::new(referee.rematch_terms(id.clone(), now));
                (Change::Rematch { id }, Some(rematch))
            }
        };
        let event = Event {
            at_ms: now,
            by: side,
            command: id.map(str::to_owned),
            change,
        };
        self.commit(game, &mut referee, rematch, event).await
    }

    /// Stores an event, then applies it and broadcasts it.
    async fn commit(
        &self,
        game: &Game,
        referee: &mut Referee,
        rematch: Option<Referee>,
        event: Event,
    ) -> Result<(), Refused> {
        let mut records = Vec::with_capacity(2);
        records.extend(
            rematch
                .clone()
                .map(|rematch| Record::Game(Box::new(rematch))),
        );
        records.push(Record::Event {
            game: referee.terms().id.clone(),
            seq: referee.seq() + 1,
            event: event.clone(),
        });
        let stored = self.journal.append(&records).await;
        stored.map_err(|StoreError| refused("io", "the move was not saved; try again later"))?;
        if let Some(rematch) = rematch {
            self.insert(rematch);
        }
        referee.apply(&event);
        let message = referee.message(&event, now_ms()).to_string();
        game.broadcast(&Utf8Bytes::from(message));
        Ok(())
    }

    /// Ends the games whose clock has run out. A game that is locked waits for the next sweep.
    pub async fn sweep_clocks(&self) {
        for game in self.all() {
            let Ok(mut referee) = game.referee.try_lock() else {
                continue;
            };
            if let Some(event) = referee.time_out(now_ms()) {
                // If it cannot be stored, the next sweep tries again.
                let _ = self.commit(&game, &mut referee, None, event).await;
            }
        }
    }

    /// Deletes the games that have expired.
    pub async fn expire(&self) {
        let now = now_ms();
        for game in self.all() {
            let Ok(referee) = game.referee.try_lock() else {
                continue;
            };
            let keep = match referee.has_begun() {
                true => self.keep,
                false => KEEP_EMPTY.min(self.keep),
            };
            if referee.age(now) > keep {
                self.delete(&referee).await;
            }
        }
    }

    /// Deletes the oldest abandoned game, so that a client who creates many games does not keep
    /// others from creating theirs. Returns `false` if there is none.
    async fn evict_abandoned(&self) -> bool {
        let now = now_ms();
        let mut oldest: Option<(Duration, Arc<Game>)> = None;
        for game in self.all() {
            let Ok(referee) = game.referee.try_lock() else {
                continue;
            };
            let age = referee.age(now);
            let abandoned = !referee.has_begun()
                && age > oldest.as_ref().map_or(ABANDONED, |(oldest, _)| *oldest)
                && game.present() == Present::default();
            drop(referee);
            if abandoned {
                oldest = Some((age, game));
            }
        }
        match oldest {
            Some((_, game)) => self.delete(&*game.referee.lock().await).await,
            None => false,
        }
    }

    async fn delete(&self, referee: &Referee) -> bool {
        let id = &referee.terms().id;
        let stored = self.journal.append(&[Record::Gone(id.clone())]).await;
        if stored.is_ok() {
            let mut games = self.games.write().unwrap_or_else(PoisonError::into_inner);
            games.remove(id);
        }
        stored.is_ok()
    }

    fn insert(&self, referee: Referee) {
        let id = referee.terms().id.clone();
        let mut games = self.games.write().unwrap_or_else(PoisonError::into_inner);
        games.insert(id, Arc::new(Game::new(referee)));
    }

    fn all(&self) -> Vec<Arc<Game>> {
        self.read().values().cloned().collect()
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<String, Arc<Game>>> {
        self.games.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(error: &'static str, message: &'static str) -> Refused {
    let message = message.into();
    Refused { error, message }
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as u64)
}
