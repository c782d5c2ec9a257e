//! Origins whose pages may use the API (CORS).

use axum::http::HeaderValue;
use url::{Origin, Url};

use super::vars::{Vars, is_loopback};

const NAME: &str = "SHOP_CORS_ORIGINS";

impl Vars {
    pub(super) fn cors_origins(&self) -> Result<Vec<HeaderValue>, String> {
        let listed = self.get(NAME).unwrap_or_default().split(|c: char| c == ',' || c.is_whitespace());
        listed.filter(|text| !text.is_empty()).map(parse_origin).collect()
    }
}

/// Browsers send an origin in one form only, so any other text would never match.
fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    let invalid = || format!("{NAME}: {text} is not an origin like https://partner.example");
    let url = Url::parse(text).map_err(|_| invalid())?;
    let is_secure = url.scheme() == "https" || (url.scheme() == "http" && is_loopback(&url));
    match url.origin() {
        // A host may contain a `*`, but browsers never send one.
        origin @ Origin::Tuple(..) if !text.contains('*') => match origin.ascii_serialization() {
            _ if !is_secure => Err(format!("{NAME}: {text} must begin with https://, except for localhost")),
            exact if exact != text => Err(format!("{NAME}: {text} must be written as {exact}")),
            exact => HeaderValue::from_str(&exact).map_err(|_| invalid()),
        },
        _ => Err(invalid()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(value: &str) -> Result<Vec<String>, String> {
        let vars = Vars::new([(NAME.to_owned(), value.to_owned())]).unwrap();
        Ok(vars.cors_origins()?.iter().map(|origin| origin.to_str().unwrap().to_owned()).collect())
    }

    #[test]
    fn commas_and_spaces_separate_exact_origins() {
        assert_eq!(origins(""), Ok(vec![]));
        assert_eq!(origins(" , \n"), Ok(vec![]));
        let listed = "https://partner.example, https://b.example:8443\thttp://localhost:5173,http://[::1]:1";
        let exact = ["https://partner.example", "https://b.example:8443", "http://localhost:5173", "http://[::1]:1"];
        assert_eq!(origins(listed), Ok(exact.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_a_browser_never_sends_is_rejected_and_named() {
        for (value, reason) in [
            ("*", "is not an origin"),
            ("null", "is not an origin"),
            ("partner.example", "is not an origin"),
            ("https://*.partner.example", "is not an origin"),
            ("https://", "is not an origin"),
            ("https://partner.example:99999", "is not an origin"),
            ("file:///srv", "is not an origin"),
            ("data:text/html,x", "is not an origin"),
            ("http://partner.example", "must begin with https://"),
            ("http://localhost.example", "must begin with https://"),
            ("ftp://partner.example", "must begin with https://"),
            ("https://partner.example/", "must be written as https://partner.example"),
            ("https://partner.example/shop?a#b", "must be written as https://partner.example"),
            ("https://me:secret@partner.example", "must be written as https://partner.example"),
            ("https://Partner.example", "must be written as https://partner.example"),
            ("HTTPS://partner.example", "must be written as https://partner.example"),
            ("https://partner.example:443", "must be written as https://partner.example"),
            ("https://bücher.example", "must be written as https://xn--bcher-kva.example"),
        ] {
            let message = origins(&format!("https://good.example {value}")).unwrap_err();
            let named = value.split([',', ' ']).next().unwrap();
            assert!(message.starts_with(&format!("{NAME}: {named}")), "{message}");
            assert!(message.contains(reason) && !message.contains('\n'), "{message}");
        }
    }
}
