//! The built React shell, embedded in the binary. A development build reads its folder.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::body::Bytes;
use rust_embed::{Embed, EmbeddedFile};

/// Files that the build has compressed are embedded only in compressed form.
#[derive(Embed)]
#[folder = "../react-shell/dist"]
#[cfg_attr(debug_assertions, allow_missing = true)]
#[exclude = "assets/*.js"]
#[exclude = "assets/*.css"]
#[exclude = "assets/*.wasm"]
#[exclude = "assets/*.txt"]
pub struct Files;

/// Borrows the binary's static memory, so that slow clients cost none.
pub fn into_bytes(file: EmbeddedFile) -> Bytes {
    match file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

/// The HTML document of the shell, as built.
pub fn html() -> Option<&'static str> {
    static DOCUMENT: LazyLock<Option<String>> =
        LazyLock::new(|| String::from_utf8(Files::get("index.html")?.data.into_owned()).ok());
    DOCUMENT.as_deref()
}

/// The HTML document of the API reference, as built.
pub fn api_reference_html() -> Option<Bytes> {
    Files::get("docs.html").map(into_bytes)
}

/// The service worker, as built.
pub fn service_worker() -> Option<String> {
    String::from_utf8(Files::get("service-worker.js")?.data.into_owned()).ok()
}

/// The only inline script of the document, which runs before the first paint.
pub fn inline_script() -> Option<&'static str> {
    let (script, _) = html()?.split_once("<script>")?.1.split_once("</script>")?;
    Some(script)
}
