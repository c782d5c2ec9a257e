//! Retired names: old paths and identifiers that must not come back, listed in `xtask/retired-names.txt`.
//!
//! A line is `path<TAB>FILE`, a path that must not be tracked, or `FOLDER<TAB>REGEX`, a pattern that must not match in
//! any tracked text file of the folder (`.` is the whole repository). The list itself and the changelog may have them.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};

use crate::process::Failure;
use crate::workspace::Workspace;

const LIST: &str = "xtask/retired-names.txt";
const CHANGELOG: &str = "CHANGELOG.md";

pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let names = Names::parse(&workspace.read(LIST)?)?;
    let mut hits = Vec::new();
    for path in workspace.tracked_files()?.iter().filter(|path| ![LIST, CHANGELOG].contains(&path.as_str())) {
        hits.extend(names.hit_by_path(path));
        // Binary files have no names to look for.
        if let Ok(text) = workspace.read(path) {
            hits.extend(names.hits_in(path, &text));
        }
    }
    match hits.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!("{count} uses of retired names ({LIST})")).with_output(hits)),
    }
}

#[derive(Default)]
struct Names {
    paths: Vec<String>,
    by_folder: BTreeMap<String, Vec<Regex>>,
}

impl Names {
    fn parse(list: &str) -> Result<Self, Failure> {
        let mut names = Self::default();
        for (number, line) in (1..).zip(list.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let invalid = |reason: &str| Failure::new(format!("{LIST}:{number}: {reason}"));
            let (folder, name) =
                line.split_once('\t').ok_or_else(|| invalid("not `path<TAB>FILE` or `FOLDER<TAB>REGEX`"))?;
            if folder == "path" {
                names.paths.push(name.to_owned());
                continue;
            }
            let regex = RegexBuilder::new(name).multi_line(true).build();
            let regex = regex.map_err(|error| invalid(&error.to_string()))?;
            names.by_folder.entry(folder.trim_end_matches('/').to_owned()).or_default().push(regex);
        }
        Ok(names)
    }

    fn hit_by_path(&self, path: &str) -> Option<String> {
        self.paths.iter().any(|retired| retired == path).then(|| format!("{path}: this path is retired"))
    }

    fn hits_in<'a>(&'a self, path: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
        let regexes =
            self.by_folder.iter().filter(|(folder, _)| contains(folder, path)).flat_map(|(_, regexes)| regexes);
        regexes.flat_map(move |regex| {
            regex.find_iter(text).map(move |hit| {
                let line = text.get(..hit.start()).unwrap_or_default().matches('\n').count() + 1;
                format!("{path}:{line}: `{}` is retired ({regex})", hit.as_str().trim())
            })
        })
    }
}

fn contains(folder: &str, path: &str) -> bool {
    folder == "." || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retired_name_is_found_with_its_place_and_only_in_its_folder() {
        let names = Names::parse("# functions\n\npath\tserver/src/past.rs\nserver/src\t\\bfn take_stock\\b\n").unwrap();
        assert_eq!(
            names.hit_by_path("server/src/past.rs").as_deref(),
            Some("server/src/past.rs: this path is retired")
        );
        assert_eq!(names.hit_by_path("server/src/past.rs.md"), None);
        let text = "use a;\nfn take_stock() {}\nfn take_stocks() {}\n";
        let hits: Vec<String> = names.hits_in("server/src/db.rs", text).collect();
        assert_eq!(hits, ["server/src/db.rs:2: `fn take_stock` is retired (\\bfn take_stock\\b)"]);
        assert_eq!(names.hits_in("server/src2/db.rs", text).count(), 0);
        assert_eq!(Names::parse(".\tx$").unwrap().hits_in("a", "x\nxy\n").count(), 1, "`$` is the end of a line");
    }

    #[test]
    fn a_malformed_line_is_refused_with_its_number() {
        let error = |list: &str| Names::parse(list).err().unwrap().to_string();
        assert!(error("server\tfn a\nserver fn b").starts_with("xtask/retired-names.txt:2: not "));
        assert!(error("server\tfn (").starts_with("xtask/retired-names.txt:1: regex parse error"));
    }
}
