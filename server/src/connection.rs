//! Middleware around every request: rate limit, response headers, metrics.

use std::any::Any;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::error::ApiError;
use crate::limits::{Permit, RateDecision, client_key};

/// The other end of a connection.
#[derive(Clone)]
pub struct Peer {
    /// Its address.
    pub address: IpAddr,
    /// Held while the connection, or the WebSocket that it becomes, is open.
    pub permit: Arc<Permit>,
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every response.
const HEADERS: [(HeaderName, HeaderValue); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(POLICY),
    ),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=()"),
    ),
];

/// Answers a request, or refuses it if its client has sent too many.
pub async fn handle(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let route = route.to_owned();
    let monitoring = matches!(route.as_str(), "/healthz" | "/metrics");
    let peer = request.extensions().get::<Peer>();
    let address = peer.map(|peer| app.address(peer.address, request.headers()));
    let decision = match address {
        Some(address) if !monitoring => app.rates.count(client_key(address)),
        _ => None,
    };
    let mut response = match decision {
        Some(decision) if decision.refused => {
            let refused = ApiError::too_many_requests(decision.reset.max(1));
            let mut refused = refused.into_response();
            // Pages of other origins may read why.
            let headers = refused.headers_mut();
            headers.insert(
                header::ACCESS_CONTROL_ALLOW_ORIGIN,
                HeaderValue::from_static("*"),
            );
            let exposed = HeaderValue::from_static("retry-after");
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
            refused
        }
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name, value.clone());
    }
    if let Some(decision) = decision {
        insert_rate(decision, headers);
    }
    let (status, elapsed) = (response.status().as_u16(), begun.elapsed());
    app.metrics.count(&route, status, elapsed);
    tracing::debug!(
        route,
        status,
        ?elapsed,
        address = address.map(tracing::field::display),
        "answered"
    );
    response
}

fn insert_rate(decision: RateDecision, headers: &mut HeaderMap) {
    let mut put = |name, number: u64| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(number));
    };
    put("ratelimit-limit", decision.limit.into());
    put("ratelimit-remaining", decision.remaining.into());
    put("ratelimit-reset", decision.reset);
}

/// The response when a handler panics.
pub fn internal_error(cause: Box<dyn Any + Send + 'static>) -> Response {
    let text = cause.downcast_ref::<&str>().copied();
    let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    tracing::error!(cause = text.unwrap_or("unknown"), "a handler panicked");
    ApiError::internal().into_response()
}
