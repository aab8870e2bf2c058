//! The referee of a game by link: decides who may do what, and what follows. It reads no clock, socket
//! or file: the caller passes the time, and stores the [`Event`]s, from which the same game can be
//! restored.
//!
//! [`Referee::decide`] checks a command and changes nothing; [`Referee::apply`] applies an event and
//! refuses nothing. In between the caller writes the event to disk.

mod clock;
mod event;
mod state;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

use endmill_engine::{GameClock, TimeControl};
use endmill_games::{Colour, Ending};
use endmill_probe::AnyDatabase;
use serde::{Deserialize, Serialize};

pub use self::clock::ClockAnswer;
pub use self::event::{Change, Command, Ended, Event, Offers, Refused};
pub use self::state::{GameState, Present};

/// The number of turns after which a game is drawn: it bounds the size of a game.
pub const MAX_TURNS: usize = 1000;
/// The number of command ids that are remembered, so that a repeated command counts once.
const REMEMBERED: usize = 64;

/// What is fixed before a game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The id of the game.
    pub id: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The first position.
    pub start: String,
    /// The side that moves first.
    pub first: Colour,
    /// `None` without a clock.
    pub control: Option<TimeControl>,
    /// Hashes of the secrets of White's seat and of Black's.
    pub seats: [String; 2],
    /// When the game was created, in milliseconds since 1970.
    pub at_ms: u64,
}

/// A game so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referee {
    terms: Terms,
    turns: Vec<String>,
    /// The positions after each turn.
    positions: Vec<String>,
    to_move: Colour,
    clock: Option<GameClock>,
    result: Option<Ended>,
    offers: Offers,
    rematch: Option<String>,
    /// The number of events.
    seq: u64,
    /// The number of the last event that changed the board.
    board_seq: u64,
    /// The time of the last event.
    last_ms: u64,
    /// The time of the last turn, or of the creation.
    last_turn_ms: u64,
    /// The ids of the latest commands, the oldest first.
    obeyed: VecDeque<String>,
}

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The command causes this change.
    Happens(Change),
    /// The command was executed before, or has no effect.
    Already,
    /// Both sides want a rematch: create the game with sides changed, then apply
    /// [`Change::Rematch`].
    Rematch,
}

impl Referee {
    /// A new game.
    pub fn new(terms: Terms) -> Referee {
        Referee {
            turns: Vec::new(),
            positions: Vec::new(),
            to_move: terms.first,
            clock: terms.control.map(GameClock::new),
            result: None,
            offers: Offers::default(),
            rematch: None,
            seq: 0,
            board_seq: 0,
            last_ms: terms.at_ms,
            last_turn_ms: terms.at_ms,
            obeyed: VecDeque::new(),
            terms,
        }
    }

    /// What was fixed before the game began.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The number of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The time since the last event.
    pub fn age(&self, now_ms: u64) -> Duration {
        Duration::from_millis(now_ms.saturating_sub(self.last_ms))
    }

