//! What a visitor asks of the product list: search, order and page, as in the query string of its URL.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use form_urlencoded::Serializer;
use serde::{Deserialize, Serialize};

/// Longest search, in characters: as long as a product's name.
const MAX_SEARCH: usize = 80;

/// Order of the product list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ProductSort {
    /// The order of the catalog: the oldest product first.
    #[default]
    Featured,
    /// The lowest price first.
    Price,
    /// The highest price first.
    #[serde(rename = "-price")]
    PriceDescending,
    /// The newest product first.
    Newest,
}

impl ProductSort {
    /// Every order, as displayed.
    pub const ALL: [Self; 4] = [Self::Featured, Self::Price, Self::PriceDescending, Self::Newest];

    /// The order in URLs and in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Featured => "featured",
            Self::Price => "price",
            Self::PriceDescending => "-price",
            Self::Newest => "newest",
        }
    }

    /// The order in words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Featured => "Featured",
            Self::Price => "Price: low to high",
            Self::PriceDescending => "Price: high to low",
            Self::Newest => "Newest",
        }
    }

    /// Parses the order of [`ProductSort::as_str`].
    #[must_use]
    pub fn find(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.as_str() == text)
    }
}

/// Search, order and page of the product list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({ "search": "amber", "sort": "price", "page": 2 }))))]
pub struct ProductQuery {
    /// Words that a product's name or description contains, in any order, separated by single spaces; empty for all
    /// products.
    pub search: String,
    /// Order of the products.
    pub sort: ProductSort,
    /// Number of the page, from 1.
    pub page: usize,
}

impl Default for ProductQuery {
    fn default() -> Self {
        Self { search: String::new(), sort: ProductSort::Featured, page: 1 }
    }
}

impl ProductQuery {
    /// Parses a query string, `q=amber&sort=price&page=2`. A missing or invalid value becomes its default, and unknown
    /// parameters are ignored: a URL always has a page.
    ///
    /// ```
    /// use wasm_core::catalog::{ProductQuery, ProductSort};
    ///
    /// let query = ProductQuery::parse("sort=price&q=+warm%20amber&page=two&utm_source=mail");
    /// assert_eq!((query.search.as_str(), query.sort, query.page), ("warm amber", ProductSort::Price, 1));
    /// assert_eq!(query.query_string(), "q=warm+amber&sort=price");
    /// ```
    #[must_use]
    pub fn parse(query_string: &str) -> Self {
        let mut query = Self::default();
        for (name, value) in form_urlencoded::parse(query_string.as_bytes()) {
            match &*name {
                "q" => query.search = normalized(&value),
                "sort" => query.sort = ProductSort::find(&value).unwrap_or_default(),
                "page" => query.page = value.parse().ok().filter(|page| *page > 0).unwrap_or(1),
                _ => {}
            }
        }
        query
    }

    /// The query string without defaults; empty for the first page of all products.
    #[must_use]
    pub fn query_string(&self) -> String {
        let mut pairs = Serializer::new(String::new());
        if self.is_search() {
            pairs.append_pair("q", &self.search);
        }
        if self.sort != ProductSort::default() {
            pairs.append_pair("sort", self.sort.as_str());
        }
        if self.page > 1 {
            pairs.append_pair("page", &self.page.to_string());
        }
        pairs.finish()
    }

    /// The URL of the product list with this query.
    ///
    /// ```
    /// use wasm_core::catalog::ProductQuery;
    ///
    /// assert_eq!(ProductQuery::default().path(), "/products");
    /// assert_eq!(ProductQuery { page: 2, ..ProductQuery::default() }.path(), "/products?page=2");
    /// ```
    #[must_use]
    pub fn path(&self) -> String {
        match self.query_string() {
            query if query.is_empty() => "/products".to_owned(),
            query => ["/products?", &query].concat(),
        }
    }

    /// Whether the list contains only products that match a search.
    #[must_use]
    pub fn is_search(&self) -> bool {
        !self.search.is_empty()
    }

    /// The same search and order, from another page on.
    #[must_use]
    pub fn with_page(&self, page: usize) -> Self {
        Self { page, ..self.clone() }
    }

    /// The first page of the same search in another order.
    #[must_use]
    pub fn with_sort(&self, sort: ProductSort) -> Self {
        Self { search: self.search.clone(), sort, page: 1 }
    }

    /// The first page of all products in the same order.
    #[must_use]
    pub fn without_search(&self) -> Self {
        Self { sort: self.sort, ..Self::default() }
    }
}

/// Words separated by single spaces.
fn normalized(typed: &str) -> String {
    let words: Vec<&str> = typed.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(MAX_SEARCH).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn a_value_that_makes_no_sense_is_the_default() {
        for nonsense in [
            "",
            "page=0",
            "page=-1",
            "page=1.5",
            "page=",
            "page=99999999999999999999999",
            "sort=PRICE",
            "q=%20%00+",
            "&&=",
            "%FF",
        ] {
            assert_eq!(ProductQuery::parse(nonsense), ProductQuery::default(), "{nonsense}");
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_defaults_are_not_written() {
        for search in ["", "amber", "50% off & <more>", "a+b=c", "ä 灯"] {
            for sort in ProductSort::ALL {
                for page in [1, 2, usize::MAX] {
                    let query = ProductQuery { search: search.to_string(), sort, page };
                    assert_eq!(ProductQuery::parse(&query.query_string()), query);
                }
            }
        }
        assert_eq!(ProductQuery::parse("sort=featured&page=1&q=").path(), "/products");
    }

    #[test]
    fn a_search_has_at_most_as_many_characters_as_a_name() {
        let long = ProductQuery::parse(&["q=", &"ä ".repeat(100)].concat());
        assert_eq!(long.search.chars().count(), 79, "the eightieth is a space");
    }
}
