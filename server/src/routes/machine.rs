//! For machines that look after the server, or write programs for it.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::JSON;
use crate::app::App;

/// The description of all routes, ready to be sent.
#[derive(Clone)]
pub struct Described(pub Arc<str>);

/// This description.
#[utoipa::path(get, path = "/openapi.json", responses(
    (status = 200, description = "An OpenAPI document", body = Object),
    (status = 429, description = "Too many requests", body = crate::error::ApiError),
))]
pub async fn openapi(Extension(Described(document)): Extension<Described>) -> Response {
    ([(header::CONTENT_TYPE, JSON)], document.to_string()).into_response()
}

/// A sign of life.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// `ok`.
    status: &'static str,
    /// Of the program.
    version: &'static str,
}

/// Whether the server lives.
#[utoipa::path(get, path = "/healthz", responses(
    (status = 200, description = "It does", body = Health),
))]
pub async fn healthz() -> axum::Json<Health> {
    axum::Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// Counters, as Prometheus reads them.
#[utoipa::path(get, path = "/metrics", responses(
    (status = 200, description = "Counters", body = String, content_type = "text/plain"),
))]
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    let waiting = app.answering.pool.waiting();
    let text = app
        .metrics
        .text(waiting, app.club.games(), app.connections.open());
    let kind = "text/plain; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
