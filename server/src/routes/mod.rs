//! The routes. A handler reads what is asked, hands the work to the pool and sends what comes back;
//! what it answers is described beside it, and `/openapi.json` is made from these descriptions.

mod batch;
mod games;
mod image;
mod machine;
mod pages;
mod positions;
mod probe;
mod review;
mod rulesets;
mod tables;
mod turns;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::ApiError;
use crate::gate;

#[derive(OpenApi)]
#[openapi(info(
    title = "Endmill",
    description = "Exact answers for morris games and English draughts: who wins here, how fast, \
                   and by which turn? And games by link."
))]
struct Api;

/// Everything that is served, and its description.
pub fn router(app: Arc<App>) -> Router {
    let (router, mut document) = described();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let document: Arc<str> = document.to_json().unwrap_or_default().into();
    let compression = CompressionLayer::new().gzip(true).br(true);
    router
        .layer(axum::Extension(machine::Described(document)))
        .fallback(|| async { ApiError::not_found("there is nothing at this address") })
        .layer(CatchPanicLayer::custom(gate::panicked))
        .layer(compression)
        .layer(from_fn_with_state(Arc::clone(&app), gate::pass))
        .with_state(app)
}

/// The routes with their descriptions.
fn described() -> (Router<Arc<App>>, Document) {
    // Whoever reads from another page may; games are for our own. What a wrong method is answered
    // with comes below the layer, which answers the question that browsers ask first.
    let (readable, mut document) = OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(rulesets::rulesets))
        .routes(routes!(rulesets::ruleset))
        .routes(routes!(probe::probe))
        .routes(routes!(probe::line))
        .routes(routes!(batch::batch))
        .routes(routes!(tables::tables))
        .routes(routes!(tables::table))
        .routes(routes!(tables::sample))
        .routes(routes!(tables::puzzle))
        .routes(routes!(review::review))
        .routes(routes!(positions::setup))
        .routes(routes!(positions::read))
        .routes(routes!(positions::transform))
        .routes(routes!(image::svg))
        .routes(routes!(image::png))
        .routes(routes!(turns::choose))
        .routes(routes!(machine::openapi))
        .split_for_parts();
    let readable = readable
        .method_not_allowed_fallback(not_allowed)
        .layer(cors());
    let (own, of_own) = OpenApiRouter::new()
        .routes(routes!(games::make))
        .routes(routes!(games::state))
        .routes(routes!(games::socket))
        .routes(routes!(machine::healthz))
        .routes(routes!(machine::metrics))
        .routes(routes!(pages::start))
        .routes(routes!(pages::view))
        .routes(routes!(pages::table))
        .routes(routes!(pages::asset))
        .split_for_parts();
    document.merge(of_own);
    let own = own.method_not_allowed_fallback(not_allowed);
    (readable.merge(own), document)
}

async fn not_allowed() -> ApiError {
    let message = "this address does not take this method";
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        message,
    )
}

fn cors() -> CorsLayer {
    let exposed = [
        "etag",
        "ratelimit-limit",
        "ratelimit-remaining",
        "ratelimit-reset",
        "retry-after",
    ];
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH])
        .expose_headers(exposed.map(header::HeaderName::from_static))
        .max_age(std::time::Duration::from_secs(24 * 3600))
}

/// The type of an answer in JSON.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");
