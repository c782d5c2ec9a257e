//! Reference server: the shop's responses, each from a bare axum route without lookups and layers.
//!
//! `bare FOLDER` reads `FOLDER/routes`: a line for each route, with its path, a tab and a name. `NAME.headers` has one
//! header on each line, `NAME.body` is the body.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::routing::get;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args().nth(1).ok_or("usage: bare FOLDER")?;
    bench::serve(routes(Path::new(&folder))?).await
}

fn routes(folder: &Path) -> Result<Router, Box<dyn Error>> {
    let mut router = Router::new();
    for line in fs::read_to_string(folder.join("routes"))?.lines() {
        let (path, name) = line.split_once('\t').ok_or_else(|| format!("not a route: {line}"))?;
        let headers = headers(&fs::read_to_string(folder.join(format!("{name}.headers")))?)?;
        let body = Bytes::from(fs::read(folder.join(format!("{name}.body")))?);
        router = router.route(path, get(move || std::future::ready((headers.clone(), body.clone()))));
    }
    Ok(router)
}

fn headers(lines: &str) -> Result<HeaderMap, Box<dyn Error>> {
    let mut headers = HeaderMap::new();
    for (name, value) in lines.lines().filter_map(|line| line.split_once(": ")) {
        headers.insert(HeaderName::try_from(name)?, HeaderValue::from_str(value)?);
    }
    Ok(headers)
}
