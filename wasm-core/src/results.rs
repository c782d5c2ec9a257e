//! Result types of the exported functions: `{ ok: true, … } | { ok: false, … }`.
//!
//! TypeScript makes the caller check `ok` before it uses the value. A rejected input is a result; only a value of the
//! wrong type, which is a bug in the calling code, throws.

use alloc::string::String;

use serde::Serialize;
use tsify::Tsify;

use crate::cart::Cart;
use crate::catalog::ProductInput;
use crate::delivery::DayRange;
use crate::money::Cents;
use crate::orders::OrderPatch;
use crate::pricing::Quote;
use crate::validation::{Address, FieldErrors};

macro_rules! result_type {
    ($(#[$doc:meta])* $name:ident { $value:ident: $type:ty $(as $ts:literal)?, $problem:ident: $problem_type:ty }) => {
        $(#[$doc])*
        #[derive(Serialize, Tsify)]
        #[serde(untagged)]
        pub enum $name {
            /// The input is valid.
            Valid {
                #[tsify(type = "true")]
                /// Always `true` here.
                ok: bool,
                $(#[tsify(type = $ts)])?
                /// The result.
                $value: $type,
            },
            /// The input is invalid.
            Invalid {
                #[tsify(type = "false")]
                /// Always `false` here.
                ok: bool,
                /// What to show to the customer.
                $problem: $problem_type,
            },
        }

        impl From<Result<$type, $problem_type>> for $name {
            fn from(result: Result<$type, $problem_type>) -> Self {
                match result {
                    Ok($value) => Self::Valid { ok: true, $value },
                    Err($problem) => Self::Invalid { ok: false, $problem },
                }
            }
        }
    };
}

result_type! {
    /// A changed cart, or the message about why it stays unchanged.
    CartResult { cart: Cart, error: String }
}

result_type! {
    /// The price of an order, or the message about why it has none.
    QuoteResult { quote: Quote, error: String }
}

result_type! {
    /// Text in its normalized form, or the message about why it is invalid.
    TextResult { value: String, error: String }
}

result_type! {
    /// An address in its normalized form, or a message for each invalid field.
    AddressResult { value: Address, fields: FieldErrors }
}

result_type! {
    /// A product in its normalized form, or a message for each invalid field.
    #[expect(clippy::large_enum_variant, reason = "a result is written to JavaScript at once")]
    ProductResult { value: ProductInput, fields: FieldErrors }
}

result_type! {
    /// An amount, or the message about why the text is none.
    AmountResult { value: Cents as "Dollars", error: String }
}

result_type! {
    /// A range of business days, or the message about why the text is none.
    DayRangeResult { value: DayRange, error: String }
}

result_type! {
    /// A quantity from 1 to 99, or the message about why it is invalid.
    QuantityResult { value: i64, error: String }
}

result_type! {
    /// A change of an order in its normalized form, or a message for each invalid field.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(clippy::large_enum_variant, reason = "a result is written to JavaScript at once")
    )]
    OrderPatchResult { value: OrderPatch, fields: FieldErrors }
}
