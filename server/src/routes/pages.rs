//! The page, its files, and what a shared link shows.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use endmill_games::Colour;
use endmill_probe::answers::PositionAnswer;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answering::Pace;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{Named, Of, Params};
use crate::rulesets::Edition;

/// The views of the page that have addresses of their own.
const VIEWS: [&str; 5] = ["explore", "play", "review", "puzzles", "tables"];

/// The page.
#[utoipa::path(get, path = "/", responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn start(State(app): State<Arc<App>>) -> Response {
    app.page.document(None)
}

/// What the page shows.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Shown {
    /// A position, in any notation.
    position: Option<String>,
}

/// The page at one of its views: `explore`, `play`, `review`, `puzzles` or `tables`.
#[utoipa::path(get, path = "/{view}/{ruleset}", params(
    ("view" = String, Path, description = "A view", example = "explore"),
    ("ruleset" = String, Path, description = "The id of a ruleset"), Shown
), responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"),
    (status = 400, description = "The query cannot be read", body = ApiError),
    (status = 404, description = "There is no such view", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn view(
    State(app): State<Arc<App>>,
    Named(view): Named,
    edition: Result<Of, ApiError>,
    Params(Shown { position }): Params<Shown>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if !VIEWS.contains(&view.as_str()) {
        return Err(ApiError::not_found("there is nothing at this address"));
    }
    // The page itself says that there is no such ruleset, and offers those there are.
    let Ok(Of(edition)) = edition else {
        return Ok(app.page.document(None));
    };
    let position = position.unwrap_or_else(|| "start".to_owned());
    let asked = Arc::clone(&edition);
    let found = app.answering.alone(Pace::Quick, move || {
        asked.any().probe(position.as_str().into(), false).ok()
    });
    // Whatever is wrong with the position, the page itself says so better.
    let found = found.await.ok().flatten();
    let preview = found.map(|found| preview(&app, &edition, &found, &headers));
    Ok(app.page.document(preview.as_deref()))
}

/// The page at a table.
#[utoipa::path(get, path = "/tables/{ruleset}/{table}", params(
    ("ruleset" = String, Path, description = "The id of a ruleset"),
    ("table" = String, Path, description = "The name of a table"),
), responses(
    (status = 200, description = "The page", body = String, content_type = "text/html"),
    (status = 404, description = "There is no such ruleset", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn table(State(app): State<Arc<App>>, Of(_): Of) -> Response {
    app.page.document(None)
}

/// A file of the page.
#[utoipa::path(get, path = "/assets/{file}", params(
    ("file" = String, Path, description = "The name of a file")
), responses(
    (status = 200, description = "The file", content_type = "application/octet-stream"),
    (status = 404, description = "There is no such file", body = ApiError),
    (status = 429, description = "Too many requests", body = ApiError),
))]
pub async fn asset(
    State(app): State<Arc<App>>,
    Named(name): Named,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let found = app.page.asset(&name, &headers);
    found.ok_or_else(|| ApiError::not_found("there is no such file"))
}

/// Pixels of the picture that a shared link shows.
const SHARED: u32 = 600;

/// What a shared link shows: the board, and who wins.
fn preview(app: &App, edition: &Edition, found: &PositionAnswer, headers: &HeaderMap) -> String {
    let side = match found.state.side {
        Colour::White => "White",
        Colour::Black => "Black",
    };
    let verdict = match (&found.state.finished, found.value.verdict()) {
        (Some(_), _) => "The game is over.".to_owned(),
        (None, Some(verdict)) => format!("{side} to move: {verdict}."),
        (None, None) => format!("{side} to move."),
    };
    let title = format!("{} · Endmill", edition.about.title);
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
        let id = edition.id;
        meta("url", &format!("{origin}/explore/{id}?position={position}"));
        let image = format!("{origin}/api/{id}/image.png?position={position}&size={SHARED}");
        meta("image", &image);
        meta("image:type", "image/png");
        meta("image:width", &SHARED.to_string());
        meta("image:height", &SHARED.to_string());
        meta("image:alt", &found.head.position);
    }
    text
}

/// The address of this server, as the client has it.
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
