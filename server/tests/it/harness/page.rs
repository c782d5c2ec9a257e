//! Reads server-rendered pages and XML files.

use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

use super::ApiResponse;

/// An XML element with its text.
pub type Element = (String, String);

impl ApiResponse {
    /// Every substring of the body between two delimiters.
    pub fn between<'a>(&'a self, start: &'a str, end: &'a str) -> Vec<&'a str> {
        self.text.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
    }

    /// The structured data of this type.
    #[track_caller]
    pub fn json_ld(&self, kind: &str) -> Value {
        let facts = self.between("<script type=\"application/ld+json\" data-first-paint=\"\">", "</script>");
        let facts = facts.into_iter().map(|fact| serde_json::from_str::<Value>(fact).unwrap());
        facts.into_iter().find(|fact| fact["@type"] == kind).unwrap_or_else(|| panic!("no {kind} in {self}"))
    }

    /// The data that the page brings along for the shell.
    pub fn embedded(&self) -> Value {
        let data = self.between("<script type=\"application/json\" id=\"first-paint\">", "</script>");
        serde_json::from_str(data[0]).unwrap()
    }

    #[track_caller]
    pub fn has(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.text.contains(part), "{part} in {}", self.text);
        }
    }

    /// For each element of this name in an XML body: the elements in it with text, in document order.
    #[track_caller]
    pub fn elements(&self, name: &str) -> Vec<Vec<Element>> {
        let (mut reader, mut open, mut found) = (Reader::from_str(&self.text), Vec::<Element>::new(), Vec::new());
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => {
                    let started = start.name().as_ref().to_owned();
                    if started == name {
                        found.push(Vec::new());
                    }
                    open.push((started, String::new()));
                }
                Event::Text(text) => push(&mut open, &text),
                Event::GeneralRef(entity) => push(&mut open, entity_text(&entity)),
                Event::End(_) => {
                    let closed = open.pop().unwrap();
                    if open.iter().any(|(open, _)| open == name) && !closed.1.is_empty() {
                        found.last_mut().unwrap().push(closed);
                    }
                }
                Event::Eof => return found,
                _ => {}
            }
        }
    }
}

fn push(open: &mut [Element], text: &str) {
    if let Some((_, content)) = open.last_mut() {
        content.push_str(text);
    }
}

fn entity_text(entity: &str) -> &'static str {
    match entity {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        other => panic!("&{other}; in XML"),
    }
}

/// The texts of the elements with this name.
pub fn texts<'e>(elements: &'e [Element], name: &str) -> Vec<&'e str> {
    elements.iter().filter(|(element, _)| element == name).map(|(_, text)| text.as_str()).collect()
}
