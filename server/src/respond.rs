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
    fn tag(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.edition.tag);
        hasher.update(self.text.as_bytes());
        let hash = hasher.finalize().to_hex();
        // Weak: compressed or not, it is the same answer.
        format!("W/\"{}\"", &hash[..32])
    }
}

/// A question that was looked at: perhaps the client has the answer already.
pub struct Opening {
    /// The question.
    pub question: Question,
    tag: String,
}

impl Opening {
    /// Looks at a question; `Err` is the answer that the client has it already.
    pub fn new(question: Question, headers: &HeaderMap) -> Result<Opening, Box<Response>> {
        let tag = question.tag();
        let known = headers.get_all(header::IF_NONE_MATCH).iter();
        let mut known = known.filter_map(|value| value.to_str().ok());
        if known.any(|list| list.split(',').any(|one| one.trim() == tag)) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            insert_tag(&mut response, &tag);
            return Err(Box::new(response));
        }
        Ok(Opening { question, tag })
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
        let key = format!("{pace:?} {}", self.tag);
        let work = move || work(&edition);
        app.answering.ask(pace, key, work).await
    }

    /// The answer as it is sent.
    pub fn respond(&self, reply: Reply) -> Response {
        let mut response = Response::new(Body::from(reply.body));
        insert_tag(&mut response, &self.tag);
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static(self.question.content_type);
        headers.insert(header::CONTENT_TYPE, kind);
        let control = if reply.settled { SETTLED } else { OPEN };
        headers.insert(header::CACHE_CONTROL, control);
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

fn insert_tag(response: &mut Response, tag: &str) {
    if let Ok(tag) = HeaderValue::from_str(tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
}
