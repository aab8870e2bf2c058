//! The delivery of answers: pictures, caching, headers, the page, and the OpenAPI document.

use crate::harness::TestServer;

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_drawn() {
    let server = TestServer::start().await;
    let svg = server
        .get("/api/nine/image.svg?position=start&size=300")
        .await;
    assert_eq!(svg.headers()["content-type"], "image/svg+xml");
    assert!(svg.text().await.unwrap().starts_with("<svg"));
    let png = server
        .get("/api/draughts/image.png?position=start&size=64")
        .await;
    assert_eq!(png.headers()["content-type"], "image/png");
    assert!(png.bytes().await.unwrap().starts_with(b"\x89PNG"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cached_answer_is_not_sent_again() {
    let server = TestServer::start().await;
    let path = "/api/nine/probe?position=W:Wa1,d1,g7:Bb2,b4,d6";
    let first = server.get(path).await;
    let tag = first.headers()["etag"].clone();
    assert_eq!(first.headers()["cache-control"], "public, max-age=300");
    let again = server
        .client
        .get(server.url(path))
        .header("if-none-match", tag.clone());
    let again = again.send().await.unwrap();
    assert_eq!(again.status(), 304);
    assert_eq!(again.headers()["etag"], tag);
    assert_eq!(again.headers()["cache-control"], "public, max-age=300");
    // The comparison is weak, also in a list.
    let strong = tag.to_str().unwrap().trim_start_matches("W/").to_owned();
    for held in [strong.clone(), format!("\"x\", {strong}")] {
        let again = server.client.get(server.url(path));
        let again = again.header("if-none-match", held).send().await.unwrap();
        assert_eq!(again.status(), 304);
    }
    let again = server
        .client
        .get(server.url(path))
        .header("if-none-match", tag.clone());
    let again = again.send().await.unwrap();
    assert!(again.bytes().await.unwrap().is_empty());
    let other = server.get(&format!("{path}&turns=no")).await;
    assert_ne!(other.headers()["etag"], tag);
    let open = server.get("/api/nine/probe?position=start&turns=no").await;
    assert_eq!(open.headers()["cache-control"], "no-cache");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_have_security_and_cors_headers() {
    let server = TestServer::start().await;
    for path in [
        "/",
        "/api/rulesets",
        "/nothing",
        "/metrics",
        "/api/nine/probe?position=x",
    ] {
        let answer = server
            .client
            .get(server.url(path))
            .header("origin", "https://example.org");
        let answer = answer.send().await.unwrap();
        let headers = answer.headers();
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self'"),
            "{path}"
        );
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let readable = path.starts_with("/api/");
        assert_eq!(
            headers.contains_key("access-control-allow-origin"),
            readable,
            "{path}"
        );
    }
}

/// The preflight request of a browser, and the request that would follow.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_may_ask_but_not_play() {
    let server = TestServer::start().await;
    for (path, body, allowed) in [
        ("/api/nine/batch", r#"{"positions":[]}"#, true),
        ("/api/nine/review", r#"{"moves":["d6"]}"#, true),
        ("/api/games", r#"{"ruleset":"three"}"#, false),
    ] {
        let preflight = server
            .client
            .request(reqwest::Method::OPTIONS, server.url(path))
            .header("origin", "https://example.org")
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "content-type");
        let preflight = preflight.send().await.unwrap();
        assert_eq!(preflight.status() == 200, allowed, "{path}");
        for (name, needed) in [
            ("access-control-allow-origin", "*"),
            ("access-control-allow-methods", "POST"),
            ("access-control-allow-headers", "content-type"),
        ] {
            let value = preflight.headers().get(name);
            let granted = value.is_some_and(|value| value.to_str().unwrap().contains(needed));
            assert_eq!(granted, allowed, "{path}: {name}");
        }
        let answer = server
            .client
            .post(server.url(path))
            .header("origin", "https://example.org")
            .header("content-type", "application/json")
            .body(body);
        let answer = answer.send().await.unwrap();
        assert!(answer.status().is_success(), "{path}");
        let readable = answer.headers().contains_key("access-control-allow-origin");
        assert_eq!(readable, allowed, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_at_all_its_addresses() {
    let server = TestServer::start().await;
    for (path, has_preview) in [
        ("/", false),
        ("/explore/nine", true),
        ("/play/three", true),
        ("/tables/nine/3v3", false),
        ("/explore/nine?position=x", false),
        ("/explore/chess", false),
    ] {
        let page = server.get(path).await;
        assert_eq!(page.status(), 200, "{path}");
        assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
        let page = page.text().await.unwrap();
        assert!(page.contains("<div id=\"page\">"), "{path}: {page}");
        assert_eq!(page.contains("og:description"), has_preview, "{path}");
        let (_, script) = page.split_once("<script").unwrap();
        let (_, address) = script.split_once("src=\"").unwrap();
        let (address, _) = address.split_once('"').unwrap();
        let script = server.get(address).await;
        assert_eq!(
            script.headers()["content-type"],
            "text/javascript; charset=utf-8"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_link_has_a_preview() {
    let server = TestServer::start().await;
    let page = server
        .get("/explore/nine?position=W:Wa1,b2,a4:Bd1,d2,g7")
        .await;
    let page = page.text().await.unwrap();
    let content = |name: &str| {
        let begins = format!("<meta property=\"og:{name}\" content=\"");
        let (_, rest) = page.split_once(&begins).unwrap_or_else(|| panic!("{page}"));
        let (content, _) = rest.split_once('"').unwrap();
        content.replace("&amp;", "&")
    };
    assert_eq!(content("description"), "White to move: win in 1.");
    let own = server.url("/");
    for name in ["url", "image"] {
        let address = content(name);
        assert!(address.starts_with(&own), "{address}");
        let there = server.client.get(&address).send().await.unwrap();
        assert_eq!(there.status(), 200, "{address}");
    }
    let picture = server.client.get(content("image")).send().await.unwrap();
    let picture = picture.bytes().await.unwrap();
    let size = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    assert_eq!(
        [size(16), size(20)].map(|n| n.to_string()),
        [content("image:width"), content("image:height")]
    );
    // The address is escaped.
    let page = server
        .get("/explore/nine?position=%22%3E%3Cscript%3E")
        .await;
    assert!(!page.text().await.unwrap().contains("\"><script>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_and_metrics_are_reported() {
    let server = TestServer::start().await;
    assert_eq!(server.ok("/healthz").await["status"], "ok");
    server.get("/api/nine/probe?position=start").await;
    let metrics = server.get("/metrics").await.text().await.unwrap();
    let counted = r#"endmill_http_requests_total{route="/api/{ruleset}/probe",status="200"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
    assert!(metrics.contains("endmill_searches_total 1"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_openapi_document_lists_every_route() {
    let server = TestServer::start().await;
    let document = server.ok("/openapi.json").await;
    let mut listed: Vec<String> = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let methods = item.as_object().unwrap().keys();
        listed.extend(methods.map(|method| format!("{method} {path}")));
    }
    listed.sort();
    let mut expected = [
        "get /",
        "get /api/games/{id}",
        "get /api/games/{id}/ws",
        "get /api/rulesets",
        "get /api/{ruleset}",
        "get /api/{ruleset}/image.png",
        "get /api/{ruleset}/image.svg",
        "get /api/{ruleset}/line",
        "get /api/{ruleset}/probe",
        "get /api/{ruleset}/puzzle",
        "get /api/{ruleset}/read",
        "get /api/{ruleset}/sample",
        "get /api/{ruleset}/tables",
        "get /api/{ruleset}/tables/{table}",
        "get /api/{ruleset}/transform",
        "get /assets/{file}",
        "get /healthz",
        "get /metrics",
        "get /openapi.json",
        "get /tables/{ruleset}/{table}",
        "get /{view}/{ruleset}",
        "post /api/games",
        "post /api/{ruleset}/batch",
        "post /api/{ruleset}/move",
        "post /api/{ruleset}/review",
        "post /api/{ruleset}/setup",
    ];
    expected.sort_unstable();
    assert_eq!(listed, expected);
    // Every reference has a schema.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        let described = &document["components"]["schemas"][name];
        assert!(described.is_object(), "{name}");
    }
}
