//! The shop at a glance: what was sold, who looked, and what waits for somebody.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use wasm_core::catalogue::{Product, StockBadge, stock_badge};
use wasm_core::money::Cents;

use super::store;
use crate::analytics::{flush, store as page_views};
use crate::auth::Admin;
use crate::catalogue::store as catalogue;
use crate::http::error::Error;
use crate::http::error_responses::error_responses;
use crate::infra::clock::{DAY, start_of_day, utc_day};
use crate::shop::Shop;

/// How far back the figures go, today included.
const DAYS: i64 = 30;
const WEEK: usize = 7;
/// Of each list of the best.
const BEST: i64 = 5;

/// Days are UTC days, and an order counts on the day it was made. Sales are what orders came to less what has been
/// refunded of them; an order that has been refunded in full counts in neither figure.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    today: Sales,
    last7_days: Sales,
    last30_days: Sales,
    /// The last 30 days, today at the end.
    days: Vec<Day>,
    open_orders: OpenOrders,
    /// Most sold in 30 days first, less what came back.
    top_products: Vec<SoldProduct>,
    /// Most viewed in 30 days first.
    top_pages: Vec<ViewedPage>,
    /// What is on sale and has become scarce, least first.
    low_stock: Vec<Product>,
    /// Oldest first.
    attention: Vec<Attention>,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
pub struct Sales {
    orders: i64,
    sales: Cents,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Day {
    /// As in `2026-12-24`.
    #[schema(format = Date)]
    day: String,
    orders: i64,
    sales: Cents,
    page_views: i64,
}

/// Orders on their way to their customers.
#[derive(Default, Serialize, ToSchema)]
pub struct OpenOrders {
    pub pending: i64,
    pub processing: i64,
    pub shipped: i64,
}

#[derive(Serialize, ToSchema)]
pub struct SoldProduct {
    pub id: String,
    pub name: String,
    pub sold: i64,
}

#[derive(Serialize, ToSchema)]
pub struct ViewedPage {
    path: String,
    views: i64,
}

/// Something that a person has to look at: an order, or a payment that became none.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attention {
    /// For saying that it has been dealt with.
    pub id: String,
    /// A sentence.
    pub what: String,
    /// RFC 3339 in UTC: of the order, else of when it happened.
    pub at: String,
    /// Where it is about an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order_number: Option<i64>,
}

error_responses!(OverviewErrors: [ADMIN]);

/// Sales, page views, what runs out and what needs attention.
#[utoipa::path(
    get,
    path = "/api/admin/overview",
    tag = "Administration",
    security(("accessToken" = [])),
    responses((status = 200, description = "The figures.", body = Overview), OverviewErrors),
)]
pub async fn get_overview(State(shop): State<Arc<Shop>>, Admin(_): Admin) -> Result<Json<Overview>, Error> {
    // What this process has counted until now. Should that fail, the overview is still worth having.
    flush(&shop).await;
    let pool = shop.db.read();
    let today = start_of_day(&utc_day(shop.clock.now_ms())).unwrap_or_default();
    let since = today - (DAYS - 1) * DAY;
    let sales = store::list_sales(pool, since / DAY).await?;
    let views = page_views::list_views_by_day(pool, &utc_day(since)).await?;
    let days = days(since, &sales, &views);
    let top_pages = page_views::list_most_viewed(pool, &utc_day(since), BEST).await?;
    Ok(Json(Overview {
        today: sum(days.iter().rev().take(1))?,
        last7_days: sum(days.iter().rev().take(WEEK))?,
        last30_days: sum(days.iter())?,
        days,
        open_orders: store::count_open_orders(pool).await?,
        top_products: store::list_most_sold(pool, since / DAY, BEST).await?,
        top_pages: top_pages.into_iter().map(|(path, views)| ViewedPage { path, views }).collect(),
        low_stock: scarce(catalogue::list_products(pool, catalogue::Visible::Active).await?),
        attention: store::list_attention(pool).await?,
    }))
}

/// Every day of the span, also those on which nothing happened.
fn days(since: i64, sales: &[store::DaySales], views: &HashMap<String, i64>) -> Vec<Day> {
    (0..DAYS)
        .map(|offset| {
            let start = since + offset * DAY;
            let sold = sales.iter().find(|sold| sold.day == start / DAY);
            let day = utc_day(start);
            Day {
                orders: sold.map_or(0, |sold| sold.orders),
                sales: sold.map_or(Cents::ZERO, |sold| sold.sales),
                page_views: views.get(&day).copied().unwrap_or_default(),
                day,
            }
        })
        .collect()
}

fn sum<'a>(days: impl Iterator<Item = &'a Day>) -> Result<Sales, Error> {
    let mut sum = Sales { orders: 0, sales: Cents::ZERO };
    for day in days {
        sum = Sales { orders: sum.orders + day.orders, sales: sum.sales.checked_add(day.sales)? };
    }
    Ok(sum)
}

fn scarce(mut products: Vec<Product>) -> Vec<Product> {
    products.retain(|product| stock_badge(product.available) != StockBadge::InStock);
    products.sort_by_key(|product| product.available);
    products
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_day_without_anything_is_a_day_too() {
        let sold = store::DaySales { day: 2, orders: 3, sales: Cents::from_cents(5_980) };
        let views = HashMap::from([("1970-01-02".to_owned(), 7)]);
        let days = days(DAY, &[sold], &views);
        assert_eq!(days.len(), 30);
        let seen: Vec<_> = days.iter().take(3).map(|day| (day.day.as_str(), day.orders, day.page_views)).collect();
        assert_eq!(seen, [("1970-01-02", 0, 7), ("1970-01-03", 3, 0), ("1970-01-04", 0, 0)]);
        assert_eq!(sum(days.iter()).unwrap().sales, Cents::from_cents(5_980));
    }
}
