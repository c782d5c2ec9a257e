//! Incremental steps: fingerprints of inputs, by content instead of time, so that a fresh clone or a branch switch
//! rebuilds as little as possible.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use fs_err as fs;

use crate::process::{Failure, run};

/// Folders with outputs, which are no inputs.
const RESULTS: [&str; 6] = ["node_modules", "dist", "target", "results", ".svelte-kit", ".venv"];

/// A file with the fingerprint of an output's inputs.
pub struct Stamp {
    file: PathBuf,
    output: PathBuf,
    fingerprint: String,
}

impl Stamp {
    /// `settings` is everything else that the output depends on, such as versions and flags.
    pub fn of(file: PathBuf, output: PathBuf, inputs: &[PathBuf], settings: &str) -> Result<Self, Failure> {
        let mut hasher = DefaultHasher::new();
        settings.hash(&mut hasher);
        inputs.iter().try_for_each(|input| hash_tree(input, &mut hasher))?;
        Ok(Self { file, output, fingerprint: format!("{:016x}", hasher.finish()) })
    }

    pub fn is_fresh(&self) -> bool {
        self.output.exists() && fs::read_to_string(&self.file).is_ok_and(|kept| kept == self.fingerprint)
    }

    /// Makes the output stale, whatever its inputs are.
    pub fn discard(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Makes the output, and writes the fingerprint when it is complete.
    pub fn keep_after(&self, command: &mut Command) -> Result<(), Failure> {
        run(command)?;
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(fs::write(&self.file, &self.fingerprint)?)
    }
}

fn hash_tree(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    path.file_name().hash(hasher);
    if path.is_file() {
        fs::read(path)?.hash(hasher);
        return Ok(());
    }
    let mut inside = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    // A dangling symbolic link is an editor's lock file.
    inside.retain(|path| path.exists() && !RESULTS.iter().any(|result| path.ends_with(result)));
    inside.sort();
    inside.iter().try_for_each(|entry| hash_tree(entry, hasher))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_fresh_until_it_is_discarded_or_an_input_a_name_or_a_setting_changes() {
        let folder = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        let (inputs, output) = (folder.join("inputs"), folder.join("output"));
        fs::create_dir_all(inputs.join("node_modules")).unwrap();
        fs::write(inputs.join("a"), "one").unwrap();
        let now = |settings: &str| {
            Stamp::of(folder.join("stamp"), output.clone(), std::slice::from_ref(&inputs), settings).unwrap()
        };

        assert!(!now("v1").is_fresh(), "nothing was made yet");
        now("v1").keep_after(Command::new("touch").arg(&output)).unwrap();
        fs::write(inputs.join("node_modules/b"), "a result").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("nowhere", inputs.join(".#a")).unwrap();
        assert!(now("v1").is_fresh(), "results and dangling links are no inputs");
        assert!(!now("v2").is_fresh(), "another setting");
        now("v1").discard().unwrap();
        assert!(!now("v1").is_fresh(), "discarded");
        now("v1").discard().unwrap();
        now("v1").keep_after(&mut Command::new("true")).unwrap();
        assert!(now("v1").is_fresh(), "made again");
        fs::rename(inputs.join("a"), inputs.join("c")).unwrap();
        assert!(!now("v1").is_fresh(), "another name");
        fs::write(inputs.join("c"), "two").unwrap();
        fs::rename(inputs.join("c"), inputs.join("a")).unwrap();
        assert!(!now("v1").is_fresh(), "another content");
        fs::write(inputs.join("a"), "one").unwrap();
        fs::remove_file(&output).unwrap();
        assert!(!now("v1").is_fresh(), "no output");
        fs::remove_dir_all(&folder).unwrap();
    }
}
