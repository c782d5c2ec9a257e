//! The shop, as its emails refer to it.

use wasm_core::delivery::DeliveryTimes;

use crate::ui::single_line;

/// The sender of an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShopInfo {
    pub name: String,
    /// Base URL of links, with or without a trailing slash.
    pub public_url: String,
    pub support_email: String,
    /// Name and postal address of the seller.
    pub seller: Option<String>,
    /// Return window and who pays return shipping, if the shop has the standard return policy.
    pub return_terms: Option<String>,
    pub delivery: DeliveryTimes,
}

impl ShopInfo {
    /// The URL of a page. `path` starts with a slash.
    pub(super) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.public_url.trim_end_matches('/'))
    }

    /// The URL of a page with an `email` query parameter.
    pub(super) fn link_for(&self, path: &str, email: &str) -> String {
        format!("{}?email={}", self.link(path), percent_encoded(email))
    }

    /// Name, seller, URL and support email.
    pub(super) fn signature(&self) -> Vec<String> {
        let seller = self.seller.as_deref();
        [Some(self.name.as_str()), seller, Some(&self.public_url), Some(&self.support_email)]
            .into_iter()
            .flatten()
            .map(single_line)
            .collect()
    }
}

/// Percent-encodes everything but the unreserved characters of RFC 3986: safe in any part of a URL.
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_survives_the_way_through_a_query() {
        assert_eq!(percent_encoded("kit+light@example.com"), "kit%2Blight%40example.com");
        assert_eq!(percent_encoded("\"><é&=#?\n"), "%22%3E%3C%C3%A9%26%3D%23%3F%0A");
    }

    #[test]
    fn a_slash_at_the_end_of_the_shops_address_is_not_doubled() {
        let shop = ShopInfo {
            name: "Nudgelight".to_owned(),
            public_url: "https://shop.example/".to_owned(),
            support_email: "support@shop.example".to_owned(),
            seller: None,
            return_terms: None,
            delivery: DeliveryTimes::default(),
        };
        assert_eq!(shop.link("/login"), "https://shop.example/login");
    }
}
