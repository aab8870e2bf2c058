//! Routes for monitoring and for programs.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::documented::RateError;
use crate::app::App;
use crate::respond::JSON;

/// The OpenAPI document as JSON.
#[derive(Clone)]
pub struct OpenApi(pub Arc<str>);

/// This document.
#[utoipa::path(get, path = "/openapi.json", responses(
    (status = 200, description = "An OpenAPI document", body = Object),
    RateError,
))]
pub async fn openapi(Extension(OpenApi(document)): Extension<OpenApi>) -> Response {
    ([(header::CONTENT_TYPE, JSON)], document.to_string()).into_response()
}

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    status: &'static str,
    /// The version of the program.
    version: &'static str,
}

/// The health check.
#[utoipa::path(get, path = "/healthz", responses(
    (status = 200, description = "The server is running", body = Health),
))]
pub async fn healthz() -> axum::Json<Health> {
    axum::Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// Metrics in the format of Prometheus.
#[utoipa::path(get, path = "/metrics", responses(
    (status = 200, description = "Metrics", body = String, content_type = "text/plain"),
))]
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    let waiting = app.jobs.pool.waiting();
    let text = app
        .metrics
        .text(waiting, app.games.count(), app.connections.open());
    let kind = "text/plain; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
