//! Responses with caching headers.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::app::App;
use crate::error::ApiError;
use crate::jobs::{Answered, JobClass, Reply};
use crate::rulesets::RulesetSnapshot;

/// The content type of JSON.
pub const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// A proved answer does not change.
const SETTLED: HeaderValue = HeaderValue::from_static("public, max-age=300");
/// An estimate, or an answer that tables may still improve, is checked every time.
const OPEN: HeaderValue = HeaderValue::from_static("no-cache");

/// A question about a ruleset whose answer may be shared and cached.
pub struct Question {
    /// The ruleset.
    pub snapshot: Arc<RulesetSnapshot>,
    /// The route and its parameters, which identify the question.
    pub text: String,
    /// The content type of the answer.
    pub content_type: HeaderValue,
}

impl Question {
    /// A question with an answer in JSON.
    pub fn json(snapshot: Arc<RulesetSnapshot>, text: String) -> Question {
        Question {
            snapshot,
            text,
            content_type: JSON,
        }
    }

    /// A hash of the question and everything that its answer depends on.
    fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.snapshot.tag);
        hasher.update(self.text.as_bytes());
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// The `ETag` of an answer. Weak, because compression does not change the answer. It includes whether
/// the answer is settled, so that a 304 can carry the right `Cache-Control` without asking again.
fn etag(hash: &str, settled: bool) -> String {
    let ending = if settled { "s" } else { "" };
    format!("W/\"{hash}{ending}\"")
}

/// Looks for an answer to the question in `If-None-Match`; returns whether that answer is settled.
fn cached(headers: &HeaderMap, hash: &str) -> Option<bool> {
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

/// A question whose answer the client does not have.
pub struct PendingQuestion {
    /// The question.
    pub question: Question,
    hash: String,
}

impl PendingQuestion {
    /// Returns `Err` with a 304 response if the client has the answer.
    pub fn new(question: Question, headers: &HeaderMap) -> Result<PendingQuestion, Box<Response>> {
        let hash = question.hash();
        if let Some(settled) = cached(headers, &hash) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            insert_caching(&mut response, &hash, settled);
            let vary = HeaderValue::from_static("accept-encoding");
            response.headers_mut().insert(header::VARY, vary);
            return Err(Box::new(response));
        }
        Ok(PendingQuestion { question, hash })
    }

    /// Computes the answer, once for all clients that ask at the same time.
    pub async fn ask(
        &self,
        app: &App,
        class: JobClass,
        work: impl FnOnce(&RulesetSnapshot) -> Answered + Send + 'static,
    ) -> Answered {
        let snapshot = Arc::clone(&self.question.snapshot);
        // The class is part of the key: a slow question may include a search.
        let key = format!("{class:?} {}", self.hash);
        let work = move || work(&snapshot);
        app.jobs.run_shared(class, key, work).await
    }

    /// The response with an answer.
    pub fn respond(&self, reply: Reply) -> Response {
        let mut response = Response::new(Body::from(reply.body));
        insert_caching(&mut response, &self.hash, reply.settled);
        let kind = self.question.content_type.clone();
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}

/// Answers a question by one job.
pub async fn answer(
    app: &App,
    headers: &HeaderMap,
    question: Question,
    class: JobClass,
    work: impl FnOnce(&RulesetSnapshot) -> Answered + Send + 'static,
) -> Result<Response, ApiError> {
    let pending = match PendingQuestion::new(question, headers) {
        Ok(pending) => pending,
        Err(unchanged) => return Ok(*unchanged),
    };
    let reply = pending.ask(app, class, work).await?;
    Ok(pending.respond(reply))
}

/// Answers a question that is not shared or cached, by one job.
pub async fn run(
    app: &App,
    class: JobClass,
    work: impl FnOnce() -> Answered + Send + 'static,
) -> Result<Response, ApiError> {
    Ok(fresh(app.jobs.run(class, work).await??))
}

/// JSON that must not be cached.
pub fn fresh(reply: Reply) -> Response {
    no_store(reply.body.into())
}

/// A JSON body that must not be cached.
pub fn no_store(body: Body) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, JSON);
    let control = HeaderValue::from_static("no-store");
    headers.insert(header::CACHE_CONTROL, control);
    response
}

/// Adds `ETag` and `Cache-Control`.
fn insert_caching(response: &mut Response, hash: &str, settled: bool) {
    let headers = response.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&etag(hash, settled)) {
        headers.insert(header::ETAG, etag);
    }
    let control = if settled { SETTLED } else { OPEN };
    headers.insert(header::CACHE_CONTROL, control);
}
