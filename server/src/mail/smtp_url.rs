//! What `SMTP_URL` says: which server, how private, and as whom.

use std::net::IpAddr;

use lettre::transport::smtp::client::{Certificate, CertificateStore, TlsParameters};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

pub struct Server {
    pub host: String,
    pub port: u16,
    pub encryption: Encryption,
    pub log_in: Option<(String, String)>,
    /// How the shop introduces itself; without it, by the name of its machine.
    pub hello: Option<String>,
}

pub enum Encryption {
    /// From the first byte.
    FromTheStart(TlsParameters),
    /// By STARTTLS, before anything is said that matters.
    Required(TlsParameters),
    IfOffered(TlsParameters),
}

impl Server {
    /// # Errors
    /// A sentence that names the variable.
    pub fn parse(url: &Url) -> Result<Self, String> {
        refuse_unknown(url)?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let tls = tls_parameters(&host, parameter(url, "ca").as_deref())?;
        let (encryption, port) = match (url.scheme(), parameter(url, "tls").as_deref()) {
            ("smtps", None) => (Encryption::FromTheStart(tls), 465),
            ("smtp", None) if is_local(url) => (Encryption::IfOffered(tls), 587),
            ("smtp", None | Some("required")) => (Encryption::Required(tls), 587),
            _ => return Err("SMTP_URL: tls can only be required, and goes with smtp:// only".to_owned()),
        };
        let path = url.path().trim_matches('/');
        Ok(Self {
            host,
            port: url.port().unwrap_or(port),
            encryption,
            log_in: log_in(url)?,
            hello: (!path.is_empty()).then(|| path.to_owned()),
        })
    }

    /// For sentences; without the password.
    pub fn name(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

fn refuse_unknown(url: &Url) -> Result<(), String> {
    match url.query_pairs().find(|(name, _)| name != "tls" && name != "ca") {
        Some((name, _)) => Err(format!("SMTP_URL has a parameter {name}, which does not exist; there are tls and ca")),
        None => Ok(()),
    }
}

fn parameter(url: &Url, wanted: &str) -> Option<String> {
    url.query_pairs().find(|(name, _)| name == wanted).map(|(_, value)| value.into_owned())
}

/// An authority of one's own takes the place of the public ones.
fn tls_parameters(host: &str, ca: Option<&str>) -> Result<TlsParameters, String> {
    let mut builder = TlsParameters::builder(host.to_owned());
    if let Some(path) = ca {
        let pem = std::fs::read(path).map_err(|error| format!("SMTP_URL: ca={path} cannot be read: {error}"))?;
        let authority = Certificate::from_pem(&pem).map_err(|_| format!("SMTP_URL: ca={path} is no PEM file"))?;
        builder = builder.certificate_store(CertificateStore::None).add_root_certificate(authority);
    }
    builder.build().map_err(|error| format!("SMTP_URL: {error}"))
}

fn log_in(url: &Url) -> Result<Option<(String, String)>, String> {
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

/// Only this machine may be spoken to in the clear.
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
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn server(text: &str) -> Result<Server, String> {
        Server::parse(&text.parse().unwrap())
    }

    fn encryption(text: &str) -> &'static str {
        match server(text).unwrap().encryption {
            Encryption::FromTheStart(_) => "from the start",
            Encryption::Required(_) => "required",
            Encryption::IfOffered(_) => "if offered",
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
        assert_eq!(server.log_in, Some(("shop@example.com".to_owned(), "p@ss:/".to_owned())));
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
            let Err(sentence) = server(text) else { panic!("{text} was taken") };
            assert!(sentence.starts_with("SMTP_URL"), "{text}: {sentence}");
        }
    }
}
