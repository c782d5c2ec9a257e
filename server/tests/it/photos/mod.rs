//! Product photographs: uploads, what is served of them, and files that are rejected.

mod accepted;
mod attached;
mod files;
mod leftovers;
mod memory;
mod metadata;
mod rejected;
mod served;
mod uploading;

pub use files::png;
