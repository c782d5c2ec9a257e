//! URL-safe base64.

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::{DecodeError, Engine as _};

/// URL-safe base64 without padding (RFC 4648, section 5).
pub fn base64url(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// # Errors
/// When `text` is not URL-safe base64 without padding.
pub fn decode_base64url(text: &str) -> Result<Vec<u8>, DecodeError> {
    URL_SAFE_NO_PAD.decode(text)
}
