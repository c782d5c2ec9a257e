//! Links back into the shop.

use super::MailShop;

impl MailShop {
    /// The address of a page: `path` begins with a slash.
    pub(super) fn link(&self, path: &str) -> String {
        format!("{}{path}", self.public_url.trim_end_matches('/'))
    }

    /// The address of a page that is told an e-mail address.
    pub(super) fn link_for(&self, path: &str, email: &str) -> String {
        format!("{}?email={}", self.link(path), percent_encoded(email))
    }
}

/// Everything but RFC 3986's unreserved characters as `%XX`: safe in any part of an address.
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
        let shop = MailShop {
            name: "Nudgelight".to_owned(),
            public_url: "https://shop.example/".to_owned(),
            support_email: "support@shop.example".to_owned(),
        };
        assert_eq!(shop.link("/login"), "https://shop.example/login");
    }
}
