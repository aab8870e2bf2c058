//! The referee of a game by link: who may do what, and what follows. No clock, socket or file is
//! touched here: times are handed in, and what happened comes out as [`Event`]s that are kept by
//! others and make the same game again.
//!
//! [`Referee::decide`] looks at a command and changes nothing; [`Referee::apply`] lets an event
//! happen and refuses nothing. Between the two the event is written to the disk.

mod clock;
mod event;
mod state;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use endmill_games::{Colour, Ending};
use endmill_probe::AnyDatabase;
use serde::{Deserialize, Serialize};

pub use self::clock::{Clock, ClockAnswer, Control};
pub use self::event::{Change, Command, Ended, Event, Offers, Refused};
pub use self::state::{GameState, Present};

/// After this number of turns a game is drawn: what one game takes is bounded.
pub const MOST_TURNS: usize = 1000;
/// Commands that are remembered to be obeyed only once.
const REMEMBERED: usize = 64;

/// What is agreed before a game begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The id of the game.
    pub id: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The first position.
    pub start: String,
    /// Who moves first.
    pub first: Colour,
    /// `None` without a clock.
    pub control: Option<Control>,
    /// Hashes of the secrets of White's seat and of Black's.
    pub seats: [String; 2],
    /// When it was agreed, in milliseconds since 1970.
    pub at_ms: u64,
}

/// A game as far as it has been played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Referee {
    terms: Terms,
    turns: Vec<String>,
    /// After each turn.
    positions: Vec<String>,
    to_move: Colour,
    clock: Option<Clock>,
    result: Option<Ended>,
    offers: Offers,
    rematch: Option<String>,
    /// Counts events.
    seq: u64,
    /// The event that last changed the board.
    board_seq: u64,
    /// When the last event happened.
    last_ms: u64,
    /// When the last turn was made, or the game agreed.
    last_turn_ms: u64,
    /// Commands that were obeyed, the oldest first.
    obeyed: VecDeque<String>,
}

/// What is to be done about a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// This happens.
    Happens(Change),
    /// It was obeyed before, or asks for what is so already.
    Already,
    /// Both want to play again: make the game with sides changed, then tell by
    /// [`Change::Rematch`].
    Again,
}

impl Referee {
    /// A game in which nothing has happened yet.
    pub fn new(terms: Terms) -> Referee {
        Referee {
            turns: Vec::new(),
            positions: Vec::new(),
            to_move: terms.first,
            clock: terms.control.map(Clock::new),
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

    /// What was agreed.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The number of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// When something last happened.
    pub fn last_ms(&self) -> u64 {
        self.last_ms
    }

    /// Whether anything was played.
    pub fn has_begun(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// Whether a clock may run out.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() && !self.is_over()
    }

    /// The server was away: what has passed since the last turn is given back.
    pub fn resume(&mut self, now_ms: u64) {
        if let Some(clock) = &mut self.clock {
            clock.resume(now_ms);
        }
    }

    /// The terms of a game with sides changed.
    pub fn again(&self, id: String, now_ms: u64) -> Terms {
        let [white, black] = self.terms.seats.clone();
        Terms {
            id,
            seats: [black, white],
            at_ms: now_ms,
            ..self.terms.clone()
        }
    }

    /// The end of the game by the clock, if it has come.
    pub fn overdue(&self, now_ms: u64) -> Option<Event> {
        let loser = self.clock.as_ref().filter(|_| !self.is_over())?;
        let loser = loser.fallen(now_ms)?;
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

    /// What follows from a command; `who` is `None` for whoever only watches, and `id` is the
    /// name under which the command may come again.
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
                    Err(Refused::conflict("there is no turn of yours to take back"))
                }
                Some(by) if by == side => Ok(Decision::Already),
                Some(_) => Err(Refused::conflict("the other side asks for the same")),
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
                Err(Refused::conflict("nothing of the kind is offered"))
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
            return Err(Refused::conflict("the board has changed meanwhile"));
        }
        if side != self.to_move {
            return Err(Refused::conflict("it is the other side's turn"));
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
            .or_else(|| (self.turns.len() + 1 >= MOST_TURNS).then_some(too_long));
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
            (Some(_), None) => Ok(Decision::Again),
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

    /// How many turns are left if a side takes its last one back.
    fn left_after_takeback(&self, side: Colour) -> Option<usize> {
        let parity = usize::from(side != self.terms.first);
        (0..self.turns.len()).rev().find(|ply| ply % 2 == parity)
    }

    /// Lets something happen.
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
                // Whoever moves has seen what the other side offers, and declines it.
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

    /// The position now.
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

/// A command by whom it comes from: the two sides may choose the same id.
fn key(side: Colour, id: &str) -> String {
    let initial = side.letter();
    format!("{initial}{id}")
}
