use std::convert::Infallible;

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;
use serde_json::{Value, json};

use super::table::{Call, Who, calls};
use crate::harness::{ApiResponse, Client, Person, TestShop};

const LIMIT: usize = 64 * 1024;

/// A client that may use the endpoint.
fn client_for<'a>(call: &Call, visitor: &'a Client, customer: &'a Person, admin: &'a Person) -> &'a Client {
    match call.who {
        Who::Everybody => visitor,
        Who::SignedIn => customer,
        Who::Admin => admin,
    }
}

// invariant: request-limits
// invariant: cross-origin-requests
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_json_and_says_so() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in &table {
        let Some(body) = &call.body else { continue };
        let client = client_for(call, &visitor, &customer, &admin);
        let send = async |kind: Option<&str>, encoding: Option<&str>| {
            let mut request = client.request(call.method, &call.path).body(body.to_string());
            if let Some(kind) = kind {
                request = request.header("content-type", kind);
            }
            if let Some(encoding) = encoding {
                request = request.header("content-encoding", encoding);
            }
            client.send(request).await
        };
        for kind in [
            None,
            Some("text/plain"),
            Some("application/x-www-form-urlencoded"),
            Some("multipart/form-data"),
            Some("application/jsonp"),
            Some(""),
        ] {
            send(kind, None).await.refuses(415, "UnsupportedMediaType");
        }
        for encoding in ["gzip", "br", "identity, gzip"] {
            send(Some("application/json"), Some(encoding)).await.refuses(415, "UnsupportedMediaType");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_json_is_told_from_json_that_is_not_an_object() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in table.iter().filter(|call| call.body.is_some()) {
        let client = client_for(call, &visitor, &customer, &admin);
        let send = async |text: &'static [u8]| client.send_json(call.method, &call.path, text).await;
        let broken: [&'static [u8]; 8] =
            [b"", b" ", b"{", b"{\"a\":}", b"{'a':1}", b"{} {}", b"{\"a\":\"\xff\"}", b"nothing"];
        for text in broken {
            send(text).await.refuses(400, "InvalidJson");
        }
        let others: [&'static [u8]; 5] = [b"[]", b"null", b"7", b"true", b"\"text\""];
        for text in others {
            send(text).await.refuses(400, "InvalidRequest");
        }
    }
}

// invariant: request-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_64_kibibytes_at_most_announced_or_not() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in &table {
        let Some(body) = &call.body else { continue };
        let client = client_for(call, &visitor, &customer, &admin);
        let padded = |length: usize| {
            let text = body.to_string();
            format!("{text}{}", " ".repeat(length - text.len()))
        };
        let fits = client.send_json(call.method, &call.path, padded(LIMIT)).await;
        assert!(!matches!(fits.status, 413 | 500..), "{fits}");
        client.send_json(call.method, &call.path, padded(LIMIT + 1)).await.refuses(413, "BodyTooLarge");
        let unannounced = send_chunked(client, call, &padded(LIMIT + 1)).await;
        unannounced.refuses(413, "BodyTooLarge");
    }
}

/// Sends the body chunked, without a `Content-Length`.
async fn send_chunked(client: &Client, call: &Call, text: &str) -> ApiResponse {
    let chunks: Vec<_> = text.as_bytes().chunks(10_000).map(Bytes::copy_from_slice).collect();
    let frames = chunks.into_iter().map(|chunk| Ok::<_, Infallible>(Frame::data(chunk)));
    let body = reqwest::Body::wrap(StreamBody::new(futures_util::stream::iter(frames)));
    client.send_json(call.method, &call.path, body).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_very_deep_body_is_refused_like_any_other_that_is_wrong() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in table.iter().filter(|call| call.body.is_some()) {
        let client = client_for(call, &visitor, &customer, &admin);
        let member = call.body.as_ref().and_then(Value::as_object).and_then(|body| body.keys().next()).unwrap();
        let deep = format!("{{\"{member}\":{}1{}}}", "[".repeat(20_000), "]".repeat(20_000));
        let response = client.send_json(call.method, &call.path, deep).await;
        assert_eq!(response.status, 400, "{response}");
        response.refusal();
    }
}

// invariant: mass-assignment
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_that_nobody_knows_are_ignored() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    let body = json!({ "stock": 119, "colour": "red", "": null, "__proto__": { "admin": true } });
    let call = table.iter().find(|call| call.route.ends_with("/stock")).unwrap();
    let response = client_for(call, &visitor, &customer, &admin).patch(&call.path, &body).await.gives(200);
    assert_eq!(response["stock"], json!(119));
    assert_eq!(response.get("colour"), None::<&Value>);
}

