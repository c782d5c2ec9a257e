//! Local SMTP server that can accept or reject email and go offline.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use mailin::{Action, AuthMechanism, Handler, Response, Session, SessionBuilder, response};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use super::{Folder, Mail, eventually};

pub const MAIL_USER: &str = "shop@mail.example";
pub const MAIL_PASSWORD: &str = "p@ss:/word";

/// When a connection switches to TLS.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    Never,
    StartTls,
    FromTheStart,
}

/// An accepted email, byte for byte.
#[derive(Clone, Debug)]
pub struct Received {
    pub from: String,
    pub to: Vec<String>,
    pub raw: String,
    pub encrypted: bool,
    pub user: Option<String>,
}

impl Received {
    pub fn mail(&self) -> Mail {
        Mail::parse(&self.raw)
    }
}

pub struct MailServer {
    address: SocketAddr,
    privacy: Privacy,
    state: Arc<ServerState>,
    acceptor: TlsAcceptor,
    folder: Folder,
    listening: Option<JoinHandle<()>>,
}

/// State that all connections share.
#[derive(Default)]
struct ServerState {
    mails: Mutex<Vec<Received>>,
    /// Recipients of all RCPT commands, accepted or rejected.
    named: Mutex<Vec<String>>,
    /// Rejected recipients: the status code, and how many more times it is sent.
    refused: Mutex<HashMap<String, (u16, usize)>>,
    /// Rejected as recipient, but not as sender.
    unknown_recipient: Mutex<Option<String>>,
    /// Number of emails to accept without a response, so that the client cannot know about the delivery.
    unanswered: Mutex<usize>,
}

impl MailServer {
    pub async fn start(privacy: Privacy) -> Self {
        let mut server = Self::away(privacy).await;
        server.comes_back().await;
        server
    }

    /// A server that has an address but is not listening yet.
    pub async fn away(privacy: Privacy) -> Self {
        let folder = Folder::new();
        let address = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let certified = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        std::fs::write(folder.path().join("ca.pem"), certified.cert.pem()).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(certified.signing_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certified.cert.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Self { address, privacy, state: Arc::default(), acceptor, folder, listening: None }
    }

    /// URL without credentials and without a CA certificate.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme(), self.address)
    }

    /// URL with credentials and with the CA certificate that the client must trust.
    pub fn url_for(&self, user: &str, password: &str) -> String {
        let coded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let (user, password, ca) = (coded(user), coded(password), coded(self.authority().to_str().unwrap()));
        format!("{}://{user}:{password}@{}?ca={ca}", self.scheme(), self.address)
    }

    fn scheme(&self) -> &'static str {
        if self.privacy == Privacy::FromTheStart { "smtps" } else { "smtp" }
    }

    fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    pub async fn comes_back(&mut self) {
        // The previous listener may need a moment to release the port.
        let listener = eventually("the port to be free", async || TcpListener::bind(self.address).await.ok()).await;
        let (state, acceptor, privacy) = (self.state.clone(), self.acceptor.clone(), self.privacy);
        self.listening = Some(tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let (state, acceptor) = (state.clone(), acceptor.clone());
                // Dropped connections are expected and ignored.
                tokio::spawn(async move { serve_connection(stream, privacy, acceptor, state).await });
            }
        }));
    }

    /// Stops accepting connections. Existing connections stay open.
    pub fn goes_away(&mut self) {
        if let Some(listening) = self.listening.take() {
            listening.abort();
        }
    }

    /// Rejects this recipient or sender with `code`, this many times.
    pub fn refuses(&self, address: &str, code: u16, times: usize) {
        self.state.refused.lock().unwrap().insert(address.to_owned(), (code, times));
    }

    /// Accepts this address as sender, but not as recipient.
    pub fn does_not_know(&self, address: &str) {
        *self.state.unknown_recipient.lock().unwrap() = Some(address.to_owned());
    }

    /// Accepts the next email, but sends no response to it and keeps the connection open.
    pub fn falls_silent_after_the_next_mail(&self) {
        *self.state.unanswered.lock().unwrap() += 1;
    }

    pub fn received(&self) -> Vec<Received> {
        self.state.mails.lock().unwrap().clone()
    }

    pub fn received_by(&self, recipient: &str) -> Vec<Received> {
        let mut mails = self.received();
        mails.retain(|mail| mail.to == [recipient]);
        mails
    }

    pub fn named(&self, recipient: &str) -> usize {
        self.state.named.lock().unwrap().iter().filter(|named| *named == recipient).count()
    }

    /// Waits until the recipient has at least `count` emails, and returns all of them.
    pub async fn delivers(&self, recipient: &str, count: usize) -> Vec<Received> {
        eventually(&format!("{count} emails to {recipient}"), async || {
            let mails = self.received_by(recipient);
            (mails.len() >= count).then_some(mails)
        })
        .await
    }

    /// Waits for an email to the recipient with these words in its subject.
    pub async fn mail_to(&self, recipient: &str, subject: &str) -> Received {
        eventually(&format!("an email to {recipient} with “{subject}” in its subject"), async || {
            self.received_by(recipient).into_iter().find(|mail| mail.mail().subject.contains(subject))
        })
        .await
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        self.goes_away();
    }
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

