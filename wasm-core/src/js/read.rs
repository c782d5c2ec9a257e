//! Deserializer of JavaScript values.

use alloc::string::ToString;
use core::slice;

use js_sys::{Array, Date, Reflect};
use serde::de::value::U32Deserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use wasm_bindgen::{JsCast, JsValue};

use super::error::Error;
use super::number::number_text;

pub(super) struct Value(pub(super) JsValue);

impl Value {
    fn is_absent(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    /// Arrays and dates would read as objects without any member.
    fn is_plain_object(&self) -> bool {
        self.0.is_object() && !Array::is_array(&self.0) && !self.0.is_instance_of::<Date>()
    }

    fn whole_number(&self) -> Option<i64> {
        self.0.as_f64().and_then(|number| number_text(number).parse().ok())
    }

    /// The index of an enum's variant, which costs each enum less code than its name.
    fn variant(&self, variants: &[&str]) -> Result<u32, Error> {
        let name = self.0.as_string().ok_or_else(|| Error::new("expected a string"))?;
        let index = variants.iter().position(|variant| *variant == name).and_then(|index| u32::try_from(index).ok());
        index.ok_or_else(|| Error::new(&["no such choice: ", &name].concat()))
    }
}

fn expected<T>(value: Option<T>, message: &str) -> Result<T, Error> {
    value.ok_or_else(|| Error::new(message))
}

macro_rules! whole_numbers {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                visitor.visit_i64(expected(self.whole_number(), "expected a whole number")?)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Value {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.as_f64() {
            Some(number) => visitor.visit_f64(number),
            None => self.deserialize_string(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(expected(self.0.as_bool(), "expected true or false")?)
    }

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(expected(self.0.as_f64(), "expected a number")?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(expected(self.0.as_string(), "expected a string")?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_absent() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let array = expected(self.0.dyn_into::<Array>().ok(), "expected an array")?;
        visitor.visit_seq(Elements { array, next: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if !self.is_plain_object() {
            return Err(Error::new("expected an object"));
        }
        visitor
            .visit_seq(Members { object: self.0, names: members.iter() })
            .map_err(|error| error.name_missing(members))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let variant: U32Deserializer<Error> = self.variant(variants)?.into_deserializer();
        visitor.visit_enum(variant)
    }

    forward_to_deserialize_any! {
        i128 u128 f32 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Value {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

struct Elements {
    array: Array,
    next: u32,
}

impl<'de> SeqAccess<'de> for Elements {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let index = self.next;
        if index >= self.array.length() {
            return Ok(None);
        }
        self.next += 1;
        let element = seed.deserialize(Value(self.array.get(index)));
        element.map(Some).map_err(|error| error.within(&["[", &index.to_string(), "]"].concat()))
    }
}

/// The members of an object in the order of the struct's fields. A sequence costs each struct less code than a map,
/// whose reader compares names; a missing member ends it, so that serde takes the default or reports the index.
struct Members {
    object: JsValue,
    names: slice::Iter<'static, &'static str>,
}

impl<'de> SeqAccess<'de> for Members {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(name) = self.names.next() else { return Ok(None) };
        // A getter that throws counts as a missing member.
        let member = Reflect::get(&self.object, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED);
        let is_missing = member.is_undefined();
        match seed.deserialize(Value(member)) {
            Ok(value) => Ok(Some(value)),
            Err(_) if is_missing => Ok(None),
            Err(error) => Err(error.within(name)),
        }
    }
}
