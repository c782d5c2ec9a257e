//! Readers of rendered HTML.

use std::collections::BTreeSet;

/// The visible text of a document, with single spaces.
pub fn visible(html: &str) -> String {
    let body = html.split_once("<body").map_or(html, |(_, body)| body.split_once('>').expect("a body").1);
    let mut text = String::new();
    let mut rest = body;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let (tag, after) = tag.split_once('>').expect("every < opens a tag: text is escaped");
        // Inline elements do not separate words. All others do.
        if !["a", "/a", "!"].contains(&tag.split(' ').next().expect("a name")) {
            text.push(' ');
        }
        rest = after;
    }
    text.push_str(rest);
    decoded(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The values of all attributes with a name.
pub fn attributes(html: &str, name: &str) -> Vec<String> {
    let begin = format!(" {name}=\"");
    html.split(&begin).skip(1).map(|rest| decoded(rest.split('"').next().expect("an end"))).collect()
}

/// The facts in a text: amounts, numbers, dates, addresses and links.
pub fn facts(text: &str) -> BTreeSet<String> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| ".,:;()".contains(c)))
        .filter(|word| word.contains("://") || word.contains('@') || word.chars().any(|c| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}

/// The first run of six digits, which one-time code autofill picks.
pub fn first_six_digits(text: &str) -> Option<&str> {
    let digits = |start: usize| text.get(start..start + 6).filter(|run| run.bytes().all(|byte| byte.is_ascii_digit()));
    (0..text.len()).find_map(digits)
}

fn decoded(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#x27;", "'").replace("&amp;", "&")
}
