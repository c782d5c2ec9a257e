//! Cart links: products that another site asks a customer to add, as in `/cart?add=nudgelight-one:2`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::IntErrorKind;

use serde::Serialize;

use crate::validation::MAX_LINES;

/// What a cart link asks for. It comes from another site: the products may not exist, and a quantity may be larger than
/// any stock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub struct CartLink {
    /// The products in the order of the link, each once; at most 50.
    pub products: Vec<LinkedProduct>,
    /// Number of entries without a product or with an invalid quantity.
    pub unreadable: usize,
    /// Number of entries after the first 50 products.
    pub omitted: usize,
}

/// A product of a cart link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub struct LinkedProduct {
    /// A slug, an id or a name.
    pub name: String,
    /// From 1.
    pub quantity: u32,
}

impl CartLink {
    /// Parses the value of `add`: entries separated by commas, each a product, a colon and a quantity. Without a quantity
    /// it is 1; the quantities of the same product are added up.
    ///
    /// ```
    /// use wasm_core::cart::CartLink;
    ///
    /// let link = CartLink::parse("nudgelight-one:2,nudgelight-duo,nudgelight-one:1,nudgelight-mini:none");
    /// let products: Vec<_> = link.products.iter().map(|linked| (linked.name.as_str(), linked.quantity)).collect();
    /// assert_eq!(products, [("nudgelight-one", 3), ("nudgelight-duo", 1)]);
    /// assert_eq!(link.unreadable, 1);
    /// ```
    #[must_use]
    pub fn parse(add: &str) -> Self {
        let mut link = Self::default();
        for entry in add.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            link.push(entry);
        }
        link
    }

    fn push(&mut self, entry: &str) {
        let Some((name, quantity)) = parse_entry(entry) else {
            self.unreadable += 1;
            return;
        };
        if let Some(linked) = self.products.iter_mut().find(|linked| linked.name == name) {
            linked.quantity = linked.quantity.saturating_add(quantity);
        } else if self.products.len() < MAX_LINES {
            self.products.push(LinkedProduct { name: name.to_owned(), quantity });
        } else {
            self.omitted += 1;
        }
    }
}

fn parse_entry(entry: &str) -> Option<(&str, u32)> {
    let (name, quantity) = entry.rsplit_once(':').unwrap_or((entry, "1"));
    let quantity = match quantity.trim().parse::<u32>() {
        Ok(quantity) => quantity,
        // More than any stock, however many digits it has.
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => u32::MAX,
        Err(_) => 0,
    };
    let name = name.trim();
    (quantity > 0 && !name.is_empty()).then_some((name, quantity))
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn ten_thousand_entries_are_read_up_to_the_limit_of_a_cart() {
        let entries: Vec<String> = (0..10_000).map(|number| format!("light-{number}:1")).collect();
        let link = CartLink::parse(&entries.join(","));
        assert_eq!((link.products.len(), link.unreadable, link.omitted), (MAX_LINES, 0, 10_000 - MAX_LINES));
        let same = CartLink::parse(&["light:3"; 10_000].join(","));
        assert_eq!(same.products, [LinkedProduct { name: "light".to_owned(), quantity: 30_000 }]);
        assert_eq!(CartLink::parse(&":,".repeat(10_000)).unreadable, 10_000);
    }
}
