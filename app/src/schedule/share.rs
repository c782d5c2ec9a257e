//! Schedules in shareable links.
//!
//! A link contains the parsed time zone and rules, never the text. Wi-Fi credentials cannot leak into it, neither from
//! their lines nor from a comment or an invalid line.

use std::fmt::Write as _;

use wasm_core::schedule::{MAX_BYTES, Schedule};

use super::parsed_text::ParsedText;

const KEY: &str = "rules=";

/// First lines of a schedule for others: they have their own Wi-Fi.
pub(crate) const WIFI_REMINDER: &str =
    "# Enter your Wi-Fi before you save this on the light:\n# wifi     = \n# password = \n";

/// Encodes a schedule as a URL fragment, without the `#`.
#[must_use]
pub fn encode_fragment(schedule: &Schedule) -> String {
    let mut fragment = KEY.to_owned();
    for byte in rules(schedule).trim_end().bytes() {
        match byte {
            b' ' => fragment.push('+'),
            b'\n' => fragment.push(';'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b':' | b',' | b'/' => {
                fragment.push(char::from(byte));
            }
            byte => push_escaped(&mut fragment, byte),
        }
    }
    fragment
}

/// Decodes the schedule in a URL fragment, with or without the `#`.
#[must_use]
pub fn decode_fragment(fragment: &str) -> Option<String> {
    let encoded = fragment.trim_start_matches('#').strip_prefix(KEY)?;
    // A byte takes at most three characters.
    let text = decoded(encoded.get(..MAX_BYTES.saturating_mul(3)).unwrap_or(encoded))?;
    let shared = rules(&ParsedText::of(&text).schedule);
    Some(format!("{WIFI_REMINDER}{shared}"))
}

fn rules(schedule: &Schedule) -> String {
    let mut text = format!("timezone = {}\n\n", schedule.time_zone().name());
    for rule in schedule.rules() {
        text.push_str(&schedule.display_rule(rule).to_string());
        text.push('\n');
    }
    text
}

fn push_escaped(text: &mut String, byte: u8) {
    // Writing to a String is infallible.
    let _ = write!(text, "%{byte:02X}");
}

fn decoded(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b';' => b'\n',
            b'%' => digit(rest.next()?)?.checked_mul(16)?.checked_add(digit(rest.next()?)?)?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::{decode_fragment, encode_fragment};
    use crate::schedule::ParsedText;

    #[test]
    fn a_shared_schedule_is_the_same_schedule_on_the_other_side() {
        for zone in ["America/St_Johns", "<+0330>-3:30", "CET-1CEST,M3.5.0,M10.5.0/3"] {
            let file = format!("timezone = {zone}\non 07:00-07:30 mon,wed 40%\nblink every 30m for 10s 200ms/800ms\n");
            let sent = ParsedText::of(&file).schedule;
            let link = encode_fragment(&sent);
            assert!(!link.contains([' ', '\n', '<', '%'].map(|c| if c == '%' { '\0' } else { c })), "{link}");
            let got = ParsedText::of(&decode_fragment(&format!("#{link}")).unwrap());
            assert_eq!((got.schedule, got.problems), (sent, Vec::new()), "{link}");
        }
    }

    #[test]
    fn no_setting_of_the_network_is_ever_in_a_link() {
        let file = "wifi = Home Sweet\npassword = hunter2hunter2\ntime-server = my.server.example\n\
                    # hunter2hunter2\npasword = hunter2hunter2\nwifi Home Sweet\n\
                    on 07:00-07:30 # hunter2hunter2\n";
        let link = encode_fragment(&ParsedText::of(file).schedule);
        assert_eq!(link, "rules=timezone+%3D+UTC;;on+07:00-07:30");
        let opened = decode_fragment("rules=wifi+%3D+Evil;password+%3D+hunter2hunter2;on+07:00-07:30").unwrap();
        assert!(!opened.contains("Evil") && !opened.contains("hunter2"), "{opened}");
    }

    #[test]
    fn what_is_no_shared_schedule_is_none() {
        for fragment in ["", "#lab", "#rules", "rules=%", "rules=%zz", "rules=%FF"] {
            assert_eq!(decode_fragment(fragment), None, "{fragment}");
        }
    }
}
