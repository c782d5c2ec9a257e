//! Mail as files in a folder, where a person can open it.

use std::io;
use std::path::Path;

use super::outbox::Claimed;
use crate::infra::clock::file_stamp;
use crate::infra::private_files;

/// Makes sure that there is a folder to write to, which nobody else can read.
pub async fn open(folder: &Path) -> io::Result<()> {
    let folder = folder.to_owned();
    tokio::task::spawn_blocking(move || private_files::secure_folder(&folder)).await.map_err(io::Error::other)?
}

/// Writes the mail under a name of its own; one that is there already is not written again.
pub async fn deliver(folder: &Path, claimed: &Claimed, rendered: &str) -> io::Result<()> {
    let name = format!("{}-{}", file_stamp(claimed.created_at), file_name(&claimed.recipient));
    // A reader never sees half a mail: it is written under another name first.
    let part = folder.join(format!("{}.part", claimed.id));
    write(&part, rendered).await?;
    let mut target = folder.join(format!("{name}.eml"));
    let mut number = 1;
    // Unlike a move, a link never takes the place of what another process has just written there.
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

/// Writes and removes a file, to learn whether that can be done.
pub async fn try_out(folder: &Path) -> io::Result<()> {
    private_files::create_folder(folder)?;
    let probe = folder.join(format!("{}.part", crate::infra::random::new_id()));
    write(&probe, "").await?;
    tokio::fs::remove_file(&probe).await
}

async fn write(path: &Path, text: &str) -> io::Result<()> {
    let (path, text) = (path.to_owned(), text.to_owned());
    tokio::task::spawn_blocking(move || private_files::write(&path, &text)).await.map_err(io::Error::other)?
}

/// An address as a file name: whatever could mean something to a file system becomes `_`.
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
