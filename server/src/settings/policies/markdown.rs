//! Markdown to HTML that is safe on every page: no HTML of the author, no images, and links to web pages, email addresses
//! and the shop's own pages only.

use pulldown_cmark::{Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

const WEB: [&str; 3] = ["http://", "https://", "mailto:"];

/// Renders a text. Headings begin at level 2, because the page's title is above them.
pub fn render(markdown: &str) -> String {
    let mut is_link_dropped = false;
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(heading(level))),
        Event::End(TagEnd::Heading(level)) => Some(Event::End(TagEnd::Heading(lowered(level)))),
        Event::Start(Tag::Link { link_type, ref dest_url, .. }) => {
            is_link_dropped = !is_safe(link_type, dest_url);
            (!is_link_dropped).then_some(event)
        }
        // Links are never nested.
        Event::End(TagEnd::Link) => (!is_link_dropped).then_some(event),
        _ => Some(event),
    });
    let mut rendered = String::new();
    html::push_html(&mut rendered, events);
    rendered
}

fn heading(level: HeadingLevel) -> Tag<'static> {
    Tag::Heading { level: lowered(level), id: None, classes: Vec::new(), attrs: Vec::new() }
}

fn lowered(level: HeadingLevel) -> HeadingLevel {
    level.max(HeadingLevel::H2)
}

/// Browsers read `//host` and `/\host` as another host, and remove line breaks and tabs.
fn is_safe(link_type: LinkType, url: &str) -> bool {
    let is_web = WEB.iter().any(|start| url.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start)));
    let is_own = url.starts_with('#') || (url.starts_with('/') && !url.starts_with("//") && !url.contains('\\'));
    (link_type == LinkType::Email || is_web || is_own) && !url.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// Text that Markdown shows as it is.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_lists_links_and_tables_become_html() {
        let markdown =
            "# One\n\ntext with **weight**\n\n- [a page](/terms)\n- <https://a.example>\n\n|a|b|\n|-|-|\n|1|2|\n";
        let html = render(markdown);
        for part in [
            "<h2>One</h2>",
            "<strong>weight</strong>",
            "<a href=\"/terms\">a page</a>",
            "<a href=\"https://a.example\">",
            "<td>1</td>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
    }

    #[test]
    fn html_of_the_author_is_shown_as_text() {
        for markdown in [
            "<script>alert(1)</script>",
            "text <img src=x onerror=alert(1)> text",
            "<a href=\"javascript:alert(1)\">x</a>",
            "<div onclick=\"x\">\n\ntext\n\n</div>",
            "<!-- <script> -->",
            "</script><svg/onload=alert(1)>",
            "`<script>`",
            "```\n</pre><script>\n```",
            "```<script>\ncode\n```",
            "# <iframe src=//evil.example>",
            "|<script>|\n|-|\n|<img src=x>|",
            "&lt;script&gt;",
            "<![CDATA[<script>]]>",
            "<?php <script> ?>",
        ] {
            let html = render(markdown);
            for tag in ["<script", "<img", "<a ", "<div", "<svg", "<iframe", "<!--", "<![", "<?"] {
                assert!(!html.contains(tag), "{markdown} became {html}");
            }
        }
    }

    #[test]
    fn a_link_that_could_run_a_script_or_leave_by_a_trick_is_its_text() {
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            "&#106;avascript:alert(1)",
            "java&Tab;script:alert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "products",
            "x:y",
        ] {
            for markdown in [format!("[click]({url})"), format!("[click][1]\n\n[1]: {url}"), format!("![click]({url})")]
            {
                let html = render(&markdown);
                assert!(!html.contains("<a") && !html.contains("<img"), "{markdown} became {html}");
                assert!(html.contains("click"), "{markdown} became {html}");
            }
        }
        let quoted = render("[x](</a\" onclick=\"alert(1)>) [y](/b \"t\\\" onclick=\\\"alert(1)\")");
        assert!(!quoted.contains("\" onclick"), "{quoted}");
    }

    #[test]
    fn good_links_around_a_dropped_one_stay() {
        let html = render("[a](/a) [b](javascript:b) [c](mailto:c@d.example) <e@f.example>");
        assert_eq!(html.matches("<a ").count(), 3, "{html}");
        assert_eq!(html.matches("</a>").count(), 3, "{html}");
    }

    #[test]
    fn escaped_text_stays_as_it_is() {
        let text = "1. *Lamps* & <b>_More_</b> [x](/y) `z` | # \\";
        let html = render(&escape(text));
        assert_eq!(html.trim(), "<p>1. *Lamps* &amp; &lt;b&gt;_More_&lt;/b&gt; [x](/y) `z` | # \\</p>");
    }
}
