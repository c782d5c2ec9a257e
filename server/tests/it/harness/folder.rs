//! A folder of one's own, gone when the test is over.

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
        // What is left behind in the system's temporary folder fails no test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
