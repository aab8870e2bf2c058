//! What a request says, read with bounds, and refused in our own words.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Bytes, to_bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::error::ApiError;
use crate::rulesets::Edition;

/// Until the body must be there.
const BODY: Duration = Duration::from_secs(10);

/// The part of the path that names a ruleset.
const RULESET: &str = "ruleset";

/// The ruleset that the path names.
pub struct Of(pub Arc<Edition>);

impl FromRequestParts<Arc<App>> for Of {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Of, ApiError> {
        let id = path_part(parts, app, |name| name == RULESET).await?;
        let found = app.rulesets.find(&id).map(Of);
        found.ok_or_else(|| ApiError::not_found(format!("there is no ruleset {id:?}")))
    }
}

/// The part of the path that is not the ruleset: a game, a table, a view, a file.
pub struct Named(pub String);

impl FromRequestParts<Arc<App>> for Named {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Named, ApiError> {
        path_part(parts, app, |name| name != RULESET)
            .await
            .map(Named)
    }
}

/// The first part of the path with a name that fits.
async fn path_part(
    parts: &mut Parts,
    app: &Arc<App>,
    fits: impl Fn(&str) -> bool,
) -> Result<String, ApiError> {
    let bad = || ApiError::not_found("the path cannot be read");
    let params = RawPathParams::from_request_parts(parts, app).await;
    let params = params.map_err(|_| bad())?;
    let mut params = params.iter();
    let found = params.find(|&(name, _)| fits(name));
    Ok(found.ok_or_else(bad)?.1.to_owned())
}

/// The query.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<App>> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Params<T>, ApiError> {
        let query = Query::<T>::from_request_parts(parts, app).await;
        match query {
            Ok(Query(query)) => Ok(Params(query)),
            Err(QueryRejection::FailedToDeserializeQueryString(error)) => {
                let text = error.body_text();
                let text = text.strip_prefix("Failed to deserialize query string: ");
                let message = text.map_or_else(|| error.body_text(), str::to_owned);
                Err(ApiError::bad_input(format!(
                    "the query is wrong: {message}"
                )))
            }
            Err(error) => Err(ApiError::bad_input(error.body_text())),
        }
    }
}

/// The body, as it is, with its type.
pub struct Sent {
    /// All of it.
    pub bytes: Bytes,
    /// Whether it is plain text: said to be, or neither said to be JSON nor looking like it.
    pub plain: bool,
}

impl FromRequest<Arc<App>> for Sent {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Sent, ApiError> {
        let kind = request.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let says_plain = kind.starts_with("text/plain");
        let says_json = kind.contains("json");
        let most = app.config.limits.body_bytes;
        let body = to_bytes(request.into_body(), most);
        let bytes = tokio::time::timeout(BODY, body).await;
        let bytes = bytes.map_err(|_| ApiError::timeout())?;
        let bytes = bytes.map_err(|_| {
            ApiError::too_large(format!("the body is cut off, or longer than {most} bytes"))
        })?;
        let begins = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let looks_like_json = matches!(begins, Some(b'{' | b'['));
        let plain = says_plain || !says_json && !looks_like_json;
        Ok(Sent { bytes, plain })
    }
}

/// The body as JSON. Its declared type does not matter.
pub struct Input<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Input<T>, ApiError> {
        let sent = Sent::from_request(request, app).await?;
        read_json(&sent.bytes).map(Input)
    }
}

/// Reads JSON.
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes)
        .map_err(|error| ApiError::bad_input(format!("the body is wrong: {error}")))
}
