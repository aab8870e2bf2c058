//! What each turn of a game was worth.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use endmill_probe::answers::ReviewAnswer;
use endmill_records::{Transcript, transcripts};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{Input, Of};
use crate::referee::MOST_TURNS;
use crate::respond::fresh;
use crate::rulesets::Edition;

/// Positions that all searches of a review together may visit.
const NODES: u64 = 400_000;

/// A game: its moves, or a text.
#[derive(Deserialize, ToSchema)]
pub struct Game {
    /// The turns, as the game writes them.
    moves: Option<Vec<String>>,
    /// The first position, in any notation; without it the start of the game.
    start: Option<String>,
    /// Instead of moves: a saved game, PDN, or a list of moves.
    text: Option<String>,
    /// Which game of a text that has several, from 1; the first if nothing is said.
    game: Option<usize>,
}

/// The review of a game, and which of how many it is.
#[derive(Serialize, ToSchema)]
pub struct ReviewedGame {
    #[serde(flatten)]
    review: ReviewAnswer,
    /// Which game of the text, from 1.
    game: usize,
    /// How many the text has.
    games: usize,
}

/// What each turn of a game was worth, and what it threw away.
#[utoipa::path(post, path = "/api/{ruleset}/review", params(
    ("ruleset" = String, Path, description = "The id of a ruleset")
), request_body = Game, responses(
    (status = 200, description = "The review", body = ReviewedGame),
    (status = 400, description = "The game cannot be read", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 413, description = "The game is too long", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
    (status = 500, description = "A file of the database cannot be read", body = ApiError),
    (status = 503, description = "The server is busy", body = ApiError),
    (status = 504, description = "It took too long", body = ApiError),
))]
pub async fn review(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Input(game): Input<Game>,
) -> Result<Response, ApiError> {
    let text = game.text.is_some();
    let (transcript, number, games) = asked(game)?;
    if transcript.turns() > MOST_TURNS {
        return Err(ApiError::too_large("the game is too long"));
    }
    let work = move || {
        let mut review = review_of(&edition, &transcript)?;
        if let (false, Some(error)) = (text, &review.error) {
            // Whoever sends turns has no lines to look at.
            review.problems = vec![format!("turn {}: {}", error.line, error.message)];
        }
        if review.turns.is_empty()
            && let Some(problem) = review.problems.pop()
        {
            return Err(ApiError::bad_input(problem));
        }
        let reviewed = ReviewedGame {
            review,
            game: number,
            games,
        };
        Reply::json(&reviewed, false)
    };
    let reply = app.answering.alone(Pace::Slow, work).await??;
    Ok(fresh(reply))
}

/// The game that is asked about, its number, and how many there are.
fn asked(game: Game) -> Result<(Transcript, usize, usize), ApiError> {
    let mut games = match (game.moves, &game.text) {
        (Some(moves), None) => vec![Transcript::of_moves(None, moves)],
        (None, Some(text)) => {
            transcripts(text).map_err(|error| ApiError::bad_input(error.to_string()))?
        }
        _ => return Err(ApiError::bad_input("give either moves or a text")),
    };
    let (number, count) = (game.game.unwrap_or(1), games.len());
    if number == 0 || number > count {
        let message = format!("there is no game {number}: the text has {count}");
        return Err(ApiError::bad_input(message));
    }
    let mut transcript = games.swap_remove(number - 1);
    if let Some(start) = game.start {
        transcript.begin_at(start);
    }
    Ok((transcript, number, count))
}

fn review_of(edition: &Edition, transcript: &Transcript) -> Result<ReviewAnswer, ApiError> {
    // A turn that no table knows costs two searches.
    let nodes = NODES / transcript.turns().max(20) as u64 / 2;
    let mut advisor = |position: &str| edition.opened.opinion(position, nodes).ok().flatten();
    Ok(edition.any().review(transcript, &mut advisor)?)
}
