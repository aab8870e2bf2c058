//! Many positions at once.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::answers::PositionAnswer;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{AnyOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::documented::PostErrors;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{RawBody, RulesetPath, parse_json};
use crate::jobs::{JobClass, Reply};
use crate::respond::run;

/// The positions.
#[derive(Deserialize, ToSchema)]
pub struct Batch {
    /// In any notation of the game.
    positions: Vec<String>,
}

/// The answer for one position.
#[derive(Serialize)]
#[serde(untagged)]
pub enum BatchItem {
    /// The position without its moves.
    Found(Box<PositionAnswer>),
    /// The position cannot be read.
    Refused(ApiError),
}

/// An answer without a value says why in the fields of an error, so it fits both schemas: any of the
/// two, not exactly one.
impl PartialSchema for BatchItem {
    fn schema() -> RefOr<Schema> {
        let either = AnyOfBuilder::new()
            .item(Ref::from_schema_name(PositionAnswer::name()))
            .item(Ref::from_schema_name(ApiError::name()));
        either.into()
    }
}

impl ToSchema for BatchItem {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        let found = PositionAnswer::name().into_owned();
        schemas.push((found, PositionAnswer::schema()));
        PositionAnswer::schemas(schemas);
        schemas.push((ApiError::name().into_owned(), ApiError::schema()));
    }
}

/// The values of many positions, in their order, without moves and without searches.
///
/// As plain text: one position per line; blank lines are ignored.
#[utoipa::path(post, path = "/api/{ruleset}/batch", params(RulesetPath),
    request_body(content((Batch = "application/json"), (String = "text/plain"))), responses(
    (status = 200, description = "An answer for each", body = Vec<BatchItem>),
    (status = 400, description = "The body cannot be read", body = ApiError),
    PostErrors,
))]
pub async fn batch(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    body: RawBody,
) -> Result<Response, ApiError> {
    let positions = match body.plain {
        true => {
            let text = std::str::from_utf8(&body.bytes)
                .map_err(|_| ApiError::bad_input("the body is not UTF-8"))?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        }
        false => {
            let batch = parse_json::<Batch>(&body.bytes).map_err(|mut error| {
                let form =
                    r#"; expected {"positions": ["…"]}, or plain text, one position per line"#;
                error.message.to_mut().push_str(form);
                error
            });
            batch?.positions
        }
    };
    let limit = app.config.limits.batch;
    if positions.len() > limit {
        let message = format!("too many positions: {} (limit {limit})", positions.len());
        return Err(ApiError::too_large(message));
    }
    run(&app, JobClass::Slow, move || {
        let answers = positions.iter().map(|position| {
            match snapshot.database.probe(position.as_str().into(), false) {
                Ok(found) => BatchItem::Found(Box::new(found)),
                Err(error) => BatchItem::Refused(error.into()),
            }
        });
        Reply::json(&answers.collect::<Vec<_>>(), false)
    })
    .await
}
