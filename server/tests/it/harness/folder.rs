//! Temporary folder, deleted when the test ends.

use std::path::{Path, PathBuf};

pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        let path = std::env::temp_dir().join(format!("shop-{}", server::infra::random::new_id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A cleanup failure must not fail the test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
