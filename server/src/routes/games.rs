//! Games by link.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::StatusCode;
use axum::response::Response;
use endmill_games::Colour;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answering::Reply;
use crate::app::App;
use crate::club::{Room, Wish, converse};
use crate::error::ApiError;
use crate::extract::{Input, Named, Params};
use crate::gate::Peer;
use crate::referee::{Control, GameState};
use crate::respond::fresh;

/// No message of a client is longer.
const LONGEST_MESSAGE: usize = 4096;
/// The longest time on a clock.
const MOST_MINUTES: f64 = 24.0 * 60.0;

/// A game to be made.
#[derive(Deserialize, ToSchema)]
pub struct NewGame {
    /// The id of a ruleset.
    #[schema(example = "three")]
    ruleset: String,
    /// The first position, in any notation; without it the start of the game.
    start: Option<String>,
    /// Without it nobody's time is counted.
    clock: Option<NewClock>,
    /// Of whoever makes the game.
    #[serde(default)]
    side: Wanted,
}

/// How much time a side has.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct NewClock {
    /// At the beginning, at most a day.
    minutes: f64,
    /// After each turn, at most an hour.
    #[serde(default)]
    increment_seconds: f64,
}

/// Which side is wanted.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Wanted {
    /// White.
    White,
    /// Black.
    Black,
    /// By lot.
    #[default]
    Random,
}

/// Something for each side.
#[derive(Serialize, ToSchema)]
pub struct Seats {
    white: String,
    black: String,
}

/// Where the game is.
#[derive(Serialize, ToSchema)]
pub struct Links {
    white: String,
    black: String,
    watch: String,
}

/// A game that was made.
#[derive(Serialize, ToSchema)]
pub struct MadeGame {
    /// Its id.
    id: String,
    /// The secrets of the two seats. They are told only here.
    seats: Seats,
    /// Addresses on this server, to be sent to a friend.
    links: Links,
    /// The side of whoever made it.
    you: Colour,
}

impl NewClock {
    fn control(self) -> Result<Control, ApiError> {
        let within = |value: f64, most: f64| (0.0..=most).contains(&value);
        if !within(self.minutes, MOST_MINUTES) || !within(self.increment_seconds, 3600.0) {
            let message = "a clock has at most 1440 minutes, and adds at most 3600 seconds";
            return Err(ApiError::bad_input(message));
        }
        let control = Control {
            start_ms: (self.minutes * 60_000.0) as u64,
            increment_ms: (self.increment_seconds * 1000.0) as u64,
        };
        if control.start_ms < 1000 {
            return Err(ApiError::bad_input("a clock has at least one second"));
        }
        Ok(control)
    }
}

/// Makes a game for two, with a secret link for each.
#[utoipa::path(post, path = "/api/games", request_body = NewGame, responses(
    (status = 201, description = "The game", body = MadeGame),
    (status = 400, description = "The wish cannot be read", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 413, description = "The body is too long", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
    (status = 500, description = "The game cannot be kept", body = ApiError),
    (status = 503, description = "There are too many games", body = ApiError),
    (status = 504, description = "It took too long", body = ApiError),
))]
pub async fn make(
    State(app): State<Arc<App>>,
    Input(game): Input<NewGame>,
) -> Result<Response, ApiError> {
    let wish = Wish {
        ruleset: game.ruleset,
        start: game.start,
        control: game.clock.map(NewClock::control).transpose()?,
        side: match game.side {
            Wanted::White => Some(Colour::White),
            Wanted::Black => Some(Colour::Black),
            Wanted::Random => None,
        },
    };
    let club = Arc::clone(&app.club);
    // A task of its own: a client that leaves must not stop it between the disk and the memory.
    let made = tokio::spawn(async move { club.make(wish).await });
    let made = made.await.map_err(|_| ApiError::internal())??;
    let [white, black] = made.secrets;
    let link = |secret: &str| format!("/#/game/{}/{secret}", made.id);
    let answer = MadeGame {
        links: Links {
            white: link(&white),
            black: link(&black),
            watch: format!("/#/game/{}", made.id),
        },
        seats: Seats { white, black },
        you: made.you,
        id: made.id,
    };
    let mut response = fresh(Reply::json(&answer, false)?);
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

fn find(app: &App, id: &str) -> Result<Arc<Room>, ApiError> {
    let found = app.club.find(id);
    found.ok_or_else(|| ApiError::not_found("there is no such game, or it has expired"))
}

/// A game as everybody may see it.
#[utoipa::path(get, path = "/api/games/{id}", params(
    ("id" = String, Path, description = "The id of a game")
), responses(
    (status = 200, description = "The game", body = GameState),
    (status = 404, description = "There is no such game", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn state(State(app): State<Arc<App>>, Named(id): Named) -> Result<Response, ApiError> {
    let room = find(&app, &id)?;
    let state = app.club.state(&room).await;
    Ok(fresh(Reply::json(&state, false)?))
}

/// What a client knows already.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct After {
    /// The number of the last event that the client knows.
    after: Option<i64>,
}

/// The socket of a game.
///
/// The first message is `{"type":"hello","secret":…,"after":…}`; the answer is the state of the
/// game, or `resumed` if nothing was missed. Then come events. Commands are `play`, `takeback`,
/// `accept_takeback`, `draw`, `accept_draw`, `decline`, `resign`, `rematch`, each with an `id`
/// under which it counts once, and `ping`.
#[utoipa::path(get, path = "/api/games/{id}/ws", params(
    ("id" = String, Path, description = "The id of a game"), After
), responses(
    (status = 101, description = "A WebSocket"),
    (status = 400, description = "Not a WebSocket", body = ApiError),
    (status = 404, description = "There is no such game", body = ApiError),
    (status = 426, description = "Not a WebSocket", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn socket(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    Named(id): Named,
    Params(After { after }): Params<After>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let room = find(&app, &id)?;
    let upgrade = upgrade.map_err(|rejection| ApiError {
        status: StatusCode::BAD_REQUEST,
        ..ApiError::bad_input(rejection.body_text())
    })?;
    let after = after.and_then(|after| after.try_into().ok());
    let upgrade = upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20);
    Ok(upgrade.on_upgrade(move |socket| async move {
        // The connection keeps its place among those of its address.
        let _place = peer.place;
        app.metrics.sockets.inc();
        converse(Arc::clone(&app.club), room, socket, after).await;
        app.metrics.sockets.dec();
    }))
}
