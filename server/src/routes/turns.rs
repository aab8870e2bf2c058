//! The moves of the engine.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::Random;

use super::documented::PostErrors;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{JsonBody, RulesetPath};
use crate::games::now_ms;
use crate::jobs::{JobClass, Reply};
use crate::referee::MAX_TURNS;
use crate::respond::run;
use crate::rulesets::{EngineMove, MoveRequest};

/// The number of positions that any level may visit for a move.
const MAX_NODES: u64 = 400_000;

/// Lets the engine choose a move.
#[utoipa::path(post, path = "/api/{ruleset}/move", params(RulesetPath),
    request_body = MoveRequest, responses(
    (status = 200, description = "The move", body = EngineMove),
    (status = 400, description = "A position cannot be read, or the game is over", body = ApiError),
    PostErrors,
))]
pub async fn choose(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    JsonBody(request): JsonBody<MoveRequest>,
) -> Result<Response, ApiError> {
    if request.history.len() > MAX_TURNS {
        return Err(ApiError::too_large("the history is too long"));
    }
    run(&app, JobClass::Slow, move || {
        let seed = request
            .seed
            .unwrap_or_else(|| Random::new(now_ms()).next_u64());
        let chosen = snapshot.database.choose(&request, seed, MAX_NODES)?;
        let chosen = chosen.ok_or_else(|| ApiError::bad_input("the game is over"))?;
        Reply::json(&chosen, false)
    })
    .await
}
