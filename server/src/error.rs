//! What is answered where there is no answer: a status, a code for programs, a sentence.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use endmill_probe::ProbeError;
use serde::Serialize;
use thiserror::Error;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

/// Why a server does not start, or stops.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is taken, or not one of this machine.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: std::net::SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The journal of games cannot be kept.
    #[error(transparent)]
    Journal(#[from] crate::club::JournalError),
    /// The database cannot be listed.
    #[error(transparent)]
    Database(#[from] ProbeError),
    /// The system refuses threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] std::io::Error),
}

/// A request that is not answered, as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApiError {
    /// A name for programs, stable over versions.
    #[schema(value_type = String, example = "bad_input")]
    pub error: &'static str,
    /// A sentence for people.
    #[schema(value_type = String)]
    pub message: Cow<'static, str>,
    /// The wrong character of the text that was given, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// The table that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    #[serde(skip)]
    pub(crate) status: StatusCode,
    /// When to come again, in seconds.
    #[serde(skip)]
    pub(crate) retry_after: Option<u64>,
}

impl ApiError {
    pub(crate) fn new(
        status: StatusCode,
        error: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> ApiError {
        ApiError {
            error,
            message: message.into(),
            at: None,
            table: None,
            status,
            retry_after: None,
        }
    }

    pub(crate) fn bad_input(message: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_input", message)
    }

    pub(crate) fn not_found(message: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(crate) fn too_large(message: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// There is more to do than the server will queue.
    pub(crate) fn busy(message: &'static str) -> ApiError {
        ApiError {
            retry_after: Some(1),
            ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
        }
    }

    pub(crate) fn too_many_requests(seconds: u64) -> ApiError {
        ApiError {
            retry_after: Some(seconds),
            ..ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_requests",
                format!("too many requests from this address: try again in {seconds} s"),
            )
        }
    }

    pub(crate) fn timeout() -> ApiError {
        ApiError::new(
            StatusCode::GATEWAY_TIMEOUT,
            "timeout",
            "this took too long and was given up",
        )
    }

    pub(crate) fn internal() -> ApiError {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the server made a mistake; its log has more",
        )
    }
}

/// What every question that is put to the pool may be refused with, for the description.
pub struct Refusals;

impl IntoResponses for Refusals {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let refusals = [
            ("429", "Too many requests"),
            ("500", "A file of the database cannot be read"),
            ("503", "The server is busy"),
            ("504", "It took too long"),
        ];
        let described = refusals.map(|(status, description)| {
            let schema = Ref::from_schema_name(ApiError::name());
            let content = ContentBuilder::new().schema(Some(schema)).build();
            let response = ResponseBuilder::new()
                .description(description)
                .content("application/json", content);
            (status.to_owned(), response.build().into())
        });
        described.into()
    }
}

impl From<ProbeError> for ApiError {
    fn from(error: ProbeError) -> ApiError {
        let status = match &error {
            ProbeError::Ruleset(_) => StatusCode::NOT_FOUND,
            _ if error.is_bad_input() => StatusCode::BAD_REQUEST,
            _ if error.is_missing() => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let code = match error.code() {
            "unknown_ruleset" => "not_found",
            code => code,
        };
        let message = if status.is_server_error() {
            // Paths of the server are nobody's business.
            tracing::error!(%error, code, "a probe failed");
            "a file of the database cannot be read; the server's log has more".into()
        } else {
            error.to_string()
        };
        ApiError {
            at: error.at(),
            table: error.missing_table().map(str::to_owned),
            ..ApiError::new(status, code, message)
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        let fresh = HeaderValue::from_static("no-store");
        headers.insert(header::CACHE_CONTROL, fresh);
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
