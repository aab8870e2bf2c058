//! The messages of a game's socket.

use axum::extract::ws::Utf8Bytes;
use endmill_games::Colour;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::secret;
use crate::referee::{Command, GameState, Present, Refused};

/// No id of a command is longer.
const LONGEST_ID: usize = 64;
/// No turn is longer.
const LONGEST_TURN: usize = 256;

/// A message of a client, as it comes.
#[derive(Deserialize)]
struct Raw {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    secret: Option<String>,
    after: Option<i64>,
    #[serde(rename = "move")]
    text: Option<String>,
    seq: Option<i64>,
}

/// A message of a client, understood.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    /// The first message, or one that asks for the whole state again.
    Hello {
        /// Of a seat; without it one watches.
        secret: Option<String>,
        /// The number of the last event that the client knows.
        after: Option<u64>,
    },
    /// Are you there?
    Ping,
    /// Something to do.
    Command {
        /// Under which it may be sent again.
        id: Option<String>,
        /// What.
        command: Command,
    },
}

/// A message that cannot be understood.
#[derive(Debug, PartialEq, Eq)]
pub struct Garbled {
    /// If it has one.
    pub id: Option<String>,
    /// Why not.
    pub message: &'static str,
}

/// Reads a message.
pub fn read(text: &str) -> Result<Incoming, Garbled> {
    let no_id = |message| Garbled { id: None, message };
    let raw: Raw = serde_json::from_str(text).map_err(|_| {
        no_id("a message is an object with a type, and with an id if it is a command")
    })?;
    let long = |text: &Option<String>, most| text.as_ref().is_some_and(|text| text.len() > most);
    if long(&raw.id, LONGEST_ID) {
        return Err(no_id("the id is too long"));
    }
    let garbled = |message| Garbled {
        id: raw.id.clone(),
        message,
    };
    if long(&raw.secret, secret::LONGEST) || long(&raw.text, LONGEST_TURN) {
        return Err(garbled("the message is too long"));
    }
    let command = match raw.kind.as_str() {
        "hello" => {
            return Ok(Incoming::Hello {
                secret: raw.secret,
                after: raw.after.and_then(|after| after.try_into().ok()),
            });
        }
        "ping" => return Ok(Incoming::Ping),
        "play" => {
            let seq = raw.seq.and_then(|seq| seq.try_into().ok());
            let seq =
                seq.ok_or_else(|| garbled("play needs the seq of the state it is made in"))?;
            let text = raw.text.ok_or_else(|| garbled("play needs a move"))?;
            Command::Play { text, seq }
        }
        "takeback" => Command::Takeback,
        "accept_takeback" => Command::AcceptTakeback,
        "draw" => Command::Draw,
        "accept_draw" => Command::AcceptDraw,
        "decline" => Command::Decline,
        "resign" => Command::Resign,
        "rematch" => Command::Rematch,
        _ => return Err(garbled("there is no message of this type")),
    };
    let id = raw.id;
    Ok(Incoming::Command { id, command })
}

/// The whole state, and which side the client has.
pub fn state(state: &GameState, you: Option<Colour>) -> Utf8Bytes {
    #[derive(Serialize)]
    struct Whole<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        #[serde(flatten)]
        state: &'a GameState,
        you: Option<Colour>,
    }
    let kind = "state";
    let whole = Whole { kind, state, you };
    serde_json::to_string(&whole).unwrap_or_default().into()
}

/// Who is connected. It does not count as an event: it carries the number of the last one.
pub fn present(seq: u64, present: Present) -> Utf8Bytes {
    let message = json!({ "type": "event", "kind": "present", "seq": seq, "present": present });
    message.to_string().into()
}

/// Nothing was missed.
pub fn resumed(seq: u64, you: Option<Colour>) -> Utf8Bytes {
    let message = json!({ "type": "resumed", "you": you, "seq": seq });
    message.to_string().into()
}

/// Done.
pub fn ok(id: Option<&str>) -> Utf8Bytes {
    json!({ "type": "ok", "id": id }).to_string().into()
}

/// Not done.
pub fn refused(id: Option<&str>, Refused { error, message }: &Refused) -> Utf8Bytes {
    let refused = json!({ "type": "refused", "id": id, "error": error, "message": message });
    refused.to_string().into()
}

/// I am here.
pub fn pong() -> Utf8Bytes {
    Utf8Bytes::from_static(r#"{"type":"pong"}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_everything_else_is_refused() {
        let play = r#"{"type":"play","id":"7","seq":3,"move":"a1","more":[]}"#;
        let expected = Incoming::Command {
            id: Some("7".to_owned()),
            command: Command::Play {
                text: "a1".to_owned(),
                seq: 3,
            },
        };
        assert_eq!(read(play), Ok(expected));
        let lost = r#"{"type":"hello","secret":null,"after":-1}"#;
        let expected = Incoming::Hello {
            secret: None,
            after: None,
        };
        assert_eq!(read(lost), Ok(expected));
        let long = format!(r#"{{"type":"resign","id":"{}"}}"#, "x".repeat(65));
        let deep = "[".repeat(100_000);
        for bad in [
            "",
            "null",
            "{}",
            "[1]",
            r#"{"type":7}"#,
            r#"{"type":"steal"}"#,
            r#"{"type":"play","id":"1","move":"a1"}"#,
            r#"{"type":"play","id":"1","move":"a1","seq":-1}"#,
            r#"{"type":"play","id":"1","seq":0}"#,
            r#"{"type":"play","id":"1","move":7,"seq":0}"#,
            &long,
            &deep,
        ] {
            assert!(read(bad).is_err(), "{bad:.50}");
        }
    }
}
