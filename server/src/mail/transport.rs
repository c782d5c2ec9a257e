//! Where a mail goes: to an SMTP server, or into a folder where a person can open it.

use std::path::PathBuf;

use lettre::Address;

use super::outbox::Claimed;
use super::smtp_connection::Conversation;
use super::smtp_url::Server;
use super::{Refusal, files, message};
use crate::config::{Config, MailTo};
use crate::infra::private_files::find_open_to_others;

pub enum Delivery {
    Files(PathBuf),
    Smtp { server: Box<Server>, from: Address },
}

/// The way out, open for any number of mails.
pub enum Way<'d> {
    Files(&'d PathBuf),
    Smtp { conversation: Box<Conversation>, from: &'d Address },
}

impl Delivery {
    /// # Errors
    /// A sentence for the operator that names the variable at fault.
    pub fn new(config: &Config) -> Result<Self, String> {
        match &config.mail {
            MailTo::Files => Ok(Self::Files(config.mail_dir())),
            MailTo::Smtp(url) => {
                let from = config.support_email.parse().map_err(|error| format!("SHOP_SUPPORT_EMAIL: {error}"))?;
                Ok(Self::Smtp { server: Box::new(Server::parse(url)?), from })
            }
        }
    }

    /// # Errors
    /// Why no mail can leave now, whoever it is to.
    pub(super) async fn open(&self) -> Result<Way<'_>, String> {
        match self {
            Self::Files(folder) => match files::open(folder).await {
                Ok(()) => Ok(Way::Files(folder)),
                Err(error) => Err(format!("{} cannot be used: {error}", folder.display())),
            },
            Self::Smtp { server, from } => {
                Ok(Way::Smtp { conversation: Box::new(Conversation::begin(server).await?), from })
            }
        }
    }

    /// Goes as far as possible without sending anything, and says how far that was.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub async fn try_out(&self) -> Result<String, String> {
        match self {
            Self::Files(folder) => match files::try_out(folder).await {
                Ok(()) => find_open_to_others(std::slice::from_ref(folder))
                    .map_or_else(|| Ok(format!("each mail is written to {}", folder.display())), Err),
                Err(error) => Err(format!("{} cannot be written to: {error}", folder.display())),
            },
            Self::Smtp { server, .. } => {
                let conversation = Conversation::begin(server).await?;
                let privacy = if conversation.is_encrypted() { "encrypted" } else { "not encrypted" };
                let log_in = if conversation.is_logged_in() { "the log-in is accepted" } else { "no log-in is used" };
                conversation.end().await;
                Ok(format!("{} answers, {privacy}, and {log_in}", server.name()))
            }
        }
    }
}

impl Way<'_> {
    pub(super) async fn send(&mut self, claimed: &Claimed, rendered: &str) -> Result<(), Refusal> {
        match self {
            Self::Files(folder) => {
                files::deliver(folder, claimed, rendered).await.map_err(|error| Refusal::Server(error.to_string()))
            }
            Self::Smtp { conversation, from } => {
                let to = message::recipient(&claimed.recipient).map_err(Refusal::Never)?;
                conversation.deliver(from, to, rendered).await
            }
        }
    }

    pub(super) async fn close(self) {
        if let Self::Smtp { conversation, .. } = self {
            conversation.end().await;
        }
    }
}
