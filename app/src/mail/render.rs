//! Rendering of email templates.

use super::html;
use super::shop_info::ShopInfo;
use super::template::{Block, EmailTemplate};
use crate::ui::{render_to_string, single_line};

/// A rendered email without its envelope.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Mail {
    /// A single line, whatever the data contains.
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The `Reply-To` address, where it differs from the sender.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    /// Ids of the products whose pictures the HTML shows, as `cid:` URLs of their [`picture_id`](crate::orders::picture_id).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<String>,
}

impl EmailTemplate {
    pub(super) fn render(self, shop: &ShopInfo) -> Mail {
        let text = to_text(&self, shop);
        let subject = single_line(&self.subject);
        let pictures = pictures(&self.blocks);
        let html = render_to_string(|| html::document(self, shop));
        Mail { subject, text, html, reply_to: None, pictures }
    }
}

/// Each product once, however many lines it has.
fn pictures(blocks: &[Block]) -> Vec<String> {
    let mut products: Vec<String> = Vec::new();
    for block in blocks {
        let Block::Receipt(receipt) = block else { continue };
        for line in &receipt.lines {
            if !products.contains(&line.product_id) {
                products.push(line.product_id.clone());
            }
        }
    }
    products
}

fn to_text(template: &EmailTemplate, shop: &ShopInfo) -> String {
    let mut text = single_line(&template.heading);
    for block in &template.blocks {
        text.push_str("\n\n");
        text.push_str(&block_text(block));
    }
    // Two dashes and a space start the signature (RFC 3676).
    text.push_str(&format!("\n\n-- \n{}\n", shop.signature().join("\n")));
    text
}

fn block_text(block: &Block) -> String {
    match block {
        Block::Paragraph(text) | Block::Code(text) | Block::Note(text) => text.clone(),
        Block::Button { label, url } | Block::Link { label, url } => format!("{label}:\n{url}"),
        Block::Receipt(receipt) => receipt.to_text(),
    }
}
