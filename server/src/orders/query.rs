//! Query parameters of an order list: raw text, and the validated filter and page.

use std::str::FromStr;

use serde::Deserialize;
use utoipa::IntoParams;
use wasm_core::orders::{OrderStatus, PaymentStatus};
use wasm_core::validation::{Country, FieldErrors};

use super::sort::Sort;
use crate::error::Error;
use crate::http::page::{Page, PageQuery};
use crate::infra::clock::parse_day;
use crate::time_zone::ShopZone;

/// Maximum length of an email address.
const MAX_SEARCH: usize = 254;
/// Maximum length of a product's id.
const MAX_ID: usize = 64;
/// Largest number of orders that a filter names, and that one document prints.
pub const MAX_SELECTED: usize = 200;

/// Filter parameters.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct FilterQuery {
    /// First day, in the shop's time zone. For example: `2026-12-01`.
    #[serde(rename = "startDate")]
    #[param(value_type = String, required = false, format = Date)]
    start_date: Option<String>,
    /// Last day, in the shop's time zone, inclusive. For example: `2026-12-31`.
    #[serde(rename = "endDate")]
    #[param(value_type = String, required = false, format = Date)]
    end_date: Option<String>,
    /// Fulfillment status. For example: `shipped`.
    #[param(value_type = OrderStatus, required = false)]
    status: Option<String>,
    /// Payment status. Administrators only. For example: `paid`.
    #[param(value_type = PaymentStatus, required = false)]
    payment: Option<String>,
    /// Country of the shipping address. Administrators only. For example: `CA`.
    #[param(value_type = String, required = false, pattern = "^(US|CA)$")]
    country: Option<String>,
    /// Id of an ordered product. Administrators only. For example: `0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b`.
    #[param(value_type = String, required = false, max_length = 64)]
    product: Option<String>,
    /// Whether to return only orders with open alerts. Administrators only.
    #[param(required = false, default = false, example = false)]
    open_alerts: bool,
    /// Whether to return only orders on hold, or only others. Administrators only. For example: `false`.
    #[param(required = false)]
    held: Option<bool>,
    /// An order number, or starts of words of a name, an email address, or a product, a postal code, or a tracking number:
    /// orders with all of them. A start has two or more characters. Administrators only. For example:
    /// `ada@example.com`.
    #[param(value_type = String, required = false, max_length = 254)]
    q: Option<String>,
    /// Order numbers, separated by commas, at most 200. Administrators only. For example: `1001,1002`.
    #[param(value_type = String, required = false, pattern = "^[1-9][0-9]{0,8}(,[1-9][0-9]{0,8}){0,199}$")]
    numbers: Option<String>,
    /// Order of the list: `newest` first if absent, or `oldest` first. Administrators only. For example: `oldest`.
    #[param(inline, value_type = Sort, required = false)]
    sort: Option<String>,
}

/// A validated filter; dates are converted to times in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The time zone of the dates, in which orders are listed.
    pub zone: ShopZone,
    pub user_id: Option<String>,
    pub from: Option<i64>,
    pub before: Option<i64>,
    pub status: Option<OrderStatus>,
    pub payment: Option<PaymentStatus>,
    pub country: Option<Country>,
    pub product_id: Option<String>,
    /// Only orders with open alerts.
    pub open_alerts: bool,
    /// Only orders on hold, or only others.
    pub held: Option<bool>,
    /// Words, a code or an order number ([`super::search::Search`]).
    pub search: Option<String>,
    /// Only these order numbers.
    pub numbers: Option<Vec<i64>>,
    pub sort: Sort,
}

impl Filter {
    /// Whether the daily totals count its orders: it chooses by day and status alone.
    pub fn has_totals(&self) -> bool {
        let Self { user_id, payment, country, product_id, open_alerts, held, search, numbers, .. } = self;
        let is_by_order = user_id.is_some() || search.is_some() || numbers.is_some() || *open_alerts || held.is_some();
        !is_by_order && payment.is_none() && country.is_none() && product_id.is_none()
    }

    /// The filter of a customer's own list: only the dates apply.
    pub fn own(self, user_id: String) -> Self {
        Self { zone: self.zone, user_id: Some(user_id), from: self.from, before: self.before, ..Self::default() }
    }
}

impl FilterQuery {
    /// # Errors
    /// 400 with a message for every invalid parameter.
    pub fn validated(&self, zone: ShopZone) -> Result<Filter, Error> {
        let mut fields = FieldErrors::default();
        let filter = self.read(&mut fields, zone);
        if fields.is_empty() { Ok(filter) } else { Err(Error::invalid(fields)) }
    }

    /// Validates the filter and the page together.
    ///
    /// # Errors
    /// 400 with a message for every invalid parameter of both.
    pub fn validated_with(&self, page: &PageQuery, zone: ShopZone) -> Result<(Filter, Page), Error> {
        let mut fields = FieldErrors::default();
        let page = page.read(&mut fields);
        let filter = self.read(&mut fields, zone);
        if fields.is_empty() { Ok((filter, page)) } else { Err(Error::invalid(fields)) }
    }

