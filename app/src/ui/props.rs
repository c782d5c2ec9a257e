//! What a view is given.

use std::any::Any;
use std::marker::PhantomData;

/// The props of a view that stays while they change.
///
/// A `Signal` would do; but it is ready for every kind of source, and is compiled anew for each kind of props. Here all
/// kinds are kept as one.
pub struct Props<P> {
    shown: Shown,
    kind: PhantomData<fn() -> P>,
}

impl<P> Clone for Props<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Props<P> {}

impl<P: Any + Send + Sync> Props<P> {
    /// Belongs to whatever owns what is made at the moment, and ends with it.
    #[cfg(target_arch = "wasm32")]
    pub fn new(given: P) -> Self {
        Self { shown: Shown::new(Arc::new(given)), kind: PhantomData }
    }

    /// Builds a view that is given these. On the server every part reads them while it is built;
    /// one that reads them later finds nothing, and panics.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn show<V>(given: P, view: impl FnOnce(Self) -> V) -> V {
        let shown = Shown::new(Rc::new(given));
        let _end = End(shown);
        view(Self { shown, kind: PhantomData })
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

#[cfg(target_arch = "wasm32")]
use browser::*;
#[cfg(not(target_arch = "wasm32"))]
use server::*;

/// Props of any kind, and who follows them.
#[cfg(target_arch = "wasm32")]
mod browser {
    pub use std::sync::Arc;

    use leptos::prelude::*;
    use leptos::reactive::signal::Trigger;

    use super::Any;

    #[derive(Clone, Copy)]
    pub struct Shown {
        given: StoredValue<Arc<dyn Any + Send + Sync>>,
        changed: Trigger,
    }

    impl Shown {
        pub fn new(given: Arc<dyn Any + Send + Sync>) -> Self {
            Self { given: StoredValue::new(given), changed: Trigger::new() }
        }

        #[inline(never)]
        pub fn now(self) -> Arc<dyn Any + Send + Sync> {
            self.changed.track();
            self.given.get_value()
        }

        pub fn set(self, given: Arc<dyn Any + Send + Sync>) {
            self.given.set_value(given);
            self.changed.notify();
        }
    }
}

/// Props of any kind, of the views that this thread builds at the moment: a view is built by one thread, which needs no
/// lock and counts nothing for others.
#[cfg(not(target_arch = "wasm32"))]
mod server {
    use std::cell::RefCell;
    pub use std::rc::Rc;

    use super::Any;

    thread_local! {
        static GIVEN: RefCell<Vec<Rc<dyn Any>>> = const { RefCell::new(Vec::new()) };
    }

    /// Where they are.
    #[derive(Clone, Copy)]
    pub struct Shown(usize);

    impl Shown {
        pub fn new(given: Rc<dyn Any>) -> Self {
            GIVEN.with_borrow_mut(|all| {
                all.push(given);
                Self(all.len() - 1)
            })
        }

        pub fn now(self) -> Rc<dyn Any> {
            GIVEN.with_borrow(|all| Rc::clone(&all[self.0]))
        }
    }

    /// The view is built, or it panicked.
    pub struct End(pub Shown);

    impl Drop for End {
        fn drop(&mut self) {
            GIVEN.with_borrow_mut(|all| all.truncate(self.0.0));
        }
    }
}