    /// Whether a turn was played.
    pub fn has_begun(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Continues after a restart of the server: the time since the last turn does not count.
    pub fn resume(&mut self, now_ms: u64) {
        if let Some(clock) = &mut self.clock {
            clock.restart(clock.running(), now_ms);
        }
    }

    /// The terms of the rematch: the same game with sides changed.
    pub fn rematch_terms(&self, id: String, now_ms: u64) -> Terms {
        let [white, black] = self.terms.seats.clone();
        Terms {
            id,
            seats: [black, white],
            at_ms: now_ms,
            ..self.terms.clone()
        }
    }

    /// The end of the game if a side has run out of time.
    pub fn time_out(&self, now_ms: u64) -> Option<Event> {
        let loser = self.clock.as_ref().filter(|_| !self.is_over())?;
        let loser = loser.expired(now_ms)?;
        Some(Event {
            at_ms: now_ms,
            by: None,
            command: None,
            change: Change::Result {
                result: Ended {
                    winner: Some(loser.other()),
                    reason: "time".into(),
                },
            },
        })
    }

    /// Decides a command. `who` is `None` for a spectator; `id` identifies a command that a client
    /// may repeat.
    pub fn decide(
        &self,
        rules: &dyn AnyDatabase,
        who: Option<Colour>,
        id: Option<&str>,
        command: &Command,
    ) -> Result<Decision, Refused> {
        let side = who.ok_or(Refused::forbidden("only the two players may do that"))?;
        let key = id.map(|id| key(side, id));
        if key.is_some_and(|key| self.obeyed.contains(&key)) {
            return Ok(Decision::Already);
        }
        if let Command::Rematch = command {
            return self.rematch_by(side);
        }
        let declines_rematch = *command == Command::Decline && self.offers.rematch.is_some();
        if self.is_over() && !declines_rematch {
            return Err(Refused::conflict("the game is over"));
        }
        let theirs = |offer: Option<Colour>| offer == Some(side.other());
        match command {
            Command::Play { text, seq } => self.turn(rules, side, text, *seq),
            Command::Takeback => match self.offers.takeback {
                _ if self.left_after_takeback(side).is_none() => {
                    Err(Refused::conflict("you have no move to take back"))
                }
                Some(by) if by == side => Ok(Decision::Already),
                Some(_) => Err(Refused::conflict("your opponent has asked for the same")),
                None => Ok(self.offer(|offers| offers.takeback = Some(side))),
            },
            Command::AcceptTakeback if theirs(self.offers.takeback) => {
                let turns = self.left_after_takeback(side.other()).unwrap_or(0);
                let to_move = side.other();
                Ok(Decision::Happens(Change::Takeback { turns, to_move }))
            }
            Command::Draw | Command::AcceptDraw if theirs(self.offers.draw) => {
                Ok(ended(None, "agreement"))
            }
            Command::Draw if self.offers.draw == Some(side) => Ok(Decision::Already),
            Command::Draw => Ok(self.offer(|offers| offers.draw = Some(side))),
            Command::Decline => self.decline(side),
            Command::Resign => Ok(ended(Some(side.other()), "resigned")),
            Command::AcceptTakeback | Command::AcceptDraw | Command::Rematch => {
                Err(Refused::conflict("nothing to accept"))
            }
        }
    }

    fn turn(
        &self,
        rules: &dyn AnyDatabase,
        side: Colour,
        text: &str,
        seq: u64,
    ) -> Result<Decision, Refused> {
        if seq < self.board_seq || seq > self.seq {
            return Err(Refused::conflict("the position has changed meanwhile"));
        }
        if side != self.to_move {
            return Err(Refused::conflict("it is not your turn"));
        }
        let bad = |error: endmill_probe::ProbeError| Refused::bad_input(error.to_string());
        let turn = rules.turn(self.position().into(), text.into());
        let turn = turn.map_err(bad)?;
        let state = rules.state(turn.position.as_str().into()).map_err(bad)?;
        let too_long = Ending {
            winner: None,
            reason: "too long",
        };
        let result = (state.finished)
            .or_else(|| Ending::by_repetition(self.history(), turn.position.as_str()))
            .or_else(|| (self.turns.len() + 1 >= MAX_TURNS).then_some(too_long));
        Ok(Decision::Happens(Change::Turn {
            text: turn.text,
            position: turn.position,
            to_move: state.side,
            result: result.map(Ended::from),
        }))
    }

    fn rematch_by(&self, side: Colour) -> Result<Decision, Refused> {
        if !self.is_over() {
            return Err(Refused::conflict("the game is not over yet"));
        }
        match (self.offers.rematch, &self.rematch) {
            (_, Some(_)) => Ok(Decision::Already),
            (Some(by), None) if by == side => Ok(Decision::Already),
            (Some(_), None) => Ok(Decision::Rematch),
            (None, None) => Ok(self.offer(|offers| offers.rematch = Some(side))),
        }
    }

    fn decline(&self, side: Colour) -> Result<Decision, Refused> {
        let mut left = self.offers;
        for offer in [&mut left.draw, &mut left.takeback, &mut left.rematch] {
            offer.take_if(|by| *by != side);
        }
        if left == self.offers {
            return Err(Refused::conflict("nothing is offered"));
        }
        Ok(Decision::Happens(Change::Offer { offers: left }))
    }

    fn offer(&self, change: impl FnOnce(&mut Offers)) -> Decision {
        let mut offers = self.offers;
        change(&mut offers);
        Decision::Happens(Change::Offer { offers })
    }

    /// The number of turns left after a side takes its last one back.
    fn left_after_takeback(&self, side: Colour) -> Option<usize> {
        let parity = usize::from(side != self.terms.first);
        (0..self.turns.len()).rev().find(|ply| ply % 2 == parity)
    }

    /// Applies an event.
    pub fn apply(&mut self, event: &Event) {
        self.seq += 1;
        self.last_ms = event.at_ms;
        if let (Some(id), Some(side)) = (&event.command, event.by) {
            if self.obeyed.len() >= REMEMBERED {
                self.obeyed.pop_front();
            }
            self.obeyed.push_back(key(side, id));
        }
        match &event.change {
            Change::Turn {
                text,
                position,
                to_move,
                result,
            } => {
                self.turns.push(text.clone());
                self.positions.push(position.clone());
                if let Some(clock) = &mut self.clock {
                    clock.press(self.to_move, event.at_ms);
                }
                // A move declines the offers of the other side.
                let mover = self.to_move;
                self.offers.draw.take_if(|by| *by != mover);
                self.offers.takeback = None;
                self.to_move = *to_move;
                self.board_changed(event.at_ms);
                if let Some(result) = result {
                    self.end(result.clone(), event.at_ms);
                }
            }
            Change::Takeback { turns, to_move } => {
                self.turns.truncate(*turns);
                self.positions.truncate(*turns);
                self.to_move = *to_move;
                self.offers = Offers::default();
                if let Some(clock) = &mut self.clock {
                    clock.turn_to(*to_move, event.at_ms);
                }
                self.board_changed(event.at_ms);
            }
            Change::Offer { offers } => self.offers = *offers,
            Change::Result { result } => self.end(result.clone(), event.at_ms),
            Change::Rematch { id } => {
                self.offers = Offers::default();
                self.rematch = Some(id.clone());
            }
        }
    }

    fn board_changed(&mut self, at_ms: u64) {
        self.board_seq = self.seq;
        self.last_turn_ms = at_ms;
    }

    fn end(&mut self, result: Ended, at_ms: u64) {
        self.offers = Offers::default();
        self.result = Some(result);
        if let Some(clock) = &mut self.clock {
            clock.stop(at_ms);
        }
    }

    /// The current position.
    fn position(&self) -> &str {
        self.positions.last().unwrap_or(&self.terms.start)
    }

    /// The start, and the position after each turn.
    fn history(&self) -> impl Iterator<Item = &str> {
        let after = self.positions.iter().map(String::as_str);
        std::iter::once(self.terms.start.as_str()).chain(after)
    }
}

fn ended(winner: Option<Colour>, reason: &'static str) -> Decision {
    let result = Ending { winner, reason }.into();
    Decision::Happens(Change::Result { result })
}

/// The id of a command with its side: the two sides may use the same id.
fn key(side: Colour, id: &str) -> String {
    let initial = side.letter();
    format!("{initial}{id}")
}
