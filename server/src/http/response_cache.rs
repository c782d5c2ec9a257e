//! Response cache: public responses, one entry per content encoding, with ETags.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use prometheus::{IntCounter, Registry};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// Brotli quality. A higher one takes several times as long for a few percent, and the first request after a change waits.
const QUALITY: i32 = 5;
/// Bytes of a cache, with all encodings. A catalog of thousands of products has more pages than that: those that are used
/// the least are rendered again.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// Few enough that the cache is not divided into parts: a document may need most of it, as the list of thousands of
/// products does.
const ESTIMATED_DOCUMENTS: usize = 32;
/// Paths whose responses depend on the query string.
const QUERIED: [&str; 2] = ["/products", "/api/products"];

/// A response before it is encoded.
pub struct Document {
    /// Route in the metrics.
    pub route: &'static str,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    /// Content Security Policy, if it is not the default one.
    pub csp: Option<HeaderValue>,
    pub body: Bytes,
}

/// A document with all its headers: uncompressed and, if it stays in the cache, compressed.
#[derive(Debug)]
pub struct CachedResponse {
    pub route: &'static str,
    headers: HeaderMap,
    etag: HeaderValue,
    plain: Bytes,
    /// Best encoding first. An encoding that saves nothing is left out.
    compressed: Vec<(&'static str, Bytes)>,
}

impl CachedResponse {
    /// Compresses the document. Takes milliseconds: never call it on an async thread.
    fn new(document: Document, common: &HeaderMap) -> Self {
        let mut cached = Self::uncompressed(document, common);
        let encodings = [("br", brotli(&cached.plain)), ("gzip", gzip(&cached.plain, Compression::default()))];
        let smaller = |(name, encoded): (_, Option<Vec<u8>>)| {
            Some((name, encoded.filter(|encoded| encoded.len() < cached.plain.len())?.into()))
        };
        cached.compressed = encodings.into_iter().filter_map(smaller).collect();
        cached
    }

    /// A document for a single response, compressed quickly. Takes a millisecond: never call it on an async thread.
    pub fn for_single_use(document: Document, common: &HeaderMap) -> Self {
        let mut response = Self::uncompressed(document, common);
        response.compressed =
            gzip(&response.plain, Compression::fast()).map(|body| ("gzip", body.into())).into_iter().collect();
        response
    }

    /// Bytes in memory, with all encodings.
    pub fn size(&self) -> usize {
        self.plain.len() + self.compressed.iter().map(|(_, body)| body.len()).sum::<usize>()
    }

    /// A document without compressed encodings. `common` are the headers of every response.
    pub fn uncompressed(document: Document, common: &HeaderMap) -> Self {
        let Document { route, content_type, cache_control, csp, body } = document;
        let etag = etag(&body);
        let mut headers = common.clone();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, etag.clone());
        if let Some(csp) = csp {
            headers.insert(header::CONTENT_SECURITY_POLICY, csp);
        }
        Self { route, headers, etag, plain: body, compressed: Vec::new() }
    }

