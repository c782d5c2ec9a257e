//! Pages that were rendered, kept for as long as the catalogue they show is the catalogue there is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use wasm_core::catalogue::Product;

/// A whole document.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub html: Bytes,
    pub etag: String,
}

/// Every page of one catalogue. There are as many as there are public pages and products, whatever is asked for.
#[derive(Debug, Default)]
pub struct PageCache(Mutex<Shelf>);

#[derive(Debug, Default)]
struct Shelf {
    products: Arc<Vec<Product>>,
    pages: HashMap<String, Rendered>,
}

impl PageCache {
    /// The page, if it was rendered from exactly these products.
    pub fn find(&self, key: &str, products: &[Product]) -> Option<Rendered> {
        let shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if *shelf.products != products {
            return None;
        }
        shelf.pages.get(key).cloned()
    }

    /// Keeps a page; what other products were shown on is forgotten.
    pub fn keep(&self, key: String, products: Arc<Vec<Product>>, page: Rendered) {
        let mut shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if shelf.products != products {
            *shelf = Shelf { products, pages: HashMap::new() };
        }
        shelf.pages.insert(key, page);
    }
}
