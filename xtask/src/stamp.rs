//! Incremental steps: fingerprints of inputs, by content instead of time, so that a fresh clone or a branch switch
//! rebuilds as little as possible.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::process::Failure;

/// Folders with outputs, which are no inputs.
const RESULTS: [&str; 4] = ["node_modules", "dist", "target", "results"];

/// A file with the fingerprint of an output's inputs.
pub struct Stamp {
    file: PathBuf,
    fingerprint: String,
}

impl Stamp {
    /// `settings` is everything else that the output depends on, such as versions and flags.
    pub fn of(file: PathBuf, inputs: &[PathBuf], settings: &str) -> Result<Self, Failure> {
        let mut hasher = DefaultHasher::new();
        settings.hash(&mut hasher);
        for input in inputs {
            hash_tree(input, &mut hasher)?;
        }
        Ok(Self { file, fingerprint: format!("{:016x}", hasher.finish()) })
    }

    pub fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.fingerprint)
    }

    /// Call this when the output is complete.
    pub fn keep(&self) -> Result<(), Failure> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(|error| unreadable(folder, &error))?;
        }
        fs::write(&self.file, &self.fingerprint).map_err(|error| unreadable(&self.file, &error))
    }
}

fn hash_tree(path: &Path, hasher: &mut DefaultHasher) -> Result<(), Failure> {
    if path.is_file() {
        path.file_name().hash(hasher);
        return fs::read(path).map(|bytes| bytes.hash(hasher)).map_err(|error| unreadable(path, &error));
    }
    let entries = fs::read_dir(path).map_err(|error| unreadable(path, &error))?;
    let mut inside: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    inside.sort();
    for entry in inside {
        let is_result = entry.file_name().is_some_and(|name| RESULTS.iter().any(|result| name == *result));
        if !is_result {
            entry.file_name().hash(hasher);
            hash_tree(&entry, hasher)?;
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_fresh_until_an_input_a_name_or_a_setting_changes() {
        let folder = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        let inputs = folder.join("inputs");
        fs::create_dir_all(inputs.join("node_modules")).unwrap();
        fs::write(inputs.join("a"), "one").unwrap();
        let now = |settings: &str| Stamp::of(folder.join("stamp"), std::slice::from_ref(&inputs), settings).unwrap();

        assert!(!now("v1").is_fresh(), "nothing was made yet");
        now("v1").keep().unwrap();
        assert!(now("v1").is_fresh());
        assert!(!now("v2").is_fresh(), "another setting");
        fs::write(inputs.join("node_modules/b"), "a result").unwrap();
        assert!(now("v1").is_fresh(), "results are no inputs");
        fs::write(inputs.join("a"), "two").unwrap();
        assert!(!now("v1").is_fresh(), "another content");
        fs::write(inputs.join("a"), "one").unwrap();
        fs::rename(inputs.join("a"), inputs.join("c")).unwrap();
        assert!(!now("v1").is_fresh(), "another name");
        fs::remove_dir_all(&folder).unwrap();
    }
}
