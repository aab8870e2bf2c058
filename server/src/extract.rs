//! The parts of a request, read with bounds and with error messages of our own.

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
use crate::rulesets::RulesetSnapshot;

/// The deadline of the body.
const BODY: Duration = Duration::from_secs(10);

/// The part of the path that names a ruleset.
const RULESET: &str = "ruleset";

/// The ruleset in the path.
pub struct RulesetPath(pub Arc<RulesetSnapshot>);

impl FromRequestParts<Arc<App>> for RulesetPath {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<RulesetPath, ApiError> {
        let id = path_part(parts, app, |name| name == RULESET).await?;
        app.rulesets.get(&id).map(RulesetPath)
    }
}

/// The part of the path that is not the ruleset: a game, a table, a view, a file.
pub struct NamePath(pub String);

impl FromRequestParts<Arc<App>> for NamePath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<NamePath, ApiError> {
        path_part(parts, app, |name| name != RULESET)
            .await
            .map(NamePath)
    }
}

/// The first part of the path whose name fits.
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
pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<App>> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<QueryParams<T>, ApiError> {
        match Query::<T>::from_request_parts(parts, app).await {
            Ok(Query(query)) => Ok(QueryParams(query)),
            Err(error) => {
                let text = error.body_text();
                let text = text
                    .strip_prefix("Failed to deserialize query string: ")
                    .filter(|_| matches!(error, QueryRejection::FailedToDeserializeQueryString(_)))
                    .map_or_else(|| text.clone(), |text| format!("invalid query: {text}"));
                Err(ApiError::bad_input(text))
            }
        }
    }
}

/// The body as bytes, and its format.
pub struct RawBody {
    /// The whole body.
    pub bytes: Bytes,
    /// Whether it is plain text: declared as such, or neither declared as JSON nor like JSON.
    pub plain: bool,
}

impl FromRequest<Arc<App>> for RawBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<RawBody, ApiError> {
        let kind = request.headers().get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let says_plain = kind.starts_with("text/plain");
        let says_json = kind.contains("json");
        let limit = app.config.limits.body_bytes;
        let body = to_bytes(request.into_body(), limit);
        let bytes = tokio::time::timeout(BODY, body).await;
        let bytes = bytes.map_err(|_| ApiError::timeout())?;
        // A body that breaks off fails here too, but its client has left.
        let bytes = bytes.map_err(|_| {
            let kilobytes = limit.div_ceil(1024);
            ApiError::too_large(format!("this text is too long (limit {kilobytes} kB)"))
        })?;
        let begins = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let looks_like_json = matches!(begins, Some(b'{' | b'['));
        let plain = says_plain || !says_json && !looks_like_json;
        Ok(RawBody { bytes, plain })
    }
}

/// The body as JSON, whatever its declared type.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<JsonBody<T>, ApiError> {
        let body = RawBody::from_request(request, app).await?;
        parse_json(&body.bytes).map(JsonBody)
    }
}

/// Parses JSON.
pub fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(bytes)
        .map_err(|error| ApiError::bad_input(format!("invalid body: {error}")))
}