/// Values that no field accepts, and one (`1e999`) that some JSON decoders cannot represent.
const UNUSABLE: [&str; 5] = [
    r#""\u0000""#,
    r#"[{"\u0000":"\u0000"}]"#,
    r#"["\u0000","\ud800"]"#,
    r#"["\u0000",1e999]"#,
    r#"{"items[0].product_id":"\u0000","path":"\u0000"}"#,
];

// invariant: mass-assignment
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_member_is_skipped_whatever_it_holds() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    let deep = format!("[\"\\u0000\",{}{}]", "[".repeat(1_000), "]".repeat(1_000));
    for call in &table {
        let Some(body) = &call.body else { continue };
        let client = client_for(call, &visitor, &customer, &admin);
        for value in UNUSABLE.into_iter().chain([deep.as_str()]) {
            // The unknown field is added to every object of the body.
            let text = body.to_string().replace('{', &format!("{{\"unknown\":{value},"));
            let response = client.send_json(call.method, &call.path, text).await;
            assert!(
                !response.text.contains("unknown") && !response.text.contains("InvalidJson"),
                "{value}: {response}"
            );
        }
    }
}

// invariant: mass-assignment
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_known_text_with_a_nul_in_it_is_named() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in &table {
        let Some(body) = &call.body else { continue };
        let client = client_for(call, &visitor, &customer, &admin);
        for (path, pointer) in string_fields(body, "", "") {
            let mut changed = body.clone();
            *changed.pointer_mut(&pointer).unwrap() = json!("a\u{0}b");
            // A top-level field whose name equals the nested path must not be mistaken for it.
            changed[&path] = json!("a\u{0}b");
            client.send_json(call.method, &call.path, changed.to_string()).await.names(&[&path]);
        }
    }
}

/// Every string of a body: its path as in error responses, and its JSON Pointer.
fn string_fields(value: &Value, path: &str, pointer: &str) -> Vec<(String, String)> {
    match value {
        Value::String(_) => vec![(path.to_owned(), pointer.to_owned())],
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                string_fields(value, &path, &format!("{pointer}/{name}"))
            })
            .collect(),
        Value::Array(values) => values
            .iter()
            .enumerate()
            .flat_map(|(index, value)| string_fields(value, &format!("{path}[{index}]"), &format!("{pointer}/{index}")))
            .collect(),
        _ => Vec::new(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_number_may_have_a_decimal_point() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    let mut with_numbers = 0;
    for call in &table {
        let Some(body) = &call.body else { continue };
        let with_points = with_points(body);
        if with_points == *body {
            continue;
        }
        with_numbers += 1;
        let client = client_for(call, &visitor, &customer, &admin);
        let response = client.send_json(call.method, &call.path, with_points.to_string()).await;
        assert!(!response.text.contains("InvalidRequest"), "{with_points}: {response}");
    }
    assert!(with_numbers >= 5, "{with_numbers}");

    let path = format!("/api/products/{}/stock", shop.light("Nudgelight Duo").await.id);
    for (text, stock) in [("5.0", 5), ("6.00", 6), ("7e0", 7), ("1E1", 10), ("-0.0", 0), ("1000000.0", 1_000_000)] {
        let response = admin.send_json("PATCH", &path, format!("{{\"stock\":{text}}}")).await.gives(200);
        assert_eq!(response["stock"], json!(stock), "{text}");
    }
    for text in ["5.5", "1e300", "-1.0", "1000001.0", "\"5.0\"", "true", "18446744073709551615"] {
        admin.send_json("PATCH", &path, format!("{{\"stock\":{text}}}")).await.names(&["stock"]);
        admin.send_json("PATCH", &path, format!("{{\"stock\":5,\"was\":{text}}}")).await.names(&["was"]);
    }
}

