//! Infrastructure without any knowledge of the shop: time, randomness, background jobs, circuit breaker, backoff, encodings,
//! folded words, CSV, XML, error chains, freed memory, request IDs, file permissions.

pub mod backoff;
pub mod circuit_breaker;
pub mod clock;
pub mod csv;
pub mod encoding;
pub mod error_chain;
pub mod jobs;
pub mod memory;
pub mod private_files;
pub mod random;
pub mod request_id;
pub mod words;
pub mod xml;
