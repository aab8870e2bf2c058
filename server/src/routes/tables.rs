//! The tables of the database, samples of their positions, and puzzles.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use endmill_games::Outcome;
use endmill_probe::SampleFilter;
use endmill_probe::answers::{SampleAnswer, TableAnswer};
use serde::Deserialize;
use utoipa::IntoParams;

use super::documented::CachedResponses;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{NamePath, QueryParams, RulesetPath};
use crate::jobs::{JobClass, Reply};
use crate::puzzle::{self, Puzzle};
use crate::respond::{Question, answer};
use crate::rulesets::RulesetSnapshot;

/// The number of positions per sample.
const MAX_SAMPLE: usize = 100;
/// The number of look-ups per sample.
const MAX_TRIES: u64 = 20_000;

/// The tables with counts, sizes and the tables that they lead to, without counts by plies.
#[utoipa::path(get, path = "/api/{ruleset}/tables", params(RulesetPath), responses(
    (status = 200, description = "The tables", body = Vec<TableAnswer>),
    CachedResponses,
))]
pub async fn tables(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(snapshot, "tables".to_owned());
    let work = |snapshot: &RulesetSnapshot| {
        let tables = snapshot.tables()?.iter().map(|table| TableAnswer {
            plies: None,
            ..table.clone()
        });
        Reply::json(&tables.collect::<Vec<_>>(), false)
    };
    answer(&app, &headers, question, JobClass::Slow, work).await
}

/// One table with its counts by plies.
#[utoipa::path(get, path = "/api/{ruleset}/tables/{table}", params(
    RulesetPath, ("table" = String, Path, description = "The name of a table", example = "3v3")
), responses(
    (status = 200, description = "The table", body = TableAnswer),
    (status = 400, description = "This is not a table of the ruleset", body = ApiError),
    CachedResponses,
))]
pub async fn table(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    NamePath(name): NamePath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(snapshot, format!("table {name}"));
    let work = move |snapshot: &RulesetSnapshot| Reply::json(&snapshot.table(&name)?, true);
    answer(&app, &headers, question, JobClass::Quick, work).await
}

/// Which positions to draw.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SampleQuery {
    /// The table.
    #[param(example = "3v3")]
    table: String,
    /// Only this outcome.
    #[param(inline)]
    outcome: Option<Outcome>,
    /// Only this distance.
    plies: Option<u16>,
    /// The number of positions, at most 100; 1 by default.
    count: Option<usize>,
    /// The same seed gives the same positions.
    seed: Option<u64>,
}

/// Random positions of a table. Rare positions of a large table may not be found.
#[utoipa::path(get, path = "/api/{ruleset}/sample", params(RulesetPath, SampleQuery), responses(
    (status = 200, description = "The positions that were found", body = SampleAnswer),
    (status = 400, description = "This is not a table of the ruleset", body = ApiError),
    CachedResponses,
))]
pub async fn sample(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(query): QueryParams<SampleQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let SampleQuery {
        table,
        outcome,
        plies,
        count,
        seed,
    } = query;
    let (count, seed) = (count.unwrap_or(1).min(MAX_SAMPLE), seed.unwrap_or(0));
    let filter = SampleFilter { outcome, plies };
    let question = Question::json(
        snapshot,
        format!("sample {filter:?} {count} {seed} {table}"),
    );
    let work = move |snapshot: &RulesetSnapshot| {
        let database = &snapshot.database;
        let found = database.sample_bounded(&table, &filter, count, seed, MAX_TRIES)?;
        Reply::json(&found, true)
    };
    answer(&app, &headers, question, JobClass::Slow, work).await
}

/// Which puzzle to find.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PuzzleQuery {
    /// The approximate distance to the end; 5 by default.
    plies: Option<u16>,
    /// The same seed gives the same puzzle.
    seed: Option<u64>,
}

/// A position in which exactly one move wins.
#[utoipa::path(get, path = "/api/{ruleset}/puzzle", params(RulesetPath, PuzzleQuery), responses(
    (status = 200, description = "A puzzle", body = Puzzle),
    (status = 400, description = "The query cannot be read", body = ApiError),
    CachedResponses,
))]
pub async fn puzzle(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(PuzzleQuery { plies, seed }): QueryParams<PuzzleQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (plies, seed) = (plies.unwrap_or(5), seed.unwrap_or(0));
    let question = Question::json(snapshot, format!("puzzle {plies} {seed}"));
    let work = move |snapshot: &RulesetSnapshot| match puzzle::find(snapshot, plies, seed)? {
        Some(puzzle) => Reply::json(&puzzle, true),
        None => Err(ApiError::not_found("no puzzle found in the tables")),
    };
    answer(&app, &headers, question, JobClass::Slow, work).await
}