    fn read(&self, fields: &mut FieldErrors, zone: ShopZone) -> Filter {
        let from = day(fields, "startDate", self.start_date.as_deref());
        let last = day(fields, "endDate", self.end_date.as_deref());
        if let (Some(from), Some(last)) = (from, last)
            && from > last
        {
            fields.insert("startDate", "The start date must not be after the end date.");
        }
        let status = word(fields, "status", "This is not a valid order status.", self.status.as_deref());
        let payment = word(fields, "payment", "This is not a valid payment status.", self.payment.as_deref());
        let country = self
            .country
            .as_deref()
            .and_then(|code| Country::parse(code).map_err(|message| fields.insert("country", message)).ok());
        let product_id = self.product.as_deref().map(|id| id.trim().to_owned());
        if product_id.as_ref().is_some_and(|id| !(1..=MAX_ID).contains(&id.len()) || id.contains('\0')) {
            fields.insert("product", "This must be the id of a product.");
        }
        let search = self.q.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        if search.as_ref().is_some_and(|text| text.chars().count() > MAX_SEARCH || text.contains('\0')) {
            fields.insert("q", "Please enter a shorter search term.");
        }
        let numbers = order_numbers(fields, self.numbers.as_deref());
        let sort = word(fields, "sort", "Choose newest or oldest.", self.sort.as_deref()).unwrap_or_default();
        Filter {
            zone,
            user_id: None,
            from: from.map(|day| zone.start_of(day)),
            before: last.map(|day| zone.bounds(day).end),
            status,
            payment,
            country,
            product_id,
            open_alerts: self.open_alerts,
            held: self.held,
            search,
            numbers,
            sort,
        }
    }
}

/// One of the words of an enum.
fn word<T: FromStr>(fields: &mut FieldErrors, name: &str, message: &str, text: Option<&str>) -> Option<T> {
    let found = text?.trim().parse().ok();
    if found.is_none() {
        fields.insert(name, message);
    }
    found
}

fn order_numbers(fields: &mut FieldErrors, text: Option<&str>) -> Option<Vec<i64>> {
    let numbers: Option<Vec<i64>> = text?.split(',').map(order_number).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= MAX_SELECTED);
    if numbers.is_none() {
        fields.insert("numbers", format!("These must be at most {MAX_SELECTED} order numbers, separated by commas."));
    }
    numbers
}

fn order_number(text: &str) -> Option<i64> {
    text.trim().parse().ok().filter(|number| *number > 0)
}

/// In days since 1970-01-01.
fn day(fields: &mut FieldErrors, name: &str, text: Option<&str>) -> Option<i64> {
    let day = parse_day(text?.trim());
    if day.is_none() {
        fields.insert(name, "This must be a date like 2026-12-24.");
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infra::clock::DAY;

    fn parse_query(page: &str, start: &str, end: &str) -> Result<(Filter, Page), Error> {
        let day = |text: &str| (text != "-").then(|| text.to_owned());
        let page = PageQuery { page: Some(page.to_owned()), limit: None };
        let dates = FilterQuery { start_date: day(start), end_date: day(end), ..FilterQuery::default() };
        dates.validated_with(&page, ShopZone::default())
    }

    #[test]
    fn both_ends_of_a_date_range_belong_to_it() {
        let (filter, _) = parse_query("1", "1970-01-02", "1970-01-02").unwrap();
        assert_eq!((filter.from, filter.before), (Some(DAY), Some(2 * DAY)));
    }

    #[test]
    fn page_zero_a_bad_date_and_a_reversed_range_are_refused() {
        assert!(parse_query("2", "-", "-").is_ok());
        assert!(parse_query("0", "-", "-").is_err());
        assert!(parse_query("x", "-", "-").is_err());
        assert!(parse_query("1", "2026-02-30", "-").is_err());
        assert!(parse_query("1", "2026-02-02", "2026-02-01").is_err());
    }

    #[test]
    fn an_empty_value_is_not_the_same_as_none() {
        assert!(parse_query("", "-", "-").is_err());
        assert!(parse_query(".0", "-", "-").is_err());
        assert!(parse_query("1", "", "-").is_err());
        assert!(parse_query("1", "-", " ").is_err());
    }

    #[test]
    fn a_selection_names_at_most_two_hundred_orders() {
        let parse = |text: &str| {
            FilterQuery { numbers: Some(text.to_owned()), ..FilterQuery::default() }.validated(ShopZone::default())
        };
        assert_eq!(parse("1001, 1002").unwrap().numbers, Some(vec![1001, 1002]));
        assert!(parse(&["1"; MAX_SELECTED].join(",")).is_ok());
        for wrong in
            ["", "1001,", "NL-1001", "0", "-1", "1.5", "99999999999999999999", &["1"; MAX_SELECTED + 1].join(",")]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_customer_chooses_by_day_alone() {
        let everybodys = Filter {
            from: Some(1),
            status: Some(OrderStatus::Shipped),
            search: Some("ada".to_owned()),
            numbers: Some(vec![1001]),
            ..Filter::default()
        };
        let own = everybodys.own("u1".to_owned());
        assert_eq!((own.user_id.as_deref(), own.from), (Some("u1"), Some(1)));
        assert!(own.status.is_none() && own.search.is_none() && own.numbers.is_none());
    }
}
