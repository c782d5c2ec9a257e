//! No circles of imports: a module can be read, changed and moved with what lies below it.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::Modules;
use super::source::source_files_of;

type Edges<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

#[test]
fn no_modules_import_each_other() {
    for folder in ["server", "app", "wasm-core"] {
        let files = source_files_of(folder);
        let edges = Modules::of(&files).edges();
        let found: Vec<String> = circles(&edges).iter().map(|circle| described(circle, &edges)).collect();
        assert!(found.is_empty(), "{folder}/src:\n{}", found.join("\n"));
    }
}

/// The largest groups of files of which each reaches each.
fn circles<'a>(edges: &Edges<'a>) -> Vec<BTreeSet<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|file| (*file, reached_from(file, edges))).collect();
    let mut found: Vec<BTreeSet<&str>> = Vec::new();
    for file in edges.keys().filter(|file| reached[*file].contains(*file)) {
        if !found.iter().any(|circle| circle.contains(file)) {
            found.push(reached[file].iter().copied().filter(|other| reached[other].contains(file)).collect());
        }
    }
    found
}

fn reached_from<'a>(file: &str, edges: &Edges<'a>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = edges[file].iter().copied().collect();
    while let Some(next) = open.pop() {
        if reached.insert(next) {
            open.extend(&edges[next]);
        }
    }
    reached
}

fn described(circle: &BTreeSet<&str>, edges: &Edges) -> String {
    let lines =
        circle.iter().map(|file| format!("  {file} -> {:?}", edges[file].intersection(circle).collect::<Vec<_>>()));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn a_circle_is_found() {
    let edges: Edges =
        [("a", ["b", "d"].into()), ("b", ["c"].into()), ("c", ["a"].into()), ("d", BTreeSet::new())].into();
    assert_eq!(circles(&edges), [BTreeSet::from(["a", "b", "c"])]);
}
