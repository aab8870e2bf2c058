//! Positions by the rules alone: set up, read, seen otherwise.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use endmill_games::{Colour, Transform};
use endmill_probe::PositionInput;
use endmill_probe::answers::Man;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::{ApiError, Refusals};
use crate::extract::{Input, Of, Params};
use crate::respond::{Question, answer, fresh};
use crate::rulesets::Edition;

/// More men than any board has places.
const MOST_MEN: usize = 64;

/// A position as an editor has it.
#[derive(Deserialize, ToSchema)]
pub struct Board {
    /// Everything on the board.
    men: Vec<Man>,
    /// Men in White's hand and in Black's.
    #[serde(default)]
    hand: [u32; 2],
    /// The side to move.
    side: Colour,
    /// Plies since the last removal, where the rules count them.
    quiet: Option<u32>,
    /// Mills that may not be closed, as `a1-a4-a7`, where the rules ban them.
    #[serde(default)]
    banned: Vec<String>,
}

/// A position.
#[derive(Serialize, ToSchema)]
pub struct Written {
    /// In the first notation of the game.
    position: String,
}

/// The position with these men on the board.
#[utoipa::path(post, path = "/api/{ruleset}/setup", params(
    ("ruleset" = String, Path, description = "The id of a ruleset")
), request_body = Board, responses(
    (status = 200, description = "The position", body = Written),
    (status = 400, description = "It is not legal", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 413, description = "The body is too long", body = ApiError),
    Refusals,
))]
pub async fn setup(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Input(board): Input<Board>,
) -> Result<Response, ApiError> {
    if board.men.len() > MOST_MEN || board.banned.len() > MOST_MEN {
        return Err(ApiError::bad_input("there are not that many places"));
    }
    let work = move || -> Result<Reply, ApiError> {
        let rules = edition.any();
        let mut position = rules.text(PositionInput::Men {
            men: &board.men,
            hand: board.hand,
            to_move: board.side,
        })?;
        let quiet = board.quiet.filter(|&quiet| quiet > 0);
        if quiet.is_some() || !board.banned.is_empty() {
            if let Some(quiet) = quiet {
                let _ = write!(position, ":Q{quiet}");
            }
            if !board.banned.is_empty() {
                let _ = write!(position, ":X{}", board.banned.join(","));
            }
            position = rules.text(position.as_str().into())?;
        }
        Reply::json(&Written { position }, true)
    };
    let reply = app.answering.alone(Pace::Quick, work).await??;
    Ok(fresh(reply))
}

/// A text.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Text {
    /// A position in any notation of the game.
    #[param(example = "start")]
    text: String,
}

/// A position in any notation, written in the first.
#[utoipa::path(get, path = "/api/{ruleset}/read", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Text
), responses(
    (status = 200, description = "The position", body = Written),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "It cannot be read, or is not legal", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    Refusals,
))]
pub async fn read(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(Text { text }): Params<Text>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(edition, format!("read {text}"));
    let work = move |edition: &Edition| {
        let position = edition.any().text(text.trim().into())?;
        Reply::json(&Written { position }, true)
    };
    answer(&app, &headers, question, Pace::Quick, work).await
}

/// A position, and how to look at it.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct View {
    /// In any notation of the game.
    #[param(example = "start")]
    position: String,
    /// How to look at it.
    #[param(inline)]
    by: Transform,
}

/// A position seen otherwise, worth the same.
#[utoipa::path(get, path = "/api/{ruleset}/transform", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), View
), responses(
    (status = 200, description = "The position", body = Written),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "It cannot be read, or the game has no such symmetry", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    Refusals,
))]
pub async fn transform(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(View { position, by }): Params<View>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(edition, format!("transform {by:?} {position}"));
    let work = move |edition: &Edition| {
        let rules = edition.any();
        let seen = rules.transform(position.as_str().into(), by)?;
        let position = rules.text((&seen).into())?;
        Reply::json(&Written { position }, true)
    };
    answer(&app, &headers, question, Pace::Quick, work).await
}
