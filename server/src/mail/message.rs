//! A mail as the bytes that travel: text and HTML, the same headers however often it is made.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

use super::outbox::Waiting;
use crate::error::Error;

/// The message id comes from the outbox row, so a mail that is sent twice is known for the same.
pub fn render(waiting: &Waiting, shop_name: &str, from: &str) -> Result<Vec<u8>, Error> {
    let from: Address = from.parse().map_err(Error::internal)?;
    let to: Address = waiting.recipient.parse().map_err(Error::internal)?;
    let domain = from.domain().to_owned();
    let written = UNIX_EPOCH + Duration::from_millis(u64::try_from(waiting.created_at).unwrap_or(0));
    let mut message = Message::builder()
        .from(Mailbox::new(Some(shop_name.to_owned()), from))
        .to(Mailbox::new(None, to))
        .subject(&waiting.mail.subject)
        .date(written)
        .message_id(Some(format!("<{}@{domain}>", waiting.id)))
        .multipart(MultiPart::alternative_plain_html(
            waiting.mail.text.clone(),
            waiting.mail.html.clone(),
        ))
        .map_err(Error::internal)?;
    message.headers_mut().insert_raw(HeaderValue::new(
        HeaderName::new_from_ascii_str("Auto-Submitted"),
        "auto-generated".to_owned(),
    ));
    Ok(message.formatted())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use app::mail::Mail;

    use super::*;

    fn waiting(subject: &str) -> Waiting {
        Waiting {
            id: "0190".to_owned(),
            recipient: "ada@example.com".to_owned(),
            mail: Mail {
                subject: subject.to_owned(),
                text: "Hello".to_owned(),
                html: "<p>Hello</p>".to_owned(),
            },
            created_at: 0,
        }
    }

    #[test]
    fn a_mail_has_both_forms_and_a_stable_id() {
        let bytes = render(&waiting("Your order"), "Nudgelight", "support@nudgelight.example").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("Message-ID: <0190@nudgelight.example>"), "{text}");
        assert!(text.contains("text/plain") && text.contains("text/html"), "{text}");
        assert!(text.contains("Date: Thu, 01 Jan 1970 00:00:00 +0000"), "{text}");
    }

    #[test]
    fn a_line_break_in_a_subject_makes_no_header() {
        let bytes = render(&waiting("Hi\r\nBcc: eve@example.com"), "Nudgelight", "a@b.example").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.lines().any(|line| line.starts_with("Bcc:")), "{text}");
    }
}
