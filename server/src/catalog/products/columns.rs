//! Columns of `products`: one list of those that an administrator sets, for INSERT and UPDATE, and the mapping of a row.

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, Row as _};
use wasm_core::catalog::{DeviceForm, Dimensions, LampColor, Plug, Product, ProductInput};
use wasm_core::money::Cents;
use wasm_core::weight::Weight;

use crate::error::Error;

/// A column with its value; `None` is stored as NULL.
enum Column {
    Text(&'static str, fn(&ProductInput) -> Option<String>),
    Integer(&'static str, fn(&ProductInput) -> Option<i64>),
}

/// The stock is not among them: it changes by amounts, each with a ledger entry.
const COLUMNS: [Column; 21] = [
    Column::Text("name", |product| Some(product.name.clone())),
    Column::Text("name_key", |product| Some(name_key(&product.name))),
    Column::Text("description", |product| Some(product.description.clone())),
    Column::Integer("price", |product| Some(product.price.cents())),
    Column::Integer("weight", |product| Some(product.weight_pounds.hundredths())),
    Column::Integer("active", |product| Some(i64::from(product.active))),
    Column::Text("form", |product| Some(product.form.as_str().to_owned())),
    Column::Text("lamp_color", |product| Some(product.lamp_color.as_str().to_owned())),
    Column::Integer("length_mm", |product| product.dimensions.map(|dimensions| dimensions.length_mm)),
    Column::Integer("width_mm", |product| product.dimensions.map(|dimensions| dimensions.width_mm)),
    Column::Integer("height_mm", |product| product.dimensions.map(|dimensions| dimensions.height_mm)),
    Column::Text("plug", |product| product.plug.map(|plug| plug.as_str().to_owned())),
    Column::Integer("cable_length_mm", |product| product.cable_length_mm),
    Column::Integer("power_mw", |product| product.power_mw),
    Column::Text("led_color", |product| product.led_color.clone()),
    Column::Text("in_the_box", |product| Some(product.in_the_box.join("\n"))),
    Column::Integer("warranty_months", |product| product.warranty_months),
    Column::Text("sku", |product| product.sku.clone()),
    Column::Text("gtin", |product| product.gtin.clone()),
    Column::Text("origin_country", |product| product.origin_country.clone()),
    Column::Text("hs_code", |product| product.hs_code.clone()),
];

impl Column {
    fn name(&self) -> &'static str {
        match self {
            Self::Text(name, _) | Self::Integer(name, _) => name,
        }
    }
}

/// `name, name_key, …`
pub fn names() -> String {
    COLUMNS.map(|column| column.name()).join(", ")
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
        Column::Text(_, value) => query.bind(value(product)),
        Column::Integer(_, value) => query.bind(value(product)),
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
    Ok(Product {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        image: format!("/images/{slug}.svg"),
        slug,
        description: row.try_get("description")?,
        price: Cents::from_cents(row.try_get("price")?),
        stock,
        available: (stock - reserved).max(0),
        weight_pounds: Weight::from_hundredths(row.try_get("weight")?),
        active: row.try_get::<i64, _>("active")? == 1,
        version: row.try_get("version")?,
        form: DeviceForm::find(row.try_get("form")?).unwrap_or_default(),
        lamp_color: LampColor::find(row.try_get("lamp_color")?).unwrap_or_default(),
        dimensions: dimensions_of(row)?,
        plug: row.try_get::<Option<&str>, _>("plug")?.and_then(Plug::find),
        cable_length_mm: row.try_get("cable_length_mm")?,
        power_mw: row.try_get("power_mw")?,
        led_color: row.try_get("led_color")?,
        in_the_box: row.try_get::<&str, _>("in_the_box")?.lines().map(str::to_owned).collect(),
        warranty_months: row.try_get("warranty_months")?,
        sku: row.try_get("sku")?,
        gtin: row.try_get("gtin")?,
        origin_country: row.try_get("origin_country")?,
        hs_code: row.try_get("hs_code")?,
        photos: Vec::new(),
        updated_at: row.try_get("updated_at")?,
    })
}

/// The constraint of the table makes them all present or all absent.
fn dimensions_of(row: &AnyRow) -> Result<Option<Dimensions>, Error> {
    let length: Option<i64> = row.try_get("length_mm")?;
    let Some(length_mm) = length else { return Ok(None) };
    Ok(Some(Dimensions { length_mm, width_mm: row.try_get("width_mm")?, height_mm: row.try_get("height_mm")? }))
}
