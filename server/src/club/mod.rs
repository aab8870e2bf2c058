//! Games by link: where they are kept, who is connected to them, and how long they stay.
//!
//! The [referee](crate::referee) decides; here its decisions are written to the [`journal`] and
//! then told to everybody in the [`room`].

mod frames;
mod journal;
mod room;
mod secret;
mod socket;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::ws::Utf8Bytes;
use endmill_games::Colour;
use tokio::sync::watch;

pub use self::journal::JournalError;
use self::journal::{Journal, NotKept, Record};
pub use self::room::Room;
pub use self::socket::converse;
use crate::config::Limits;
use crate::error::ApiError;
use crate::referee::{
    Change, Command, Control, Decision, Event, GameState, Present, Referee, Refused, Terms,
};
use crate::rulesets::Rulesets;

/// A game in which nothing was played is kept so long.
const KEEP_EMPTY: Duration = Duration::from_secs(24 * 3600);

/// A game that nobody is connected to, and in which nothing was played for so long, may make room
/// for others.
const LEFT: Duration = Duration::from_secs(600);

/// All games by link.
pub struct Club {
    journal: Journal,
    rooms: RwLock<HashMap<String, Arc<Room>>>,
    rulesets: Arc<Rulesets>,
    most: usize,
    keep: Duration,
    /// Becomes true when the server stops.
    closing: watch::Sender<bool>,
}

/// What a new game should be.
pub struct Wish {
    /// The id of a ruleset.
    pub ruleset: String,
    /// The first position, in any notation; `None` for the start of the game.
    pub start: Option<String>,
    /// `None` without a clock.
    pub control: Option<Control>,
    /// The side of whoever makes the game; `None` by lot.
    pub side: Option<Colour>,
}

/// A game that was made.
pub struct Made {
    /// Its id.
    pub id: String,
    /// The secrets of White's seat and of Black's.
    pub secrets: [String; 2],
    /// The side of whoever made it.
    pub you: Colour,
}

impl Club {
    /// Opens the journal and takes its games up again.
    pub fn open(
        directory: &std::path::Path,
        rulesets: Arc<Rulesets>,
        limits: &Limits,
    ) -> Result<Club, JournalError> {
        let (journal, games) = Journal::open(directory, now_ms())?;
        let rooms = games
            .into_iter()
            .map(|game| (game.terms().id.clone(), Arc::new(Room::new(game))));
        Ok(Club {
            journal,
            rooms: RwLock::new(rooms.collect()),
            rulesets,
            most: limits.open_games,
            keep: limits.keep_games,
            closing: watch::Sender::new(false),
        })
    }

    /// Sends everybody away: the server stops.
    pub fn close(&self) {
        self.closing.send_replace(true);
    }

    /// Closes the journal: nothing happens any longer.
    pub fn end(&self) {
        self.journal.close();
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.rooms().len()
    }

    /// A game by its id.
    pub fn find(&self, id: &str) -> Option<Arc<Room>> {
        self.rooms().get(id).cloned()
    }

    /// Makes a game.
    pub async fn make(&self, wish: Wish) -> Result<Made, ApiError> {
        let edition = self.rulesets.find(&wish.ruleset).ok_or_else(|| {
            ApiError::not_found(format!("there is no ruleset {:?}", wish.ruleset))
        })?;
        let start = wish.start.as_deref().unwrap_or("start");
        let start = edition.any().text(start.into())?;
        let state = edition.any().state(start.as_str().into())?;
        if state.finished.is_some() {
            return Err(ApiError::bad_input("the game is over in this position"));
        }
        let broken = |_| ApiError::internal();
        let secrets = [
            secret::new_secret().map_err(broken)?,
            secret::new_secret().map_err(broken)?,
        ];
        let by_lot = match secret::toss().map_err(broken)? {
            true => Colour::White,
            false => Colour::Black,
        };
        let terms = Terms {
            id: secret::new_id().map_err(broken)?,
            ruleset: edition.id.to_owned(),
            start,
            first: state.side,
            control: wish.control,
            seats: secrets.each_ref().map(|secret| secret::digest(secret)),
            at_ms: now_ms(),
        };
        let id = terms.id.clone();
        if self.games() >= self.most && !self.make_room().await {
            return Err(ApiError::busy("the server keeps as many games as it can"));
        }
        let game = Referee::new(terms);
        let record = [Record::Game(Box::new(game.clone()))];
        let kept = self.journal.keep(&record).await;
        kept.map_err(|NotKept| ApiError::internal())?;
        self.insert(id.clone(), game);
        Ok(Made {
            id,
            secrets,
            you: wish.side.unwrap_or(by_lot),
        })
    }

    /// The whole game as clients see it.
    pub async fn state(&self, room: &Room) -> GameState {
        let game = room.game.lock().await;
        game.state(room.present(), now_ms())
    }

