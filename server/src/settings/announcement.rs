//! The announcement bar above the public pages.

use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};
use url::Url;
use utoipa::ToSchema;
use wasm_core::validation::{FieldErrors, Message, is_hidden_character};
use wasm_core::wire::clearable;

use crate::infra::clock::parse_day;
use crate::time_zone::ShopZone;

const MAX_TEXT: usize = 200;
const MAX_LINK: usize = 500;

/// An announcement as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(examples(json!({ "text": "Order by December 18 for the holidays.", "link": "/shipping-and-returns", "last_day": "2026-12-18" })))]
pub struct Announcement {
    pub text: String,
    /// A web page, or a path of the shop.
    #[schema(required)]
    pub link: Option<String>,
    /// The last day, in the shop's time zone, on which it is shown.
    #[schema(required, format = Date)]
    pub last_day: Option<String>,
}

/// An announcement as visitors see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(examples(json!({ "id": "5b1c9a0e7d2f4a68", "text": "Order by December 18 for the holidays.", "link": "/shipping-and-returns" })))]
pub struct ShownAnnouncement {
    /// Another one for another text or link, so that a dismissed announcement stays dismissed.
    pub id: String,
    pub text: String,
    /// A web page, or a path of the shop.
    #[schema(required)]
    pub link: Option<String>,
}

impl Announcement {
    /// What visitors see at this time: nothing after the last day.
    pub fn shown_at(&self, now: i64, zone: ShopZone) -> Option<ShownAnnouncement> {
        let last_day = self.last_day.as_deref().and_then(parse_day);
        if last_day.is_some_and(|last_day| zone.day_of(now) > last_day) {
            return None;
        }
        let Self { text, link, .. } = self.clone();
        let mut id = hex::encode(Sha256::digest(format!("{text}\n{}", link.as_deref().unwrap_or_default())));
        id.truncate(16);
        Some(ShownAnnouncement { id, text, link })
    }
}

/// A new announcement. The empty text removes it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct AnnouncementPatch {
    /// Plain text on one line, at most 200 characters.
    pub text: String,
    /// A URL with `http` or `https`, or a path of the shop.
    #[serde(default, deserialize_with = "clearable")]
    pub link: Option<String>,
    /// The last day, in the shop's time zone, on which it is shown.
    #[serde(default, deserialize_with = "clearable")]
    #[schema(format = Date)]
    pub last_day: Option<String>,
}

/// An announcement of a patch that may be absent (unchanged) or `null`, which removes it.
///
/// # Errors
/// For any other value that is no announcement.
pub fn removable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AnnouncementPatch>, D::Error> {
    Option::deserialize(deserializer).map(|patch: Option<AnnouncementPatch>| Some(patch.unwrap_or_default()))
}

impl AnnouncementPatch {
    /// The announcement; `None` for the empty text.
    pub fn parse(&self, fields: &mut FieldErrors) -> Option<Announcement> {
        let text = self.text.trim();
        if text.is_empty() {
            return None;
        }
        if text.contains(is_hidden_character) || text.chars().count() > MAX_TEXT {
            fields.insert("announcement.text", format!("Enter at most {MAX_TEXT} characters on one line."));
        }
        let mut optional = |name: &str, typed: &Option<String>, check: fn(&str) -> Result<(), Message>| {
            let typed = typed.as_deref().map(str::trim).filter(|typed| !typed.is_empty())?;
            if let Err(message) = check(typed) {
                fields.insert(format!("announcement.{name}"), message);
            }
            Some(typed.to_owned())
        };
        let (link, last_day) =
            (optional("link", &self.link, check_link), optional("last_day", &self.last_day, check_day));
        Some(Announcement { text: text.to_owned(), link, last_day })
    }
}

/// Browsers read `//host` and `/\host` as another host.
fn check_link(link: &str) -> Result<(), Message> {
    let is_plain =
        link.len() <= MAX_LINK && !link.contains(|c: char| is_hidden_character(c) || c.is_whitespace() || c == '\\');
    let is_own = link.starts_with('/') && !link.starts_with("//");
    let is_web = || Url::parse(link).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    if is_plain && (is_own || is_web()) {
        return Ok(());
    }
    Err("Enter a URL like https://example.com, or a path of the shop like /products.".to_owned())
}

fn check_day(day: &str) -> Result<(), Message> {
    parse_day(day).map(drop).ok_or_else(|| "Enter a date like 2026-12-24.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::clock::DAY;

    fn parsed(text: &str, link: &str, last_day: &str) -> Result<Option<Announcement>, Vec<String>> {
        let mut fields = FieldErrors::default();
        let patch = AnnouncementPatch {
            text: text.to_owned(),
            link: Some(link.to_owned()),
            last_day: Some(last_day.to_owned()),
        };
        let announcement = patch.parse(&mut fields);
        if fields.is_empty() { Ok(announcement) } else { Err(fields.iter().map(|(name, _)| name.to_owned()).collect()) }
    }

    #[test]
    fn it_is_shown_through_its_last_day() {
        let announcement = parsed("Sale", "", "2026-12-24").unwrap().unwrap();
        let zone = ShopZone::of_name("America/New_York").unwrap();
        let end = zone.bounds(parse_day("2026-12-24").unwrap()).end;
        assert!(announcement.shown_at(end - 30 * DAY, zone).is_some());
        assert!(announcement.shown_at(end - 1, zone).is_some());
        assert_eq!(announcement.shown_at(end, zone), None);
        assert!(parsed("Sale", "", "").unwrap().unwrap().shown_at(i64::MAX, ShopZone::default()).is_some());
    }

    #[test]
    fn another_text_or_link_is_another_announcement_and_another_day_is_not() {
        let id = |text: &str, link: &str, day: &str| {
            parsed(text, link, day).unwrap().unwrap().shown_at(0, ShopZone::default()).unwrap().id
        };
        assert_ne!(id("One", "", ""), id("Two", "", ""));
        assert_ne!(id("One", "/a", ""), id("One", "/b", ""));
        assert_eq!(id("One", "/a", ""), id(" One ", "/a", "2026-12-24"));
    }

    #[test]
    fn wrong_values_are_named_and_the_empty_text_is_none() {
        assert_eq!(parsed(" ", "javascript:x", "never"), Ok(None));
        for text in ["one\ntwo", &"x".repeat(201)] {
            assert_eq!(parsed(text, "", ""), Err(vec!["announcement.text".to_owned()]), "{text:?}");
        }
        for link in
            ["javascript:alert(1)", "//evil.example", "/\\evil.example", "data:x", "products", "https://", "/a b"]
        {
            assert_eq!(parsed("Sale", link, ""), Err(vec!["announcement.link".to_owned()]), "{link}");
        }
        for link in ["/products?sort=price", "https://a.example/x", "HTTP://a.example"] {
            assert!(parsed("Sale", link, "").is_ok(), "{link}");
        }
        for day in ["12/24/2026", "2026-02-30", "soon"] {
            assert_eq!(parsed("Sale", "", day), Err(vec!["announcement.last_day".to_owned()]), "{day}");
        }
    }
}
