//! A position, and the best line from it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use endmill_probe::answers::Head;
use endmill_probe::answers::{LineAnswer, MoveAnswer, PositionAnswer, Reason, ValueAnswer};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::answering::{Pace, Reply};
use crate::app::App;
use crate::error::{ApiError, Refusals};
use crate::extract::{Of, Params};
use crate::respond::{Opening, Question, answer};
use crate::rulesets::{Edition, fill_in};

/// `yes` or `no`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// As if nothing was said.
    #[default]
    Yes,
    /// Without.
    No,
}

/// What is wanted of a position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Wanted {
    /// In any notation of the game; `start` is the start of the game.
    #[param(example = "start")]
    position: String,
    /// `no`: the verdict alone.
    #[serde(default)]
    #[param(inline)]
    turns: Choice,
    /// `no`: the turns by the rules, without any value.
    #[serde(default)]
    #[param(inline)]
    values: Choice,
    /// `no`: no search where the tables do not know.
    #[serde(default)]
    #[param(inline)]
    estimates: Choice,
}

/// Who wins here, how fast, and by which turn?
///
/// Where the tables do not know, `outcome` is `null` and `estimate` says what a search thinks.
#[utoipa::path(get, path = "/api/{ruleset}/probe", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Wanted
), responses(
    (status = 200, description = "The position", body = PositionAnswer),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "The position cannot be read, or is not legal", body = ApiError),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    Refusals,
))]
pub async fn probe(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(wanted): Params<Wanted>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Wanted {
        position,
        turns,
        values,
        estimates,
    } = wanted;
    let turns = turns == Choice::Yes;
    let values = values == Choice::Yes;
    let search = values && estimates == Choice::Yes;
    let text = format!("probe {turns} {values} {search} {position}");
    let opening = match Opening::new(Question::json(edition, text), &headers) {
        Ok(opening) => opening,
        Err(unchanged) => return Ok(*unchanged),
    };
    let asked = position.clone();
    let reply = opening.ask(&app, Pace::Quick, move |edition| {
        let found = match values {
            true => edition.any().probe(asked.as_str().into(), turns)?,
            false => by_rules(edition, &asked, turns)?,
        };
        Reply::json(&found, is_settled(&found))
    });
    let reply = reply.await?;
    if reply.settled || !search {
        return Ok(opening.respond(reply));
    }
    app.metrics.searches.inc();
    let nodes = app.config.limits.search_nodes;
    let searched = opening.ask(&app, Pace::Slow, move |edition| {
        let mut found = edition.any().probe(position.as_str().into(), turns)?;
        fill_in(&*edition.opened, &mut found, nodes)?;
        Reply::json(&found, false)
    });
    Ok(opening.respond(searched.await?))
}

/// Whether nothing about the answer can change.
fn is_settled(found: &PositionAnswer) -> bool {
    let moves = found.moves.as_deref().unwrap_or_default();
    let known = |value: &ValueAnswer| value.outcome.is_some();
    known(&found.value) && moves.iter().all(|turn| known(&turn.value))
}

/// A position without any value, its turns in the order of the game.
fn by_rules(
    edition: &Edition,
    position: &str,
    turns: bool,
) -> endmill_probe::Result<PositionAnswer> {
    let rules = edition.any();
    let turns = match turns {
        true => Some(rules.turns(position.into())?),
        false => None,
    };
    let moves = turns.map(|turns| {
        let numbered = turns.into_iter().enumerate();
        let moves = numbered.map(|(class, turn)| MoveAnswer {
            text: turn.text,
            value: ValueAnswer::default(),
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
            ruleset: edition.id.to_owned(),
            position: rules.text(position.into())?,
            table: None,
        },
        unknown: None::<Reason>,
        value: ValueAnswer::default(),
        moves,
        state: rules.state(position.into())?,
        estimate: None,
    })
}

/// A position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Start {
    /// In any notation of the game; `start` is the start of the game.
    #[param(example = "start")]
    position: String,
}

/// The rest of the game under best play.
#[utoipa::path(get, path = "/api/{ruleset}/line", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"), Start
), responses(
    (status = 200, description = "The line", body = LineAnswer),
    (status = 304, description = "As the client has it"),
    (status = 400, description = "The position cannot be read, or is not legal", body = ApiError),
    (status = 404, description = "There is no such ruleset, or a table is missing", body = ApiError),
    Refusals,
))]
pub async fn line(
    State(app): State<Arc<App>>,
    Of(edition): Of,
    Params(Start { position }): Params<Start>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let question = Question::json(edition, format!("line {position}"));
    let work = move |edition: &Edition| {
        let line = edition.any().line(position.as_str().into())?;
        Reply::json(&line, true)
    };
    answer(&app, &headers, question, Pace::Slow, work).await
}
