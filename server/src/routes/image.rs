//! Pictures of positions.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::{ApiError, Refusals};
use crate::extract::{Of, Params};
use crate::image;
use crate::respond::{Question, answer};
use crate::rulesets::Edition;

/// What is drawn.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Picture {
    /// In any notation of the game.
    #[param(example = "start")]
    position: String,
    /// Pixels of a side, from 64 to 1200; 600 if nothing is said.
    size: Option<u32>,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug)]
enum Format {
    Svg,
    Png,
}

impl Format {
    fn content_type(self) -> &'static str {
        match self {
            Format::Svg => "image/svg+xml",
            Format::Png => "image/png",
        }
    }

    /// Lines are written in no time; pixels are painted one by one.
    fn pace(self) -> Pace {
        match self {
            Format::Svg => Pace::Quick,
            Format::Png => Pace::Slow,
        }
    }
}

impl Picture {
    fn size(&self) -> Result<u32, ApiError> {
        let size = self.size.unwrap_or(600);
        let range = image::SMALLEST..=image::LARGEST;
        if !range.contains(&size) {
            let message = format!("a picture has {} to {} pixels", range.start(), range.end());
            return Err(ApiError::bad_input(message));
        }
        Ok(size)
    }

    /// Draws it, or finds that the client has it already.
    async fn send(
        self,
        app: &App,
        edition: Arc<Edition>,
        headers: &HeaderMap,
        format: Format,
    ) -> Result<Response, ApiError> {
        let size = self.size()?;
        let question = Question {
            text: format!("{format:?} {size} {}", self.position),
            edition,
            content_type: format.content_type(),
        };
        let work = move |edition: &Edition| {
            let state = edition.any().state(self.position.as_str().into())?;
            let drawn = image::svg(&edition.about.geometry, &state, size);
            let body = match format {
                Format::Svg => drawn.into(),
                Format::Png => {
                    let png = image::png(&drawn, size).ok_or_else(ApiError::internal)?;
                    png.into()
                }
            };
            let settled = true;
            Ok(Reply { body, settled })
        };
        answer(app, headers, question, format.pace(), work).await
    }
}

/// A position as SVG.
#[utoipa::path(get, path = "/api/{ruleset}/image.svg", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Picture
), responses(
    (status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "The position cannot be read", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    Refusals,
))]
pub async fn svg(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(picture): Params<Picture>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    picture.send(&app, edition, &headers, Format::Svg).await
}

/// A position as PNG.
#[utoipa::path(get, path = "/api/{ruleset}/image.png", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Picture
), responses(
    (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "The position cannot be read", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    Refusals,
))]
pub async fn png(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(picture): Params<Picture>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    picture.send(&app, edition, &headers, Format::Png).await
}
