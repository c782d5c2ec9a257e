//! The low-stock threshold of a product.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wasm_core::catalog::{STOCK_RANGE, check_stock};
use wasm_core::wire::optional_whole_number;

use super::store;
use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::error::Error;
use crate::error::responses::error_responses;
use crate::http::extract::{Body, Path};

#[derive(Deserialize, Serialize, ToSchema)]
#[schema(examples(json!({ "threshold": 20 })))]
pub struct LowStockThreshold {
    /// Available units, 0–1,000,000. `null`: 4, below which customers see the Low Stock badge.
    #[serde(deserialize_with = "optional_whole_number")]
    #[schema(required, nullable = true, minimum = 0, maximum = 1000000)]
    threshold: Option<i64>,
}

error_responses!(ThresholdErrors: [BODY, ADMIN] NotFound);

/// Set the low-stock threshold of a product
///
/// The shopkeeper gets an email when this number of units, or less, is available: at most one a day for all products.
/// Customers don't see the threshold. An unknown id is a 404.
#[utoipa::path(
    patch,
    path = "/api/admin/products/{id}/low-stock-threshold",
    tag = "Administration",
    params(("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b")),
    request_body = LowStockThreshold,
    security(("accessToken" = [])),
    responses((status = 200, description = "The new threshold.", body = LowStockThreshold), ThresholdErrors),
)]
pub async fn set_low_stock_threshold(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(_): Admin,
    Body(body): Body<LowStockThreshold>,
) -> Result<Json<LowStockThreshold>, Error> {
    if body.threshold.is_some_and(|threshold| check_stock(threshold).is_err()) {
        return Err(Error::invalid_field("threshold", format!("Enter a number from {STOCK_RANGE}.")));
    }
    let args = (id, body.threshold);
    let is_set = state.db.write(args, |tx, (id, threshold)| Box::pin(store::set_threshold(tx, id, *threshold))).await?;
    if is_set { Ok(Json(body)) } else { Err(Error::not_found("Product")) }
}
