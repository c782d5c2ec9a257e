//! The shop's bytes from a bare axum route each: nothing is looked up, and no layer lies in between.
//!
//! `bare FOLDER` reads the list `FOLDER/routes`, a line a route: its path, the content type, the content encoding or
//! `identity`, and the file in the folder that holds the body, each after a tab.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::routing::get;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: bare FOLDER")?;
    let router = routes(Path::new(&folder))?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("listening on http://{}", listener.local_addr()?);
    // As the shop does: an answer is not held back for a second packet.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await?;
    Ok(())
}

fn routes(folder: &Path) -> Result<Router, Box<dyn Error>> {
    let mut router = Router::new();
    for line in fs::read_to_string(folder.join("routes"))?.lines() {
        let [path, kind, encoding, file] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not a route: {line}").into());
        };
        let headers = headers(kind, encoding)?;
        let body = Bytes::from(fs::read(folder.join(file))?);
        router = router.route(path, get(move || std::future::ready((headers.clone(), body.clone()))));
    }
    Ok(router)
}

fn headers(kind: &str, encoding: &str) -> Result<HeaderMap, Box<dyn Error>> {
    let mut headers = HeaderMap::new();
    let mut add = |name: HeaderName, value: &str| HeaderValue::from_str(value).map(|value| headers.insert(name, value));
    add(header::CONTENT_TYPE, kind)?;
    if encoding != "identity" {
        add(header::CONTENT_ENCODING, encoding)?;
    }
    Ok(headers)
}
