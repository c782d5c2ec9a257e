//! Imports between the modules of a crate: which file takes an item from which.
//!
//! A re-exported item belongs to the file that defines it. `mod` lines and re-exports import nothing, unless the file
//! itself uses the item, and neither does the name of a module: the items that are taken through it do.

use std::collections::{BTreeMap, BTreeSet};

use super::source::SourceFile;

/// A crate's modules by their paths: `accounts::token`; the root is empty.
pub struct Modules<'a> {
    modules: BTreeMap<String, Module<'a>>,
}

struct Module<'a> {
    file: &'a SourceFile,
    imports: Vec<Import>,
}

/// One name that a `use` item brings into a module. The name of a glob import is `*`.
#[derive(Debug, PartialEq, Eq)]
struct Import {
    name: String,
    path: Vec<String>,
    is_reexport: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Target {
    Module(String),
    /// The module that defines the item.
    Item(String),
}

impl<'a> Modules<'a> {
    pub fn of(files: &'a [SourceFile]) -> Self {
        let module = |file: &'a SourceFile| Module { file, imports: imports(&file.code) };
        let modules = files.iter().filter(|file| file.path != "main.rs");
        Self { modules: modules.map(|file| (module_path(&file.path), module(file))).collect() }
    }

    /// For each file, the files whose items it uses.
    pub fn edges(&self) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
        let files = self.modules.iter().map(|(path, module)| {
            let used = self.used(path, module).into_iter().filter(|used| used != path);
            (module.file.path.as_str(), used.map(|used| self.modules[&used].file.path.as_str()).collect())
        });
        files.collect()
    }

    /// The modules whose items a module uses.
    fn used(&self, path: &str, module: &Module) -> BTreeSet<String> {
        let body = body_of(&module.file.code);
        let imported = module.imports.iter().filter(|import| !import.is_reexport || has_word(&body, &import.name));
        let imported = imported.map(|import| import.path.clone());
        let all = imported.chain(paths(&body));
        let items = all.filter_map(|segments| match self.resolve(path, &segments, 0)? {
            Target::Item(module) => Some(module),
            Target::Module(_) => None,
        });
        items.collect()
    }

    /// What a path means in a module. None for another crate.
    fn resolve(&self, module: &str, segments: &[String], depth: usize) -> Option<Target> {
        // A chain of re-exports is short.
        let (first, mut rest) = segments.split_first().filter(|_| depth < 9)?;
        let mut at = match first.as_str() {
            "crate" => String::new(),
            "self" => module.to_owned(),
            "super" => parent(module),
            name => match self.named(module, name, depth)? {
                Target::Module(path) => path,
                Target::Item(path) => return Some(Target::Item(path)),
            },
        };
        while let Some((name, further)) = rest.split_first() {
            rest = further;
            at = match name.as_str() {
                "super" => parent(&at),
                "*" => return Some(Target::Item(at)),
                name => match self.named(&at, name, depth) {
                    Some(Target::Module(path)) => path,
                    Some(Target::Item(path)) => return Some(Target::Item(path)),
                    None => return Some(Target::Item(at)),
                },
            };
        }
        Some(Target::Module(at))
    }

    /// What a name means in a module: a child, an imported name, or one from a glob import.
    fn named(&self, module: &str, name: &str, depth: usize) -> Option<Target> {
        let child = if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") };
        if self.modules.contains_key(&child) {
            return Some(Target::Module(child));
        }
        let imports = &self.modules.get(module)?.imports;
        // `use name::…` imports from another crate of this name, not from itself.
        let import =
            imports.iter().find(|import| import.name == name && import.path.first().is_some_and(|at| at != name));
        if let Some(import) = import {
            return self.resolve(module, &import.path, depth + 1);
        }
        let globs = imports.iter().filter(|import| import.name == "*");
        globs.filter_map(|glob| self.resolve(module, &glob.path, depth + 1)).find_map(|target| match target {
            Target::Item(path) if path != module && self.defines(&path, name) => Some(Target::Item(path)),
            _ => None,
        })
    }

    fn defines(&self, module: &str, name: &str) -> bool {
        let kinds = ["fn", "struct", "enum", "trait", "const", "static", "type"];
        self.modules.get(module).is_some_and(|module| {
            kinds.iter().any(|kind| {
                module.file.code.match_indices(&format!("{kind} {name}")).any(|(start, text)| {
                    !module.file.code[start + text.len()..]
                        .starts_with(|next: char| next.is_alphanumeric() || next == '_')
                })
            })
        })
    }
}

/// `accounts/keys/mod.rs` is `accounts::keys`.
fn module_path(path: &str) -> String {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let stem = stem.strip_suffix("/mod").unwrap_or(stem);
    if stem == "lib" { String::new() } else { stem.replace('/', "::") }
}

fn parent(module: &str) -> String {
    module.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned())
}

/// The names that `use` items bring into a module.
fn imports(code: &str) -> Vec<Import> {
    let mut found = Vec::new();
    for (visibility, item) in use_items(code) {
        let start = found.len();
        expand(&[], item, &mut found);
        found[start..].iter_mut().for_each(|import| import.is_reexport = !visibility.is_empty());
    }
    found
}

