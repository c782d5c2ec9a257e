//! Email transports: an SMTP server, or a folder for development and demos.

use std::path::PathBuf;

use lettre::Address;

use super::outbox::Claimed;
use super::smtp_connection::SmtpConnection;
use super::smtp_url::Server;
use super::{SendError, files, message};
use crate::config::{Config, MailTo};
use crate::infra::private_files::find_open_to_others;

/// The configured transport.
pub enum Delivery {
    Files(PathBuf),
    Smtp(Box<Server>),
}

/// An open transport, for any number of emails.
pub enum Transport<'d> {
    Files(&'d PathBuf),
    Smtp { connection: Box<SmtpConnection>, from: Address },
}

impl Delivery {
    /// # Errors
    /// A message for the operator that names the invalid variable.
    pub fn new(config: &Config) -> Result<Self, String> {
        match &config.mail {
            MailTo::Files => Ok(Self::Files(config.mail_dir())),
            MailTo::Smtp(url) => Ok(Self::Smtp(Box::new(Server::parse(url)?))),
        }
    }

    /// Opens the transport for emails of this sender.
    ///
    /// # Errors
    /// The reason why no email can be sent at the moment.
    pub(super) async fn open(&self, from: &str) -> Result<Transport<'_>, String> {
        match self {
            Self::Files(folder) => match files::open(folder).await {
                Ok(()) => Ok(Transport::Files(folder)),
                Err(error) => Err(format!("{} cannot be used: {error}", folder.display())),
            },
            Self::Smtp(server) => {
                let from = parse_sender(from)?;
                Ok(Transport::Smtp { connection: Box::new(SmtpConnection::open(server).await?), from })
            }
        }
    }

    /// Tests the transport for emails of this sender without sending one, and describes it.
    ///
    /// # Errors
    /// The reason why it cannot be used.
    pub async fn probe(&self, from: &str) -> Result<String, String> {
        match self {
            Self::Files(folder) => match files::probe(folder).await {
                Ok(()) => find_open_to_others(std::slice::from_ref(folder))
                    .map_or_else(|| Ok(format!("emails are written to {}", folder.display())), Err),
                Err(error) => Err(format!("{} is not writable: {error}", folder.display())),
            },
            Self::Smtp(server) => {
                let sender = parse_sender(from)?;
                let mut connection = SmtpConnection::open(server).await?;
                let encryption = if connection.is_encrypted() { "encrypted" } else { "not encrypted" };
                let login = if connection.is_logged_in() { "login accepted" } else { "no login configured" };
                let accepted = connection.try_sender(&sender).await;
                connection.close().await;
                match accepted {
                    Ok(()) => Ok(format!("{} responds, {encryption}, {login}, sender {from} accepted", server.name())),
                    Err(reason) => Err(format!("{} rejects the sender {from}: {reason}", server.name())),
                }
            }
        }
    }
}

fn parse_sender(from: &str) -> Result<Address, String> {
    from.parse().map_err(|error| format!("invalid sender address: {error}"))
}

impl Transport<'_> {
    pub(super) async fn send(&mut self, claimed: &Claimed, rendered: &str) -> Result<(), SendError> {
        match self {
            Self::Files(folder) => files::deliver(folder, claimed, rendered)
                .await
                .map_err(|error| SendError::Unavailable(error.to_string())),
            Self::Smtp { connection, from } => {
                let to = message::recipient(&claimed.recipient).map_err(SendError::Permanent)?;
                connection.deliver(from, to, rendered).await
            }
        }
    }

    pub(super) async fn close(self) {
        if let Self::Smtp { connection, .. } = self {
            connection.close().await;
        }
    }
}
