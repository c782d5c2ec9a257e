//! From JavaScript.

use core::slice;

use js_sys::{Array, Reflect};
use serde::de::value::U32Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer as _, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use wasm_bindgen::JsValue;

use super::number::{DECIMAL, number_text};
use super::refused::Refused;

pub(super) fn whole<T: DeserializeOwned>(value: &JsValue) -> Result<T, Refused> {
    T::deserialize(Value(value.clone()))
}

struct Value(JsValue);

impl Value {
    fn is_absent(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    fn whole_number(&self) -> Result<i64, Refused> {
        let number = number_text(&self.0).and_then(|text| text.parse().ok());
        number.ok_or_else(|| Refused::of("expected a whole number"))
    }

    fn array(&self) -> Result<Array, Refused> {
        if Array::is_array(&self.0) { Ok(Array::from(&self.0)) } else { Err(Refused::of("expected a list")) }
    }

    /// Enums are read by the place of their variant, which spares each of them a comparison of texts.
    fn place_among(&self, variants: &[&str]) -> Result<u32, Refused> {
        let Some(name) = self.0.as_string() else { return Err(Refused::of("expected a name")) };
        let place = variants.iter().position(|variant| *variant == name).and_then(|place| u32::try_from(place).ok());
        place.ok_or_else(|| Refused::of("no such choice").within(&name))
    }
}

macro_rules! whole_numbers {
    ($($method:ident)*) => {
        $(
            fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
                visitor.visit_i64(self.whole_number()?)
            }
        )*
    };
}

impl<'de> Deserializer<'de> for Value {
    type Error = Refused;

    /// A number is its text here too: whoever asks for anything reads amounts.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.0.as_string().or_else(|| number_text(&self.0)) {
            Some(text) => visitor.visit_string(text),
            None => Err(Refused::expected(&visitor)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.0.as_bool() {
            Some(value) => visitor.visit_bool(value),
            None => Err(Refused::expected(&visitor)),
        }
    }

    whole_numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.0.as_string() {
            Some(text) => visitor.visit_string(text),
            None => Err(Refused::expected(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.is_absent() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Refused> {
        if name != DECIMAL {
            return visitor.visit_newtype_struct(self);
        }
        match number_text(&self.0) {
            Some(text) => visitor.visit_string(text),
            None => Err(Refused::expected(&visitor)),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        visitor.visit_seq(Entries { array: self.array()?, next: 0 })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        if !self.0.is_object() {
            return Err(Refused::expected(&visitor));
        }
        visitor.visit_seq(Members { object: self.0, names: fields.iter() })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        let place: U32Deserializer<Refused> = self.place_among(variants)?.into_deserializer();
        visitor.visit_enum(place)
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier ignored_any
    }
}

struct Entries {
    array: Array,
    next: u32,
}

impl Entries {
    fn take(&mut self) -> Option<JsValue> {
        let at = self.next;
        self.next = at.checked_add(1)?;
        (at < self.array.length()).then(|| self.array.get(at))
    }
}

impl<'de> SeqAccess<'de> for Entries {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        self.take().map(|entry| seed.deserialize(Value(entry))).transpose()
    }
}

/// An object's members in the order in which the struct names them. A struct is smaller to read as a row than as a
/// table of names; where a member is absent, the row has a gap that the struct fills with its default or refuses.
struct Members {
    object: JsValue,
    names: slice::Iter<'static, &'static str>,
}

impl Members {
    fn take(&mut self) -> Option<(&'static str, JsValue)> {
        let name = *self.names.next()?;
        // Getting a member fails where a getter throws; then there is nothing to be had.
        Some((name, Reflect::get(&self.object, &name.into()).unwrap_or(JsValue::UNDEFINED)))
    }
}

impl<'de> SeqAccess<'de> for Members {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        let Some((name, member)) = self.take() else { return Ok(None) };
        let is_absent = member.is_undefined();
        match seed.deserialize(Value(member)) {
            Ok(value) => Ok(Some(value)),
            Err(_) if is_absent => Ok(None),
            Err(refused) => Err(refused.within(name)),
        }
    }
}
