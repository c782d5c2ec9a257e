//! Infrastructure without any knowledge of the shop: time, randomness, circuit breaker, backoff, encodings, XML, error chains,
//! file permissions.

pub mod backoff;
pub mod circuit_breaker;
pub mod clock;
pub mod encoding;
pub mod error_chain;
pub mod private_files;
pub mod random;
pub mod xml;
