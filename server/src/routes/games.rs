//! Games by link.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::documented::RateError;
use crate::app::App;
use crate::connection::Peer;
use crate::error::ApiError;
use crate::extract::{JsonBody, NamePath, QueryParams};
use crate::games::{CreatedGame, Game, NewGame, serve};
use crate::jobs::Reply;
use crate::referee::GameState;
use crate::respond::fresh;

/// The longest message of a client, in bytes.
const MAX_MESSAGE: usize = 4096;

/// Creates a game for two, with a secret link for each.
#[utoipa::path(post, path = "/api/games", request_body = NewGame, responses(
    (status = 201, description = "The game", body = CreatedGame),
    (status = 400, description = "The request cannot be read", body = ApiError),
    (status = 404, description = "The ruleset does not exist", body = ApiError),
    (status = 413, description = "The body is too long", body = ApiError),
    (status = 500, description = "The game cannot be stored", body = ApiError),
    (status = 503, description = "There are too many games", body = ApiError),
    (status = 504, description = "The request took too long", body = ApiError),
    RateError,
))]
pub async fn create(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<NewGame>,
) -> Result<Response, ApiError> {
    let games = Arc::clone(&app.games);
    // In a separate task: a client that leaves must not stop it between disk and memory.
    let created = tokio::spawn(async move { games.create(request).await });
    let created = created.await.map_err(|_| ApiError::internal())??;
    let mut response = fresh(Reply::json(&created, false)?);
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

fn find(app: &App, id: &str) -> Result<Arc<Game>, ApiError> {
    let found = app.games.find(id);
    found.ok_or_else(|| ApiError::not_found("there is no such game, or it has been deleted"))
}

/// A game as everyone may see it.
#[utoipa::path(get, path = "/api/games/{id}", params(
    ("id" = String, Path, description = "The id of a game")
), responses(
    (status = 200, description = "The game", body = GameState),
    (status = 404, description = "The game does not exist", body = ApiError),
    RateError,
))]
pub async fn state(
    State(app): State<Arc<App>>,
    NamePath(id): NamePath,
) -> Result<Response, ApiError> {
    let game = find(&app, &id)?;
    let state = app.games.state(&game).await;
    Ok(fresh(Reply::json(&state, false)?))
}

/// What the client of a socket has already.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SocketQuery {
    /// The number of the last event that the client has.
    after: Option<i64>,
}

/// The socket of a game.
///
/// The first message is `{"type":"hello","secret":…,"after":…}`; the answer is the state of the
/// game, or `resumed` if nothing was missed. Events follow. Commands are `play`, `takeback`,
/// `accept_takeback`, `draw`, `accept_draw`, `decline`, `resign`, `rematch`, each with an `id`
/// under which it counts once, and `ping`.
#[utoipa::path(get, path = "/api/games/{id}/ws", params(
    ("id" = String, Path, description = "The id of a game"), SocketQuery
), responses(
    (status = 101, description = "A WebSocket"),
    (status = 400, description = "Not a WebSocket", body = ApiError),
    (status = 404, description = "The game does not exist", body = ApiError),
    (status = 426, description = "Not a WebSocket", body = ApiError),
    RateError,
))]
pub async fn socket(
    State(app): State<Arc<App>>,
    Extension(peer): Extension<Peer>,
    NamePath(id): NamePath,
    QueryParams(SocketQuery { after }): QueryParams<SocketQuery>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let game = find(&app, &id)?;
    let upgrade = upgrade.map_err(|rejection| ApiError::bad_input(rejection.body_text()))?;
    let after = after.and_then(|after| after.try_into().ok());
    let upgrade = upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20);
    Ok(upgrade.on_upgrade(move |socket| async move {
        // The socket still counts as a connection of its address.
        let _permit = peer.permit;
        app.metrics.sockets.inc();
        serve(Arc::clone(&app.games), game, socket, after).await;
        app.metrics.sockets.dec();
    }))
}
