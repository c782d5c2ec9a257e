//! Where a mail goes: to an SMTP server, or into a folder where a person can open it.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use url::{Host, Url};

use super::message;
use super::outbox::Waiting;
use crate::clock::file_stamp;
use crate::config::{Config, MailTo};
use crate::error::Error;

const SMTP_TIME: Duration = Duration::from_secs(10);

pub enum Delivery {
    Files(PathBuf),
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
}

impl Delivery {
    /// # Errors
    /// A sentence for the operator that names the variable at fault.
    pub fn new(config: &Config) -> Result<Self, String> {
        match &config.mail {
            MailTo::Files => Ok(Self::Files(config.mail_dir())),
            MailTo::Smtp(url) => {
                let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(with_tls(url).as_str())
                    .map_err(|error| format!("SMTP_URL: {error}"))?;
                Ok(Self::Smtp(transport.timeout(Some(SMTP_TIME)).build()))
            }
        }
    }

    pub(super) async fn deliver(&self, waiting: &Waiting, config: &Config) -> Result<(), Error> {
        let message = message::compose(waiting, &config.shop_name, &config.support_email)?;
        match self {
            Self::Smtp(transport) => transport.send(message).await.map(drop).map_err(Error::internal),
            Self::Files(folder) => {
                let name = format!("{}-{}", file_stamp(waiting.created_at), file_name(&waiting.recipient));
                write_whole(folder, &name, &message.formatted()).await.map_err(Error::internal)
            }
        }
    }
}

/// `smtps` is encrypted from its first byte. `smtp` must turn to TLS before it says anything, unless the server
/// is on this very machine; a `tls` parameter of one's own is left as it is.
fn with_tls(url: &Url) -> Url {
    let mut url = url.clone();
    if url.scheme() == "smtp" && !url.query_pairs().any(|(name, _)| name == "tls") {
        let tls = if is_local(&url) { "opportunistic" } else { "required" };
        url.query_pairs_mut().append_pair("tls", tls);
    }
    url
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// A reader never sees half a mail: it is written under another name first.
async fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let mut target = folder.join(format!("{name}.eml"));
    let mut number = 1;
    while tokio::fs::try_exists(&target).await? {
        number += 1;
        target = folder.join(format!("{name}-{number}.eml"));
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
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_address_cannot_leave_the_mail_folder() {
        assert_eq!(file_name("../../etc/x@y.example"), ".._.._etc_x@y.example");
        assert_eq!(file_name("ada@example.com"), "ada@example.com");
    }

    #[test]
    fn only_this_machine_may_be_spoken_to_in_the_clear() {
        let query = |text: &str| with_tls(&text.parse().unwrap()).query().map(str::to_owned);
        assert_eq!(query("smtp://mail.example:587").as_deref(), Some("tls=required"));
        assert_eq!(query("smtp://127.0.0.1:25").as_deref(), Some("tls=opportunistic"));
        assert_eq!(query("smtp://localhost:25").as_deref(), Some("tls=opportunistic"));
        assert_eq!(query("smtp://127.0.0.1.evil.example:25").as_deref(), Some("tls=required"));
        assert_eq!(query("smtps://mail.example").as_deref(), None);
    }
}
