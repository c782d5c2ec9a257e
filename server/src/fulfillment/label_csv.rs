//! Columns of an export for label software.
//!
//! Weights, values and quantities are those of the items that are packed: bought and not refunded.
//!
//! The names are those of the services' fields, so that the columns are easy to match when a file is uploaded. Customs codes
//! are only for packages that cross a border.

use std::borrow::Cow;
use std::collections::HashMap;

use app::packing::order_code;
use wasm_core::catalog::Product;
use wasm_core::money::Cents;
use wasm_core::orders::OrderItem;
use wasm_core::validation::Country;
use wasm_core::weight::Weight;

use crate::infra::csv::{escape_formula, record};
use crate::orders::shipments::Shipment;
use crate::time_zone::ShopZone;

/// The products of the catalog by id, with their current weights and codes.
pub type Products<'a> = HashMap<&'a str, &'a Product>;

/// Label software that an export is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelSoftware {
    PirateShip,
    ShipStation,
    CanadaPost,
}

impl LabelSoftware {
    /// The header row.
    pub fn header(self) -> String {
        match self {
            Self::PirateShip => record(PIRATE_SHIP.map(Into::into)),
            Self::ShipStation => record(SHIP_STATION.map(Into::into)),
            Self::CanadaPost => record(CANADA_POST.map(Into::into)),
        }
    }

    /// The country that its packages are sent from.
    fn origin(self) -> Country {
        match self {
            Self::PirateShip | Self::ShipStation => Country::Us,
            Self::CanadaPost => Country::Ca,
        }
    }

    /// The rows of an order.
    pub fn records(self, shipment: &Shipment, products: &Products<'_>, zone: ShopZone) -> String {
        let package = Package::of(shipment, products, self.origin());
        match self {
            Self::PirateShip => pirate_ship(&package),
            Self::ShipStation => package.items.iter().map(|item| ship_station(&package, item, zone)).collect(),
            Self::CanadaPost => package.items.iter().map(|item| canada_post(&package, item)).collect(),
        }
    }
}

/// One row an order. Pirate Ship prints rubber stamps on the label
/// (<https://support.pirateship.com/en/articles/1804193-what-are-rubber-stamps-and-how-do-i-use-them>).
const PIRATE_SHIP: [&str; 19] = [
    "Order ID",
    "Name",
    "Address Line 1",
    "Address Line 2",
    "City",
    "State",
    "Zipcode",
    "Country",
    "Email",
    "Phone",
    "Pounds",
    "Ounces",
    "Order Items",
    "SKUs",
    "Item Quantity",
    "Order Value",
    "HS Codes",
    "Countries of Origin",
    "Rubber Stamp 1",
];

/// One row an item: ShipStation combines rows with the same order number
/// (<https://help.shipstation.com/hc/en-us/articles/360036323571>). Customs fields as in its field reference
/// (<https://help.shipstation.ca/hc/en-ca/articles/11229107872411-ShipStation-ODBC-Data-Mapping>).
const SHIP_STATION: [&str; 21] = [
    "Order #",
    "Order Date",
    "Order Total",
    "Buyer Email",
    "Recipient Full Name",
    "Address Line 1",
    "Address Line 2",
    "City",
    "State",
    "Postal Code",
    "Country Code",
    "Recipient Phone",
    "Weight(oz)",
    "Item SKU",
    "Item Name",
    "Item Quantity",
    "Item Unit Price",
    "Item Weight(oz)",
    "HS Tariff",
    "Country of Origin",
    "Order Source",
];

/// One row an item, with the customs fields of Canada Post's Electronic Shipping Tools
/// (<https://canadapost-postescanada.ca/info/mc/business/estdesktop20/help/shipping/customs.jsf>), in kilograms.
const CANADA_POST: [&str; 21] = [
    "Order Reference",
    "Recipient Name",
    "Address Line 1",
    "Address Line 2",
    "City",
    "Province",
    "Postal Code",
    "Country",
    "Email",
    "Phone",
    "Weight (kg)",
    "Currency",
    "Reason for Export",
    "Description",
    "SKU",
    "Quantity",
    "Unit Weight (kg)",
    "Unit Price",
    "Total Value",
    "HS Tariff Code",
    "Country of Origin",
];

