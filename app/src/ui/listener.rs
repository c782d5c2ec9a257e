//! Who is told what happens in a view.

/// Hears of what somebody does in a view, and may answer.
#[cfg(target_arch = "wasm32")]
pub type Listener<In, Out = ()> = leptos::prelude::Callback<In, Out>;

/// On the server nothing happens in a view, and nobody listens.
#[cfg(not(target_arch = "wasm32"))]
pub struct Listener<In, Out = ()>(std::marker::PhantomData<fn(In) -> Out>);

#[cfg(not(target_arch = "wasm32"))]
impl<In, Out> Default for Listener<In, Out> {
    fn default() -> Self {
        Self(std::marker::PhantomData)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<In, Out> Clone for Listener<In, Out> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl<In, Out> Copy for Listener<In, Out> {}

#[cfg(not(target_arch = "wasm32"))]
impl<In, Out: Default> Listener<In, Out> {
    pub fn run(&self, _told: In) -> Out {
        Out::default()
    }
}
