//! Emails in the shop's mail folder, parsed as an email client parses them.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{TestShop, eventually};

#[derive(Clone, Debug)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Inline pictures by their content ids.
    pub pictures: Vec<(String, Vec<u8>)>,
    pub message_id: String,
    /// Header lines, unfolded.
    pub headers: Vec<String>,
}

impl TestShop {
    /// All emails to this address, oldest first.
    pub fn mails_to(&self, address: &str) -> Vec<Mail> {
        let mut mails = self.mails();
        mails.retain(|mail| mail.to == address);
        mails
    }

    pub fn mails(&self) -> Vec<Mail> {
        let Ok(entries) = std::fs::read_dir(self.mail_folder()) else {
            return Vec::new();
        };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "eml"));
        paths.sort();
        paths.iter().map(|path| read(path)).collect()
    }

    /// Waits for an email to this address with these words in its subject, and returns the newest.
    pub async fn mail_to(&self, address: &str, subject: &str) -> Mail {
        eventually(&format!("an email to {address} with “{subject}” in its subject"), async || {
            let mails = self.mails_to(address);
            mails.into_iter().rfind(|mail| mail.subject.contains(subject))
        })
        .await
    }

    /// Waits for a code emailed to this address that is not in `seen`, and returns the newest.
    pub async fn code_for(&self, address: &str, seen: &[&str]) -> String {
        eventually(&format!("a new code for {address}"), async || {
            let mut codes = self.mails_to(address).into_iter().filter_map(|mail| mail.code());
            codes.rfind(|code| !seen.contains(&code.as_str()))
        })
        .await
    }
}

impl Mail {
    /// Parses headers, plain text and HTML of a multipart message.
    pub fn parse(raw: &str) -> Self {
        let (headers, body) = split(raw);
        // The HTML and its pictures are a part with parts of its own.
        let boundaries = raw.split("boundary=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        let body = boundaries.fold(body, |body, boundary| body.replace(&format!("--{boundary}"), "\0"));
        let parts: Vec<_> = body.split('\0').map(|part| split(part.trim_start())).collect();
        let part = |kind: &str| {
            let is_kind = |headers: &[String]| header(headers, "Content-Type").is_some_and(|it| it.starts_with(kind));
            let (headers, body) = parts.iter().find(|(headers, _)| is_kind(headers)).unwrap();
            decoded(header(headers, "Content-Transfer-Encoding").unwrap_or("7bit"), body)
        };
        let pictures = parts.iter().filter_map(|(headers, body)| {
            let id = header(headers, "Content-ID")?.trim_matches(['<', '>']).to_owned();
            Some((id, STANDARD.decode(body.replace('\n', "")).unwrap()))
        });
        let text = |name: &str| header(&headers, name).unwrap_or_default().to_owned();
        Self {
            to: text("To").trim_matches(['<', '>']).to_owned(),
            subject: words(&text("Subject")),
            text: part("text/plain"),
            html: part("text/html"),
            pictures: pictures.collect(),
            message_id: text("Message-ID"),
            headers,
        }
    }

    /// The confirmation code: a line of six digits in the plain text.
    pub fn code(&self) -> Option<String> {
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
        self.text.lines().map(str::trim).find(is_code).map(str::to_owned)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

fn read(path: &Path) -> Mail {
    Mail::parse(&std::fs::read_to_string(path).unwrap())
}

/// Splits a message or part into unfolded header lines and its body.
fn split(message: &str) -> (Vec<String>, String) {
    let message = message.replace("\r\n", "\n");
    let (head, body) = message.split_once("\n\n").unwrap_or((&message, ""));
    let mut lines: Vec<String> = Vec::new();
    for line in head.lines() {
        match lines.last_mut() {
            Some(last) if line.starts_with([' ', '\t']) => {
                last.push(' ');
                last.push_str(line.trim_start());
            }
            _ => lines.push(line.to_owned()),
        }
    }
    (lines, body.to_owned())
}

fn header<'a>(lines: &'a [String], name: &str) -> Option<&'a str> {
    lines.iter().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then_some(value.trim())
    })
}

/// Decodes the encoded words (RFC 2047) in a header. White space between two of them is ignored.
pub fn words(header: &str) -> String {
    let mut text = String::new();
    let mut after_encoded = true;
    for word in header.split(' ') {
        let packed = word.strip_prefix("=?utf-8?b?").and_then(|rest| rest.strip_suffix("?="));
        if !(text.is_empty() || after_encoded && packed.is_some()) {
            text.push(' ');
        }
        match packed {
            Some(packed) => text.push_str(&String::from_utf8(STANDARD.decode(packed).unwrap()).unwrap()),
            None => text.push_str(word),
        }
        after_encoded = packed.is_some();
    }
    text
}

fn decoded(encoding: &str, body: &str) -> String {
    match encoding.to_ascii_lowercase().as_str() {
        "base64" => {
            let packed: String = body.split_whitespace().collect();
            String::from_utf8(STANDARD.decode(packed).unwrap()).unwrap()
        }
        "quoted-printable" => decode_quoted_printable(body),
        _ => body.to_owned(),
    }
}

/// Decodes quoted-printable: `=` and two hexadecimal digits are a byte, `=` at the end of a line is a soft line break.
fn decode_quoted_printable(body: &str) -> String {
    let joined = body.replace("=\n", "");
    let mut bytes = Vec::with_capacity(joined.len());
    let mut rest = joined.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'=' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(&rest[..2]).unwrap();
        bytes.push(u8::from_str_radix(digits, 16).unwrap());
        rest = &rest[2..];
    }
    String::from_utf8(bytes).unwrap()
}