/// The same JSON with `5.0` for each `5`.
fn with_points(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(values) => values.iter().map(with_points).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), with_points(value))).collect(),
        other => other.clone(),
    }
}

// invariant: openapi-completeness
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_method_that_a_call_does_not_take_is_refused_with_those_it_takes() {
    let (shop, _, admin, table) = calls().await;
    for call in &table {
        let taken: Vec<&str> =
            table.iter().filter(|other| other.route == call.route).map(|other| other.method).collect();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] {
            if taken.contains(&method) {
                continue;
            }
            let response = admin.send(admin.request(method, &call.path)).await;
            response.refuses(405, "MethodNotAllowed");
            let allowed: Vec<&str> = response.header("allow").unwrap_or_default().split(',').map(str::trim).collect();
            for method in &taken {
                assert!(allowed.contains(method), "{response} allows {allowed:?}");
            }
        }
    }
    shop.visitor().send(shop.visitor().request("GET", "/api/auth/login")).await.refuses(405, "MethodNotAllowed");
}

// invariant: object-level-authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_refused_before_its_body_comes_leaves_the_connection_to_the_next() {
    let shop = TestShop::open().await;
    let body = "x".repeat(60 * 1024);
    let head = |method: &str, path: &str, more: &str| {
        format!("{method} {path} HTTP/1.1\r\nHost: shop\r\n{more}Content-Length: {}\r\n\r\n", body.len())
    };
    let json = "Content-Type: application/json\r\n";
    let no_token = format!("Authorization: Bearer x\r\n{json}");
    for (head, status) in [
        (head("POST", "/api/payments/create-intent", &no_token), 401),
        (head("POST", "/api/nothing", json), 404),
        (head("PUT", "/api/auth/login", json), 405),
        (head("POST", "/api/auth/login", "Content-Type: text/plain\r\n"), 415),
    ] {
        let mut socket = shop.socket_from("127.0.0.1").await;
        socket.says(&head).await;
        assert_eq!(socket.hears().await, Some(status), "{head}");
        for part in body.as_bytes().chunks(16 * 1024) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            socket.says(std::str::from_utf8(part).unwrap()).await;
        }
        assert_eq!(socket.asks("/healthz").await, Some(200), "{head}");
    }
}

// invariant: object-level-authorization
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_body_that_never_ends_is_not_waited_for_longer_than_any_other() {
    let shop = TestShop::open().await;
    let began = std::time::Instant::now();
    let mut socket = shop.socket_from("127.0.0.1").await;
    socket.says("POST /api/nothing HTTP/1.1\r\nHost: shop\r\nContent-Length: 60000\r\n\r\n").await;
    assert_eq!(socket.hears().await, Some(404));
    assert_eq!(socket.hears().await, None, "the connection is closed");
    assert!(began.elapsed() < std::time::Duration::from_secs(14), "{:?}", began.elapsed());

    let mut socket = shop.socket_from("127.0.0.1").await;
    socket.says("POST /api/nothing HTTP/1.1\r\nHost: shop\r\nContent-Length: 70000\r\n\r\n").await;
    let response = socket.hears_all().await;
    assert!(response.starts_with("HTTP/1.1 404") && response.contains("connection: close"), "{response}");
}
