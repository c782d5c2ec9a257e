//! A mail as it travels: text and HTML, the same bytes however often it is made.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};

use super::outbox::Waiting;
use crate::error::Error;

/// Message id and boundary come from the outbox row, so a mail that is sent twice is known for the same.
pub fn compose(waiting: &Waiting, shop_name: &str, from: &str) -> Result<Message, Error> {
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
        .multipart(
            MultiPart::alternative()
                .boundary(format!("part-{}", waiting.id))
                .singlepart(SinglePart::plain(waiting.mail.text.clone()))
                .singlepart(SinglePart::html(waiting.mail.html.clone())),
        )
        .map_err(Error::internal)?;
    message
        .headers_mut()
        .insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()));
    Ok(message)
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
            mail: Mail { subject: subject.to_owned(), text: "Hello".to_owned(), html: "<p>Hello</p>".to_owned() },
            created_at: 0,
        }
    }

    fn written(subject: &str) -> String {
        let message = compose(&waiting(subject), "Nudgelight", "support@nudgelight.example").unwrap();
        String::from_utf8(message.formatted()).unwrap()
    }

    #[test]
    fn a_mail_has_both_forms_and_is_the_same_every_time() {
        let text = written("Your order");
        assert!(text.contains("Message-ID: <0190@nudgelight.example>"), "{text}");
        assert!(text.contains("text/plain") && text.contains("text/html"), "{text}");
        assert!(text.contains("Date: Thu, 01 Jan 1970 00:00:00 +0000"), "{text}");
        assert_eq!(text, written("Your order"));
    }

    #[test]
    fn a_line_break_in_a_subject_makes_no_header() {
        let text = written("Hi\r\nBcc: eve@example.com");
        assert!(!text.lines().any(|line| line.starts_with("Bcc:")), "{text}");
    }
}
