//! Many positions at once.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::answers::PositionAnswer;
use serde::{Deserialize, Serialize};
use utoipa::openapi::schema::{AnyOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::{ApiError, Refusals};
use crate::extract::{Of, Sent, read_json};
use crate::respond::fresh;

/// The positions.
#[derive(Deserialize, ToSchema)]
pub struct Batch {
    /// In any notation of the game.
    positions: Vec<String>,
}

/// The answer to one position.
#[derive(Serialize)]
#[serde(untagged)]
pub enum One {
    /// The position without its turns.
    Found(Box<PositionAnswer>),
    /// It cannot be read.
    Refused(ApiError),
}

/// A position whose value is not known says why, so that it looks like a refusal too: any of the
/// two, not exactly one.
impl PartialSchema for One {
    fn schema() -> RefOr<Schema> {
        let either = AnyOfBuilder::new()
            .item(Ref::from_schema_name(PositionAnswer::name()))
            .item(Ref::from_schema_name(ApiError::name()));
        either.into()
    }
}

impl ToSchema for One {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        let found = PositionAnswer::name().into_owned();
        schemas.push((found, PositionAnswer::schema()));
        PositionAnswer::schemas(schemas);
        schemas.push((ApiError::name().into_owned(), ApiError::schema()));
    }
}

/// The verdicts of many positions, in their order, without turns and without searches.
///
/// As plain text: one position a line; blank lines are passed over.
#[utoipa::path(post, path = "/api/{ruleset}/batch", params(
    ("ruleset" = String, Path, description = "The id of a ruleset")
), request_body(content((Batch = "application/json"), (String = "text/plain"))), responses(
    (status = 200, description = "An answer for each", body = Vec<One>),
    (status = 400, description = "The body cannot be read", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 413, description = "Too many positions", body = ApiError),
    Refusals,
))]
pub async fn batch(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    sent: Sent,
) -> Result<Response, ApiError> {
    let positions = match sent.plain {
        true => {
            let text = std::str::from_utf8(&sent.bytes)
                .map_err(|_| ApiError::bad_input("the body is not UTF-8"))?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        }
        false => {
            let batch = read_json::<Batch>(&sent.bytes).map_err(|mut error| {
                let form = r#"; expected {"positions": ["…"]}, or plain text, one position a line"#;
                error.message.to_mut().push_str(form);
                error
            });
            batch?.positions
        }
    };
    let most = app.config.limits.batch;
    if positions.len() > most {
        let message = format!("{} positions; {most} are allowed", positions.len());
        return Err(ApiError::too_large(message));
    }
    let work = move || {
        let answers = positions.iter().map(|position| {
            match edition.any().probe(position.as_str().into(), false) {
                Ok(found) => One::Found(Box::new(found)),
                Err(error) => One::Refused(error.into()),
            }
        });
        Reply::json(&answers.collect::<Vec<_>>(), false)
    };
    let reply = app.answering.alone(Pace::Slow, work).await??;
    Ok(fresh(reply))
}
