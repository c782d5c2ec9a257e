//! XML documents: elements in order, with escaped text.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

/// Writes into memory, so it cannot fail.
pub type Xml = Writer<Vec<u8>>;
pub type Written = std::io::Result<()>;

/// A document with this root element, its attributes and its content.
pub fn document(
    root: &str,
    attributes: &[(&str, &str)],
    content: impl FnOnce(&mut Xml) -> Written,
) -> std::io::Result<Vec<u8>> {
    let mut xml = Writer::new(Vec::new());
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element(root).with_attributes(attributes.iter().copied()).write_inner_content(content)?;
    Ok(xml.into_inner())
}

/// An element with elements.
pub fn element(xml: &mut Xml, name: &str, content: impl FnOnce(&mut Xml) -> Written) -> Written {
    xml.create_element(name).write_inner_content(content).map(drop)
}

/// An element with text. Characters that XML excludes are left out.
pub fn text(xml: &mut Xml, name: &str, text: &str) -> Written {
    let allowed: String = text.chars().filter(|character| is_allowed(*character)).collect();
    xml.create_element(name).write_text_content(BytesText::new(&allowed)).map(drop)
}

/// Source: XML 1.0, section 2.2 (`Char`).
fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_has_no_character_that_xml_excludes() {
        let written = document("r", &[("xmlns:g", "a&b")], |xml| text(xml, "g:t", "<a> & \"b\" ]]>\u{b}\u{ffff}灯\n"));
        assert_eq!(
            String::from_utf8(written.unwrap()).unwrap(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><r xmlns:g=\"a&amp;b\">\
             <g:t>&lt;a&gt; &amp; &quot;b&quot; ]]&gt;灯\n</g:t></r>"
        );
    }
}
