//! Query parameters of the products table: raw text, and the validated filter.

use serde::Deserialize;
use utoipa::IntoParams;
use wasm_core::validation::FieldErrors;

use crate::error::Error;
use crate::http::page::{Page, PageQuery};

/// Longest search text, in characters.
const MAX_SEARCH: usize = 100;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct TableQuery {
    /// Words that the name, SKU or GTIN contains, in any order and ignoring case. For example: `amber`.
    #[param(value_type = String, required = false, max_length = 100)]
    q: Option<String>,
    /// `active`, `hidden` or `low_stock` (at or below the low-stock threshold, and active). For example: `hidden`.
    #[param(value_type = String, required = false, pattern = "^(active|hidden|low_stock)$")]
    status: Option<String>,
    /// `created` (the order of the catalog), `name`, `price`, `stock` or `available`; with a hyphen in front descending.
    #[param(value_type = String, required = false, default = "-created", example = "-stock")]
    sort: Option<String>,
}

/// A validated filter with its order.
#[derive(Debug, Default)]
pub struct TableFilter {
    /// In lowercase.
    pub words: Vec<String>,
    pub status: Option<ListedStatus>,
    pub sort: Sort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListedStatus {
    Active,
    Hidden,
    LowStock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub column: SortColumn,
    pub direction: Direction,
}

/// The newest first.
impl Default for Sort {
    fn default() -> Self {
        Self { column: SortColumn::Created, direction: Direction::Descending }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortColumn {
    Created,
    Name,
    Price,
    Stock,
    Available,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Ascending,
    Descending,
}

impl TableQuery {
    /// Validates the filter and the page together.
    ///
    /// # Errors
    /// 400 with a message for every invalid parameter of both.
    pub fn validated_with(&self, page: &PageQuery) -> Result<(TableFilter, Page), Error> {
        let mut fields = FieldErrors::default();
        let page = page.read(&mut fields);
        let filter = self.read(&mut fields);
        if fields.is_empty() { Ok((filter, page)) } else { Err(Error::invalid(fields)) }
    }

    fn read(&self, fields: &mut FieldErrors) -> TableFilter {
        let search = self.q.as_deref().unwrap_or_default();
        if search.chars().count() > MAX_SEARCH || search.contains('\0') {
            fields.insert("q", "Please enter a shorter search term.");
        }
        let sort = self.sort.as_deref().map_or(Some(Sort::default()), Sort::find);
        if sort.is_none() {
            fields.insert("sort", "This must be created, name, price, stock or available, with - in front to reverse.");
        }
        let status = self.status.as_deref().map(ListedStatus::find);
        if status == Some(None) {
            fields.insert("status", "This must be active, hidden or low_stock.");
        }
        TableFilter {
            words: search.to_lowercase().split_whitespace().map(str::to_owned).collect(),
            status: status.flatten(),
            sort: sort.unwrap_or_default(),
        }
    }
}

impl ListedStatus {
    fn find(word: &str) -> Option<Self> {
        match word {
            "active" => Some(Self::Active),
            "hidden" => Some(Self::Hidden),
            "low_stock" => Some(Self::LowStock),
            _ => None,
        }
    }
}

impl Sort {
    fn find(text: &str) -> Option<Self> {
        let (word, direction) = match text.strip_prefix('-') {
            Some(word) => (word, Direction::Descending),
            None => (text, Direction::Ascending),
        };
        let column = match word {
            "created" => SortColumn::Created,
            "name" => SortColumn::Name,
            "price" => SortColumn::Price,
            "stock" => SortColumn::Stock,
            "available" => SortColumn::Available,
            _ => return None,
        };
        Some(Self { column, direction })
    }
}
