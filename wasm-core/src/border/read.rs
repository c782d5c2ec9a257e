//! From JavaScript.

use alloc::string::String;
use alloc::vec::Vec;

use js_sys::{Array, Date, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::number::number_text;
use super::refused::Refused;

/// A type that JavaScript sends. [`from_js!`](crate::from_js) writes it for structs and for enums of names.
pub trait FromJs: Sized {
    /// The value. Where it is of the wrong type, the reader is told, and anything is given back in its place.
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self;
}

/// Reads member by member and remembers the first one that is of the wrong type.
///
/// It goes on reading after that; what was read is thrown away as a whole in the end. To stop at once, each type would
/// need a way out behind each of its members that frees those before it, and that is more code than the reading.
#[derive(Default)]
pub struct Reader {
    /// The argument, and the members that lead to what is being read.
    path: Vec<&'static str>,
    refused: Option<Refused>,
}

pub(super) fn whole<T: FromJs>(argument: &'static str, value: &JsValue) -> Result<T, Refused> {
    let mut reader = Reader::default();
    let read = reader.named(argument, value);
    reader.refused.map_or(Ok(read), Err)
}

/// Nothing is read of a listener: its functions are called later.
pub(super) fn functions(argument: &'static str, value: &JsValue, names: &[&'static str]) -> Result<(), Refused> {
    let mut reader = Reader { path: [argument].into(), refused: None };
    reader.expect_object(value);
    for name in names {
        reader.path.push(name);
        if !get(value, name).is_function() {
            reader.refuse("expected a function");
        }
        reader.path.pop();
    }
    reader.refused.map_or(Ok(()), Err)
}

impl Reader {
    /// An object's member.
    pub fn member<T: FromJs>(&mut self, object: &JsValue, name: &'static str) -> T {
        self.named(name, &get(object, name))
    }

    /// An object's member, which may be missing.
    pub fn member_or<T: FromJs>(&mut self, object: &JsValue, name: &'static str, missing: T) -> T {
        let member = get(object, name);
        if member.is_undefined() { missing } else { self.named(name, &member) }
    }

    fn named<T: FromJs>(&mut self, name: &'static str, member: &JsValue) -> T {
        self.path.push(name);
        let read = T::from_js(member, self);
        self.path.pop();
        read
    }

    /// It has members by their names. Arrays and dates would be read as objects in which every member is missing.
    pub fn expect_object(&mut self, value: &JsValue) {
        if !value.is_object() || Array::is_array(value) || value.is_instance_of::<Date>() {
            self.refuse("expected an object");
        }
    }

    /// The place of a name among those that may be sent.
    pub fn place_among(&mut self, value: &JsValue, names: &[&str]) -> usize {
        let sent = String::from_js(value, self);
        let place = names.iter().position(|name| *name == sent);
        place.unwrap_or_else(|| {
            self.refuse(&["no such choice: ", &sent].concat());
            0
        })
    }

    /// Says what is wrong with what is being read. What was said first stays.
    pub fn refuse(&mut self, sentence: &str) {
        if self.refused.is_none() {
            self.refused = Some(Refused::at(&self.path.join("."), sentence));
        }
    }

    fn or_refuse<T: Default>(&mut self, read: Option<T>, expected: &str) -> T {
        read.unwrap_or_else(|| {
            self.refuse(expected);
            T::default()
        })
    }
}

/// Getting a member fails where a getter throws; then there is nothing to be had.
fn get(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

impl FromJs for String {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        reader.or_refuse(value.as_string(), "expected a string")
    }
}

impl FromJs for bool {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        reader.or_refuse(value.as_bool(), "expected true or false")
    }
}

impl FromJs for i64 {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        let number = number_text(value).and_then(|text| text.parse().ok());
        reader.or_refuse(number, "expected a whole number")
    }
}

impl FromJs for u32 {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        let number = Self::try_from(i64::from_js(value, reader)).ok();
        reader.or_refuse(number, "expected a number from 0 to 4294967295")
    }
}

#[cfg(feature = "js")]
impl FromJs for i32 {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        let number = Self::try_from(i64::from_js(value, reader)).ok();
        reader.or_refuse(number, "expected a number from -2147483648 to 2147483647")
    }
}

/// Any number, `NaN` included: whether it will do is up to a rule.
#[cfg(feature = "js")]
impl FromJs for f64 {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        reader.or_refuse(value.as_f64(), "expected a number")
    }
}

impl<T: FromJs> FromJs for Option<T> {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        let is_absent = value.is_null() || value.is_undefined();
        (!is_absent).then(|| T::from_js(value, reader))
    }
}

impl<T: FromJs> FromJs for Vec<T> {
    fn from_js(value: &JsValue, reader: &mut Reader) -> Self {
        if !Array::is_array(value) {
            reader.refuse("expected an array");
            return Self::new();
        }
        Array::from(value).iter().map(|entry| T::from_js(&entry, reader)).collect()
    }
}

/// How a struct or an enum of names is read from JavaScript. Everywhere else serde reads them, and this says nothing.
///
/// `from_js! { Line { id, weight_pounds } or default { name } }`: the members by their names, and those that may be
/// missing. Where JavaScript calls a member otherwise: `shop_name as "shopName"`. For an enum:
/// `from_js! { enum Country { Us = "US", Ca = "CA" } }`.
#[macro_export]
macro_rules! from_js {
    (enum $type:ident { $first:ident = $first_name:literal $(, $variant:ident = $name:literal)* $(,)? }) => {
        impl $crate::border::FromJs for $type {
            fn from_js(value: &$crate::border::JsValue, reader: &mut $crate::border::Reader) -> Self {
                let place = reader.place_among(value, &[$first_name $(, $name)*]);
                [Self::$first $(, Self::$variant)*].get(place).copied().unwrap_or(Self::$first)
            }
        }
    };
    (
        $type:ident { $($member:ident $(as $name:literal)?),* $(,)? }
        $(or default { $($optional:ident),* $(,)? })?
    ) => {
        impl $crate::border::FromJs for $type {
            fn from_js(value: &$crate::border::JsValue, reader: &mut $crate::border::Reader) -> Self {
                reader.expect_object(value);
                Self {
                    $($member: reader.member(value, [$($name,)? stringify!($member)][0]),)*
                    $($($optional: reader.member_or(value, stringify!($optional), Default::default()),)*)?
                }
            }
        }
    };
}
