//! Source files of a crate, without their unit tests and comments.

use std::path::{Path, PathBuf};

pub struct SourceFile {
    /// Path relative to `src`, such as `checkout/finalize.rs`.
    pub path: String,
    /// Source code without comments and without the test module at its end.
    pub code: String,
}

impl SourceFile {
    /// The folder at the root. Empty for the files there, which compose the server.
    pub fn folder(&self) -> &str {
        self.path.split_once('/').map_or("", |(folder, _)| folder)
    }

    pub fn is_db(&self) -> bool {
        self.path.starts_with("db/")
    }
}

/// The files of the server.
pub fn source_files() -> Vec<SourceFile> {
    source_files_of("server")
}

/// The files of a crate of the workspace, by its folder.
pub fn source_files_of(folder: &str) -> Vec<SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder).join("src");
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    assert!(paths.len() > 30, "too few source files: {paths:?}");
    paths
        .into_iter()
        .map(|path| SourceFile {
            code: without_tests_and_comments(&std::fs::read_to_string(&path).unwrap()),
            path: path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/"),
        })
        .collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // These names are compiled for unit tests only.
        if name == "tests" || name == "tests.rs" {
            continue;
        }
        if path.is_dir() {
            collect(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

fn without_tests_and_comments(source: &str) -> String {
    let end = source.find("\nmod tests {").unwrap_or(source.len());
    let code: Vec<&str> = source[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    code.join("\n")
}
