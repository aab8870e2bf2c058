//! Pictures of positions.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::documented::CachedResponses;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{QueryParams, RulesetPath};
use crate::image;
use crate::jobs::{JobClass, Reply};
use crate::respond::{Question, answer};
use crate::rulesets::RulesetSnapshot;

/// What to draw.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ImageQuery {
    /// In any notation of the game.
    #[param(example = "start")]
    position: String,
    /// The width and height in pixels, from 64 to 1200; 600 by default.
    size: Option<u32>,
}

impl ImageQuery {
    fn size(&self) -> Result<u32, ApiError> {
        let size = self.size.unwrap_or(600);
        if !image::SIZES.contains(&size) {
            let (min, max) = (image::SIZES.start(), image::SIZES.end());
            let message = format!("a picture has {min} to {max} pixels");
            return Err(ApiError::bad_input(message));
        }
        Ok(size)
    }

    fn svg(&self, snapshot: &RulesetSnapshot, size: u32) -> Result<String, ApiError> {
        let state = snapshot.database.state(self.position.as_str().into())?;
        Ok(image::svg(&snapshot.about.geometry, &state, size))
    }
}

/// A position as SVG.
#[utoipa::path(get, path = "/api/{ruleset}/image.svg", params(RulesetPath, ImageQuery), responses(
    (status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
    (status = 400, description = "The position cannot be read", body = ApiError),
    CachedResponses,
))]
pub async fn svg(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(query): QueryParams<ImageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let size = query.size()?;
    let question = Question {
        text: format!("svg {size} {}", query.position),
        content_type: HeaderValue::from_static("image/svg+xml"),
        snapshot,
    };
    let work = move |snapshot: &RulesetSnapshot| {
        Ok(Reply {
            body: query.svg(snapshot, size)?.into(),
            settled: true,
        })
    };
    answer(&app, &headers, question, JobClass::Quick, work).await
}

/// A position as PNG.
#[utoipa::path(get, path = "/api/{ruleset}/image.png", params(RulesetPath, ImageQuery), responses(
    (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
    (status = 400, description = "The position cannot be read", body = ApiError),
    CachedResponses,
))]
pub async fn png(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(query): QueryParams<ImageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let size = query.size()?;
    let question = Question {
        text: format!("png {size} {}", query.position),
        content_type: HeaderValue::from_static("image/png"),
        snapshot,
    };
    let work = move |snapshot: &RulesetSnapshot| {
        let svg = query.svg(snapshot, size)?;
        let png = image::png(&svg, size).ok_or_else(ApiError::internal)?;
        Ok(Reply {
            body: png.into(),
            settled: true,
        })
    };
    // Slow: every pixel is painted.
    answer(&app, &headers, question, JobClass::Slow, work).await
}
