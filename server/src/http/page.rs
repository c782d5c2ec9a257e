//! Pages of a list: the parameters `page` and `limit`.

use serde::Deserialize;
use utoipa::IntoParams;
use wasm_core::validation::FieldErrors;

use crate::error::Error;

const DEFAULT_LIMIT: i64 = 10;
const MAX_LIMIT: i64 = 100;
/// Prevents an overflow of the offset.
const MAX_PAGE: i64 = 1_000_000_000;

/// Page parameters of a list. They are deserialized as text, so that every invalid value gets its own message.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PageQuery {
    /// Page number, starting at 1.
    #[param(value_type = i64, required = false, minimum = 1, maximum = 1000000000, default = 1, example = 1)]
    pub page: Option<String>,
    /// Rows per page.
    #[param(value_type = i64, required = false, minimum = 1, maximum = 100, default = 10, example = 10)]
    pub limit: Option<String>,
}

#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Starting at 1.
    pub number: i64,
    pub limit: i64,
}

impl Page {
    /// A page of a list that does not let its reader choose the limit.
    ///
    /// # Errors
    /// 400 if the number is invalid.
    pub fn of_size(limit: i64, number: Option<&str>) -> Result<Self, Error> {
        let mut fields = FieldErrors::default();
        let number = whole_number(&mut fields, "page", number, 1, MAX_PAGE);
        if fields.is_empty() { Ok(Self { number, limit }) } else { Err(Error::invalid(fields)) }
    }

    /// Number of rows before the page.
    pub fn offset(self) -> i64 {
        (self.number - 1).saturating_mul(self.limit)
    }

    /// Number of pages for this many rows; there is always one.
    pub fn total_pages(self, total: i64) -> i64 {
        (total / self.limit + i64::from(total % self.limit != 0)).max(1)
    }
}

impl PageQuery {
    /// # Errors
    /// 400 with a message for every invalid parameter.
    pub fn validated(&self) -> Result<Page, Error> {
        let mut fields = FieldErrors::default();
        let page = self.read(&mut fields);
        if fields.is_empty() { Ok(page) } else { Err(Error::invalid(fields)) }
    }

    /// Reads the page and adds a message for every invalid parameter. A caller with further parameters reports all
    /// messages together.
    pub fn read(&self, fields: &mut FieldErrors) -> Page {
        let number = whole_number(fields, "page", self.page.as_deref(), 1, MAX_PAGE);
        let limit = whole_number(fields, "limit", self.limit.as_deref(), DEFAULT_LIMIT, MAX_LIMIT);
        Page { number, limit }
    }
}

fn whole_number(fields: &mut FieldErrors, name: &str, text: Option<&str>, default: i64, max: i64) -> i64 {
    let Some(text) = text.map(str::trim) else {
        return default;
    };
    // `5.0` is a whole number, as in a JSON body.
    let whole = match text.split_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.chars().all(|digit| digit == '0') => whole,
        _ => text,
    };
    match whole.parse::<i64>() {
        Ok(number) if (1..=max).contains(&number) => number,
        _ => {
            fields.insert(name, format!("This must be a whole number from 1 to {max}."));
            default
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_page() {
        let page = Page { number: 3, limit: 10 };
        assert_eq!([0, 10, 11].map(|total| page.total_pages(total)), [1, 1, 2]);
        assert_eq!(page.offset(), 20);
    }
}
