//! What every request passes: its address is counted, its answer gets headers, and both are told
//! to the metrics.

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
use crate::limits::{Place, Ruling, household};

/// The other end of a connection, and its place among all.
#[derive(Clone)]
pub struct Peer {
    /// Where it is.
    pub address: IpAddr,
    /// Held as long as the connection, or the socket that it becomes, is open.
    pub place: Arc<Place>,
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same for every answer.
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

/// Lets a request pass, or refuses it.
pub async fn pass(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = route.as_ref().map_or("other", MatchedPath::as_str);
    let route = route.to_owned();
    let watched = matches!(route.as_str(), "/healthz" | "/metrics");
    let peer = request.extensions().get::<Peer>();
    let address = peer.map(|peer| app.address(peer.address, request.headers()));
    let ruling = match address {
        Some(address) if !watched => app.rates.count(household(address)),
        _ => None,
    };
    let mut response = match ruling {
        Some(ruling) if ruling.refused => {
            let refused = ApiError::too_many_requests(ruling.reset.max(1));
            let mut refused = refused.into_response();
            // Pages elsewhere are told too why they get nothing.
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
    if let Some(ruling) = ruling {
        tell(ruling, headers);
    }
    let (status, taken) = (response.status().as_u16(), begun.elapsed());
    app.metrics.count(&route, status, taken);
    tracing::debug!(
        route,
        status,
        ?taken,
        address = address.map(tracing::field::display),
        "answered"
    );
    response
}

fn tell(ruling: Ruling, headers: &mut HeaderMap) {
    let mut put = |name, number: u64| {
        headers.insert(HeaderName::from_static(name), HeaderValue::from(number));
    };
    put("ratelimit-limit", ruling.limit.into());
    put("ratelimit-remaining", ruling.remaining.into());
    put("ratelimit-reset", ruling.reset);
}

/// A handler panicked: the client gets an answer all the same.
pub fn panicked(cause: Box<dyn Any + Send + 'static>) -> Response {
    let text = cause.downcast_ref::<&str>().copied();
    let text = text.or_else(|| cause.downcast_ref::<String>().map(String::as_str));
    tracing::error!(cause = text.unwrap_or("unknown"), "a handler panicked");
    ApiError::internal().into_response()
}
