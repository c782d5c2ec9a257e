use std::convert::Infallible;

use axum::body::Bytes;
use http_body_util::StreamBody;
use hyper::body::Frame;
use serde_json::{Value, json};

use super::table::{Call, Who, calls};
use crate::harness::{Answer, Client, Person};

const LIMIT: usize = 64 * 1024;

/// Whoever may make the call.
fn caller<'a>(call: &Call, visitor: &'a Client, customer: &'a Person, admin: &'a Person) -> &'a Client {
    match call.who {
        Who::Everybody => visitor,
        Who::SignedIn => customer,
        Who::Admin => admin,
    }
}

// rule 37, 42
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_json_and_says_so() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in &table {
        let Some(body) = &call.body else { continue };
        let client = caller(call, &visitor, &customer, &admin);
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
        let client = caller(call, &visitor, &customer, &admin);
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

// rule 37
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_64_kibibytes_at_most_announced_or_not() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    for call in &table {
        let Some(body) = &call.body else { continue };
        let client = caller(call, &visitor, &customer, &admin);
        let padded = |length: usize| {
            let text = body.to_string();
            format!("{text}{}", " ".repeat(length - text.len()))
        };
        let fits = client.send_json(call.method, &call.path, padded(LIMIT)).await;
        assert!(!matches!(fits.status, 413 | 500..), "{fits}");
        client.send_json(call.method, &call.path, padded(LIMIT + 1)).await.refuses(413, "BodyTooLarge");
        let unannounced = unannounced(client, call, &padded(LIMIT + 1)).await;
        unannounced.refuses(413, "BodyTooLarge");
    }
}

/// The same in chunks, so that no header tells its length.
async fn unannounced(client: &Client, call: &Call, text: &str) -> Answer {
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
        let client = caller(call, &visitor, &customer, &admin);
        let member = call.body.as_ref().and_then(Value::as_object).and_then(|body| body.keys().next()).unwrap();
        let deep = format!("{{\"{member}\":{}1{}}}", "[".repeat(20_000), "]".repeat(20_000));
        let answer = client.send_json(call.method, &call.path, deep).await;
        assert_eq!(answer.status, 400, "{answer}");
        answer.refusal();
    }
}

// rule 33
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_that_nobody_knows_are_ignored() {
    let (shop, customer, admin, table) = calls().await;
    let visitor = shop.visitor();
    let body = json!({ "stock": 119, "colour": "red", "": null, "__proto__": { "admin": true } });
    let call = table.iter().find(|call| call.route.ends_with("/stock")).unwrap();
    let answer = caller(call, &visitor, &customer, &admin).patch(&call.path, &body).await.gives(200);
    assert_eq!(answer["stock"], json!(119));
    assert_eq!(answer.get("colour"), None::<&Value>);
}

// rule 47
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
            let answer = admin.send(admin.request(method, &call.path)).await;
            answer.refuses(405, "MethodNotAllowed");
            let allowed: Vec<&str> = answer.header("allow").unwrap_or_default().split(',').map(str::trim).collect();
            for method in &taken {
                assert!(allowed.contains(method), "{answer} allows {allowed:?}");
            }
        }
    }
    shop.visitor().send(shop.visitor().request("GET", "/api/auth/login")).await.refuses(405, "MethodNotAllowed");
}
