//! An SMTP connection.
//!
//! Sends each command separately, because the rejected command decides how to continue: a server that rejects the sender
//! is retried with all emails, a recipient that does not exist is a permanent failure.

use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt, Rset};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use tokio::time::timeout;

use super::SendError;
use super::smtp_url::{Encryption, Server};
use crate::infra::error_chain::error_chain;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// A connection after TLS and authentication.
pub struct SmtpConnection {
    connection: AsyncSmtpConnection,
    logged_in: bool,
}

impl SmtpConnection {
    /// # Errors
    /// The reason why the server cannot be used.
    pub async fn open(server: &Server) -> Result<Self, String> {
        match timeout(CONNECT_TIMEOUT, authenticated(server)).await {
            Ok(connection) => connection,
            Err(_) => Err(format!("{} does not respond", server.name())),
        }
    }

    pub fn is_encrypted(&self) -> bool {
        self.connection.is_encrypted()
    }

    pub fn is_logged_in(&self) -> bool {
        self.logged_in
    }

    /// Tests whether the server accepts emails from this sender, without sending one. The recipient is the sender, because
    /// many servers reject a sender only once they know a recipient.
    ///
    /// # Errors
    /// The server's response.
    pub async fn try_sender(&mut self, from: &Address) -> Result<(), String> {
        let mail = self.connection.command(Mail::new(Some(from.clone()), Vec::new())).await;
        mail.map_err(|error| error_chain(&error))?;
        let recipient = self.connection.command(Rcpt::new(from.clone(), Vec::new())).await;
        recipient.map_err(|error| format!("as recipient, {}", error_chain(&error)))?;
        self.connection.command(Rset).await.map(drop).map_err(|error| error_chain(&error))
    }

    /// Sends one email.
    pub async fn deliver(&mut self, from: &Address, to: Address, message: &str) -> Result<(), SendError> {
        let parameters = self.parameters(&to, message)?;
        let mail = Mail::new(Some(from.clone()), parameters);
        // A rejected sender affects all emails.
        self.connection.command(mail).await.map_err(|error| SendError::Unavailable(error_chain(&error)))?;
        self.connection.command(Rcpt::new(to, Vec::new())).await.map_err(|error| send_error(&error))?;
        self.connection.command(Data).await.map_err(|error| send_error(&error))?;
        self.connection.message(message.as_bytes()).await.map_err(|error| send_error(&error))?;
        Ok(())
    }

    fn parameters(&self, to: &Address, message: &str) -> Result<Vec<MailParameter>, SendError> {
        let needed = [
            (!AsRef::<str>::as_ref(to).is_ascii(), Extension::SmtpUtfEight, MailParameter::SmtpUtfEight),
            (!message.is_ascii(), Extension::EightBitMime, MailParameter::Body(MailBodyParameter::EightBitMime)),
        ];
        let mut parameters = Vec::new();
        for (_, extension, parameter) in needed.into_iter().filter(|(is_needed, _, _)| *is_needed) {
            if !self.connection.server_info().supports_feature(extension) {
                return Err(SendError::Permanent(format!(
                    "the mail server does not support {extension}, which this address needs"
                )));
            }
            parameters.push(parameter);
        }
        Ok(parameters)
    }

    pub async fn close(mut self) {
        // All emails are accepted by now, so errors do not matter.
        let _ = timeout(QUIT_TIMEOUT, self.connection.abort()).await;
    }
}

async fn authenticated(server: &Server) -> Result<SmtpConnection, String> {
    let mut connection = encrypted(server).await?;
    if let Some((user, password)) = &server.credentials {
        let credentials = Credentials::new(user.clone(), password.clone());
        let response = connection.auth(DEFAULT_MECHANISMS, &credentials).await;
        response.map_err(|error| format!("{} rejects the login of {user}: {}", server.name(), error_chain(&error)))?;
    }
    Ok(SmtpConnection { connection, logged_in: server.credentials.is_some() })
}

async fn encrypted(server: &Server) -> Result<AsyncSmtpConnection, String> {
    let hello = server.hello.clone().map_or_else(ClientId::default, ClientId::Domain);
    match &server.encryption {
        Encryption::Implicit(tls) => connect(server, &hello, Some(tls.clone())).await,
        Encryption::StartTls(tls) => {
            let mut connection = connect(server, &hello, None).await?;
            start_tls(&mut connection, server, tls, &hello).await?;
            Ok(connection)
        }
        Encryption::OpportunisticStartTls(tls) => {
            let mut connection = connect(server, &hello, None).await?;
            if connection.can_starttls() {
                start_tls(&mut connection, server, tls, &hello).await?;
            }
            Ok(connection)
        }
    }
}

async fn connect(server: &Server, hello: &ClientId, tls: Option<TlsParameters>) -> Result<AsyncSmtpConnection, String> {
    let address = (server.host.as_str(), server.port);
    AsyncSmtpConnection::connect_tokio1(address, Some(CONNECT_TIMEOUT), hello, tls, None)
        .await
        .map_err(|error| format!("cannot connect to {}: {}", server.name(), error_chain(&error)))
}

async fn start_tls(
    connection: &mut AsyncSmtpConnection,
    server: &Server,
    tls: &TlsParameters,
    hello: &ClientId,
) -> Result<(), String> {
    connection
        .starttls(tls.clone(), hello)
        .await
        .map_err(|error| format!("TLS with {} failed: {}", server.name(), error_chain(&error)))
}

/// A 5yz reply is permanent for this recipient or message. Every other error is transient.
fn send_error(error: &SmtpError) -> SendError {
    if error.is_permanent() {
        SendError::Permanent(error_chain(error))
    } else {
        SendError::Transient(error_chain(error))
    }
}
