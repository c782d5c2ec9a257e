//! MIME messages: plain text and HTML, rendered deterministically.

use std::time::{Duration, UNIX_EPOCH};

use app::orders::picture_id;
use axum::body::Bytes;
use lettre::message::header::ContentType;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::{Address, Message};
use url::Host;

use super::outbox::Claimed;

/// Renders an email as a MIME message. The message id and the boundary come from the outbox row, so a server can recognize
/// a duplicate.
///
/// # Errors
/// The reason, such as an invalid address.
pub fn render(
    claimed: &Claimed,
    shop_name: &str,
    from: &str,
    picture_of: impl Fn(&str) -> Option<Bytes>,
) -> Result<String, String> {
    let from: Address = from.parse().map_err(|error| format!("invalid sender address: {error}"))?;
    let to = recipient(&claimed.recipient)?;
    let message_id = format!("<{}@{}>", claimed.id, from.domain());
    // Header injection: a header must not contain control characters.
    let shop_name = shop_name.replace(char::is_control, " ");
    let written = UNIX_EPOCH + Duration::from_millis(u64::try_from(claimed.created_at).unwrap_or(0));
    let mut builder = Message::builder();
    // An invalid reply address is dropped; the email is still sent.
    if let Some(Ok(reply_to)) = claimed.mail.reply_to.as_deref().map(recipient) {
        builder = builder.reply_to(Mailbox::new(None, reply_to));
    }
    let mut message = builder
        .from(Mailbox::new(Some(shop_name), from))
        .to(Mailbox::new(None, to))
        .subject(&claimed.mail.subject)
        .date(written)
        .message_id(Some(message_id))
        .multipart(
            MultiPart::alternative()
                .boundary(format!("part-{}", claimed.id))
                .singlepart(SinglePart::plain(claimed.mail.text.clone()))
                .multipart(html_with_pictures(claimed, picture_of)?),
        )
        .map_err(|error| error.to_string())?;
    message
        .headers_mut()
        .insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()));
    String::from_utf8(message.formatted()).map_err(|error| error.to_string())
}

/// The HTML with the pictures that it refers to by their content ids.
fn html_with_pictures(claimed: &Claimed, picture_of: impl Fn(&str) -> Option<Bytes>) -> Result<MultiPart, String> {
    let png = ContentType::parse("image/png").map_err(|error| error.to_string())?;
    let mut related = MultiPart::related()
        .boundary(format!("related-{}", claimed.id))
        .singlepart(SinglePart::html(claimed.mail.html.clone()));
    for product_id in &claimed.mail.pictures {
        let Some(picture) = picture_of(product_id) else { continue };
        let content_id = picture_id(product_id);
        related = related.singlepart(Attachment::new_inline(content_id).body(picture.to_vec(), png.clone()));
    }
    Ok(related)
}

/// Parses an address and converts an international domain to Punycode, which every server supports.
///
/// # Errors
/// The reason why the address is invalid.
pub fn recipient(address: &str) -> Result<Address, String> {
    let (local, domain) = address.rsplit_once('@').ok_or("the recipient address has no domain")?;
    // An ASCII domain stays unchanged.
    let domain = match Host::parse(domain) {
        Ok(Host::Domain(converted)) if !domain.is_ascii() => converted,
        _ => domain.to_owned(),
    };
    Address::new(local, domain).map_err(|error| format!("invalid recipient address: {error}"))
}

#[cfg(test)]
mod tests {
    use app::mail::Mail;

    use super::*;

    fn claimed(subject: &str, recipient: &str) -> Claimed {
        Claimed {
            id: "0190".to_owned(),
            kind: "receipt".to_owned(),
            order_id: None,
            recipient: recipient.to_owned(),
            mail: Mail {
                subject: subject.to_owned(),
                text: "Hello".to_owned(),
                html: "<p>Hello</p>".to_owned(),
                reply_to: None,
                pictures: Vec::new(),
            },
            created_at: 0,
            ends_at: 1,
            rendered: None,
            attempt: 1,
        }
    }

    fn picture(_: &str) -> Option<Bytes> {
        Some(Bytes::from_static(b"a small picture"))
    }

    fn written(subject: &str) -> String {
        render(&claimed(subject, "ada@example.com"), "Nudgelight", "support@nudgelight.example", picture).unwrap()
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
    fn a_picture_is_a_part_beside_the_html_that_refers_to_it() {
        let mut claimed = claimed("Your order", "ada@example.com");
        claimed.mail.pictures = vec!["0193".to_owned()];
        let text = render(&claimed, "Nudgelight", "support@nudgelight.example", picture).unwrap();
        let order = ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"];
        let places = order.map(|kind| text.find(&format!("Content-Type: {kind}")).unwrap());
        assert!(places.is_sorted(), "{text}");
        assert!(text.contains(&format!("Content-ID: <{}>", picture_id("0193"))), "{text}");
        assert!(text.contains("Content-Disposition: inline"), "{text}");
    }

    #[test]
    fn a_line_break_in_a_subject_makes_no_header() {
        let text = written("Hi\r\nBcc: eve@example.com");
        assert!(!text.lines().any(|line| line.starts_with("Bcc:")), "{text}");
    }

    #[test]
    fn a_name_of_any_kind_makes_no_header_and_no_fault() {
        for name in
            ["Lamps\r\nBcc: eve@example.com", "La\u{0}mps", "\u{7f}", "", "\"Lamps\" <eve@example.com>, x", "灯"]
        {
            let rendered =
                render(&claimed("Hi", "ada@example.com"), name, "support@nudgelight.example", picture).unwrap();
            let from: Vec<&str> = rendered.lines().filter(|line| line.starts_with("From:")).collect();
            assert!(from.len() == 1 && from[0].ends_with("<support@nudgelight.example>"), "{}", rendered);
            assert!(!rendered.lines().any(|line| line.starts_with("Bcc:")), "{}", rendered);
        }
    }

    #[test]
    fn an_address_changes_only_where_no_server_would_understand_it() {
        let written = |address: &str| recipient(address).unwrap().to_string();
        assert_eq!(written("Ada@Example.com"), "Ada@Example.com");
        assert_eq!(written("ada@b\u{fc}cher.example"), "ada@xn--bcher-kva.example");
    }

    #[test]
    fn a_reply_goes_to_the_named_address_and_a_broken_one_makes_no_header() {
        let replied_to = |address: &str| {
            let mut claimed = claimed("New order", "owner@example.com");
            claimed.mail.reply_to = Some(address.to_owned());
            render(&claimed, "Nudgelight", "support@nudgelight.example", picture).unwrap()
        };
        assert!(replied_to("ada@example.com").lines().any(|line| line == "Reply-To: ada@example.com"));
        for address in ["ada@example.com\r\nBcc: eve@example.com", "nowhere", ""] {
            let text = replied_to(address);
            assert!(!text.contains("Reply-To:") && !text.contains("Bcc:"), "{text}");
        }
    }

    #[test]
    fn a_line_break_in_an_address_makes_no_mail() {
        for address in ["ada@example.com\r\nBcc: eve@example.com", "ada@example.com>\r\nRCPT TO:<eve@example.com"] {
            assert!(
                render(&claimed("Hi", address), "Nudgelight", "support@nudgelight.example", picture).is_err(),
                "{address}"
            );
        }
    }
}
