//! Emails about a product that is sold out.

use wasm_core::catalog::Product;

use super::render::Mail;
use super::shop_info::ShopInfo;
use super::template::{Block, EmailTemplate};
use crate::ui::single_line;

/// The link that confirms the address of a back-in-stock request.
#[must_use]
pub fn confirm_back_in_stock(shop: &ShopInfo, product_name: &str, token: &str) -> Mail {
    let name = single_line(product_name);
    EmailTemplate {
        subject: format!("Confirm: email me when {name} is back"),
        heading: "Confirm your request".to_owned(),
        blocks: vec![
            Block::paragraph(&format!(
                "You asked for an email when {name} is back in stock. Confirm your address within 48 hours, and we’ll \
                 send you one email."
            )),
            Block::Button { label: "Email Me", url: shop.link(&format!("/back-in-stock?token={token}")) },
            Block::note(
                "If you didn’t request this, you can ignore this email. Your address is deleted after 48 hours.",
            ),
        ],
    }
    .render(shop)
}

/// The product is back. The address has been deleted by now.
#[must_use]
pub fn back_in_stock(shop: &ShopInfo, product: &Product) -> Mail {
    let name = single_line(&product.name);
    EmailTemplate {
        subject: format!("{name} is back in stock"),
        heading: format!("{name} is back"),
        blocks: vec![
            Block::paragraph(&format!("{name} is back in stock for {}. Quantities may be limited.", product.price)),
            Block::Button { label: "View Product", url: shop.link(&format!("/products/{}", product.slug)) },
            Block::note("This is the only email about it. We’ve deleted your address from the list."),
        ],
    }
    .render(shop)
}