async fn serve_connection(
    stream: TcpStream,
    privacy: Privacy,
    acceptor: TlsAcceptor,
    state: Arc<ServerState>,
) -> io::Result<()> {
    let peer = stream.peer_addr()?.ip();
    let mut builder = SessionBuilder::new("mail.example");
    if privacy != Privacy::Never {
        builder.enable_start_tls().enable_auth(AuthMechanism::Plain);
    }
    let encrypted = Arc::new(Mutex::new(false));
    let handler = SmtpHandler {
        state,
        encrypted: encrypted.clone(),
        user: None,
        from: String::new(),
        to: Vec::new(),
        raw: Vec::new(),
    };
    let mut session = builder.build(peer, handler);
    let mut stream: BufReader<Box<dyn Stream>> = BufReader::new(Box::new(stream));
    if privacy == Privacy::FromTheStart {
        stream = upgrade_to_tls(stream, &acceptor, &mut session, &encrypted).await?;
    }
    stream.write_all(&session.greeting().buffer()?).await?;
    loop {
        let mut line = Vec::new();
        if stream.read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let answer = session.process(&line);
        if answer.code == NO_RESPONSE {
            return std::future::pending().await;
        }
        stream.write_all(&answer.buffer()?).await?;
        stream.flush().await?;
        match answer.action {
            Action::Close => return Ok(()),
            Action::UpgradeTls => stream = upgrade_to_tls(stream, &acceptor, &mut session, &encrypted).await?,
            Action::Reply | Action::NoReply => {}
        }
    }
}

async fn upgrade_to_tls(
    stream: BufReader<Box<dyn Stream>>,
    acceptor: &TlsAcceptor,
    session: &mut Session<SmtpHandler>,
    encrypted: &Mutex<bool>,
) -> io::Result<BufReader<Box<dyn Stream>>> {
    let stream = acceptor.accept(stream.into_inner()).await?;
    session.tls_active();
    *encrypted.lock().unwrap() = true;
    Ok(BufReader::new(Box::new(stream)))
}

/// Internal marker that is never sent: leaves the connection open without a response.
const NO_RESPONSE: u16 = 299;

/// SMTP command handler of one connection.
impl ServerState {
    fn respond_to(&self, address: &str) -> Response {
        match self.refused.lock().unwrap().get_mut(address) {
            Some((code, times)) if *times > 0 => {
                *times -= 1;
                Response::custom(*code, "not here, not now".to_owned())
            }
            _ => response::OK,
        }
    }
}

struct SmtpHandler {
    state: Arc<ServerState>,
    encrypted: Arc<Mutex<bool>>,
    user: Option<String>,
    from: String,
    to: Vec<String>,
    raw: Vec<u8>,
}

impl Handler for SmtpHandler {
    fn auth_plain(&mut self, _authorization: &str, user: &str, password: &str) -> Response {
        if (user, password) != (MAIL_USER, MAIL_PASSWORD) {
            return response::INVALID_CREDENTIALS;
        }
        self.user = Some(user.to_owned());
        response::AUTH_OK
    }

    fn mail(&mut self, _ip: IpAddr, _domain: &str, from: &str) -> Response {
        self.state.respond_to(from)
    }

    fn rcpt(&mut self, to: &str) -> Response {
        self.state.named.lock().unwrap().push(to.to_owned());
        if self.state.unknown_recipient.lock().unwrap().as_deref() == Some(to) {
            return Response::custom(550, "no such mailbox".to_owned());
        }
        self.state.respond_to(to)
    }

    fn data_start(&mut self, _domain: &str, from: &str, _is_8_bit: bool, to: &[String]) -> Response {
        (self.from, self.to, self.raw) = (from.to_owned(), to.to_vec(), Vec::new());
        response::OK
    }

    fn data(&mut self, line: &[u8]) -> io::Result<()> {
        self.raw.extend_from_slice(line);
        Ok(())
    }

    fn data_end(&mut self) -> Response {
        self.state.mails.lock().unwrap().push(Received {
            from: self.from.clone(),
            to: self.to.clone(),
            raw: String::from_utf8(self.raw.clone()).unwrap(),
            encrypted: *self.encrypted.lock().unwrap(),
            user: self.user.clone(),
        });
        let mut unanswered = self.state.unanswered.lock().unwrap();
        if *unanswered == 0 {
            return response::OK;
        }
        *unanswered -= 1;
        Response::custom(NO_RESPONSE, String::new())
    }
}
