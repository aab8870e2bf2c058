//! The rulesets of the server.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::answers::RulesetAnswer;
use serde::Serialize;
use utoipa::ToSchema;

use super::documented::RateError;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::RulesetPath;
use crate::jobs::Reply;
use crate::respond::fresh;
use crate::rulesets::{BuildingAnswer, RulesetSnapshot};

/// A ruleset, and the progress of its build.
#[derive(Serialize, ToSchema)]
pub struct RulesetStatus {
    #[serde(flatten)]
    about: RulesetAnswer,
    /// `null` if no build is running.
    #[schema(required)]
    building: Option<BuildingAnswer>,
}

fn status(app: &App, snapshot: &RulesetSnapshot) -> RulesetStatus {
    RulesetStatus {
        about: snapshot.about.clone(),
        building: app.builds.of(snapshot.id),
    }
}

/// All rulesets, with their boards and the coverage of the database.
#[utoipa::path(get, path = "/api/rulesets", responses(
    (status = 200, description = "All rulesets", body = Vec<RulesetStatus>),
    RateError,
))]
pub async fn rulesets(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let all = app.rulesets.all().map(|snapshot| status(&app, &snapshot));
    Ok(fresh(Reply::json(&all.collect::<Vec<_>>(), false)?))
}

/// One ruleset.
#[utoipa::path(get, path = "/api/{ruleset}", params(RulesetPath), responses(
    (status = 200, description = "The ruleset", body = RulesetStatus),
    (status = 404, description = "The ruleset does not exist", body = ApiError),
    RateError,
))]
pub async fn ruleset(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
) -> Result<Response, ApiError> {
    Ok(fresh(Reply::json(&status(&app, &snapshot), false)?))
}
