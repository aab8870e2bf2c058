//! A position, and the best line from it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use endmill_probe::ProbeError;
use endmill_probe::answers::{Head, LineAnswer, MoveAnswer, PositionAnswer, ValueAnswer};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::documented::CachedResponses;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{QueryParams, RulesetPath};
use crate::jobs::{JobClass, Reply};
use crate::respond::{PendingQuestion, Question, answer};
use crate::rulesets::RulesetSnapshot;

/// `yes` or `no`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum YesNo {
    /// The default.
    #[default]
    Yes,
    /// Without.
    No,
}

/// What to answer about a position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProbeQuery {
    /// In any notation of the game; `start` is the start of the game.
    #[param(example = "start")]
    position: String,
    /// `no`: without the moves.
    #[serde(default)]
    #[param(inline)]
    turns: YesNo,
    /// `no`: the moves by the rules, without any value.
    #[serde(default)]
    #[param(inline)]
    values: YesNo,
    /// `no`: no search beyond the tables.
    #[serde(default)]
    #[param(inline)]
    estimates: YesNo,
}

/// Who wins a position, how fast, and by which move.
///
/// If no table covers the position, `outcome` is `null` and `estimate` has the result of a search.
#[utoipa::path(get, path = "/api/{ruleset}/probe", params(RulesetPath, ProbeQuery), responses(
    (status = 200, description = "The position", body = PositionAnswer),
    (status = 400, description = "The position cannot be read, or is not legal", body = ApiError),
    CachedResponses,
))]
pub async fn probe(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(query): QueryParams<ProbeQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let position = query.position;
    let turns = query.turns == YesNo::Yes;
    let values = query.values == YesNo::Yes;
    let search = values && query.estimates == YesNo::Yes;
    let text = format!("probe {turns} {values} {search} {position}");
    let pending = match PendingQuestion::new(Question::json(snapshot, text), &headers) {
        Ok(pending) => pending,
        Err(unchanged) => return Ok(*unchanged),
    };
    let first = position.clone();
    let reply = pending.ask(&app, JobClass::Quick, move |snapshot| {
        let found = match values {
            true => snapshot.database.probe(first.as_str().into(), turns)?,
            false => by_rules(snapshot, &first, turns)?,
        };
        Reply::json(&found, is_settled(&found))
    });
    let reply = reply.await?;
    if reply.settled || !search {
        return Ok(pending.respond(reply));
    }
    app.metrics.searches.inc();
    let nodes = app.config.limits.search_nodes;
    let searched = pending.ask(&app, JobClass::Slow, move |snapshot| {
        let mut found = snapshot.database.probe(position.as_str().into(), turns)?;
        snapshot.database.add_estimates(&mut found, nodes)?;
        Reply::json(&found, false)
    });
    Ok(pending.respond(searched.await?))
}

/// Whether nothing in the answer can change.
fn is_settled(found: &PositionAnswer) -> bool {
    let moves = found.moves.as_deref().unwrap_or_default();
    let known = |value: &ValueAnswer| value.outcome.is_some();
    known(&found.value) && moves.iter().all(|ranked| known(&ranked.value))
}

/// A position without any value, its moves in the order of the game.
fn by_rules(
    snapshot: &RulesetSnapshot,
    position: &str,
    turns: bool,
) -> Result<PositionAnswer, ProbeError> {
    let rules = &snapshot.database;
    let turns = match turns {
        true => Some(rules.turns(position.into())?),
        false => None,
    };
    let moves = turns.map(|turns| {
        let numbered = turns.into_iter().enumerate();
        let moves = numbered.map(|(class, turn)| MoveAnswer {
            text: turn.text,
            value: ValueAnswer::default(),
            draw_rank: None,
            missing: None,
            position: turn.position,
            class,
            path: turn.path,
            estimate: None,
            places: turn.places,
        });
        moves.collect()
    });
    Ok(PositionAnswer {
        head: Head {
            ruleset: snapshot.id.to_owned(),
            position: rules.text(position.into())?,
            table: None,
        },
        unknown: None,
        value: ValueAnswer::default(),
        draw_rank: None,
        moves,
        state: rules.state(position.into())?,
        estimate: None,
    })
}

/// A position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LineQuery {
    /// In any notation of the game; `start` is the start of the game.
    #[param(example = "start")]
    position: String,
}

/// The rest of the game under best play.
#[utoipa::path(get, path = "/api/{ruleset}/line", params(RulesetPath, LineQuery), responses(
    (status = 200, description = "The line", body = LineAnswer),
    (status = 400, description = "The position cannot be read, or is not legal", body = ApiError),
    CachedResponses,
))]
pub async fn line(
    State(app): State<Arc<App>>,
    RulesetPath(snapshot): RulesetPath,
    QueryParams(LineQuery { position }): QueryParams<LineQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(snapshot, format!("line {position}"));
    let work = move |snapshot: &RulesetSnapshot| {
        let line = snapshot.database.line(position.as_str().into())?;
        Reply::json(&line, true)
    };
    answer(&app, &headers, question, JobClass::Slow, work).await
}
