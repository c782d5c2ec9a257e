//! The signing key file. The first start creates it with one key and mode 0600. A rotation appends a key.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{EncodePrivateKey as _, KeypairBytes};

use crate::infra::random;

/// Reads the file, creating it first if necessary. When processes start concurrently, each writes a draft, one draft gets
/// the name, and all read that file.
pub fn read_or_create(path: &Path) -> io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        read => return read,
    }
    let draft = path.with_extension(format!("{}.draft", random::new_id()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_key(&draft)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => fs::read_to_string(path),
    }
}

fn write_key(path: &Path) -> io::Result<()> {
    write(&mut create(path)?, &generate_key()?)
}

/// The keys of the file in PEM format.
pub fn blocks(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive("-----END PRIVATE KEY-----").filter(|block| !block.trim().is_empty())
}

/// Generates a key in PEM format.
pub fn generate_key() -> io::Result<String> {
    // PKCS#8 version 1, without the public key, is the most widely supported.
    let key = KeypairBytes { secret_key: random::random_bytes(), public_key: None };
    let pem = key.to_pkcs8_pem(LineEnding::LF).map_err(io::Error::other)?;
    Ok(pem.as_str().to_owned())
}

/// The next version of the file. It is also a lock: only one draft can exist at a time.
pub struct Draft {
    path: PathBuf,
    file: fs::File,
}

impl Draft {
    /// # Errors
    /// `AlreadyExists` while another rotation is in progress.
    pub fn create(path: &Path) -> io::Result<Self> {
        let path = path.with_extension("next");
        let file = create(&path)?;
        Ok(Self { path, file })
    }

    /// Replaces the file atomically.
    pub fn replace(mut self, path: &Path, text: &str) -> io::Result<()> {
        write(&mut self.file, text)?;
        fs::rename(&self.path, path)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // Fails if the draft has become the file.
        let _ = fs::remove_file(&self.path);
    }
}

fn create(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

fn write(file: &mut fs::File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;

    use ed25519_dalek::SigningKey;
    use ed25519_dalek::pkcs8::DecodePrivateKey as _;

    use super::*;

    /// A temporary directory, deleted on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            Self(std::env::temp_dir().join(random::new_id()))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_first_start_makes_a_key_only_its_owner_can_read_and_the_next_finds_it() {
        let folder = Folder::new();
        let path = folder.0.join("data/signing-key.pem");
        let made = read_or_create(&path).unwrap();
        assert!(SigningKey::from_pkcs8_pem(&made).is_ok());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(read_or_create(&path).unwrap(), made);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    // invariant: schema-migrations
    #[test]
    fn processes_that_start_together_agree_on_one_key() {
        let folder = Folder::new();
        let starts: Vec<_> = (0..8)
            .map(|_| {
                let path = folder.0.join("signing-key.pem");
                std::thread::spawn(move || read_or_create(&path).unwrap())
            })
            .collect();
        let keys: Vec<String> = starts.into_iter().map(|start| start.join().unwrap()).collect();
        assert!(keys.iter().all(|key| *key == keys[0]));
    }

    #[test]
    fn a_draft_is_one_persons_until_it_is_the_file_or_given_up() {
        let folder = Folder::new();
        let path = folder.0.join("signing-key.pem");
        let first = read_or_create(&path).unwrap();
        let given_up = Draft::create(&path).unwrap();
        assert_eq!(Draft::create(&path).err().map(|error| error.kind()), Some(io::ErrorKind::AlreadyExists));
        drop(given_up);

        let both = format!("{first}{}", generate_key().unwrap());
        Draft::create(&path).unwrap().replace(&path, &both).unwrap();
        let now = fs::read_to_string(&path).unwrap();
        assert_eq!(now, both);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let blocks: Vec<&str> = blocks(&now).collect();
        assert_eq!(blocks.len(), 2);
        assert!(blocks.iter().all(|block| SigningKey::from_pkcs8_pem(block.trim()).is_ok()));
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
    }
}