    /// The document, or 304 if the client's ETag matches.
    pub fn respond(&self, headers: &HeaderMap) -> Response {
        if !etag_matches(headers, &self.etag) {
            return self.respond_full(StatusCode::OK, headers);
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.headers_mut() = self.headers.clone();
        response
    }

    /// The document with this status.
    pub fn respond_full(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let encoded = preferred(headers, &self.compressed);
        let mut response = Response::new(Body::from(encoded.map_or(&self.plain, |(_, body)| body).clone()));
        *response.status_mut() = status;
        *response.headers_mut() = self.headers.clone();
        if let Some((encoding, _)) = encoded {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

/// ETag of these bytes. Weak, because all encodings of a document share it.
pub fn etag(body: &[u8]) -> HeaderValue {
    etag_of(&Sha256::digest(body))
}

/// ETag of a document with this hash.
pub fn etag_of(hash: &[u8]) -> HeaderValue {
    let mut digits = hex::encode(hash);
    digits.truncate(16);
    HeaderValue::from_str(&format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether the client's copy is current (`If-None-Match`).
pub fn etag_matches(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let Some(known) = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()) else { return false };
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = etag.to_str().map(bare).unwrap_or_default();
    known.split(',').map(bare).any(|tag| tag == own || tag == "*")
}

/// Content negotiation by the weights of `Accept-Encoding` (RFC 9110, section 12.5.3): the encoding with the highest
/// weight, the first one of equals; `None` if the client accepts none of them.
pub fn preferred<'f, T>(headers: &HeaderMap, encodings: &'f [(&'static str, T)]) -> Option<&'f (&'static str, T)> {
    let mut best = (None, 0.0);
    for encoded in encodings {
        let weight = weight(headers, encoded.0);
        if weight > best.1 {
            best = (Some(encoded), weight);
        }
    }
    best.0
}

/// From 0 (not accepted, or unreadable) to 1. `*` stands for every encoding that is not named.
fn weight(headers: &HeaderMap, encoding: &str) -> f32 {
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    let mut any = 0.0;
    for named in lines.flat_map(|line| line.split(',')) {
        let mut parts = named.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        if !name.eq_ignore_ascii_case(encoding) && name != "*" {
            continue;
        }
        let weight = parts.next().map_or(1.0, |weight| read_weight(weight).unwrap_or(0.0));
        if name != "*" {
            return weight;
        }
        any = weight;
    }
    any
}

fn read_weight(parameter: &str) -> Option<f32> {
    let (name, value) = parameter.split_once('=')?;
    let weight = value.trim().parse().ok()?;
    (name.trim().eq_ignore_ascii_case("q") && (0.0..=1.0).contains(&weight)).then_some(weight)
}

fn brotli(body: &[u8]) -> Option<Vec<u8>> {
    let settings = BrotliEncoderParams { quality: QUALITY, size_hint: body.len(), ..BrotliEncoderParams::default() };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*body, &mut compressed, &settings).ok()?;
    Some(compressed)
}

fn gzip(body: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

#[derive(Clone)]
struct BySize;

impl Weighter<String, Arc<CachedResponse>> for BySize {
    fn weight(&self, path: &String, document: &Arc<CachedResponse>) -> u64 {
        u64::try_from(path.len() + document.size()).unwrap_or(u64::MAX)
    }
}

/// Cached documents by path, the most used ones up to a total size. Single flight: concurrent requests for a missing
/// document render it once.
pub struct ResponseCache {
    common: HeaderMap,
    documents: Cache<String, Arc<CachedResponse>, BySize>,
    fills: IntCounter,
}

/// Creates caches, which share the headers of every response and a counter.
#[derive(Clone)]
pub struct ResponseCaches {
    pub common_headers: HeaderMap,
    fills: IntCounter,
}

impl ResponseCaches {
    /// # Errors
    /// If the registry already has the metric.
    pub fn new(common_headers: HeaderMap, registry: &Registry) -> prometheus::Result<Self> {
        let fills = IntCounter::new("shop_cache_fills_total", "Responses added to the response cache.")?;
        registry.register(Box::new(fills.clone()))?;
        Ok(Self { common_headers, fills })
    }

    pub fn create(&self) -> ResponseCache {
        ResponseCache::new(self.common_headers.clone(), self.fills.clone())
    }
}

/// Version of what every page shows besides its own content. A change makes cached pages stale.
#[derive(Clone, Default)]
pub struct PageVersion(Arc<AtomicU64>);

impl PageVersion {
    pub fn current(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    pub fn change(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Where the server finds cached responses before it routes a request.
pub trait CachedResponses: Send + Sync + 'static {
    /// A current response.
    fn find(&self, path: &str) -> Option<Arc<CachedResponse>>;
    /// A response that may be out of date, for an overloaded shop.
    fn find_stale(&self, path: &str) -> Option<Arc<CachedResponse>>;
    /// Whether the caller may see other responses than the public.
    fn is_privileged(&self, headers: &HeaderMap) -> bool;
}

impl ResponseCache {
    /// `fills` counts the documents that are added.
    pub fn new(common: HeaderMap, fills: IntCounter) -> Self {
        Self { common, documents: Cache::with_weighter(ESTIMATED_DOCUMENTS, MAX_BYTES, BySize), fills }
    }

    /// The document at exactly this path.
    pub fn find(&self, path: &str) -> Option<Arc<CachedResponse>> {
        self.documents.get(path)
    }

    /// The document at this path, rendered if it is missing. The caller bounds the number of paths.
    pub async fn get_or_render(
        &self,
        path: &str,
        render: impl Future<Output = Result<Document, Error>>,
    ) -> Result<Arc<CachedResponse>, Error> {
        self.documents
            .get_or_insert_async(path, async {
                let document = render.await?;
                self.fills.inc();
                let common = self.common.clone();
                let cached = tokio::task::spawn_blocking(move || CachedResponse::new(document, &common)).await;
                Ok::<_, Error>(Arc::new(cached.map_err(Error::internal)?))
            })
            .await
    }
}

/// The path under which the response to a request is cached; `None` if it depends on the query string.
pub fn cached_path(uri: &Uri) -> Option<&str> {
    (uri.query().is_none() || !QUERIED.contains(&uri.path())).then_some(uri.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request_headers(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    fn cached(body: &str) -> CachedResponse {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let document = Document { route: "/", content_type: "text/plain", cache_control: "no-cache", csp: None, body };
        CachedResponse::new(document, &HeaderMap::new())
    }

    #[test]
    fn the_best_form_that_is_accepted_is_sent() {
        let cached = cached(&"lamp ".repeat(100));
        for (accepted, sent) in [
            ("gzip, deflate, br", Some("br")),
            ("gzip", Some("gzip")),
            ("GZip", Some("gzip")),
            ("gzip;q=1.0, br;q=0.9", Some("gzip")),
            ("gzip; q=0.5, br ; Q=0.501", Some("br")),
            ("gzip;q=0.5, br;q=0.5", Some("br")),
            ("*", Some("br")),
            ("*;q=0", None),
            ("br;q=0, *", Some("gzip")),
            ("*, br;q=0.1", Some("gzip")),
            ("gzip, *;q=0", Some("gzip")),
            ("br;q=1.1, gzip;q=0.1", Some("gzip")),
            ("br;q=-1, gzip;q=0.1", Some("gzip")),
            ("br;q=nan, gzip;q=0.1", Some("gzip")),
            ("br;q=, gzip;q=x, deflate", None),
            ("br;level=1", None),
            ("identity", None),
            ("identity;q=0", None),
            ("br;q=0", None),
            ("brotli, xgzip", None),
            (",;,=,", None),
            ("", None),
        ] {
            let response = cached.respond(&request_headers(header::ACCEPT_ENCODING, accepted));
            let encoding = response.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap());
            assert_eq!(encoding, sent, "{accepted}");
        }
    }

    #[test]
    fn a_list_in_several_headers_is_one_list() {
        let lines = ["identity", "gzip;q=0.1"].map(|line| (header::ACCEPT_ENCODING, HeaderValue::from_static(line)));
        let mut headers = HeaderMap::new();
        for (name, line) in lines {
            headers.append(name, line);
        }
        let response = cached(&"lamp ".repeat(100)).respond(&headers);
        assert_eq!(response.headers().get(header::CONTENT_ENCODING), Some(&HeaderValue::from_static("gzip")));
    }

    #[test]
    fn what_compression_makes_larger_is_sent_as_it_is() {
        let response = cached("ok").respond(&request_headers(header::ACCEPT_ENCODING, "br, gzip"));
        assert_eq!(response.headers().get(header::CONTENT_ENCODING), None);
    }

    #[test]
    fn a_document_is_known_by_its_tag_in_any_list() {
        let cached = cached("lamp");
        let tag = cached.etag.to_str().unwrap().to_owned();
        for (known, status) in [
            (tag.clone(), StatusCode::NOT_MODIFIED),
            (format!("\"other\", {tag}"), StatusCode::NOT_MODIFIED),
            (tag.replace("W/", ""), StatusCode::NOT_MODIFIED),
            ("*".to_owned(), StatusCode::NOT_MODIFIED),
            ("\"other\"".to_owned(), StatusCode::OK),
        ] {
            let headers = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_str(&known).unwrap())]);
            assert_eq!(cached.respond(&headers).status(), status, "{known}");
        }
    }
}
