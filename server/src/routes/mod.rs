//! The routes. A handler reads the request, submits the work to the pool and sends the answer; its
//! attributes are the source of `/openapi.json`.

mod batch;
mod documented;
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
use axum::http::{Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::{Any, CorsLayer};
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::connection;
use crate::error::ApiError;

#[derive(OpenApi)]
#[openapi(info(
    title = "Endmill",
    description = "Exact answers for morris games and English draughts: who wins, how fast, and by \
                   which move. And games by link."
))]
struct Api;

/// All routes, with the middleware.
pub fn router(app: Arc<App>) -> Router {
    let (router, mut document) = documented();
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    let document: Arc<str> = document.to_json().unwrap_or_default().into();
    let compression = CompressionLayer::new().gzip(true).br(true);
    router
        .layer(axum::Extension(machine::OpenApi(document)))
        .fallback(|| async { ApiError::not_found("there is nothing at this address") })
        .layer(CatchPanicLayer::custom(connection::internal_error))
        .layer(compression)
        .layer(from_fn_with_state(Arc::clone(&app), connection::handle))
        .with_state(app)
}

/// The routes and their OpenAPI document.
fn documented() -> (Router<Arc<App>>, Document) {
    // Pages of other origins may read, but not play. The fallback for wrong methods comes before the
    // CORS layer, which answers the preflight requests of browsers.
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
    let (own, own_document) = OpenApiRouter::new()
        .routes(routes!(games::create))
        .routes(routes!(games::state))
        .routes(routes!(games::socket))
        .routes(routes!(machine::healthz))
        .routes(routes!(machine::metrics))
        .routes(routes!(pages::start))
        .routes(routes!(pages::view))
        .routes(routes!(pages::table))
        .routes(routes!(pages::asset))
        .split_for_parts();
    document.merge(own_document);
    let own = own.method_not_allowed_fallback(not_allowed);
    (readable.merge(own), document)
}

async fn not_allowed() -> ApiError {
    let message = "method not allowed at this address";
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    /// The types of the page are generated from `web/openapi.json`: the schemas of the document
    /// without texts and formats, which the page does not need.
    #[test]
    fn the_schemas_of_the_page_are_current() {
        let (_, document) = super::documented();
        let mut schemas = serde_json::to_value(document).unwrap()["components"]["schemas"].take();
        simplify(&mut schemas);
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/openapi.json");
        if std::env::var_os("ENDMILL_UPDATE_OPENAPI").is_some() {
            let schemas = schemas.as_object().unwrap().iter();
            let schemas = schemas.map(|(name, schema)| format!("{}:{schema}", json!(name)));
            let mut lines: Vec<_> = schemas.collect();
            lines.sort_unstable();
            let head = r#"{"openapi":"3.1.0","info":{"title":"Endmill","version":""},"paths":{}"#;
            let lines = lines.join(",\n");
            let text = format!("{head},\n\"components\":{{\"schemas\":{{\n{lines}\n}}}}}}\n");
            std::fs::write(path, text).unwrap();
            return;
        }
        let stored: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let advice = "web/openapi.json is out of date: run ENDMILL_UPDATE_OPENAPI=1 cargo test \
                      -p endmill-server --lib schemas, then npm run types in web/";
        assert!(stored["components"]["schemas"] == schemas, "{advice}");
    }

    /// The routes as a table of Markdown.
    fn routes(document: &Value) -> String {
        let mut table = String::from("| request | answer, and parameters |\n|---|---|\n");
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, route) in methods.as_object().unwrap() {
                let text = |of: &Value| of.as_str().unwrap_or_default().replace(['\n', '|'], " ");
                let mut parameters = Vec::new();
                for parameter in route["parameters"].as_array().into_iter().flatten() {
                    if parameter["in"] == "query" {
                        let about = text(&parameter["description"]);
                        let required = match parameter["required"] == true {
                            true => " (required)",
                            false => "",
                        };
                        let name = text(&parameter["name"]);
                        let about = about.trim_end_matches('.');
                        parameters.push(format!("`{name}`{required}: {about}"));
                    }
                }
                let content = &route["requestBody"]["content"];
                let schema = text(&content["application/json"]["schema"]["$ref"]);
                if let Some((_, body)) = schema.rsplit_once('/') {
                    parameters.push(format!("body: `{body}`"));
                }
                let mut answer = [text(&route["summary"]), text(&route["description"])].join(" ");
                if !parameters.is_empty() {
                    answer = format!("{} ({})", answer.trim(), parameters.join("; "));
                }
                let (method, answer) = (method.to_uppercase(), answer.trim());
                table += &format!("| `{method} {path}` | {answer} |\n");
            }
        }
        table
    }

    #[test]
    fn the_routes_of_the_book_are_current() {
        let (_, document) = super::documented();
        let routes = routes(&serde_json::to_value(document).unwrap());
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/http.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (begin, end) = ("<!-- begin routes -->\n", "<!-- end -->");
        let (before, rest) = page.split_once(begin).expect("the beginning of the routes");
        let (_, after) = rest.split_once(end).expect("the end of the routes");
        let current = format!("{before}{begin}{routes}{end}{after}");
        if std::env::var_os("ENDMILL_UPDATE_OPENAPI").is_some() {
            return std::fs::write(path, current).unwrap();
        }
        let advice = "docs/http.md is out of date: run ENDMILL_UPDATE_OPENAPI=1 cargo test \
                      -p endmill-server --lib routes";
        assert!(page == current, "{advice}");
    }

    fn simplify(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, value| {
                    !(["description", "example", "format"].contains(&name.as_str())
                        && value.is_string())
                });
                fields.values_mut().for_each(simplify);
            }
            Value::Array(items) => items.iter_mut().for_each(simplify),
            _ => {}
        }
    }
}
