//! Answers that are the same for everybody: made once, kept in every form a browser may ask for, and not sent again to
//! those who have them.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, PoisonError, RwLock};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use prometheus::IntCounter;
use sha2::{Digest as _, Sha256};
use tokio::sync::OnceCell;

use crate::http::error::Error;

/// Of brotli. A higher one takes several times as long for a few per cent, and somebody waits for each change.
const QUALITY: i32 = 5;

/// What an answer is made of.
pub struct Document {
    /// The route it is counted under.
    pub route: &'static str,
    pub kind: &'static str,
    pub caching: &'static str,
    /// Its own security policy, where that is not everybody's.
    pub policy: Option<HeaderValue>,
    pub body: Bytes,
}

/// A document with all its headers, as it is and, if it is kept for long, compressed.
#[derive(Debug)]
pub struct Kept {
    pub route: &'static str,
    headers: HeaderMap,
    etag: HeaderValue,
    plain: Bytes,
    /// Best first. A form that is no smaller is not there.
    compressed: Vec<(&'static str, Bytes)>,
}

impl Kept {
    /// In every form: milliseconds of work, so never on a thread that serves.
    fn new(document: Document, common: &HeaderMap) -> Self {
        let mut kept = Self::uncompressed(document, common);
        let forms = [("br", brotli(&kept.plain)), ("gzip", gzip(&kept.plain))];
        let smaller = |(name, form): (_, Option<Vec<u8>>)| {
            Some((name, form.filter(|form| form.len() < kept.plain.len())?.into()))
        };
        kept.compressed = forms.into_iter().filter_map(smaller).collect();
        kept
    }

    /// For one answer. `common` are the headers that every answer has.
    pub fn uncompressed(document: Document, common: &HeaderMap) -> Self {
        let Document { route, kind, caching, policy, body } = document;
        let etag = etag(&body);
        let mut headers = common.clone();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::ETAG, etag.clone());
        if let Some(policy) = policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        Self { route, headers, etag, plain: body, compressed: Vec::new() }
    }

    /// The document, or 304 for those who have it.
    pub fn answer(&self, asked: &HeaderMap) -> Response {
        if !is_known(asked, &self.etag) {
            return self.whole(StatusCode::OK, asked);
        }
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.headers_mut() = self.headers.clone();
        response
    }

    /// The document under whatever status.
    pub fn whole(&self, status: StatusCode, asked: &HeaderMap) -> Response {
        let form = preferred(asked, &self.compressed);
        let mut response = Response::new(Body::from(form.map_or(&self.plain, |(_, body)| body).clone()));
        *response.status_mut() = status;
        *response.headers_mut() = self.headers.clone();
        if let Some((encoding, _)) = form {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    }
}

/// The same for the same bytes. Weak, because every form of a document has the same one.
pub fn etag(body: &[u8]) -> HeaderValue {
    etag_of(&Sha256::digest(body))
}

/// The tag of what has this hash.
pub fn etag_of(hash: &[u8]) -> HeaderValue {
    let digits: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("W/\"{digits}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether who asks has this document already.
pub fn is_known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let Some(known) = asked.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()) else { return false };
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let own = etag.to_str().map(bare).unwrap_or_default();
    known.split(',').map(bare).any(|tag| tag == own || tag == "*")
}

/// Content negotiation by the weights of `Accept-Encoding` (RFC 9110, 12.5.3): the form of the highest weight, the first
/// one of several; none for a client that accepts none of them.
pub fn preferred<'f, T>(asked: &HeaderMap, forms: &'f [(&'static str, T)]) -> Option<&'f (&'static str, T)> {
    let mut best = (None, 0.0);
    for form in forms {
        let weight = weight(asked, form.0);
        if weight > best.1 {
            best = (Some(form), weight);
        }
    }
    best.0
}

/// From 0 to 1, where 0 is not accepted, and so is what cannot be read. `*` stands for all that is not named.
fn weight(asked: &HeaderMap, encoding: &str) -> f32 {
    let lines = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
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

fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

/// Documents by the path they are answered at. Asked for by many at once, a document is made once.
#[derive(Debug)]
pub struct Shelf {
    common: HeaderMap,
    documents: RwLock<HashMap<String, Arc<OnceCell<Arc<Kept>>>>>,
    made: IntCounter,
}

impl Shelf {
    /// `made` counts the documents that are put onto it.
    pub fn new(common: HeaderMap, made: IntCounter) -> Self {
        Self { common, documents: RwLock::default(), made }
    }

    /// What is kept at exactly this path.
    pub fn find(&self, path: &str) -> Option<Arc<Kept>> {
        self.documents.read().unwrap_or_else(PoisonError::into_inner).get(path)?.get().cloned()
    }

    /// What is kept there; made first, if need be. Whoever names paths makes sure that there are not any number of them.
    pub async fn keep(
        &self,
        path: &str,
        make: impl Future<Output = Result<Document, Error>>,
    ) -> Result<Arc<Kept>, Error> {
        if let Some(kept) = self.find(path) {
            return Ok(kept);
        }
        let place =
            self.documents.write().unwrap_or_else(PoisonError::into_inner).entry(path.to_owned()).or_default().clone();
        let kept = place
            .get_or_try_init(|| async {
                let document = make.await?;
                self.made.inc();
                let common = self.common.clone();
                let kept = tokio::task::spawn_blocking(move || Kept::new(document, &common)).await;
                Ok::<_, Error>(Arc::new(kept.map_err(Error::internal)?))
            })
            .await?;
        Ok(kept.clone())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn asking(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    fn kept(body: &str) -> Kept {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let document = Document { route: "/", kind: "text/plain", caching: "no-cache", policy: None, body };
        Kept::new(document, &HeaderMap::new())
    }

    #[test]
    fn the_best_form_that_is_accepted_is_sent() {
        let kept = kept(&"lamp ".repeat(100));
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
            let answer = kept.answer(&asking(header::ACCEPT_ENCODING, accepted));
            let encoding = answer.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap());
            assert_eq!(encoding, sent, "{accepted}");
        }
    }

    #[test]
    fn a_list_in_several_headers_is_one_list() {
        let lines = ["identity", "gzip;q=0.1"].map(|line| (header::ACCEPT_ENCODING, HeaderValue::from_static(line)));
        let mut asked = HeaderMap::new();
        for (name, line) in lines {
            asked.append(name, line);
        }
        let answer = kept(&"lamp ".repeat(100)).answer(&asked);
        assert_eq!(answer.headers().get(header::CONTENT_ENCODING), Some(&HeaderValue::from_static("gzip")));
    }

    #[test]
    fn what_compression_makes_larger_is_sent_as_it_is() {
        let answer = kept("ok").answer(&asking(header::ACCEPT_ENCODING, "br, gzip"));
        assert_eq!(answer.headers().get(header::CONTENT_ENCODING), None);
    }

    #[test]
    fn a_document_is_known_by_its_tag_in_any_list() {
        let kept = kept("lamp");
        let tag = kept.etag.to_str().unwrap().to_owned();
        for (known, status) in [
            (tag.clone(), StatusCode::NOT_MODIFIED),
            (format!("\"other\", {tag}"), StatusCode::NOT_MODIFIED),
            (tag.replace("W/", ""), StatusCode::NOT_MODIFIED),
            ("*".to_owned(), StatusCode::NOT_MODIFIED),
            ("\"other\"".to_owned(), StatusCode::OK),
        ] {
            let asked = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_str(&known).unwrap())]);
            assert_eq!(kept.answer(&asked).status(), status, "{known}");
        }
    }
}
