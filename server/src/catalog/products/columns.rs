//! Columns of `products`: one list of those that an administrator sets, for INSERT, UPDATE and SELECT.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, Row as _};
use wasm_core::catalog::{CardPicture, DeviceForm, Dimensions, LampColor, Plug, Product, ProductInput};
use wasm_core::money::Cents;
use wasm_core::weight::Weight;

use crate::error::Error;

/// A column: its name, its value and the field that the value sets. NULL is `None`.
enum Column {
    Text(&'static str, fn(&ProductInput) -> Option<String>, fn(&mut Product, Option<String>)),
    Integer(&'static str, fn(&ProductInput) -> Option<i64>, fn(&mut Product, Option<i64>)),
}

/// The stock is not among them: it changes by amounts, each with a ledger entry.
static COLUMNS: [Column; 24] = [
    Column::Text("name", |from| Some(from.name.clone()), |to, value| to.name = value.unwrap_or_default()),
    Column::Text("name_key", |from| Some(name_key(&from.name)), |_, _| ()),
    Column::Text(
        "description",
        |from| Some(from.description.clone()),
        |to, value| to.description = value.unwrap_or_default(),
    ),
    Column::Integer(
        "price",
        |from| Some(from.price.cents()),
        |to, value| to.price = Cents::from_cents(value.unwrap_or_default()),
    ),
    Column::Integer(
        "weight",
        |from| Some(from.weight_pounds.hundredths()),
        |to, value| to.weight_pounds = Weight::from_hundredths(value.unwrap_or_default()),
    ),
    Column::Integer("active", |from| Some(i64::from(from.active)), |to, value| to.active = value == Some(1)),
    Column::Text(
        "form",
        |from| Some(from.form.as_str().to_owned()),
        |to, value| to.form = value.and_then(|form| DeviceForm::find(&form)).unwrap_or_default(),
    ),
    Column::Text(
        "lamp_color",
        |from| Some(from.lamp_color.as_str().to_owned()),
        |to, value| to.lamp_color = value.and_then(|color| LampColor::find(&color)).unwrap_or_default(),
    ),
    Column::Text(
        "card_picture",
        |from| Some(from.card_picture.as_str().to_owned()),
        |to, value| to.card_picture = value.and_then(|choice| CardPicture::find(&choice)).unwrap_or_default(),
    ),
    Column::Integer(
        "length_mm",
        |from| from.dimensions.map(|dimensions| dimensions.length_mm),
        |to, value| set_side(to, value, |dimensions| &mut dimensions.length_mm),
    ),
    Column::Integer(
        "width_mm",
        |from| from.dimensions.map(|dimensions| dimensions.width_mm),
        |to, value| set_side(to, value, |dimensions| &mut dimensions.width_mm),
    ),
    Column::Integer(
        "height_mm",
        |from| from.dimensions.map(|dimensions| dimensions.height_mm),
        |to, value| set_side(to, value, |dimensions| &mut dimensions.height_mm),
    ),
    Column::Text(
        "plug",
        |from| from.plug.map(|plug| plug.as_str().to_owned()),
        |to, value| to.plug = value.and_then(|plug| Plug::find(&plug)),
    ),
    Column::Integer("cable_length_mm", |from| from.cable_length_mm, |to, value| to.cable_length_mm = value),
    Column::Integer("power_mw", |from| from.power_mw, |to, value| to.power_mw = value),
    Column::Integer("brightness_lm", |from| from.brightness_lm, |to, value| to.brightness_lm = value),
    Column::Integer("timekeeping_days", |from| from.timekeeping_days, |to, value| to.timekeeping_days = value),
    Column::Text("led_color", |from| from.led_color.clone(), |to, value| to.led_color = value),
    Column::Text(
        "in_the_box",
        |from| Some(from.in_the_box.join("\n")),
        |to, value| to.in_the_box = value.unwrap_or_default().lines().map(str::to_owned).collect(),
    ),
    Column::Integer("warranty_months", |from| from.warranty_months, |to, value| to.warranty_months = value),
    Column::Text("sku", |from| from.sku.clone(), |to, value| to.sku = value),
    Column::Text("gtin", |from| from.gtin.clone(), |to, value| to.gtin = value),
    Column::Text("origin_country", |from| from.origin_country.clone(), |to, value| to.origin_country = value),
    Column::Text("hs_code", |from| from.hs_code.clone(), |to, value| to.hs_code = value),
];

/// The constraint of the table makes all sides present or all absent.
fn set_side(product: &mut Product, millimeters: Option<i64>, side: fn(&mut Dimensions) -> &mut i64) {
    if let Some(millimeters) = millimeters {
        *side(product.dimensions.get_or_insert_default()) = millimeters;
    }
}

impl Column {
    fn name(&self) -> &'static str {
        match self {
            Self::Text(name, ..) | Self::Integer(name, ..) => name,
        }
    }

    fn read(&self, row: &AnyRow, product: &mut Product) -> Result<(), Error> {
        match self {
            Self::Text(name, _, set) => set(product, row.try_get(*name)?),
            Self::Integer(name, _, set) => set(product, row.try_get(*name)?),
        }
        Ok(())
    }
}

/// `name, name_key, …`
pub fn names() -> String {
    COLUMNS.each_ref().map(Column::name).join(", ")
}

/// `$5, $6, …`: a placeholder for each column.
pub fn placeholders(first: usize) -> String {
    numbered(first).map(|(number, _)| format!("${number}")).collect::<Vec<_>>().join(", ")
}

/// `name = $3, name_key = $4, …`
pub fn assignments(first: usize) -> String {
    numbered(first).map(|(number, column)| format!("{} = ${number}", column.name())).collect::<Vec<_>>().join(", ")
}

fn numbered(first: usize) -> impl Iterator<Item = (usize, &'static Column)> {
    (first..).zip(&COLUMNS)
}

/// Binds the values in the order of the columns.
pub fn bind<'q>(query: Query<'q, Any, AnyArguments>, product: &ProductInput) -> Query<'q, Any, AnyArguments> {
    COLUMNS.iter().fold(query, |query, column| match column {
        Column::Text(_, value, _) => query.bind(value(product)),
        Column::Integer(_, value, _) => query.bind(value(product)),
    })
}

/// Unique key of a name: trimmed and in lowercase.
pub fn name_key(name: &str) -> String {
    name.trim().to_lowercase()
}

pub fn product_of(row: &AnyRow) -> Result<Product, Error> {
    let stock: i64 = row.try_get("stock")?;
    let reserved: i64 = row.try_get("reserved")?;
    let slug: String = row.try_get("slug")?;
    let mut product = Product {
        id: row.try_get("id")?,
        image: format!("/images/{slug}.svg"),
        slug,
        stock,
        available: (stock - reserved).max(0),
        version: row.try_get("version")?,
        updated_at: row.try_get("updated_at")?,
        ..Product::default()
    };
    for column in &COLUMNS {
        column.read(row, &mut product)?;
    }
    Ok(product)
}
