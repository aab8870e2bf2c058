//! Errors as clients see them (a status, a code for programs, a sentence), and of the server itself.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use endmill_probe::ProbeError;
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

use crate::respond::no_store;

/// Why a server cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address is in use, or does not belong to this machine.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The I/O error.
        source: std::io::Error,
    },
    /// The journal of games cannot be opened.
    #[error(transparent)]
    Journal(#[from] crate::games::JournalError),
    /// The database cannot be listed.
    #[error(transparent)]
    Database(#[from] ProbeError),
    /// The operating system refuses threads.
    #[error("cannot start threads: {0}")]
    Threads(#[from] std::io::Error),
}

/// An error as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApiError {
    /// A name for programs, stable over versions.
    #[schema(value_type = String, example = "bad_input")]
    pub error: &'static str,
    /// A sentence for people.
    #[schema(value_type = String)]
    pub message: Cow<'static, str>,
    /// The position of the wrong character in the text, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// The table that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    #[serde(skip)]
    pub(crate) status: StatusCode,
    /// When to try again, in seconds.
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

    /// The server is at a limit that will pass.
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
            "the request took too long",
        )
    }

    pub(crate) fn internal() -> ApiError {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "internal error; see the server log",
        )
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
            // The message has paths of the server.
            tracing::error!(%error, code, "a probe failed");
            "a file of the database cannot be read; see the server log".into()
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
        let mut response = no_store(Body::from(body));
        *response.status_mut() = self.status;
        if let Some(seconds) = self.retry_after {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}
