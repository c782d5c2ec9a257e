//! What a view knows by itself.

#[cfg(target_arch = "wasm32")]
use leptos::prelude::*;

/// A value that a view keeps for itself, like what was typed. Parts that read it follow it.
///
/// On the server it stays what it was at the beginning, and is kept nowhere: Leptos would register each in a table that
/// all pages share, and lock that to read it.
pub struct State<T: 'static> {
    #[cfg(target_arch = "wasm32")]
    now: RwSignal<T>,
    #[cfg(not(target_arch = "wasm32"))]
    begin: fn() -> T,
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for State<T> {}

#[cfg(target_arch = "wasm32")]
impl<T: Clone + Send + Sync + 'static> State<T> {
    /// Begins with what `begin` gives.
    pub fn new(begin: fn() -> T) -> Self {
        Self { now: RwSignal::new(begin()) }
    }

    pub fn get(self) -> T {
        self.now.get()
    }

    /// Whoever reads it so does not follow it.
    pub fn get_untracked(self) -> T {
        self.now.get_untracked()
    }

    pub fn set(self, value: T) {
        self.now.set(value);
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<T> State<T> {
    /// Begins with what `begin` gives.
    pub fn new(begin: fn() -> T) -> Self {
        Self { begin }
    }

    pub fn get(self) -> T {
        (self.begin)()
    }

    /// Whoever reads it so does not follow it.
    pub fn get_untracked(self) -> T {
        (self.begin)()
    }

    /// Only what happens in a browser sets it.
    pub fn set(self, _value: T) {}
}
