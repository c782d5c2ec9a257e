//! What the browser gets where a rule may say no.
//!
//! Each is `{ ok: true, … } | { ok: false, … }`, so TypeScript makes the caller look before using the value. What a
//! rule refuses is an answer; only a value of the wrong type, which is a bug in the calling code, is thrown.

use alloc::string::{String, ToString};
use core::fmt::Display;

use serde::{Serialize, Serializer};
use tsify::Tsify;

use crate::cart::Cart;
use crate::money::Cents;
use crate::pricing::Quote;
use crate::validation::{Address, FieldErrors, ProductInput};

/// `true` in JSON and in TypeScript's types.
pub struct Yes;

/// `false` in JSON and in TypeScript's types.
pub struct No;

impl Serialize for Yes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

impl Serialize for No {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(false)
    }
}

/// An outcome with one sentence where the rule says no.
macro_rules! sentence_outcome {
    ($(#[$doc:meta])* $name:ident, $(#[$shown:meta])* $value:ident, $type:ident) => {
        $(#[$doc])*
        #[derive(Serialize, Tsify)]
        #[serde(untagged)]
        pub enum $name {
            /// The rule says yes.
            Allowed {
                #[tsify(type = "true")]
                /// Always `true` here.
                ok: Yes,
                /// What was asked for.
                $(#[$shown])*
                $value: $type,
            },
            /// The rule says no.
            Refused {
                #[tsify(type = "false")]
                /// Always `false` here.
                ok: No,
                /// For a person.
                error: String,
            },
        }

        impl<E: Display> From<Result<$type, E>> for $name {
            fn from(result: Result<$type, E>) -> Self {
                match result {
                    Ok($value) => Self::Allowed { ok: Yes, $value },
                    Err(error) => Self::Refused { ok: No, error: error.to_string() },
                }
            }
        }
    };
}

/// An outcome with a sentence for each wrong field where the rule says no.
macro_rules! fields_outcome {
    ($(#[$doc:meta])* $name:ident, $value:ident, $type:ident) => {
        $(#[$doc])*
        #[derive(Serialize, Tsify)]
        #[serde(untagged)]
        pub enum $name {
            /// The rule says yes.
            Allowed {
                #[tsify(type = "true")]
                /// Always `true` here.
                ok: Yes,
                /// The valid value.
                $value: $type,
            },
            /// The rule says no.
            Refused {
                #[tsify(type = "false")]
                /// Always `false` here.
                ok: No,
                /// What is wrong, by field.
                fields: FieldErrors,
            },
        }

        impl From<Result<$type, FieldErrors>> for $name {
            fn from(result: Result<$type, FieldErrors>) -> Self {
                match result {
                    Ok($value) => Self::Allowed { ok: Yes, $value },
                    Err(fields) => Self::Refused { ok: No, fields },
                }
            }
        }
    };
}

sentence_outcome!(
    /// A changed cart, or why it stays as it is.
    CartOutcome,
    cart,
    Cart
);
sentence_outcome!(
    /// What an order costs, or why it has no price.
    QuoteOutcome,
    quote,
    Quote
);
sentence_outcome!(
    /// A text in its valid form, or what is wrong with it.
    TextOutcome,
    value,
    String
);
sentence_outcome!(
    /// A whole number, or what is wrong with it.
    NumberOutcome,
    value,
    i64
);
sentence_outcome!(
    /// An amount of dollars, or what is wrong with it.
    MoneyOutcome,
    #[tsify(type = "Dollars")]
    value,
    Cents
);
fields_outcome!(
    /// An address in its valid form, or what is wrong with it.
    AddressOutcome,
    value,
    Address
);
fields_outcome!(
    /// A product in its valid form, or what is wrong with it.
    ProductOutcome,
    value,
    ProductInput
);
