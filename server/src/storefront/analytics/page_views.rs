//! Page views that are not written to the database yet.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Semaphore;

/// The maximum number of concurrent lookups of former product names.
const MAX_LOOKUPS: usize = 2;

/// A day and a path.
pub type Page = (String, String);

/// Views that are not written yet. The number of entries is bounded by the number of public pages, on two days around
/// midnight.
pub struct PageViews {
    pub(super) counted: Mutex<HashMap<Page, i64>>,
    /// Serializes flushes: a concurrent flush returns after the views are written.
    pub(super) writing: tokio::sync::Mutex<()>,
    pub(super) lookups: Semaphore,
}

impl Default for PageViews {
    fn default() -> Self {
        Self { counted: Mutex::default(), writing: tokio::sync::Mutex::default(), lookups: Semaphore::new(MAX_LOOKUPS) }
    }
}

impl PageViews {
    pub fn add(&self, page: Page, views: i64) {
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner).entry(page).or_default() += views;
    }

    pub fn take(&self) -> Vec<(Page, i64)> {
        let mut views: Vec<_> =
            std::mem::take(&mut *self.counted.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect();
        // Deadlock prevention: all processes update the rows in the same order.
        views.sort_unstable();
        views
    }
}
