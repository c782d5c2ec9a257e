//! The product list: filter, order and paging, one pure function.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{Product, ProductQuery, ProductSort};

/// Products on a page.
const PAGE_SIZE: usize = 24;

/// One page of the product list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "products": [{
        "id": "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b",
        "name": "Nudgelight One",
        "slug": "nudgelight-one",
        "description": "A small light that reminds you of what matters.",
        "price": 24.99,
        "stock": 120,
        "available": 118,
        "weight_pounds": 0.6,
        "active": true,
        "image": "/images/nudgelight-one.svg",
        "version": 3,
        "form": "stick",
        "lamp_color": "amber",
        "card_picture": "photo",
        "in_the_box": [],
        "photos": [],
    }],
    "total": 1,
    "pages": 1,
    "query": { "search": "", "sort": "featured", "page": 1 },
}))))]
pub struct ProductList {
    /// The products of this page, at most 24.
    pub products: Vec<Product>,
    /// Number of products on all pages.
    pub total: usize,
    /// Number of pages, at least 1.
    pub pages: usize,
    /// The query of this page. Its page number is that of the last page if the requested one is beyond the end.
    pub query: ProductQuery,
}

impl Default for ProductList {
    fn default() -> Self {
        Self::select(&[], &ProductQuery::default())
    }
}

impl ProductList {
    /// Selects a page of the active products of a catalog. A product matches a search if its name or description
    /// contains every word of it, in any order and ignoring case. A page beyond the end is the last one.
    ///
    /// ```
    /// use wasm_core::catalog::{Product, ProductList, ProductQuery};
    ///
    /// let one = Product { name: "Nudgelight One".into(), active: true, ..Product::default() };
    /// let found = |search| ProductList::select(core::slice::from_ref(&one), &ProductQuery::parse(search)).total;
    /// assert_eq!([found(""), found("q=ONE+light"), found("q=two")], [1, 1, 0]);
    /// ```
    #[must_use]
    pub fn select(catalog: &[Product], query: &ProductQuery) -> Self {
        let words: Vec<String> = query.search.split(' ').map(str::to_lowercase).collect();
        let mut found: Vec<&Product> = catalog.iter().filter(|product| is_match(product, &words)).collect();
        match query.sort {
            ProductSort::Featured => {}
            // Stable: equal prices keep the order of the catalog.
            ProductSort::Price => found.sort_by_key(|product| product.price),
            ProductSort::PriceDescending => found.sort_by_key(|product| Reverse(product.price)),
            ProductSort::Newest => found.reverse(),
        }
        let pages = found.len().div_ceil(PAGE_SIZE).max(1);
        let page = query.page.clamp(1, pages);
        let products = found.iter().skip((page - 1) * PAGE_SIZE).take(PAGE_SIZE).map(|product| (*product).clone());
        Self { products: products.collect(), total: found.len(), pages, query: query.with_page(page) }
    }

    /// The position of the first product of this page in the list, from 1.
    #[must_use]
    pub const fn first_position(&self) -> usize {
        (self.query.page - 1) * PAGE_SIZE + 1
    }

    /// The number of products in words: `200 products, page 2 of 9`.
    #[must_use]
    pub fn summary(&self) -> String {
        let products = match self.total {
            0 => "No products".to_owned(),
            1 => "1 product".to_owned(),
            total => format!("{total} products"),
        };
        let found = match self.query.search.as_str() {
            "" => products,
            search => format!("{products} for “{search}”"),
        };
        match self.pages {
            1 => found,
            pages => format!("{found}, page {} of {pages}", self.query.page),
        }
    }
}