fn pirate_ship(package: &Package<'_>) -> String {
    let Package { shipment, items, weight } = package;
    let Place { name, line1, line2, city, state, postal_code, country, email, phone } = place(shipment);
    let join = |text: fn(&PackageItem<'_>) -> String| escaped(items.iter().map(text).collect::<Vec<_>>().join("; "));
    let total_quantity: i64 = items.iter().map(|item| item.item.quantity).sum();
    let value = items.iter().try_fold(Cents::ZERO, |sum, item| sum.checked_add(item.item.total()?));
    let (pounds, ounces) = weight.map(pounds_and_ounces).unwrap_or_default();
    record([
        shipment.line.number.to_string().into(),
        name,
        line1,
        line2,
        city,
        state,
        postal_code,
        country,
        email,
        phone,
        pounds.into(),
        ounces.into(),
        join(|item| format!("{} x {}", item.item.quantity, item.item.product_name)),
        join(|item| item.sku.to_owned()),
        total_quantity.to_string().into(),
        value.map(|value| value.decimal()).unwrap_or_default().into(),
        join(|item| item.hs_code.to_owned()),
        join(|item| item.origin_country.to_owned()),
        order_code(shipment.line.number).into(),
    ])
}

fn ship_station(Package { shipment, weight, .. }: &Package<'_>, item: &PackageItem<'_>, zone: ShopZone) -> String {
    let Place { name, line1, line2, city, state, postal_code, country, email, phone } = place(shipment);
    let paid = shipment.line.total.checked_sub(shipment.line.refunded);
    record([
        shipment.line.number.to_string().into(),
        date_time(shipment.line.created_at, zone).into(),
        paid.map(|paid| paid.decimal()).unwrap_or_default().into(),
        email,
        name,
        line1,
        line2,
        city,
        state,
        postal_code,
        country,
        phone,
        weight.map(ounces).unwrap_or_default().into(),
        escape_formula(item.sku),
        escape_formula(&item.item.product_name),
        item.item.quantity.to_string().into(),
        item.item.price.decimal().into(),
        item.weight.map(ounces).unwrap_or_default().into(),
        escape_formula(item.hs_code),
        escape_formula(item.origin_country),
        "Web shop".into(),
    ])
}

fn canada_post(Package { shipment, weight, .. }: &Package<'_>, item: &PackageItem<'_>) -> String {
    let Place { name, line1, line2, city, state, postal_code, country, email, phone } = place(shipment);
    record([
        shipment.line.number.to_string().into(),
        name,
        line1,
        line2,
        city,
        state,
        postal_code,
        country,
        email,
        phone,
        weight.map(kilograms).unwrap_or_default().into(),
        "USD".into(),
        "Sale of Goods".into(),
        escape_formula(&item.item.product_name),
        escape_formula(item.sku),
        item.item.quantity.to_string().into(),
        item.weight.map(kilograms_below).unwrap_or_default().into(),
        item.item.price.decimal().into(),
        item.item.total().map(|total| total.decimal()).unwrap_or_default().into(),
        escape_formula(item.hs_code),
        escape_formula(item.origin_country),
    ])
}

/// What is packed of an order, with the facts of its products.
struct Package<'a> {
    shipment: &'a Shipment,
    items: Vec<PackageItem<'a>>,
    /// None when the weight of an item is unknown.
    weight: Option<Weight>,
}

struct PackageItem<'a> {
    item: &'a OrderItem,
    sku: &'a str,
    weight: Option<Weight>,
    /// Empty for packages within a country, as is the origin.
    hs_code: &'a str,
    origin_country: &'a str,
}

impl<'a> Package<'a> {
    fn of(shipment: &'a Shipment, products: &Products<'a>, origin: Country) -> Self {
        let crosses_border = shipment.address.address.country != origin.code();
        let items: Vec<_> = shipment.items.iter().map(|item| package_item(item, products, crosses_border)).collect();
        let weight = items.iter().try_fold(Weight::from_hundredths(0), |sum, item| {
            sum.checked_add(item.weight?.times(item.item.quantity).ok()?).ok()
        });
        Self { shipment, items, weight }
    }
}

