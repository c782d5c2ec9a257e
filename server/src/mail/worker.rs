//! Takes mails out of the outbox and delivers them, for now as files a person can open.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::outbox::{self, Waiting};
use super::message;
use crate::clock::file_stamp;
use crate::error::Error;
use crate::shop::Shop;

const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Runs until the shop stops.
pub async fn run(shop: Arc<Shop>) {
    loop {
        tokio::select! {
            () = shop.stopping.cancelled() => return,
            () = shop.mail_waiting.notified() => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        if let Err(error) = send_due(&shop).await {
            tracing::error!(%error, "mail could not be sent; it stays in the outbox");
        }
    }
}

async fn send_due(shop: &Arc<Shop>) -> Result<(), Error> {
    loop {
        let now = shop.clock.now_ms();
        let due = shop
            .db
            .write(move |tx| Box::pin(async move { outbox::claim(tx, now).await }))
            .await?;
        if due.is_empty() {
            return Ok(());
        }
        for waiting in due {
            match deliver(shop, &waiting).await {
                Ok(()) => mark_sent(shop, waiting.id).await?,
                Err(error) => tracing::warn!(mail = waiting.id, %error, "a mail could not be delivered yet"),
            }
        }
    }
}

async fn mark_sent(shop: &Shop, id: String) -> Result<(), Error> {
    let now = shop.clock.now_ms();
    shop.db
        .write(move |tx| {
            let id = id.clone();
            Box::pin(async move { outbox::mark_sent(tx, &id, now).await })
        })
        .await
}

async fn deliver(shop: &Shop, waiting: &Waiting) -> Result<(), Error> {
    let bytes = message::render(waiting, &shop.config.shop_name, &shop.config.support_email)?;
    let folder = shop.config.mail_dir();
    let name = format!("{}-{}.eml", file_stamp(waiting.created_at), file_name(&waiting.recipient));
    write_whole(&folder, &name, &bytes).await.map_err(Error::internal)
}

/// A reader never sees half a mail: it is written under another name first.
async fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let mut target = folder.join(name);
    let mut number = 1;
    while tokio::fs::try_exists(&target).await? {
        number += 1;
        target = folder.join(format!("{}-{number}.eml", name.trim_end_matches(".eml")));
    }
    let part = target.with_extension("part");
    tokio::fs::write(&part, bytes).await?;
    tokio::fs::rename(&part, &target).await
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
