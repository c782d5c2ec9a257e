//! What a view is given.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;
#[cfg(target_arch = "wasm32")]
use leptos::reactive::signal::Trigger;

/// The props of a view that stays while they change.
///
/// A `Signal` would do; but it is ready for every kind of source, and is compiled anew for each kind of props. Here all
/// kinds are kept as one.
pub struct Props<P> {
    shown: Shown,
    kind: PhantomData<fn() -> P>,
}

/// Props of any kind. On the server nobody waits for a change, as in `follow`.
#[derive(Clone, Copy)]
struct Shown {
    given: StoredValue<Arc<dyn Any + Send + Sync>>,
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
        Self { shown: Shown::new(Arc::new(given)), kind: PhantomData }
    }

    /// Whatever reads them so runs again when they have changed.
    pub fn with<T>(self, read: impl FnOnce(&P) -> T) -> T {
        match self.shown.now().downcast_ref() {
            Some(given) => read(given),
            None => unreachable!("only props of this kind are kept here"),
        }
    }

    #[cfg(target_arch = "wasm32")]
    pub fn set(self, given: P) {
        self.shown.set(Arc::new(given));
    }
}

impl Shown {
    fn new(given: Arc<dyn Any + Send + Sync>) -> Self {
        Self {
            given: StoredValue::new(given),
            #[cfg(target_arch = "wasm32")]
            changed: Trigger::new(),
        }
    }

    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn now(self) -> Arc<dyn Any + Send + Sync> {
        #[cfg(target_arch = "wasm32")]
        self.changed.track();
        self.given.get_value()
    }

    #[cfg(target_arch = "wasm32")]
    fn set(self, given: Arc<dyn Any + Send + Sync>) {
        self.given.set_value(given);
        self.changed.notify();
    }
}
