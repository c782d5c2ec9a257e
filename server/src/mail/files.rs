//! File transport: writes each email to a folder as an `.eml` file.

use std::io;
use std::path::Path;

use super::outbox::Claimed;
use crate::infra::clock::file_stamp;
use crate::infra::private_files;

/// Creates the folder, readable by its owner only.
pub async fn open(folder: &Path) -> io::Result<()> {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || private_files::secure_folder(&folder)).await.map_err(io::Error::other)?
}

/// Writes the email under a unique name. Idempotent: an identical file is not written again.
pub async fn deliver(folder: &Path, claimed: &Claimed, rendered: &str) -> io::Result<()> {
    let name = format!("{}-{}", file_stamp(claimed.created_at), file_name(&claimed.recipient));
    // Writes under a temporary name first, so that a reader never sees a partial file.
    let part = folder.join(format!("{}.part", claimed.id));
    write(&part, rendered).await?;
    let mut target = folder.join(format!("{name}.eml"));
    let mut number = 1;
    // Unlike a rename, a link never overwrites the file of another process.
    while let Err(error) = tokio::fs::hard_link(&part, &target).await {
        if error.kind() != io::ErrorKind::AlreadyExists {
            return Err(error);
        }
        if tokio::fs::read(&target).await? == rendered.as_bytes() {
            break;
        }
        number += 1;
        target = folder.join(format!("{name}-{number}.eml"));
    }
    tokio::fs::remove_file(&part).await
}

/// Tests whether the folder is writable, by writing and removing a file.
pub async fn probe(folder: &Path) -> io::Result<()> {
    private_files::create_folder(folder)?;
    let path = folder.join(format!("{}.part", crate::infra::random::new_id()));
    write(&path, "").await?;
    tokio::fs::remove_file(&path).await
}

async fn write(path: &Path, text: &str) -> io::Result<()> {
    let (path, text) = (path.to_owned(), text.to_owned());
    tokio::task::spawn_blocking(move || private_files::write(&path, &text)).await.map_err(io::Error::other)?
}

/// An address as a file name. Replaces special characters with `_`.
fn file_name(address: &str) -> String {
    address
        .chars()
        .map(|character| match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '@' | '.' | '-' | '+' => character,
            _ => '_',
        })
        .take(100)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_cannot_leave_the_mail_folder() {
        assert_eq!(file_name("../../etc/x@y.example"), ".._.._etc_x@y.example");
        assert_eq!(file_name("ada@example.com"), "ada@example.com");
    }
}
