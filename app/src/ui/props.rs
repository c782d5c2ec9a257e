//! What a view is given.

use leptos::prelude::*;
#[cfg(target_arch = "wasm32")]
use leptos::reactive::signal::Trigger;

/// The props of a view that stays while they change.
///
/// A `Signal` would do; but it is ready for every kind of source, and is compiled anew for each kind of props. On the
/// server nobody waits for a change, as in `follow`.
pub struct Props<P: 'static> {
    given: StoredValue<P>,
    #[cfg(target_arch = "wasm32")]
    changed: Trigger,
}

impl<P> Clone for Props<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Props<P> {}

impl<P: Send + Sync + 'static> Props<P> {
    /// Belongs to whatever owns what is made at the moment, and ends with it.
    pub fn new(given: P) -> Self {
        Self {
            given: StoredValue::new(given),
            #[cfg(target_arch = "wasm32")]
            changed: Trigger::new(),
        }
    }

    /// Whatever reads them so runs again when they have changed.
    pub fn with<T>(self, read: impl FnOnce(&P) -> T) -> T {
        #[cfg(target_arch = "wasm32")]
        self.changed.track();
        self.given.with_value(read)
    }

    #[cfg(target_arch = "wasm32")]
    pub fn update(self, change: impl FnOnce(&mut P)) {
        self.given.update_value(change);
        self.changed.notify();
    }
}
