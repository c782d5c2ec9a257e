//! Limits of request bodies.

use std::time::Duration;

use utoipa::ToSchema;

/// Maximum size of a JSON body, in bytes.
pub const JSON_LIMIT: usize = 64 * 1024;

/// Maximum time for a body to arrive: a slow client does not hold a request forever.
const ARRIVAL: Duration = Duration::from_secs(10);

/// Maximum time for the first [`FIRST_BYTES`] of a body, or all of a shorter one, to arrive.
pub const FIRST_ARRIVAL: Duration = Duration::from_secs(2);
pub const FIRST_BYTES: usize = 1024;

/// The schema of a body that is a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "only described")]
pub struct BinaryBody(Vec<u8>);

/// Limits of a request body.
#[derive(Clone, Copy)]
pub struct BodyLimits {
    pub bytes: usize,
    pub time: Duration,
}

impl BodyLimits {
    /// At most this many bytes, in the usual time.
    pub const fn of_bytes(bytes: usize) -> Self {
        Self { bytes, time: ARRIVAL }
    }
}
