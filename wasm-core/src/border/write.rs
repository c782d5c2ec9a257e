//! To JavaScript.

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use serde::ser::{Impossible, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use wasm_bindgen::JsValue;

use super::number::DECIMAL;
use super::refused::Refused;

pub(super) struct Writer;

type Written = Result<JsValue, Refused>;
type Never = Impossible<JsValue, Refused>;

fn never<T>() -> Result<T, Refused> {
    Err(Refused::of("nothing of this kind is sent to JavaScript"))
}

/// JavaScript knows each whole number up to 2⁵³, far more than anything that is counted here.
#[allow(clippy::cast_precision_loss, reason = "said above")]
fn number(value: i64) -> Written {
    Ok(JsValue::from_f64(value as f64))
}

macro_rules! never_written {
    ($($method:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(fn $method(self, $(_: $argument),*) -> Result<$result, Refused> { never() })*
    };
}

macro_rules! whole_numbers {
    ($($method:ident $type:ty;)*) => {
        $(fn $method(self, value: $type) -> Written { number(value.into()) })*
    };
}

impl Serializer for Writer {
    type Ok = JsValue;
    type Error = Refused;
    type SerializeSeq = Entries;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Never;

    whole_numbers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
    }

    never_written! {
        serialize_f32(f32) -> JsValue;
        serialize_f64(f64) -> JsValue;
        serialize_char(char) -> JsValue;
        serialize_bytes(&[u8]) -> JsValue;
        serialize_unit_struct(&'static str) -> JsValue;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    /// A place in a text, or a count: no list is longer than JavaScript can count.
    fn serialize_u64(self, value: u64) -> Written {
        i64::try_from(value).map_or_else(|_| never(), number)
    }

    fn serialize_bool(self, value: bool) -> Written {
        Ok(JsValue::from_bool(value))
    }

    fn serialize_str(self, text: &str) -> Written {
        Ok(JsValue::from_str(text))
    }

    fn serialize_none(self) -> Written {
        Ok(JsValue::NULL)
    }

    fn serialize_unit(self) -> Written {
        Ok(JsValue::NULL)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Written {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Written {
        let written = value.serialize(self)?;
        Ok(if name == DECIMAL { JsValue::from_f64(written.unchecked_into_f64()) } else { written })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        never()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Entries, Refused> {
        Ok(Entries(Array::new()))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members, Refused> {
        Ok(Members::new())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members, Refused> {
        Ok(Members::new())
    }
}

pub(super) struct Entries(Array);

impl SerializeSeq for Entries {
    type Ok = JsValue;
    type Error = Refused;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.0.push(&value.serialize(Writer)?);
        Ok(())
    }

    fn end(self) -> Written {
        Ok(self.0.into())
    }
}

pub(super) struct Members {
    object: Object,
    name: JsValue,
}

impl Members {
    fn new() -> Self {
        Self { object: Object::new(), name: JsValue::UNDEFINED }
    }

    fn put(&self, name: &JsValue, value: Written) -> Result<(), Refused> {
        // A new object takes every member.
        let _ = Reflect::set(&self.object, name, &value?);
        Ok(())
    }
}

impl SerializeStruct for Members {
    type Ok = JsValue;
    type Error = Refused;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Refused> {
        self.put(&JsValue::from_str(name), value.serialize(Writer))
    }

    fn end(self) -> Written {
        Ok(self.object.into())
    }
}

impl SerializeMap for Members {
    type Ok = JsValue;
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Refused> {
        self.name = name.serialize(Writer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        self.put(&self.name, value.serialize(Writer))
    }

    fn end(self) -> Written {
        Ok(self.object.into())
    }
}
