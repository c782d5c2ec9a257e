//! What the exported functions are passed where their types in TypeScript say `string` or `number`.
//!
//! JavaScript may pass anything, and wasm-bindgen does not look: where it has a `&str` it takes a string's length from
//! whatever came, and the module reads memory that nobody wrote; where it has an `i32`, 2³² + 5 becomes 5. As values
//! they arrive as they are, and [`read`](super::read) refuses those of the wrong type by the argument's name.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A string, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "string")]
    pub type Text;

    /// A number, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "number")]
    pub type Number;
}
