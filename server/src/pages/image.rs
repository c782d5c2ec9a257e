//! The drawn product: one picture, its lamp in the colour its id gives it.

use std::sync::Arc;

use app::ui::{Lamp, Scene, drawn_light};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use leptos::prelude::{Owner, RenderHtml as _, Signal};
use wasm_core::catalogue::lamp_colour;

use crate::catalogue::store::{self, Visible};
use crate::error::{Code, Error};
use crate::extract::Path;
use crate::refusals::refusals;
use crate::shop::Shop;

refusals!(ImageRefusals: [NONE] NotFound);

/// The drawing of a product.
#[utoipa::path(
    get,
    path = "/images/{file}",
    tag = "The shop",
    params(("file" = String, Path, description = "A product's slug and `.svg`.")),
    responses((status = 200, description = "A drawing.", body = String, content_type = "image/svg+xml"), ImageRefusals),
)]
pub async fn product_image(State(shop): State<Arc<Shop>>, Path(file): Path) -> Result<Response, Error> {
    let missing = || Error::new(Code::NotFound, "There is no such picture.");
    let slug = file.strip_suffix(".svg").ok_or_else(missing)?;
    let product = store::find_product_by_name(shop.db.read(), slug, Visible::All).await?.ok_or_else(missing)?;
    let drawing = Owner::new().with(|| {
        let label = format!("Drawing of {}", product.name);
        drawn_light(Scene::Front, lamp_colour(&product.id), Signal::stored(Lamp::On), Some(label)).to_html()
    });
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=3600")];
    Ok((headers, drawing).into_response())
}
