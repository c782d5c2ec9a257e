//! Parser of `SMTP_URL`: server, encryption and credentials.

use std::net::IpAddr;

use lettre::transport::smtp::client::{Certificate, CertificateStore, TlsParameters};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

pub struct Server {
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    pub credentials: Option<(String, String)>,
    /// The client name of the `EHLO` command. The default is the host name.
    pub hello: Option<String>,
}

pub enum Encryption {
    /// TLS from the first byte.
    Implicit(TlsParameters),
    /// STARTTLS, required.
    StartTls(TlsParameters),
    /// STARTTLS, if the server supports it.
    OpportunisticStartTls(TlsParameters),
}

impl Server {
    /// # Errors
    /// A message that names the variable.
    pub fn parse(url: &Url) -> Result<Self, String> {
        reject_unknown_parameters(url)?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let tls = tls_parameters(&host, parameter(url, "ca").as_deref())?;
        let (encryption, port) = match (url.scheme(), parameter(url, "tls").as_deref()) {
            ("smtps", None) => (Encryption::Implicit(tls), 465),
            ("smtp", None) if is_local(url) => (Encryption::OpportunisticStartTls(tls), 587),
            ("smtp", None | Some("required")) => (Encryption::StartTls(tls), 587),
            _ => return Err("SMTP_URL: tls must be `required` and is allowed with smtp:// only".to_owned()),
        };
        let path = url.path().trim_matches('/');
        Ok(Self {
            host,
            port: url.port().unwrap_or(port),
            encryption,
            credentials: credentials(url)?,
            hello: (!path.is_empty()).then(|| path.to_owned()),
        })
    }

    /// Host and port, for messages.
    pub fn name(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

fn reject_unknown_parameters(url: &Url) -> Result<(), String> {
    match url.query_pairs().find(|(name, _)| name != "tls" && name != "ca") {
        Some((name, _)) => Err(format!("SMTP_URL: unknown parameter {name}; allowed are tls and ca")),
        None => Ok(()),
    }
}

fn parameter(url: &Url, wanted: &str) -> Option<String> {
    url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

/// A custom certificate authority replaces the public ones.
fn tls_parameters(host: &str, ca: Option<&str>) -> Result<TlsParameters, String> {
    let mut builder = TlsParameters::builder(host.to_owned());
    if let Some(path) = ca {
        let pem = std::fs::read(path).map_err(|error| format!("SMTP_URL: ca={path} cannot be read: {error}"))?;
        let authority = Certificate::from_pem(&pem).map_err(|_| format!("SMTP_URL: ca={path} is not a PEM file"))?;
        builder = builder.certificate_store(CertificateStore::None).add_root_certificate(authority);
    }
    builder.build().map_err(|error| format!("SMTP_URL: {error}"))
}

fn credentials(url: &Url) -> Result<Option<(String, String)>, String> {
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => Ok(Some((decoded(user)?, decoded(password)?))),
        _ => Err("SMTP_URL must have a user and a password, or neither".to_owned()),
    }
}

fn decoded(text: &str) -> Result<String, String> {
    match percent_decode_str(text).decode_utf8() {
        Ok(text) => Ok(text.into_owned()),
        Err(_) => Err("SMTP_URL: the user or the password is not UTF-8".to_owned()),
    }
}

/// Whether the server is on this machine. Only there is an unencrypted connection allowed.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn server(text: &str) -> Result<Server, String> {
        Server::parse(&text.parse().unwrap())
    }

    fn encryption(text: &str) -> &'static str {
        match server(text).unwrap().encryption {
            Encryption::Implicit(_) => "from the start",
            Encryption::StartTls(_) => "required",
            Encryption::OpportunisticStartTls(_) => "if offered",
        }
    }

    #[test]
    fn only_this_machine_may_be_spoken_to_in_the_clear() {
        assert_eq!(encryption("smtp://mail.example:587"), "required");
        assert_eq!(encryption("smtp://127.0.0.1.evil.example:25"), "required");
        assert_eq!(encryption("smtp://127.0.0.1:25"), "if offered");
        assert_eq!(encryption("smtp://localhost:25"), "if offered");
        assert_eq!(encryption("smtp://[::1]:25"), "if offered");
        assert_eq!(encryption("smtp://localhost:25?tls=required"), "required");
        assert_eq!(encryption("smtps://mail.example"), "from the start");
    }

    #[test]
    fn what_is_reserved_in_a_url_may_be_in_a_password() {
        let server = server("smtps://shop%40example.com:p%40ss%3A%2F@mail.example").unwrap();
        assert_eq!(server.credentials, Some(("shop@example.com".to_owned(), "p@ss:/".to_owned())));
        assert_eq!((server.host.as_str(), server.port), ("mail.example", 465));
    }

    #[test]
    fn a_url_that_would_do_something_else_than_it_says_is_refused() {
        for text in [
            "smtp://mail.example?tsl=required",
            "smtp://mail.example?tls=opportunistic",
            "smtps://mail.example?tls=required",
            "smtps://shop@mail.example",
            "smtps://:password@mail.example",
            "smtps://a:%ff@mail.example",
            "smtps://mail.example?ca=/nowhere/ca.pem",
        ] {
            let Err(message) = server(text) else { panic!("{text} was taken") };
            assert!(message.starts_with("SMTP_URL"), "{text}: {message}");
        }
    }
}