fn package_item<'a>(item: &'a OrderItem, products: &Products<'a>, crosses_border: bool) -> PackageItem<'a> {
    let product = products.get(item.product_id.as_str()).copied();
    let text = |field: fn(&Product) -> Option<&str>| product.and_then(field).unwrap_or_default();
    let customs = |field: fn(&Product) -> Option<&str>| if crosses_border { text(field) } else { "" };
    PackageItem {
        item,
        sku: text(|product| product.sku.as_deref()),
        weight: product.map(|product| product.weight_pounds),
        hs_code: customs(|product| product.hs_code.as_deref()),
        origin_country: customs(|product| product.origin_country.as_deref()),
    }
}

/// The address in its parts, safe against formula injection.
struct Place<'a> {
    name: Cow<'a, str>,
    line1: Cow<'a, str>,
    line2: Cow<'a, str>,
    city: Cow<'a, str>,
    state: Cow<'a, str>,
    postal_code: Cow<'a, str>,
    country: Cow<'a, str>,
    email: Cow<'a, str>,
    phone: Cow<'a, str>,
}

fn place(Shipment { line, address, .. }: &Shipment) -> Place<'_> {
    let postal = &address.address;
    // A leading plus would look like a formula, and its apostrophe is no part of a phone number.
    let phone = address.phone.as_deref().unwrap_or_default().trim_start_matches('+');
    Place {
        name: escape_formula(&address.name),
        line1: escape_formula(&postal.line1),
        line2: escape_formula(postal.line2.as_deref().unwrap_or_default()),
        city: escape_formula(&postal.city),
        state: escape_formula(&postal.state),
        postal_code: escape_formula(&postal.postal_code),
        country: escape_formula(&postal.country),
        email: escape_formula(&line.user_email),
        phone: escape_formula(phone),
    }
}

fn escaped(text: String) -> Cow<'static, str> {
    escape_formula(&text).into_owned().into()
}

/// `2026/12/24 18:00:00`, in the shop's time zone.
fn date_time(ms: i64, zone: ShopZone) -> String {
    zone.local(ms).replace('-', "/").replace('T', " ").chars().take("2026/12/24 18:00:00".len()).collect()
}

/// Hundredths of a pound are exact in ounces: 0.60 lb is `9.60`.
fn ounces(weight: Weight) -> String {
    decimal(i128::from(weight.hundredths()) * 16, 2)
}

/// Whole pounds and the remaining ounces: 1.25 lb is `1` and `4.00`.
fn pounds_and_ounces(weight: Weight) -> (String, String) {
    let hundredths = weight.hundredths();
    ((hundredths / 100).to_string(), ounces(Weight::from_hundredths(hundredths % 100)))
}

/// Grams, rounded half up: a pound is 453.59237 g.
fn kilograms(weight: Weight) -> String {
    decimal((i128::from(weight.hundredths()) * 45_359_237 + 5_000_000) / 10_000_000, 3)
}

/// Grams, rounded down, so that the items of a package don't weigh more than the package.
fn kilograms_below(weight: Weight) -> String {
    decimal(i128::from(weight.hundredths()) * 45_359_237 / 10_000_000, 3)
}

/// A number with `places` decimals, from its smallest units.
fn decimal(units: i128, places: usize) -> String {
    let digits = format!("{units:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact_in_ounces_and_rounded_to_grams() {
        for (hundredths, in_ounces, split, in_kilograms) in [
            (60, "9.60", ("0", "9.60"), "0.272"),
            (125, "20.00", ("1", "4.00"), "0.567"),
            (1, "0.16", ("0", "0.16"), "0.005"),
            (15_000, "2400.00", ("150", "0.00"), "68.039"),
        ] {
            let weight = Weight::from_hundredths(hundredths);
            assert_eq!(ounces(weight), in_ounces);
            assert_eq!(pounds_and_ounces(weight), (split.0.to_owned(), split.1.to_owned()));
            assert_eq!(kilograms(weight), in_kilograms);
        }
        assert_eq!(kilograms_below(Weight::from_hundredths(15_000)), "68.038");
    }

    #[test]
    fn a_date_has_its_time_in_the_zone() {
        assert_eq!(date_time(1_500, ShopZone::default()), "1970/01/01 00:00:01");
        assert_eq!(date_time(1_500, ShopZone::of_name("Asia/Kathmandu").unwrap()), "1970/01/01 05:45:01");
    }
}
