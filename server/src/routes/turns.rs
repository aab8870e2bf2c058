//! The engine's turn.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_engine::Level;
use endmill_probe::answers::{Estimate, ValueAnswer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::{ApiError, Refusals};
use crate::extract::{Input, Of};
use crate::referee::MOST_TURNS;
use crate::respond::fresh;
use crate::rulesets::{Random, ToPlay};

/// Positions that any level may visit for a turn.
const MOST_NODES: u64 = 400_000;

/// What the engine is asked.
#[derive(Deserialize, ToSchema)]
pub struct Asked {
    /// In any notation of the game.
    #[schema(example = "start")]
    position: String,
    /// The positions before, oldest first: to come back to one is a draw.
    #[serde(default)]
    history: Vec<String>,
    /// How strong.
    level: Level,
    /// The same seed gives the same turn; any, if nothing is said.
    seed: Option<u64>,
}

/// The engine's turn.
#[derive(Serialize, ToSchema)]
pub struct Chosen {
    /// As the game writes it.
    #[serde(rename = "move")]
    text: String,
    /// The position after it.
    position: String,
    /// What the tables say of it, for the side that makes it; `null` where they say nothing.
    value: Option<ValueAnswer>,
    /// What the search thinks, where they say nothing.
    estimate: Option<Estimate>,
}

/// Lets the engine choose a turn.
#[utoipa::path(post, path = "/api/{ruleset}/move", params(
    ("ruleset" = String, Path, description = "The id of a ruleset")
), request_body = Asked, responses(
    (status = 200, description = "The turn", body = Chosen),
    (status = 400, description = "A position cannot be read, or the game is over", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 413, description = "The body is too long", body = ApiError),
    Refusals,
))]
pub async fn choose(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Input(asked): Input<Asked>,
) -> Result<Response, ApiError> {
    if asked.history.len() > MOST_TURNS {
        return Err(ApiError::too_large("the history is too long"));
    }
    let work = move || -> Result<Reply, ApiError> {
        let seed = asked
            .seed
            .unwrap_or_else(|| Random(crate::club::now_ms()).next());
        let question = ToPlay {
            position: &asked.position,
            history: &asked.history,
            level: asked.level,
            seed,
            nodes: MOST_NODES,
        };
        let played = edition.opened.play(&question)?;
        let played = played
            .ok_or_else(|| ApiError::bad_input("the game is over, there is no turn to make"))?;
        let chosen = Chosen {
            text: played.text,
            position: played.position,
            value: played.value,
            estimate: played.estimate,
        };
        Reply::json(&chosen, false)
    };
    let reply = app.answering.alone(Pace::Slow, work).await??;
    Ok(fresh(reply))
}
