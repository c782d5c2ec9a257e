//! A conversation with a mail server.
//!
//! Each step is taken by itself, because who refused what decides what becomes of a mail: a server that takes
//! nothing from this shop is waited for, a recipient that does not exist is not.

use std::time::Duration;

use lettre::Address;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use tokio::time::timeout;

use super::smtp_url::{Encryption, Server};
use super::{Refusal, reason};

const CONNECT: Duration = Duration::from_secs(15);
const GOODBYE: Duration = Duration::from_secs(2);

/// A server that has greeted us, encrypted what had to be, and knows who we are.
pub struct Conversation {
    connection: AsyncSmtpConnection,
    logged_in: bool,
}

impl Conversation {
    /// # Errors
    /// What the server, or the way to it, is lacking.
    pub async fn begin(server: &Server) -> Result<Self, String> {
        match timeout(CONNECT, greet(server)).await {
            Ok(conversation) => conversation,
            Err(_) => Err(format!("{} does not answer", server.name())),
        }
    }

    pub fn is_encrypted(&self) -> bool {
        self.connection.is_encrypted()
    }

    pub fn is_logged_in(&self) -> bool {
        self.logged_in
    }

    /// Gives one mail to the server, which then answers for it.
    pub async fn deliver(&mut self, from: &Address, to: Address, message: &str) -> Result<(), Refusal> {
        let parameters = self.parameters(&to, message)?;
        let mail = Mail::new(Some(from.clone()), parameters);
        // It takes nothing from this sender, whoever the mail is to.
        self.connection.command(mail).await.map_err(|error| Refusal::Server(reason(&error)))?;
        self.connection.command(Rcpt::new(to, Vec::new())).await.map_err(|error| about_the_mail(&error))?;
        self.connection.command(Data).await.map_err(|error| about_the_mail(&error))?;
        self.connection.message(message.as_bytes()).await.map_err(|error| about_the_mail(&error))?;
        Ok(())
    }

    fn parameters(&self, to: &Address, message: &str) -> Result<Vec<MailParameter>, Refusal> {
        let needed = [
            (!AsRef::<str>::as_ref(to).is_ascii(), Extension::SmtpUtfEight, MailParameter::SmtpUtfEight),
            (!message.is_ascii(), Extension::EightBitMime, MailParameter::Body(MailBodyParameter::EightBitMime)),
        ];
        let mut parameters = Vec::new();
        for (_, extension, parameter) in needed.into_iter().filter(|(is_needed, _, _)| *is_needed) {
            if !self.connection.server_info().supports_feature(extension) {
                return Err(Refusal::Never(format!(
                    "the mail server does not know {extension}, which this address needs"
                )));
            }
            parameters.push(parameter);
        }
        Ok(parameters)
    }

    pub async fn end(mut self) {
        // Whatever it says to that, everything was said before.
        let _ = timeout(GOODBYE, self.connection.abort()).await;
    }
}

async fn greet(server: &Server) -> Result<Conversation, String> {
    let mut connection = encrypted(server).await?;
    if let Some((user, password)) = &server.log_in {
        let credentials = Credentials::new(user.clone(), password.clone());
        let answer = connection.auth(DEFAULT_MECHANISMS, &credentials).await;
        answer.map_err(|error| format!("{} does not let {user} log in: {}", server.name(), reason(&error)))?;
    }
    Ok(Conversation { connection, logged_in: server.log_in.is_some() })
}

async fn encrypted(server: &Server) -> Result<AsyncSmtpConnection, String> {
    let hello = server.hello.clone().map_or_else(ClientId::default, ClientId::Domain);
    match &server.encryption {
        Encryption::FromTheStart(tls) => connect(server, &hello, Some(tls.clone())).await,
        Encryption::Required(tls) => {
            let mut connection = connect(server, &hello, None).await?;
            turn_to_tls(&mut connection, server, tls, &hello).await?;
            Ok(connection)
        }
        Encryption::IfOffered(tls) => {
            let mut connection = connect(server, &hello, None).await?;
            if connection.can_starttls() {
                turn_to_tls(&mut connection, server, tls, &hello).await?;
            }
            Ok(connection)
        }
    }
}

async fn connect(server: &Server, hello: &ClientId, tls: Option<TlsParameters>) -> Result<AsyncSmtpConnection, String> {
    let address = (server.host.as_str(), server.port);
    AsyncSmtpConnection::connect_tokio1(address, Some(CONNECT), hello, tls, None)
        .await
        .map_err(|error| format!("{} cannot be spoken to: {}", server.name(), reason(&error)))
}

async fn turn_to_tls(
    connection: &mut AsyncSmtpConnection,
    server: &Server,
    tls: &TlsParameters,
    hello: &ClientId,
) -> Result<(), String> {
    connection
        .starttls(tls.clone(), hello)
        .await
        .map_err(|error| format!("{} cannot be spoken to in private: {}", server.name(), reason(&error)))
}

/// 5yz is said about this recipient or this message and stays true; everything else may be different next time.
fn about_the_mail(error: &SmtpError) -> Refusal {
    if error.is_permanent() { Refusal::Never(reason(error)) } else { Refusal::Later(reason(error)) }
}