fn is_match(product: &Product, words: &[String]) -> bool {
    if !product.active {
        return false;
    }
    let (name, description) = (product.name.to_lowercase(), product.description.to_lowercase());
    words.iter().all(|word| name.contains(word.as_str()) || description.contains(word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Cents;

    fn product(index: i64) -> Product {
        let name = format!("Nudgelight {} {index}", if index % 2 == 0 { "Amber" } else { "Été" });
        // Every price occurs seven times, so that ties matter.
        Product {
            id: format!("p{index}"),
            name,
            price: Cents::from_cents(index % 7),
            active: true,
            ..Product::default()
        }
    }

    fn catalog(many: i64) -> Vec<Product> {
        (1..=many).map(product).collect()
    }

    fn ids(list: &ProductList) -> Vec<&str> {
        list.products.iter().map(|product| product.id.as_str()).collect()
    }

    #[test]
    fn the_pages_of_a_list_hold_every_product_once_in_each_order() {
        let catalog = catalog(100);
        for sort in ProductSort::ALL {
            let page = |page| ProductList::select(&catalog, &ProductQuery { sort, page, ..ProductQuery::default() });
            let pages: Vec<ProductList> = (1..=5).map(page).collect();
            let mut all: Vec<Product> = pages.iter().flat_map(|page| page.products.clone()).collect();
            assert_eq!(pages.iter().map(|page| page.products.len()).collect::<Vec<_>>(), [24, 24, 24, 24, 4]);
            assert_eq!(pages.iter().map(ProductList::first_position).collect::<Vec<_>>(), [1, 25, 49, 73, 97]);
            match sort {
                ProductSort::Featured => assert_eq!(all, catalog),
                ProductSort::Newest => assert!(all.iter().eq(catalog.iter().rev())),
                ProductSort::PriceDescending => {
                    assert!(all.iter().map(|product| product.price).rev().is_sorted());
                }
                ProductSort::Price => {
                    assert!(all.is_sorted_by_key(|product| product.price));
                    all.sort_by_key(|product| catalog.iter().position(|other| other.id == product.id));
                    assert_eq!(all, catalog);
                }
            }
        }
    }

    #[test]
    fn a_search_finds_each_word_anywhere_in_the_name_without_regard_to_case() {
        let catalog = catalog(10);
        let found = |search: &str| {
            let query = ProductQuery { search: search.to_owned(), ..ProductQuery::default() };
            ProductList::select(&catalog, &query).total
        };
        assert_eq!(
            ["amber", "AMB light", "été", "ÉTÉ", "10", "mber 1", "amber été", "%", "."].map(found),
            [5, 5, 5, 5, 1, 1, 0, 0, 0]
        );
    }

    #[test]
    fn a_search_reads_descriptions_in_any_word_order() {
        let description = "A ring of soft light for a bedside table.".to_owned();
        let halo = Product { name: "Nudgelight Halo".to_owned(), description, active: true, ..Product::default() };
        let found = |search: &str| {
            let query = ProductQuery { search: search.to_owned(), ..ProductQuery::default() };
            ProductList::select(core::slice::from_ref(&halo), &query).total
        };
        assert_eq!(["bedside", "TABLE halo", "halo ring", "halo lamp"].map(found), [1, 1, 1, 0]);
    }

    #[test]
    fn a_page_beyond_the_end_is_the_last_one_and_an_empty_list_has_one_page() {
        let far = ProductQuery { page: usize::MAX, ..ProductQuery::default() };
        let last = ProductList::select(&catalog(50), &far);
        assert_eq!((last.query.page, last.pages, ids(&last)), (3, 3, alloc::vec!["p49", "p50"]));
        let none = ProductList::select(&[], &far);
        assert_eq!((none.query.page, none.pages, none.total, none.summary().as_str()), (1, 1, 0, "No products"));
    }

    #[test]
    fn a_hidden_product_is_in_no_list() {
        let hidden = Product { active: false, ..product(1) };
        assert_eq!(ProductList::select(&[hidden], &ProductQuery::default()).total, 0);
    }

    #[test]
    fn the_summary_counts_what_was_found() {
        let summary = |many, query: &str| ProductList::select(&catalog(many), &ProductQuery::parse(query)).summary();
        assert_eq!(summary(1, ""), "1 product");
        assert_eq!(summary(200, "page=2"), "200 products, page 2 of 9");
        assert_eq!(summary(4, "q=amber"), "2 products for “amber”");
        assert_eq!(summary(4, "q=none"), "No products for “none”");
    }
}
