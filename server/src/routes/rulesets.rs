//! What rulesets there are.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::answers::RulesetAnswer;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answering::Reply;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::Of;
use crate::respond::fresh;
use crate::rulesets::{BuildingAnswer, Edition};

/// A ruleset, and how far its tables are built.
#[derive(Serialize, ToSchema)]
pub struct Served {
    #[serde(flatten)]
    about: RulesetAnswer,
    /// `null` if its tables are not being built now.
    building: Option<BuildingAnswer>,
}

fn served(app: &App, edition: &Edition) -> Served {
    Served {
        about: edition.about.clone(),
        building: app.builds.of(edition.id),
    }
}

/// All rulesets, with their boards and what the database has of them.
#[utoipa::path(get, path = "/api/rulesets", responses(
    (status = 200, description = "All of them", body = Vec<Served>),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn rulesets(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let all: Vec<Served> = app.rulesets.all().map(|one| served(&app, &one)).collect();
    Ok(fresh(Reply::json(&all, false)?))
}

/// One ruleset.
#[utoipa::path(get, path = "/api/{ruleset}", params(
    ("ruleset" = String, Path, description = "The id of a ruleset")
), responses(
    (status = 200, description = "The ruleset", body = Served),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn ruleset(State(app): State<Arc<App>>, Of(edition): Of) -> Result<Response, ApiError> {
    Ok(fresh(Reply::json(&served(&app, &edition), false)?))
}
