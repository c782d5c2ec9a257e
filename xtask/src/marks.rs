//! Marks in the tests, for traceability. A mark is a comment line above a test that begins with a prefix.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::Failure;

/// Folders with tests in them.
const PLACES: [&str; 8] = [
    "wasm-core/src",
    "wasm-core/tests",
    "app/tests",
    "mock-stripe",
    "server",
    "firmware",
    "react-shell/src",
    "react-shell/e2e",
];

pub struct Mark {
    /// The text after the prefix.
    pub text: String,
    pub test: String,
    pub file: String,
}

/// All marks, sorted by file name, so that the output is the same on every machine.
pub fn find(root: &Path, sign: &str) -> Result<Vec<Mark>, Failure> {
    let mut files = Vec::new();
    for place in PLACES {
        collect(&root.join(place), &mut files)?;
    }
    files.sort();
    let mut marks = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        marks.extend(marks_of(&name, &text, sign)?);
    }
    Ok(marks)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let fault = |error| Failure::new(format!("{}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_dir() {
            if ["node_modules", "target"].iter().any(|foreign| path.ends_with(foreign)) {
                continue;
            }
            collect(&path, files)?;
        } else if path.extension().is_some_and(|end| ["rs", "ts", "tsx", "mjs"].iter().any(|known| end == *known)) {
            files.push(path);
        }
    }
    Ok(())
}

fn marks_of(file: &str, text: &str, sign: &str) -> Result<Vec<Mark>, Failure> {
    let mut marks = Vec::new();
    for (at, _) in text.match_indices(sign) {
        let (Some(before), Some(after)) = (text.get(..at), text.get(at.saturating_add(sign.len())..)) else { continue };
        if !before.rsplit('\n').next().is_some_and(|start| start.trim().is_empty()) {
            continue;
        }
        let (mark, rest) = after.split_once('\n').unwrap_or((after, ""));
        let name = if file.ends_with(".rs") { function_name(rest) } else { title(rest) };
        let test = name.ok_or_else(|| Failure::new(format!("{file}: `{sign}{mark}` is not above a test")))?;
        marks.push(Mark { text: mark.trim().to_owned(), test: test.to_owned(), file: file.to_owned() });
    }
    Ok(marks)
}

fn function_name(rest: &str) -> Option<&str> {
    let (_, rest) = rest.split_once("fn ")?;
    rest.split('(').next()
}

/// The text in `test("…")`, `describe("…")`, or after the table of `test.each(…)("…")`.
fn title(rest: &str) -> Option<&str> {
    let (at, word) = ["test", "describe"]
        .iter()
        .flat_map(|word| [".each(", "("].map(|open| format!("{word}{open}")))
        .filter_map(|call| rest.find(&call).map(|at| (at, call)))
        .min()?;
    let mut arguments = rest.get(at.saturating_add(word.len())..)?;
    if word.ends_with(".each(") {
        arguments = arguments.get(closing(arguments)?..)?.strip_prefix(")(")?;
    }
    let arguments = arguments.trim_start();
    let quote = arguments.chars().next()?;
    arguments.get(1..)?.split(quote).next()
}

/// The position of the parenthesis that closes the one before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Mark, marks_of};

    fn marks(file: &str, text: &str) -> Vec<Mark> {
        marks_of(file, text, "// spec ").unwrap()
    }

    #[test]
    fn a_mark_takes_the_name_of_the_test_below_it() {
        let found = marks("a.rs", "// spec 7: On.\n// spec 8: Off.\n#[tokio::test]\nasync fn it_glows() {}\n");
        assert_eq!(found.len(), 2);
        assert_eq!((found[1].text.as_str(), found[1].test.as_str()), ("8: Off.", "it_glows"));
    }

    #[test]
    fn a_title_is_found_behind_the_table_of_its_cases() {
        let text = "  // spec 7: On.\n  test.each([\n    [\"a (b)\", 1],\n  ])(\"says %s\", () => {});\n";
        assert_eq!(marks("a.test.ts", text)[0].test, "says %s");
        let text = "// spec 7: On.\ntest(\"glows\", () => {});\ntest.each([])(\"x\");\n";
        assert_eq!(marks("a.test.ts", text)[0].test, "glows");
    }

    #[test]
    fn a_mark_without_a_test_is_refused_and_another_sign_is_no_mark() {
        assert!(marks_of("a.rs", "// spec 7: On.\n", "// spec ").is_err());
        assert!(marks("a.rs", "// rule 7\nfn a() {}\n").is_empty());
    }
}
