//! The page: the bundle of `web/dist`, embedded in the program.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use rust_embed::RustEmbed;

/// Where the server inserts the preview of a shared link.
const PREVIEW: &str = "<!--preview-->";
/// The document if the program was built without the page.
const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Endmill</title>\
    <p>This server was built without its page. Its interface is described at \
    <a href=\"/openapi.json\">/openapi.json</a>.</p></html>";

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// A file of the page.
struct Asset {
    bytes: Bytes,
    kind: HeaderValue,
    /// Whether to compress it, which is done once.
    text: bool,
    brotli: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

/// All files of the page.
pub struct Page {
    index: String,
    assets: HashMap<String, Asset>,
}

impl Page {
    /// The page that the program was built with.
    pub fn embedded() -> Page {
        let files = Dist::iter().filter_map(|name| {
            let bytes = match Dist::get(&name)?.data {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            };
            let asset = Asset {
                kind: kind(&name),
                text: !name.ends_with(".woff2") && !name.ends_with(".png"),
                bytes,
                brotli: OnceLock::new(),
                gzip: OnceLock::new(),
            };
            Some((name.into_owned(), asset))
        });
        let mut assets: HashMap<String, Asset> = files.collect();
        let index = assets.remove("index.html");
        let index = index.map(|index| String::from_utf8_lossy(&index.bytes).into_owned());
        Page {
            index: index.unwrap_or_else(|| NO_PAGE.to_owned()),
            assets,
        }
    }

    /// The document, with the preview of a shared link.
    pub fn document(&self, preview: Option<&str>) -> Response {
        let preview = preview.unwrap_or_default();
        let text = self.index.replacen(PREVIEW, preview, 1);
        let mut response = Response::new(Body::from(text));
        let headers = response.headers_mut();
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, html);
        let control = HeaderValue::from_static("no-cache");
        headers.insert(header::CACHE_CONTROL, control);
        response
    }

    /// A file by its name.
    pub fn asset(&self, name: &str, asked: &HeaderMap) -> Option<Response> {
        let asset = self.assets.get(name)?;
        let accepts = |coding: &str| {
            let accepted = asked.get_all(header::ACCEPT_ENCODING).iter();
            let mut accepted = accepted.filter_map(|value| value.to_str().ok());
            accepted.any(|list| list.split(',').any(|one| one.trim() == coding))
        };
        let (bytes, coding) = match asset.text {
            true if accepts("br") => (asset.brotli(), Some("br")),
            true if accepts("gzip") => (asset.gzip(), Some("gzip")),
            _ => (asset.bytes.clone(), None),
        };
        let mut response = Response::new(Body::from(bytes));
        *response.status_mut() = StatusCode::OK;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, asset.kind.clone());
        // The addresses in the document contain the hashes of the files.
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        headers.insert(header::CACHE_CONTROL, forever);
        let vary = HeaderValue::from_static("accept-encoding");
        headers.insert(header::VARY, vary);
        if let Some(coding) = coding {
            let coding = HeaderValue::from_static(coding);
            headers.insert(header::CONTENT_ENCODING, coding);
        }
        Some(response)
    }
}

impl Asset {
    fn brotli(&self) -> Bytes {
        let compress = || {
            let mut out = Vec::new();
            let params = brotli::enc::BrotliEncoderParams {
                quality: 9,
                ..Default::default()
            };
            // Reading from memory and writing to memory cannot fail.
            let _ = brotli::BrotliCompress(&mut &*self.bytes, &mut out, &params);
            out.into()
        };
        self.brotli.get_or_init(compress).clone()
    }

    fn gzip(&self) -> Bytes {
        let compress = || {
            let level = flate2::Compression::best();
            let mut out = flate2::write::GzEncoder::new(Vec::new(), level);
            let written = out.write_all(&self.bytes).and_then(|()| out.finish());
            written.unwrap_or_default().into()
        };
        self.gzip.get_or_init(compress).clone()
    }
}

fn kind(name: &str) -> HeaderValue {
    let (_, ending) = name.rsplit_once('.').unwrap_or_default();
    HeaderValue::from_static(match ending {
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "json" | "map" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    })
}
