use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use wasm_core::orders::{Order, OrderPage};

use super::query::FilterQuery;
use super::{listing, store};
use crate::accounts::SignedIn;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::{Params, Path};
use crate::http::page::PageQuery;
use crate::orders::Orders;
use crate::time_zone;

error_responses!(GetErrors: [SIGNED_IN] Forbidden NotFound);

/// Get an order
///
/// Returns an order of the logged-in customer with its items, totals and payment status. Another customer's order is a
/// 403, an unknown id a 404.
#[utoipa::path(
    get,
    path = "/api/orders/{id}",
    tag = "Orders",
    operation_id = "get_own_order",
    params(("id" = String, Path, description = "The order's id.", example = "0193f5c6-2f4e-7c1a-9b64-3d5f0a8e7c21")),
    security(("accessToken" = [])),
    responses((status = 200, description = "The order.", body = Order), GetErrors),
)]
pub async fn get_order(
    State(state): State<Arc<Orders>>,
    Path(id): Path,
    SignedIn(caller): SignedIn,
) -> Result<Json<Order>, Error> {
    let owner =
        store::find_owner(state.db.read(), &id).await?.ok_or_else(|| Error::new(Code::NotFound, "Order not found."))?;
    if owner != caller.user_id {
        return Err(Error::new(Code::Forbidden, "You are not authorized to view this order."));
    }
    let mut connection = state.db.read().acquire().await?;
    let order = store::load_order(&mut connection, &id).await?;
    let zone = time_zone::store::load(&mut *connection).await?;
    Ok(Json(order.for_customer(zone)))
}

error_responses!(ListErrors: [QUERY, SIGNED_IN]);

/// List orders
///
/// Returns one page of the logged-in customer's orders, newest first, with the total number of matches. An invalid
/// page, date or status is a 400.
#[utoipa::path(
    get,
    path = "/api/user/orders",
    tag = "Orders",
    params(PageQuery, FilterQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "One page of orders.", body = OrderPage), ListErrors),
)]
pub async fn list_own_orders(
    State(state): State<Arc<Orders>>,
    SignedIn(caller): SignedIn,
    Params(page): Params<PageQuery>,
    Params(filter): Params<FilterQuery>,
) -> Result<Json<OrderPage>, Error> {
    let (filter, page) = filter.validated_with(&page, time_zone::store::load(state.db.read()).await?)?;
    let page = listing::list_orders(&state.db, &filter.own(caller.user_id), page).await?;
    Ok(Json(page.into()))
}
