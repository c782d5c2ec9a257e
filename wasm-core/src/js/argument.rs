//! Argument types of the exported functions that TypeScript calls `string` and `number`.
//!
//! wasm-bindgen does not check arguments: for `&str` it takes the length of any value and reads memory out of bounds,
//! and for `i32` it turns 2³² + 5 into 5. These types keep the value as it is, and [`read`](super::read) checks it.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A `string`, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "string")]
    pub type JsText;

    /// A `number`, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "number")]
    pub type JsNumber;
}
