//! Pictures beside the items of an email.

use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::Arc;

use app::ui::Bitmap;
use axum::body::Bytes;
use wasm_core::catalog::{DeviceForm, LampColor};

use super::bitmaps;
use crate::catalog::Catalog;
use crate::catalog::products::Contents;
use crate::error::Error;
use crate::mail::{PictureSource, Pictures};

type Drawing = (DeviceForm, LampColor);

/// Pictures of all products, rendered in advance, because an email is composed in a transaction.
pub struct EmailPictures {
    catalog: Arc<Contents>,
    rendered: HashMap<Drawing, Bytes>,
}

impl EmailPictures {
    /// # Errors
    /// When the catalog cannot be read.
    pub async fn of(state: &Catalog) -> Result<Self, Error> {
        let catalog = match state.snapshot.latest_available() {
            Some(catalog) => catalog,
            None => state.snapshot.current().await?,
        };
        let mut rendered = HashMap::new();
        let drawn = catalog.all.iter().map(|product| (product.form, product.lamp_color));
        let drawings: HashSet<Drawing> = drawn.chain([Drawing::default()]).collect();
        for (form, color) in drawings {
            rendered.insert((form, color), bitmaps::png(form, color, Bitmap::Email).await?);
        }
        Ok(Self { catalog, rendered })
    }

    /// The PNG of a product. A product that is not in the snapshot yet has the default form.
    pub fn find(&self, product_id: &str) -> Option<Bytes> {
        let product = self.catalog.all.iter().find(|product| product.id == product_id);
        let drawing = product.map(|product| (product.form, product.lamp_color)).unwrap_or_default();
        self.rendered.get(&drawing).cloned()
    }
}

impl PictureSource for Catalog {
    fn load(self: Arc<Self>) -> Pin<Box<dyn Future<Output = Result<Pictures, Error>> + Send>> {
        Box::pin(async move {
            let pictures = EmailPictures::of(&self).await?;
            Ok(Box::new(move |product_id: &str| pictures.find(product_id)) as Pictures)
        })
    }
}
