//! Packing slips and the pick list of several orders, as one HTML document for print.

use std::collections::HashMap;
use std::sync::Arc;

use app::packing::{LeftOut, PackedItem, PackingSlip, packing_document};
use app::ui::render_to_string;
use axum::extract::State;
use axum::response::Html;
use wasm_core::catalog::Product;

use crate::accounts::Admin;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::fulfillment::Fulfillment;
use crate::http::extract::Params;
use crate::orders::query::{FilterQuery, MAX_SELECTED};
use crate::orders::shipments::{self, LeftOutCounts, Shipment};
use crate::time_zone::{self, ShopZone};

error_responses!(SlipErrors: [QUERY, ADMIN]);

/// Print packing slips
///
/// Returns the pick list and a packing slip for each of the filtered orders, in the order of the list, as HTML for an
/// element with the class `paper`. The slips have what is still owed: items that were bought and not refunded. Orders that
/// owe nothing, and those on hold, are left out, and the document says how many. The slips have no prices, and the order
/// number as a QR code. More than 200 orders and an invalid filter are a 400.
#[utoipa::path(
    get,
    path = "/api/admin/packing-slips",
    tag = "Administration",
    params(FilterQuery),
    security(("accessToken" = [])),
    responses((status = 200, description = "The document.", body = String, content_type = "text/html"), SlipErrors),
)]
pub async fn get_packing_slips(
    State(state): State<Arc<Fulfillment>>,
    Admin(_): Admin,
    Params(filter): Params<FilterQuery>,
) -> Result<Html<String>, Error> {
    let zone = time_zone::store::load(state.db.read()).await?;
    let shipments = list_selected(&state, &filter, zone).await?;
    let catalog = state.catalog.snapshot.current().await?;
    let products: HashMap<&str, &Product> = catalog.all.iter().map(|product| (product.id.as_str(), product)).collect();
    let mut left_out = LeftOutCounts::default();
    left_out.add(&shipments);
    let packed = shipments.iter().filter(|shipment| shipment.left_out.is_none());
    let slips = packed.map(|shipment| slip_of(shipment, &products, zone)).collect();
    let shop_name = state.settings.get().shop_name.clone();
    let left_out = LeftOut { refunded: left_out.refunded, on_hold: left_out.on_hold };
    let render = move || render_to_string(|| packing_document(&shop_name, slips, left_out));
    // Two hundred slips take long enough to delay other requests.
    tokio::task::spawn_blocking(render).await.map(Html).map_err(Error::internal)
}

async fn list_selected(state: &Fulfillment, filter: &FilterQuery, zone: ShopZone) -> Result<Vec<Shipment>, Error> {
    let filter = filter.validated(zone)?;
    let limit = i64::try_from(MAX_SELECTED).map_err(Error::internal)?;
    let shipments = shipments::list_shipments(&state.db, &filter, None, limit + 1).await?;
    if shipments.len() > MAX_SELECTED {
        let message = format!("At most {MAX_SELECTED} packing slips are printed at once. Select fewer orders.");
        return Err(Error::invalid_field("numbers", message));
    }
    Ok(shipments)
}

fn slip_of(
    Shipment { line, address, items, .. }: &Shipment,
    products: &HashMap<&str, &Product>,
    zone: ShopZone,
) -> PackingSlip {
    let packed = |item| PackedItem::of(item, products.get(item.product_id.as_str()).copied());
    PackingSlip::of(line.number, &zone.local(line.created_at), address, items.iter().map(packed).collect())
}
