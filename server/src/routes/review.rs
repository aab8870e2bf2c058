//! Reviews of games.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::answers::ReviewAnswer;
use endmill_records::{Transcript, transcripts};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::documented::PostErrors;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{JsonBody, RulesetPath};
use crate::jobs::{JobClass, Reply};
use crate::referee::MAX_TURNS;
use crate::respond::run;
use crate::rulesets::RulesetSnapshot;

/// The number of positions that all searches of a review together may visit.
const NODES: u64 = 400_000;

/// A game as moves, or as a text.
#[derive(Deserialize, ToSchema)]
pub struct ReviewRequest {
    /// The moves, in the notation of the game.
    moves: Option<Vec<String>>,
    /// The first position, in any notation; the start of the game by default.
    start: Option<String>,
    /// Instead of moves: a saved game, PDN, or a list of moves.
    text: Option<String>,
    /// The number of the game in the text, from 1; the first by default.
    game: Option<usize>,
}

/// The review of a game, and its number in the text.
#[derive(Serialize, ToSchema)]
pub struct ReviewedGame {
    #[serde(flatten)]
    review: ReviewAnswer,
    /// The number of the game in the text, from 1.
    game: usize,
    /// The number of games in the text.
    games: usize,
}

/// The value of each move of a game, and what it lost.
#[utoipa::path(post, path = "/api/{ruleset}/review", params(RulesetPath),
    request_body = ReviewRequest, responses(
    (status = 200, description = "The review", body = ReviewedGame),
    (status = 400, description = "The game cannot be read", body = ApiError),
    PostErrors,
))]
pub async fn review(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    JsonBody(request): JsonBody<ReviewRequest>,
) -> Result<Response, ApiError> {
    let has_lines = request.text.is_some();
    let (transcript, game, games) = select(request)?;
    if transcript.turns() > MAX_TURNS {
        return Err(ApiError::too_large("the game is too long"));
    }
    run(&app, JobClass::Slow, move || {
        let mut review = review_of(&snapshot, &transcript)?;
        if let (false, Some(error)) = (has_lines, &review.error) {
            // A list of moves has no lines.
            review.problems = vec![format!("move {}: {}", error.line, error.message)];
        }
        if review.turns.is_empty()
            && let Some(problem) = review.problems.pop()
        {
            return Err(ApiError::bad_input(problem));
        }
        let reviewed = ReviewedGame {
            review,
            game,
            games,
        };
        Reply::json(&reviewed, false)
    })
    .await
}

/// The game to review, its number, and the number of games.
fn select(request: ReviewRequest) -> Result<(Transcript, usize, usize), ApiError> {
    let mut games = match (request.moves, &request.text) {
        (Some(moves), None) => vec![Transcript::of_moves(None, moves)],
        (None, Some(text)) => {
            transcripts(text).map_err(|error| ApiError::bad_input(error.to_string()))?
        }
        _ => return Err(ApiError::bad_input("expected either moves or a text")),
    };
    let (number, count) = (request.game.unwrap_or(1), games.len());
    if number == 0 || number > count {
        let message = format!("game {number} does not exist: the text has {count}");
        return Err(ApiError::bad_input(message));
    }
    let mut transcript = games.swap_remove(number - 1);
    if let Some(start) = request.start {
        transcript.begin_at(start);
    }
    Ok((transcript, number, count))
}

fn review_of(
    snapshot: &RulesetSnapshot,
    transcript: &Transcript,
) -> Result<ReviewAnswer, ApiError> {
    // A move that no table knows costs two searches.
    let nodes = NODES / transcript.turns().max(20) as u64 / 2;
    let database = &snapshot.database;
    let mut advisor = |position: &str| database.opinion(position, nodes).ok().flatten();
    Ok(database.review(transcript, &mut advisor)?)
}