/// The visibility and the tree of each `use` item.
fn use_items(code: &str) -> Vec<(&str, &str)> {
    let items = code.match_indices("use ").filter_map(|(start, text)| {
        let visibility = code[..start].rsplit('\n').next().unwrap_or_default().trim();
        let item = code[start + text.len()..].split(';').next().unwrap_or_default();
        (visibility.is_empty() || visibility == "pub" || visibility.starts_with("pub(")).then_some((visibility, item))
    });
    items.collect()
}

/// The code without `use` items and `mod` lines.
fn body_of(code: &str) -> String {
    let body =
        use_items(code).iter().fold(code.to_owned(), |body, (_, item)| body.replace(&format!("use {item};"), ""));
    body.lines().filter(|line| !(line.contains("mod ") && line.ends_with(';'))).collect::<Vec<_>>().join("\n")
}

fn has_word(code: &str, word: &str) -> bool {
    code.split(|next: char| !is_word(next)).any(|found| found == word)
}

/// Adds the names of a tree such as `store::{self as orders, NewOrder}` below a prefix.
fn expand(prefix: &[String], tree: &str, found: &mut Vec<Import>) {
    let tree = tree.trim();
    if let Some(group) = tree.strip_prefix('{') {
        for member in members(group) {
            expand(prefix, &member, found);
        }
        return;
    }
    let end = tree.find(|next: char| !is_word(next) && next != '*').unwrap_or(tree.len());
    let path = match &tree[..end] {
        "self" if !prefix.is_empty() => prefix.to_vec(),
        name => prefix.iter().cloned().chain([name.to_owned()]).collect(),
    };
    let rest = tree[end..].trim_start();
    if let Some(rest) = rest.strip_prefix("::") {
        return expand(&path, rest, found);
    }
    let name = match rest.strip_prefix("as ") {
        Some(name) => name.trim().to_owned(),
        None => path.last().cloned().unwrap_or_default(),
    };
    found.push(Import { name, path, is_reexport: false });
}

/// The comma-separated members of a group, up to its closing brace.
fn members(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut found = vec![String::new()];
    for character in group.chars() {
        match character {
            '}' if depth == 0 => break,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        found.last_mut().unwrap().push(character);
    }
    found.retain(|member| !member.trim().is_empty());
    found
}

/// Every path with at least two names in the code, outside of `use` items: `store::list_products`, `crate::db::Db`.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    let mut before = ' ';
    while let Some(start) = rest.find(|next: char| is_word(next)) {
        before = rest[..start].chars().last().unwrap_or(before);
        rest = &rest[start..];
        let (path, length) = path_at(rest);
        if path.len() > 1 && before != '\'' {
            found.push(path);
        }
        before = rest[..length].chars().last().unwrap_or(' ');
        rest = &rest[length..];
    }
    found
}

/// The path at the start of the text, and its length.
fn path_at(text: &str) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let end = rest.find(|next: char| !is_word(next)).unwrap_or(rest.len());
        path.push(rest[..end].to_owned());
        length += end;
        let next = text[length..].strip_prefix("::").filter(|next| next.starts_with(is_word));
        match next {
            Some(_) => length += 2,
            None => return (path, length),
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Every path below `crate::`: `accounts::Admin`, `catalog::products::store`.
pub fn uses(code: &str) -> Vec<String> {
    let imported = imports(code).into_iter().map(|import| import.path);
    let all = imported.chain(paths(&body_of(code))).filter(|path| path.first().is_some_and(|first| first == "crate"));
    all.filter(|path| path.len() > 1).map(|path| path[1..].join("::")).collect()
}

#[test]
fn imports_are_read_the_way_they_are_written() {
    let code = "use crate::{money, accounts::{Caller, SignedIn}, db};\nlet x = crate::mail::outbox::enqueue(tx);";
    assert_eq!(uses(code), ["money", "accounts::Caller", "accounts::SignedIn", "db", "mail::outbox::enqueue"]);
    let renamed = imports("pub use crate::orders::store::{self as orders, NewOrder};\n    pub(crate) use list;");
    let names: Vec<_> = renamed.iter().map(|import| (import.name.as_str(), import.path.join("::"))).collect();
    assert_eq!(
        names,
        [
            ("orders", "crate::orders::store".to_owned()),
            ("NewOrder", "crate::orders::store::NewOrder".to_owned()),
            ("list", "list".to_owned())
        ]
    );
}

#[test]
fn an_item_belongs_to_the_file_that_defines_it() {
    let file = |path: &str, code: &str| SourceFile { path: path.to_owned(), code: code.to_owned() };
    let files = [
        file("lib.rs", "pub mod money;\nmod sales;"),
        file("money/mod.rs", "mod state;\nmod store;\npub use self::state::Money;\nfn list() { store::list() }"),
        file("money/state.rs", "pub struct Money;"),
        file("money/store.rs", "use super::Money;\npub fn list() {}"),
        file("sales.rs", "use crate::money;\nfn sell(state: money::Money) { money::list(); sqlx::query() }"),
    ];
    let edges = Modules::of(&files).edges();
    assert_eq!(edges["money/mod.rs"], ["money/store.rs"].into());
    assert_eq!(edges["money/store.rs"], ["money/state.rs"].into());
    assert_eq!(edges["sales.rs"], ["money/mod.rs", "money/state.rs"].into());
}
