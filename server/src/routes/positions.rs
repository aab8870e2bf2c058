//! Positions by the rules alone: set up, read, transformed.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use endmill_games::morris::memory_text;
use endmill_games::{Colour, Transform};
use endmill_probe::PositionInput;
use endmill_probe::answers::Man;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::documented::{CachedResponses, PostErrors};
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{JsonBody, QueryParams, RulesetPath};
use crate::jobs::{JobClass, Reply};
use crate::respond::{Question, answer, run};
use crate::rulesets::RulesetSnapshot;

/// More men than any board has points.
const MAX_MEN: usize = 64;

/// A position as an editor has it.
#[derive(Deserialize, ToSchema)]
pub struct SetupRequest {
    /// The men on the board.
    men: Vec<Man>,
    /// The men in White's hand and in Black's.
    #[serde(default)]
    #[schema(min_items = 2, max_items = 2)]
    hand: [u32; 2],
    /// The side to move.
    side: Colour,
    /// Plies since the last removal, if the rules count them.
    quiet: Option<u32>,
    /// Mills that may not be closed, as `a1-a4-a7`, if the rules ban them.
    #[serde(default)]
    banned: Vec<String>,
}

/// A position.
#[derive(Serialize, ToSchema)]
pub struct PositionText {
    /// In the first notation of the game.
    position: String,
}

/// The position with these men on the board.
#[utoipa::path(post, path = "/api/{ruleset}/setup", params(RulesetPath),
    request_body = SetupRequest, responses(
    (status = 200, description = "The position", body = PositionText),
    (status = 400, description = "It is not legal", body = ApiError),
    PostErrors,
))]
pub async fn setup(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    JsonBody(board): JsonBody<SetupRequest>,
) -> Result<Response, ApiError> {
    if board.men.len() > MAX_MEN || board.banned.len() > MAX_MEN {
        return Err(ApiError::bad_input("too many men or banned mills"));
    }
    run(&app, JobClass::Quick, move || {
        let rules = &snapshot.database;
        let mut position = rules.text(PositionInput::Men {
            men: &board.men,
            hand: board.hand,
            to_move: board.side,
        })?;
        let memory = memory_text(board.quiet.unwrap_or(0), &board.banned);
        if !memory.is_empty() {
            position = rules.text((position + &memory).as_str().into())?;
        }
        Reply::json(&PositionText { position }, true)
    })
    .await
}

/// A text.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ReadQuery {
    /// A position in any notation of the game.
    #[param(example = "start")]
    text: String,
}

/// A position in any notation, written in the first.
#[utoipa::path(get, path = "/api/{ruleset}/read", params(RulesetPath, ReadQuery), responses(
    (status = 200, description = "The position", body = PositionText),
    (status = 400, description = "It cannot be read, or is not legal", body = ApiError),
    CachedResponses,
))]
pub async fn read(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(ReadQuery { text }): QueryParams<ReadQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(snapshot, format!("read {text}"));
    let work = move |snapshot: &RulesetSnapshot| {
        let position = snapshot.database.text(text.trim().into())?;
        Reply::json(&PositionText { position }, true)
    };
    answer(&app, &headers, question, JobClass::Quick, work).await
}

/// A position and a symmetry.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TransformQuery {
    /// In any notation of the game.
    #[param(example = "start")]
    position: String,
    /// The symmetry.
    #[param(inline)]
    by: Transform,
}

/// The image of a position under a symmetry, with the same value.
#[utoipa::path(get, path = "/api/{ruleset}/transform", params(RulesetPath, TransformQuery),
    responses(
    (status = 200, description = "The position", body = PositionText),
    (status = 400, description = "It cannot be read, or the game has no such symmetry", body = ApiError),
    CachedResponses,
))]
pub async fn transform(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(TransformQuery { position, by }): QueryParams<TransformQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(snapshot, format!("transform {by:?} {position}"));
    let work = move |snapshot: &RulesetSnapshot| {
        let rules = &snapshot.database;
        let image = rules.transform(position.as_str().into(), by)?;
        let position = rules.text((&image).into())?;
        Reply::json(&PositionText { position }, true)
    };
    answer(&app, &headers, question, JobClass::Quick, work).await
}
