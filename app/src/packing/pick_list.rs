//! The pick list: what to take from the shelf for all packages.

use std::collections::HashMap;

use super::{PackedItem, PackingSlip};

/// A product with its total in all packages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickedProduct {
    /// The product, with the total quantity.
    pub item: PackedItem,
    /// Number of orders that contain it.
    pub orders: usize,
}

/// Sums the items of all slips by product, sorted by SKU and name. Products without a SKU come last.
#[must_use]
pub fn pick_list(slips: &[PackingSlip]) -> Vec<PickedProduct> {
    let mut totals: HashMap<&str, PickedProduct> = HashMap::new();
    for item in slips.iter().flat_map(|slip| &slip.items) {
        let picked = totals
            .entry(&item.product_id)
            .or_insert_with(|| PickedProduct { item: PackedItem { quantity: 0, ..item.clone() }, orders: 0 });
        picked.item.quantity = picked.item.quantity.saturating_add(item.quantity);
        picked.orders += 1;
    }
    let mut picked: Vec<_> = totals.into_values().collect();
    picked.sort_by(|a, b| order_of(&a.item).cmp(&order_of(&b.item)));
    picked
}

fn order_of(item: &PackedItem) -> (bool, &Option<String>, &str) {
    (item.sku.is_none(), &item.sku, &item.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, sku: Option<&str>, quantity: i64) -> PackedItem {
        let (product_id, name) = (id.to_owned(), format!("Light {id}"));
        PackedItem { product_id, name, sku: sku.map(str::to_owned), image: None, quantity }
    }

    fn slip(items: Vec<PackedItem>) -> PackingSlip {
        PackingSlip { number: 1, code: String::new(), date: String::new(), ship_to: Vec::new(), items }
    }

    #[test]
    fn each_product_is_picked_once_in_the_order_of_the_shelf() {
        let slips = [
            slip(vec![item("b", Some("NL-TWO"), 2), item("c", None, 1)]),
            slip(vec![item("a", Some("NL-ONE"), 1), item("b", Some("NL-TWO"), 3)]),
        ];
        let picked = pick_list(&slips);
        let rows: Vec<_> = picked.iter().map(|row| (row.item.name.as_str(), row.item.quantity, row.orders)).collect();
        assert_eq!(rows, [("Light a", 1, 1), ("Light b", 5, 2), ("Light c", 1, 1)]);
        assert!(pick_list(&[]).is_empty());
    }
}
