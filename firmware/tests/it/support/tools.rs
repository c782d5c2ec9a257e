//! External tools for FAT drives (mtools, dosfstools). Without them, `cargo xtask test` skips these tests and names the
//! packages to install.

use std::path::PathBuf;
use std::process::{Command, Output};

use tempfile::NamedTempFile;

/// Image file of a drive.
pub struct Image(NamedTempFile);

impl Image {
    pub fn of(volume: &[u8]) -> Self {
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), volume).unwrap();
        Self(file)
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.0.path()).unwrap()
    }

    /// Reads a file with `mtype`.
    pub fn content(&self, name: &str) -> Vec<u8> {
        self.tool("mtype", &[&format!("::{name}")]).stdout
    }

    /// Reads a text file with `mtype`.
    pub fn file(&self, name: &str) -> String {
        String::from_utf8_lossy(&self.content(name)).into_owned()
    }

    /// Lists the root directory with `mdir`. Long names replace short ones.
    pub fn names(&self) -> Vec<String> {
        let listed = String::from_utf8(self.tool("mdir", &["-b", "::"]).stdout).unwrap();
        listed.lines().map(|line| line.trim_start_matches("::/").to_owned()).collect()
    }

    /// Copies a file to the drive with `mcopy` and overwrites an existing one.
    pub fn put(&self, name: &str, content: &[u8]) {
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        self.tool("mcopy", &["-D", "o", file.path().to_str().unwrap(), &format!("::{name}")]);
    }

    /// Runs a program of mtools on the image.
    pub fn tool(&self, program: &str, arguments: &[&str]) -> Output {
        let mut command = Command::new(program);
        command.arg("-i").arg(self.0.path()).args(arguments).env("MTOOLS_SKIP_CHECK", "0");
        succeeded(program, &mut command)
    }
}

/// Errors that `fsck.fat` finds. None if the drive is consistent.
pub fn fsck(volume: &[u8]) -> Option<String> {
    let image = Image::of(volume);
    let program = ["/usr/sbin/fsck.fat", "/sbin/fsck.fat"].iter().map(PathBuf::from).find(|path| path.exists());
    let output = Command::new(program.unwrap_or_else(|| "fsck.fat".into())).arg("-n").arg(image.0.path()).output();
    let output = output.expect("fsck.fat runs: install dosfstools");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn succeeded(program: &str, command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|_| panic!("{program} runs: install mtools"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    output
}
