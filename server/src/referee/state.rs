//! A game as clients see it, and the messages about its events.

use endmill_games::Colour;
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::{Change, ClockAnswer, Ended, Event, Offers, Referee};

/// Who is connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Present {
    /// Whether White is connected.
    pub white: bool,
    /// Whether Black is connected.
    pub black: bool,
    /// The number of spectators.
    pub watchers: usize,
}

/// A game by link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameState {
    /// Its id.
    pub id: String,
    /// The id of the ruleset.
    pub ruleset: String,
    /// The first position.
    pub start: String,
    /// The turns.
    pub turns: Vec<String>,
    /// The start, and the position after each turn.
    pub positions: Vec<String>,
    /// The number of the last event.
    pub seq: u64,
    /// The side to move; `null` when the game is over.
    #[schema(required)]
    pub to_move: Option<Colour>,
    /// The clock; `null` without a time limit.
    #[schema(required)]
    pub clock: Option<ClockAnswer>,
    /// The result; `null` while the game is in progress.
    #[schema(required)]
    pub result: Option<Ended>,
    /// The open offers.
    pub offers: Offers,
    /// The id of the rematch.
    #[schema(required)]
    pub rematch_id: Option<String>,
    /// Who is connected.
    pub present: Present,
    /// The time of the last turn, or of the creation.
    pub last_turn_unix_ms: u64,
}

impl Referee {
    /// The whole game as clients see it.
    pub fn state(&self, present: Present, now_ms: u64) -> GameState {
        GameState {
            id: self.terms.id.clone(),
            ruleset: self.terms.ruleset.clone(),
            start: self.terms.start.clone(),
            turns: self.turns.clone(),
            positions: self.history().map(str::to_owned).collect(),
            seq: self.seq,
            to_move: self.next_to_move(),
            clock: self.clock.map(|clock| ClockAnswer::new(&clock, now_ms)),
            result: self.result.clone(),
            offers: self.offers,
            rematch_id: self.rematch.clone(),
            present,
            last_turn_unix_ms: self.last_turn_ms,
        }
    }

    fn next_to_move(&self) -> Option<Colour> {
        (!self.is_over()).then_some(self.to_move)
    }

    /// The message to clients about the event that was applied last.
    pub fn message(&self, event: &Event, now_ms: u64) -> Value {
        let mut frame = Map::new();
        let mut put = |name: &str, value: Value| {
            frame.insert(name.to_owned(), value);
        };
        put("type", "event".into());
        put("seq", self.seq.into());
        put("offers", json!(self.offers));
        put(
            "clock",
            json!(self.clock.map(|clock| ClockAnswer::new(&clock, now_ms))),
        );
        put("to_move", json!(self.next_to_move()));
        put("result", json!(self.result));
        put("last_turn_unix_ms", self.last_turn_ms.into());
        match &event.change {
            Change::Turn { text, position, .. } => {
                put("kind", "turn".into());
                put("turn", json!({ "move": text, "position": position }));
            }
            Change::Takeback { .. } => {
                put("kind", "takeback".into());
                put("turns", json!(self.turns));
                put("positions", json!(self.history().collect::<Vec<_>>()));
            }
            Change::Offer { .. } => put("kind", "offer".into()),
            Change::Result { .. } => put("kind", "result".into()),
            Change::Rematch { id } => {
                put("kind", "rematch".into());
                put("rematch_id", id.as_str().into());
            }
        }
        Value::Object(frame)
    }
}
