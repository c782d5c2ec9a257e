//! Customers: search, totals, orders and the emails they were sent.

mod customer;
pub mod emails;
mod store;

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use wasm_core::orders::AdminOrderPage;
use wasm_core::validation::FieldErrors;

use self::customer::Customer;
use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::{Params, Path};
use crate::http::page::PageQuery;
use crate::orders::listing;
use crate::orders::query::Filter;
use crate::time_zone;

/// Maximum length of an email address.
const MAX_SEARCH: usize = 254;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct SearchQuery {
    /// Starts of words of an email address, of a recipient's name or a product in an order, a postal code, a tracking number,
    /// or an order number. For example: `ada`.
    #[param(value_type = String, required = false, max_length = 254)]
    q: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({ "customers": [], "page": 1, "totalPages": 1, "total": 0 })))]
pub struct CustomerPage {
    customers: Vec<Customer>,
    /// Page number, starting at 1.
    page: i64,
    total_pages: i64,
    /// Number of matching customers.
    total: i64,
}

error_responses!(ListErrors: [QUERY, ADMIN]);

/// List customers
///
/// Returns one page of the accounts: all of them, newest first, or the matches of a search, by email address. An account
/// also matches by its orders, of which a search covers the newest 10,000 that match. An invalid parameter is a 400.
#[utoipa::path(
    get,
    path = "/api/admin/customers",
    tag = "Administration",
    params(PageQuery, SearchQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of customers.", body = CustomerPage), ListErrors),
)]
pub async fn list_customers(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
    Params(query): Params<SearchQuery>,
) -> Result<Json<CustomerPage>, Error> {
    let mut fields = FieldErrors::default();
    let page = page.read(&mut fields);
    let search = query.q.unwrap_or_default().trim().to_owned();
    if search.chars().count() > MAX_SEARCH || search.contains('\0') {
        fields.insert("q", "Please enter a shorter search term.");
    }
    if !fields.is_empty() {
        return Err(Error::invalid(fields));
    }
    let (ids, total) = match search.as_str() {
        "" => store::list_newest_ids(state.db.read(), page).await?,
        search => store::search_ids(&state.db, search, page).await?,
    };
    let customers = store::list_customers(state.db.read(), &ids).await?;
    Ok(Json(CustomerPage { customers, page: page.number, total_pages: page.total_pages(total), total }))
}

error_responses!(GetErrors: [ADMIN] NotFound);

/// Get a customer
///
/// Returns the account with the totals of its orders. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/customers/{id}",
    tag = "Administration",
    params(("id" = String, Path, description = "The customer's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The customer.", body = Customer), GetErrors),
)]
pub async fn get_customer(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(_): Admin,
) -> Result<Json<Customer>, Error> {
    Ok(Json(load_customer(&state, id).await?))
}

async fn load_customer(state: &Fulfillment, id: String) -> Result<Customer, Error> {
    store::list_customers(state.db.read(), &[id]).await?.pop().ok_or_else(|| Error::not_found("Customer"))
}

error_responses!(OrdersErrors: [QUERY, ADMIN] NotFound);

/// List the orders of a customer
///
/// Returns one page of the customer's orders, newest first. An unknown id is a 404.
#[utoipa::path(
    get,
    path = "/api/admin/customers/{id}/orders",
    tag = "Administration",
    params(
        ("id" = String, Path, description = "The customer's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b"),
        PageQuery
    ),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of orders.", body = AdminOrderPage), OrdersErrors),
)]
pub async fn list_customer_orders(
    State(state): State<Arc<Fulfillment>>,
    Path(id): Path,
    Admin(_): Admin,
    Params(page): Params<PageQuery>,
) -> Result<Json<AdminOrderPage>, Error> {
    let page = page.validated()?;
    let customer = load_customer(&state, id).await?;
    let zone = time_zone::store::load(state.db.read()).await?;
    let filter = Filter { zone, user_id: Some(customer.id), ..Filter::default() };
    Ok(Json(listing::list_orders(&state.db, &filter, page).await?))
}
