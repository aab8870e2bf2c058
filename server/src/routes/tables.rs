//! What the database holds, positions drawn from it, and puzzles made of them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use endmill_games::Outcome;
use endmill_probe::answers::{SampleAnswer, TableAnswer};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::{ApiError, Refusals};
use crate::extract::{Named, Of, Params};
use crate::puzzle::{self, Puzzle};
use crate::respond::{Question, answer};
use crate::rulesets::Edition;

/// Positions of one sample.
const MOST_SAMPLED: usize = 100;
/// Look-ups for one sample.
const TRIES: u64 = 20_000;

/// The tables there are, with counts, sizes and where their turns lead, without counts by plies.
#[utoipa::path(get, path = "/api/{ruleset}/tables", params(
    ("ruleset" = String, Path, description = "The id of a ruleset")
), responses(
    (status = 200, description = "The tables", body = Vec<TableAnswer>),
    (status = 304, description = "As the client has it"),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    Refusals,
))]
pub async fn tables(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(edition, "tables".to_owned());
    let work = |edition: &Edition| {
        let tables = edition.tables()?.iter().map(|table| TableAnswer {
            plies: None,
            ..table.clone()
        });
        Reply::json(&tables.collect::<Vec<_>>(), false)
    };
    answer(&app, &headers, question, Pace::Slow, work).await
}

/// One table with its counts by plies.
#[utoipa::path(get, path = "/api/{ruleset}/tables/{table}", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"),
    ("table" = String, Path, description = "The name of a table", example = "3v3"),
), responses(
    (status = 200, description = "The table", body = TableAnswer),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "This is not a table of the ruleset", body = ApiError),
    (status = 404, description = "There is no such ruleset, or the table is not there", body = ApiError),
    Refusals,
))]
pub async fn table(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Named(name): Named,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(edition, format!("table {name}"));
    let work = move |edition: &Edition| Reply::json(&edition.table(&name)?, true);
    answer(&app, &headers, question, Pace::Quick, work).await
}

/// Which positions are wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Drawn {
    /// Of this table.
    #[param(example = "3v3")]
    table: String,
    /// Only with this outcome.
    #[param(inline)]
    outcome: Option<Outcome>,
    /// Only decided in exactly this number of plies.
    plies: Option<u16>,
    /// How many, at most 100; 1 if nothing is said.
    count: Option<usize>,
    /// The same seed draws the same positions.
    seed: Option<u64>,
}

/// Positions drawn at random from a table. What is rare in a large table may not be found.
#[utoipa::path(get, path = "/api/{ruleset}/sample", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Drawn
), responses(
    (status = 200, description = "As many as were found", body = SampleAnswer),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "This is not a table of the ruleset", body = ApiError),
    (status = 404, description = "There is no such ruleset, or the table is not there", body = ApiError),
    Refusals,
))]
pub async fn sample(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(drawn): Params<Drawn>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Drawn {
        table,
        outcome,
        plies,
        count,
        seed,
    } = drawn;
    let (count, seed) = (count.unwrap_or(1).min(MOST_SAMPLED), seed.unwrap_or(0));
    let wanted = endmill_probe::SampleFilter { outcome, plies };
    let text = format!("sample {wanted:?} {count} {seed} {table}");
    let work = move |edition: &Edition| {
        let opened = &edition.opened;
        let found = opened.draw(&table, &wanted, count, seed, TRIES)?;
        Reply::json(&found, true)
    };
    let question = Question::json(edition, text);
    answer(&app, &headers, question, Pace::Slow, work).await
}

/// Which puzzle is wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Riddle {
    /// About so far from the end; 5 if nothing is said.
    plies: Option<u16>,
    /// The same seed gives the same puzzle.
    seed: Option<u64>,
}

/// A position in which exactly one turn wins.
#[utoipa::path(get, path = "/api/{ruleset}/puzzle", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Riddle
), responses(
    (status = 200, description = "A puzzle", body = Puzzle),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "The query cannot be read", body = ApiError),
    (status = 404, description = "There is no such ruleset, or no puzzle", body = ApiError),
    Refusals,
))]
pub async fn puzzle(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(Riddle { plies, seed }): Params<Riddle>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (plies, seed) = (plies.unwrap_or(5), seed.unwrap_or(0));
    let question = Question::json(edition, format!("puzzle {plies} {seed}"));
    let work = move |edition: &Edition| match puzzle::find(edition, plies, seed)? {
        Some(puzzle) => Reply::json(&puzzle, true),
        None => Err(ApiError::not_found("no puzzle was found in these tables")),
    };
    answer(&app, &headers, question, Pace::Slow, work).await
}
