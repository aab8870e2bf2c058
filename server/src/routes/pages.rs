//! The page, its files, and the previews of shared links.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use endmill_games::Colour;
use endmill_probe::answers::PositionAnswer;
use serde::Deserialize;
use utoipa::IntoParams;

use super::documented::RateError;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{NamePath, QueryParams, RulesetPath};
use crate::jobs::JobClass;
use crate::rulesets::RulesetSnapshot;

/// The views of the page with separate addresses.
const VIEWS: [&str; 5] = ["explore", "play", "review", "puzzles", "tables"];

/// The page.
#[utoipa::path(get, path = "/", responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"),
    RateError,
))]
pub async fn start(State(app): State<Arc<App>>) -> Response {
    app.page.document(None)
}

/// The position on the page.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// A position, in any notation.
    position: Option<String>,
}

/// The page at one of its views: `explore`, `play`, `review`, `puzzles` or `tables`.
#[utoipa::path(get, path = "/{view}/{ruleset}", params(
    ("view" = String, Path, description = "A view", example = "explore"),
    RulesetPath, PageQuery
), responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"),
    (status = 400, description = "The query cannot be read", body = ApiError),
    (status = 404, description = "The view does not exist", body = ApiError),
    RateError,
))]
pub async fn view(
    State(app): State<Arc<App>>,
    NamePath(view): NamePath,
    snapshot: Result<RulesetPath, ApiError>,
    QueryParams(PageQuery { position }): QueryParams<PageQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if !VIEWS.contains(&view.as_str()) {
        return Err(ApiError::not_found("there is nothing at this address"));
    }
    // The page itself reports an unknown ruleset and lists the others.
    let Ok(RulesetPath(snapshot)) = snapshot else {
        return Ok(app.page.document(None));
    };
    let position = position.unwrap_or_else(|| "start".to_owned());
    let probed = Arc::clone(&snapshot);
    let found = app.jobs.run(JobClass::Quick, move || {
        probed.database.probe(position.as_str().into(), false).ok()
    });
    // The page itself reports an error in the position.
    let found = found.await.ok().flatten();
    let preview = found.map(|found| preview(&app, &snapshot, &found, &headers));
    Ok(app.page.document(preview.as_deref()))
}

/// The page at a table.
#[utoipa::path(get, path = "/tables/{ruleset}/{table}", params(
    RulesetPath, ("table" = String, Path, description = "The name of a table"),
), responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"),
    (status = 404, description = "The ruleset does not exist", body = ApiError),
    RateError,
))]
pub async fn table(State(app): State<Arc<App>>, RulesetPath(_): RulesetPath) -> Response {
    app.page.document(None)
}

/// A file of the page.
#[utoipa::path(get, path = "/assets/{file}", params(
    ("file" = String, Path, description = "The name of a file")
), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream"),
    (status = 404, description = "The file does not exist", body = ApiError),
    RateError,
))]
pub async fn asset(
    State(app): State<Arc<App>>,
    NamePath(name): NamePath,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let found = app.page.asset(&name, &headers);
    found.ok_or_else(|| ApiError::not_found("this file does not exist"))
}

/// The size of the picture in a preview, in pixels.
const PREVIEW_SIZE: u32 = 600;

/// The preview of a shared link: the board, and who wins.
fn preview(
    app: &App,
    snapshot: &RulesetSnapshot,
    found: &PositionAnswer,
    headers: &HeaderMap,
) -> String {
    let side = match found.state.side {
        Colour::White => "White",
        Colour::Black => "Black",
    };
    let verdict = match (&found.state.finished, found.value.verdict()) {
        (Some(_), _) => "The game is over.".to_owned(),
        (None, Some(verdict)) => format!("{side} to move: {verdict}."),
        (None, None) => format!("{side} to move."),
    };
    let title = format!("{} · Endmill", snapshot.about.title);
    let mut text = String::new();
    let mut meta = |name: &str, content: &str| {
        let content = escaped(content);
        let _ = write!(text, "<meta property=\"og:{name}\" content=\"{content}\">");
    };
    meta("type", "website");
    meta("title", &title);
    meta("description", &verdict);
    if let Some(origin) = origin(app, headers) {
        let position = in_query(&found.head.position);
        let id = snapshot.id;
        meta("url", &format!("{origin}/explore/{id}?position={position}"));
        let image = format!("{origin}/api/{id}/image.png?position={position}&size={PREVIEW_SIZE}");
        meta("image", &image);
        meta("image:type", "image/png");
        meta("image:width", &PREVIEW_SIZE.to_string());
        meta("image:height", &PREVIEW_SIZE.to_string());
        meta("image:alt", &found.head.position);
    }
    text
}

/// The address of this server as the client knows it.
fn origin(app: &App, headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".:-[]".contains(&byte);
    if host.is_empty() || !host.bytes().all(plain) {
        return None;
    }
    let proto = headers.get("x-forwarded-proto");
    let secure = app.config.behind_proxy && proto.is_some_and(|proto| proto == "https");
    let scheme = if secure { "https" } else { "http" };
    Some(format!("{scheme}://{host}"))
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            character => out.push(character),
        }
    }
    out
}

fn in_query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            byte if byte.is_ascii_alphanumeric() || b"-._~:,".contains(&byte) => {
                out.push(byte.into());
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