    /// Does what somebody at the board asks for, and returns when it is kept. Must not be given
    /// up half-way: what is on the disk has to happen.
    async fn obey(
        &self,
        room: &Room,
        who: Option<Colour>,
        id: Option<&str>,
        command: &Command,
    ) -> Result<(), Refused> {
        let edition = self.rulesets.find(&room.ruleset).ok_or(Refused {
            error: "not_found",
            message: "this server does not know the ruleset any longer".into(),
        })?;
        let mut game = room.game.lock().await;
        let now = now_ms();
        if let Some(event) = game.overdue(now) {
            self.happen(room, &mut game, None, event).await?;
        }
        let (change, next) = match game.decide(edition.any(), who, id, command)? {
            Decision::Already => return Ok(()),
            Decision::Happens(change) => (change, None),
            Decision::Again => {
                if self.games() >= self.most {
                    return Err(refused("busy", "the server keeps as many games as it can"));
                }
                let id = secret::new_id();
                let id = id.map_err(|_| refused("io", "no random numbers"))?;
                let next = Referee::new(game.again(id.clone(), now));
                (Change::Rematch { id }, Some(next))
            }
        };
        let event = Event {
            at_ms: now,
            by: who,
            command: id.map(str::to_owned),
            change,
        };
        self.happen(room, &mut game, next, event).await
    }

    /// Keeps an event, then lets it happen and tells everybody.
    async fn happen(
        &self,
        room: &Room,
        game: &mut Referee,
        next: Option<Referee>,
        event: Event,
    ) -> Result<(), Refused> {
        let mut records = Vec::with_capacity(2);
        records.extend(next.clone().map(|next| Record::Game(Box::new(next))));
        records.push(Record::Event {
            game: game.terms().id.clone(),
            seq: game.seq() + 1,
            event: event.clone(),
        });
        let kept = self.journal.keep(&records).await;
        kept.map_err(|NotKept| refused("io", "the server cannot keep this; try again later"))?;
        if let Some(next) = next {
            self.insert(next.terms().id.clone(), next);
        }
        game.apply(&event);
        let told = game.told(&event, now_ms()).to_string();
        room.tell(&Utf8Bytes::from(told));
        Ok(())
    }

    /// Ends games whose time is over. Games that are busy at the moment are looked at next time.
    pub async fn watch_clocks(&self) {
        for room in self.everywhere() {
            let Ok(mut game) = room.game.try_lock() else {
                continue;
            };
            if game.is_timed()
                && let Some(event) = game.overdue(now_ms())
            {
                // It comes again if it cannot be kept.
                let _ = self.happen(&room, &mut game, None, event).await;
            }
        }
    }

    /// Forgets games in which nothing has happened for long.
    pub async fn expire(&self) {
        let now = now_ms();
        for room in self.everywhere() {
            let Ok(game) = room.game.try_lock() else {
                continue;
            };
            let keep = match game.has_begun() {
                true => self.keep,
                false => KEEP_EMPTY.min(self.keep),
            };
            let age = Duration::from_millis(now.saturating_sub(game.last_ms()));
            if age <= keep {
                continue;
            }
            self.forget(&game).await;
        }
    }

    /// Forgets the oldest game that was made and left, so that whoever makes games in heaps does
    /// not keep others from making theirs. `false` if there is none.
    async fn make_room(&self) -> bool {
        let now = now_ms();
        let left = |game: &Referee| {
            let age = Duration::from_millis(now.saturating_sub(game.last_ms()));
            !game.has_begun() && age > LEFT
        };
        let mut oldest: Option<(u64, Arc<Room>)> = None;
        for room in self.everywhere() {
            let Ok(game) = room.game.try_lock() else {
                continue;
            };
            let (last, empty) = (game.last_ms(), room.present() == Present::default());
            let older = oldest.as_ref().is_none_or(|(oldest, _)| last < *oldest);
            if empty && older && left(&game) {
                drop(game);
                oldest = Some((last, room));
            }
        }
        match oldest {
            Some((_, room)) => self.forget(&*room.game.lock().await).await,
            None => false,
        }
    }

    async fn forget(&self, game: &Referee) -> bool {
        let id = &game.terms().id;
        let gone = self.journal.keep(&[Record::Gone(id.clone())]).await;
        if gone.is_ok() {
            let mut rooms = self.rooms.write().unwrap_or_else(PoisonError::into_inner);
            rooms.remove(id);
        }
        gone.is_ok()
    }

    fn insert(&self, id: String, game: Referee) {
        let mut rooms = self.rooms.write().unwrap_or_else(PoisonError::into_inner);
        rooms.insert(id, Arc::new(Room::new(game)));
    }

    fn everywhere(&self) -> Vec<Arc<Room>> {
        self.rooms().values().cloned().collect()
    }

    fn rooms(&self) -> std::sync::RwLockReadGuard<'_, HashMap<String, Arc<Room>>> {
        self.rooms.read().unwrap_or_else(PoisonError::into_inner)
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
