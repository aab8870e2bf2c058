//! Answers that may be cached, by what they are an answer to.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::answering::{Answered, Pace, Reply};
use crate::app::App;
use crate::error::ApiError;
use crate::rulesets::Edition;

/// What is proved stays so.
const SETTLED: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// What a search thinks, or what tables may still tell, is asked for again.
const OPEN: HeaderValue = HeaderValue::from_static("no-cache");

/// A question about a ruleset that many may ask.
pub struct Question {
    /// The ruleset.
    pub edition: Arc<Edition>,
    /// Route and parameters: the same text is the same question.
    pub text: String,
    /// The type of the answer.
    pub content_type: &'static str,
}

impl Question {
    /// One that is answered in JSON.
    pub fn json(edition: Arc<Edition>, text: String) -> Question {
        Question {
            edition,
            text,
            content_type: "application/json",
        }
    }

    /// Names the question and everything that its answer depends on.
    fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.edition.tag);
        hasher.update(self.text.as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// What an answer to the question with this hash is called. Weak: compressed or not, it is the same
/// answer. Whether it is settled is part of it, so that a client that comes with it can be told
/// how long it holds without asking again.
fn tag(hash: &str, settled: bool) -> String {
    let ending = if settled { "s" } else { "" };
    format!("W/\"{hash}{ending}\"")
}

/// Of what the client has, the answer to the question with this hash: whether that is settled.
fn held(headers: &HeaderMap, hash: &str) -> Option<bool> {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter();
    let lists = lists.filter_map(|value| value.to_str().ok());
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.find_map(|one| {
        let one = one.strip_prefix("W/").unwrap_or(one);
        let rest = one.strip_prefix('"')?.strip_suffix('"')?;
        match rest.strip_prefix(hash)? {
            "" => Some(false),
            "s" => Some(true),
            _ => None,
        }
    })
}

/// A question that was looked at: perhaps the client has the answer already.
pub struct Opening {
    /// The question.
    pub question: Question,
    hash: String,
}

impl Opening {
    /// Looks at a question; `Err` is the answer that the client has it already.
    pub fn new(question: Question, headers: &HeaderMap) -> Result<Opening, Box<Response>> {
        let hash = question.hash();
        if let Some(settled) = held(headers, &hash) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            insert_caching(&mut response, &hash, settled);
            let vary = HeaderValue::from_static("accept-encoding");
            response.headers_mut().insert(header::VARY, vary);
            return Err(Box::new(response));
        }
        Ok(Opening { question, hash })
    }

    /// Answers it, together with everybody who asks the same at the same time.
    pub async fn ask(
        &self,
        app: &App,
        pace: Pace,
        work: impl FnOnce(&Edition) -> Answered + Send + 'static,
    ) -> Answered {
        let edition = Arc::clone(&self.question.edition);
        // The pace is part of the question: a slow one searches too.
        let key = format!("{pace:?} {}", self.hash);
        let work = move || work(&edition);
        app.answering.ask(pace, key, work).await
    }

    /// The answer as it is sent.
    pub fn respond(&self, reply: Reply) -> Response {
        let mut response = Response::new(Body::from(reply.body));
        insert_caching(&mut response, &self.hash, reply.settled);
        let kind = HeaderValue::from_static(self.question.content_type);
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

/// Answers a question that needs one piece of work.
pub async fn answer(
    app: &App,
    headers: &HeaderMap,
    question: Question,
    pace: Pace,
    work: impl FnOnce(&Edition) -> Answered + Send + 'static,
) -> Result<Response, ApiError> {
    let opening = match Opening::new(question, headers) {
        Ok(opening) => opening,
        Err(unchanged) => return Ok(*unchanged),
    };
    let reply = opening.ask(app, pace, work).await?;
    Ok(opening.respond(reply))
}

/// JSON that is not to be cached.
pub fn fresh(reply: Reply) -> Response {
    let mut response = Response::new(Body::from(reply.body));
    let headers = response.headers_mut();
    let json = HeaderValue::from_static("application/json");
    headers.insert(header::CONTENT_TYPE, json);
    let control = HeaderValue::from_static("no-store");
    headers.insert(header::CACHE_CONTROL, control);
    response
}

/// Says what the answer is called, and how long it holds.
fn insert_caching(response: &mut Response, hash: &str, settled: bool) {
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag(hash, settled)) {
        headers.insert(header::ETAG, tag);
    }
    let control = if settled { SETTLED } else { OPEN };
    headers.insert(header::CACHE_CONTROL, control);
}
