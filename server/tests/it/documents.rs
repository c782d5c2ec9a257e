//! What the documents promise is there.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The tests that SECURITY.md names, each as the path of its module and its function.
fn named_tests(document: &str) -> Vec<Vec<&str>> {
    let quoted = document.split('`').skip(1).step_by(2);
    let paths = quoted.filter(|text| text.contains("::") && !text.contains(['(', ' ']));
    paths.map(|path| path.split("::").collect()).collect()
}

/// A module is a file of its own, or the `mod.rs` of its folder.
fn defines(source: &Path, modules: &[&str], test: &str) -> bool {
    let module = modules.iter().fold(source.to_owned(), |path, name| path.join(name));
    let files = [module.with_extension("rs"), module.join("mod.rs")];
    let is_there = |text: String| text.contains(&format!("fn {test}("));
    files.iter().any(|file| std::fs::read_to_string(file).is_ok_and(is_there))
}

#[test]
fn every_test_that_the_security_document_names_exists() {
    let document = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let named = named_tests(&document);
    assert!(named.len() > 30, "{}", named.len());
    let sources = ["server/tests/it", "server/src"].map(|folder| root().join(folder));
    for path in named {
        let (test, modules) = path.split_last().unwrap();
        assert!(sources.iter().any(|source| defines(source, modules, test)), "{}", path.join("::"));
    }
}
