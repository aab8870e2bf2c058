//! The messages of a game's socket.

use axum::extract::ws::Utf8Bytes;
use endmill_games::Colour;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::secret;
use crate::referee::{Command, GameState, Present, Refused};

/// The longest id of a command.
const MAX_ID: usize = 64;
/// The longest text of a move.
const MAX_MOVE: usize = 256;

/// A message of a client, not yet validated.
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

/// A valid message of a client.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    /// The first message, or a request for the whole state.
    Hello {
        /// The secret of a seat; without it the client is a spectator.
        secret: Option<String>,
        /// The number of the last event that the client has.
        after: Option<u64>,
    },
    /// A keep-alive.
    Ping,
    /// A command.
    Command {
        /// The id under which it may be repeated.
        id: Option<String>,
        /// The command.
        command: Command,
    },
}

/// A message that is not valid.
#[derive(Debug, PartialEq, Eq)]
pub struct BadMessage {
    /// The id of the message, if it has one.
    pub id: Option<String>,
    /// What is wrong with it.
    pub message: &'static str,
}

/// Parses a message.
pub fn parse(text: &str) -> Result<Incoming, BadMessage> {
    let no_id = |message| BadMessage { id: None, message };
    let raw: Raw = serde_json::from_str(text)
        .map_err(|_| no_id("expected an object with a type, and an id if it is a command"))?;
    let longer = |text: &Option<String>, max| text.as_ref().is_some_and(|text| text.len() > max);
    if longer(&raw.id, MAX_ID) {
        return Err(no_id("the id is too long"));
    }
    let bad = |message| BadMessage {
        id: raw.id.clone(),
        message,
    };
    if longer(&raw.secret, secret::MAX_LENGTH) || longer(&raw.text, MAX_MOVE) {
        return Err(bad("the message is too long"));
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
            let seq = seq.ok_or_else(|| bad("play needs the seq of the state it refers to"))?;
            let text = raw.text.ok_or_else(|| bad("play needs a move"))?;
            Command::Play { text, seq }
        }
        "takeback" => Command::Takeback,
        "accept_takeback" => Command::AcceptTakeback,
        "draw" => Command::Draw,
        "accept_draw" => Command::AcceptDraw,
        "decline" => Command::Decline,
        "resign" => Command::Resign,
        "rematch" => Command::Rematch,
        _ => return Err(bad("unknown message type")),
    };
    let id = raw.id;
    Ok(Incoming::Command { id, command })
}

/// The whole state, and the side of the client.
pub fn state(state: &GameState, you: Option<Colour>) -> Utf8Bytes {
    #[derive(Serialize)]
    struct Message<'a> {
        #[serde(rename = "type")]
        kind: &'static str,
        #[serde(flatten)]
        state: &'a GameState,
        you: Option<Colour>,
    }
    let kind = "state";
    let message = Message { kind, state, you };
    serde_json::to_string(&message).unwrap_or_default().into()
}

/// Who is connected. Not counted as an event: it carries the number of the last event.
pub fn present(seq: u64, present: Present) -> Utf8Bytes {
    let message = json!({ "type": "event", "kind": "present", "seq": seq, "present": present });
    message.to_string().into()
}

/// The client has missed nothing.
pub fn resumed(seq: u64, you: Option<Colour>) -> Utf8Bytes {
    let message = json!({ "type": "resumed", "you": you, "seq": seq });
    message.to_string().into()
}

/// A command was executed.
pub fn ok(id: Option<&str>) -> Utf8Bytes {
    json!({ "type": "ok", "id": id }).to_string().into()
}

/// A command was refused.
pub fn refused(id: Option<&str>, Refused { error, message }: &Refused) -> Utf8Bytes {
    let refused = json!({ "type": "refused", "id": id, "error": error, "message": message });
    refused.to_string().into()
}

/// The reply to a ping.
pub fn pong() -> Utf8Bytes {
    Utf8Bytes::from_static(r#"{"type":"pong"}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed_and_everything_else_is_refused() {
        let play = r#"{"type":"play","id":"7","seq":3,"move":"a1","more":[]}"#;
        let expected = Incoming::Command {
            id: Some("7".to_owned()),
            command: Command::Play {
                text: "a1".to_owned(),
                seq: 3,
            },
        };
        assert_eq!(parse(play), Ok(expected));
        let hello = r#"{"type":"hello","secret":null,"after":-1}"#;
        let expected = Incoming::Hello {
            secret: None,
            after: None,
        };
        assert_eq!(parse(hello), Ok(expected));
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
            assert!(parse(bad).is_err(), "{bad:.50}");
        }
    }
}
