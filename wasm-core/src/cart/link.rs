//! Cart links: products that another site asks a customer to add, as in `/cart?add=nudgelight-one:2`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

use crate::catalog::MAX_STOCK;
use crate::validation::MAX_LINES;

/// What a cart link asks for. It comes from another site: the products may not exist, and a quantity may be larger than
/// any stock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct CartLink {
    /// The products in the order of the link, each once; at most 50.
    pub products: Vec<LinkedProduct>,
    /// Number of entries without a product or with an invalid quantity.
    pub unreadable: u32,
    /// Number of entries after the first 50 products.
    pub omitted: u32,
}

/// A product of a cart link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct LinkedProduct {
    /// A slug or an id; a name, if it has no colon.
    pub name: String,
    /// From 1 to the largest stock: a larger one cannot be had either.
    pub quantity: i64,
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
        for entry in add.split(',') {
            link.push(entry.trim());
        }
        link
    }

    fn push(&mut self, entry: &str) {
        let (name, quantity) = entry.split_once(':').unwrap_or((entry, "1"));
        let quantity = quantity.parse().unwrap_or(0).min(MAX_STOCK);
        if entry.is_empty() {
            // Commas at the ends, or in a row.
        } else if name.is_empty() || quantity < 1 {
            self.unreadable += 1;
        } else if let Some(linked) = self.products.iter_mut().find(|linked| linked.name == name) {
            linked.quantity = linked.quantity.saturating_add(quantity).min(MAX_STOCK);
        } else if self.products.len() < MAX_LINES {
            self.products.push(LinkedProduct { name: name.to_owned(), quantity });
        } else {
            self.omitted += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn ten_thousand_entries_are_read_up_to_the_limit_of_a_cart() {
        let entries: Vec<String> = (0..10_000).map(|number| format!("light-{number}:1")).collect();
        let link = CartLink::parse(&entries.join(","));
        assert_eq!((link.products.len(), link.unreadable, link.omitted), (50, 0, 9_950));
        let same = CartLink::parse(&["light:3"; 10_000].join(","));
        assert_eq!(same.products, [LinkedProduct { name: "light".to_owned(), quantity: 30_000 }]);
        assert_eq!(CartLink::parse(&":,".repeat(10_000)).unreadable, 10_000);
    }
}
