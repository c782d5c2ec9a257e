//! Shopping cart, stored in the customer's browser.

mod link;

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

pub use link::{CartLink, LinkedProduct};

use crate::catalog::Product;
use crate::codec;
use crate::money::{Cents, Overflow};
use crate::pricing::PricedLine;
use crate::validation::{MAX_LINES, MAX_QUANTITY, Message, Quantity, parse_quantity, too_many_lines};
use crate::weight::Weight;

/// One product in the cart. Its price and name are copies for display; an order is priced from the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct CartLine {
    /// The product's id.
    pub id: String,
    /// The product's name.
    pub name: String,
    /// Per unit.
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub price: Cents,
    /// 1–99.
    pub quantity: i64,
    /// The product's name in URLs.
    pub slug: String,
    /// URL of the product's image.
    pub image: String,
    /// Per unit.
    #[cfg_attr(feature = "js-types", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Units on hand at the last refresh.
    pub stock: i64,
    /// Units available at the last refresh.
    pub available: i64,
}

impl CartLine {
    fn of(product: &Product, quantity: Quantity) -> Self {
        Self {
            id: product.id.clone(),
            name: product.name.clone(),
            price: product.price,
            quantity: quantity.get(),
            slug: product.slug.clone(),
            image: product.image.clone(),
            weight_pounds: product.weight_pounds,
            stock: product.stock,
            available: product.available,
        }
    }

    /// Price × quantity.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn total(&self) -> Result<Cents, Overflow> {
        self.price.times(self.quantity)
    }
}

/// At most 50 lines of different products, each with a quantity of 1–99. In JSON an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct Cart(Vec<CartLine>);

impl Cart {
    /// Adds a product, or adds to the quantity of its line.
    ///
    /// ```
    /// use wasm_core::cart::Cart;
    /// # let product = wasm_core::catalog::Product {
    /// #     id: "p1".into(), name: "Nudgelight One".into(), slug: "nudgelight-one".into(), description: "-".into(),
    /// #     price: wasm_core::money::Cents::from_cents(2499), stock: 5, available: 5,
    /// #     weight_pounds: wasm_core::weight::Weight::from_hundredths(60), active: true,
    /// #     image: "/images/nudgelight-one.svg".into(), ..Default::default()
    /// # };
    /// use wasm_core::validation::parse_quantity;
    ///
    /// let two = parse_quantity(2).unwrap();
    /// let cart = Cart::default().add(&product, two)?.add(&product, two)?;
    /// assert_eq!(cart.count(), 4);
    /// assert_eq!(cart.subtotal().unwrap().to_string(), "$99.96");
    /// assert_eq!(cart.add(&product, two).unwrap_err().to_string(), "Not enough stock available");
    /// # Ok::<(), wasm_core::cart::CartError>(())
    /// ```
    ///
    /// # Errors
    /// [`CartError`] if the stock, the largest quantity or the number of lines does not allow it.
    pub fn add(&self, product: &Product, quantity: Quantity) -> Result<Self, CartError> {
        let held = self.line(&product.id).map_or(0, |line| line.quantity);
        let line = CartLine::of(product, allowed(held.saturating_add(quantity.get()), product.available)?);
        let mut lines = self.0.clone();
        if let Some(held) = lines.iter_mut().find(|held| held.id == line.id) {
            *held = line;
        } else if lines.len() < MAX_LINES {
            lines.push(line);
        } else {
            return Err(CartError::TooManyLines);
        }
        Ok(Self(lines))
    }

    /// Sets the quantity of a product. A product that is not in the cart changes nothing.
    ///
    /// # Errors
    /// [`CartError::NotEnoughStock`] for a larger quantity than is available. Reducing a quantity is always allowed,
    /// even to one above the stock.
    pub fn set_quantity(&self, id: &str, quantity: Quantity) -> Result<Self, CartError> {
        let mut lines = self.0.clone();
        if let Some(line) = lines.iter_mut().find(|line| line.id == id) {
            line.quantity = allowed(quantity.get(), line.available.max(line.quantity))?.get();
        }
        Ok(Self(lines))
    }

    /// Removes a product.
    #[must_use]
    pub fn remove(&self, id: &str) -> Self {
        Self(self.0.iter().filter(|line| line.id != id).cloned().collect())
    }

    /// Puts a removed line back at its place. A product that was added again in the meantime keeps its new line.
    ///
    /// # Errors
    /// A message for an invalid quantity, and for a cart that is full.
    pub fn restored(&self, line: CartLine, position: usize) -> Result<Self, Message> {
        if self.line(&line.id).is_some() {
            return Ok(self.clone());
        }
        let mut lines = self.0.clone();
        lines.insert(position.min(lines.len()), line);
        Self::of(lines)
    }

    /// The cart with each quantity reduced to the available units. A sold-out line keeps its quantity: it is not
    /// ordered, and may be in stock again.
    #[must_use]
    pub fn limited_to_stock(&self) -> Self {
        let limited = |line: &CartLine| match quantity_limit(line.available) {
            0 => line.clone(),
            limit => CartLine { quantity: line.quantity.min(limit), ..line.clone() },
        };
        Self(self.0.iter().map(limited).collect())
    }

    /// Number of items: the sum of quantities.
    #[must_use]
    pub fn count(&self) -> i64 {
        self.0.iter().fold(0, |count, line| count.saturating_add(line.quantity))
    }

    /// Subtotal: the sum of price × quantity.
    ///
    /// # Errors
    /// [`Overflow`] if the result does not fit.
    pub fn subtotal(&self) -> Result<Cents, Overflow> {
        self.0.iter().try_fold(Cents::ZERO, |sum, line| sum.checked_add(line.total()?))
    }

    /// The lines as [`quote`](crate::pricing::quote) takes them.
    #[must_use]
    pub fn priced_lines(&self) -> Vec<PricedLine> {
        self.0
            .iter()
            .map(|line| PricedLine { price: line.price, weight: line.weight_pounds, quantity: line.quantity })
            .collect()
    }

    /// The lines, in the order in which they were added.
    #[must_use]
    pub fn lines(&self) -> &[CartLine] {
        &self.0
    }

    /// The cart with current prices, names and stock from the catalog. A product that is no longer listed stays in the
    /// cart as sold out, so that the customer sees it.
    ///
    /// A quantity stays too, even above the available stock: the missing units may be reserved by the customer's own
    /// checkout. [`limited_to_stock`](Self::limited_to_stock) reduces it once they are counted.
    #[must_use]
    pub fn refreshed(&self, catalog: &[Product]) -> Self {
        Self(self.0.iter().map(|line| refreshed(line, catalog)).collect())
    }

    /// Reads a stored cart of any age or state: unreadable lines are left out, lines of the same product are merged,
    /// and quantities and the number of lines are capped. Only `id`, `name`, `price` and `quantity` are required.
    #[must_use]
    pub fn from_storage(stored: &str) -> Self {
        let lines: Vec<StoredLine> = codec::valid_entries(stored);
        lines.into_iter().map(CartLine::from).fold(Self::default(), Self::with_stored)
    }

    fn with_stored(mut self, line: CartLine) -> Self {
        if line.quantity < 1 {
            return self;
        }
        if let Some(held) = self.0.iter_mut().find(|held| held.id == line.id) {
            held.quantity = held.quantity.saturating_add(line.quantity).min(MAX_QUANTITY);
        } else if self.0.len() < MAX_LINES {
            self.0.push(CartLine { quantity: line.quantity.min(MAX_QUANTITY), ..line });
        }
        self
    }

    /// A cart of deserialized lines, or the message about why they are not a valid cart.
    fn of(lines: Vec<CartLine>) -> Result<Self, Message> {
        if lines.len() > MAX_LINES {
            return Err(CartError::TooManyLines.to_string());
        }
        for (index, line) in lines.iter().enumerate() {
            parse_quantity(line.quantity)?;
            if lines.iter().take(index).any(|earlier| earlier.id == line.id) {
                return Err("a cart lists each product once".to_owned());
            }
        }
        Ok(Self(lines))
    }

    fn line(&self, id: &str) -> Option<&CartLine> {
        self.0.iter().find(|line| line.id == id)
    }
}

impl<'de> Deserialize<'de> for Cart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(Vec::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Cart line in the browser's storage, which an older release may have written.
#[derive(Deserialize)]
struct StoredLine {
    id: String,
    name: String,
    price: Cents,
    quantity: i64,
    #[serde(default)]
    slug: String,
    #[serde(default)]
    image: String,
    #[serde(default)]
    weight_pounds: Weight,
    #[serde(default)]
    stock: i64,
    #[serde(default)]
    available: i64,
}

impl From<StoredLine> for CartLine {
    fn from(stored: StoredLine) -> Self {
        let StoredLine { id, name, price, quantity, slug, image, weight_pounds, stock, available } = stored;
        Self { id, name, price, quantity, slug, image, weight_pounds, stock, available }
    }
}

fn refreshed(line: &CartLine, catalog: &[Product]) -> CartLine {
    let current = catalog.iter().find(|product| product.id == line.id && product.active);
    match (current, parse_quantity(line.quantity)) {
        (Some(product), Ok(quantity)) => CartLine::of(product, quantity),
        _ => CartLine { stock: 0, available: 0, ..line.clone() },
    }
}

/// Largest quantity of a product that a customer can choose: 0 if it is sold out, at most 99.
///
/// ```
/// assert_eq!(wasm_core::cart::quantity_limit(3), 3);
/// assert_eq!(wasm_core::cart::quantity_limit(500), 99);
/// ```
#[must_use]
pub fn quantity_limit(available: i64) -> i64 {
    available.clamp(0, MAX_QUANTITY)
}

fn allowed(quantity: i64, available: i64) -> Result<Quantity, CartError> {
    if quantity > available {
        return Err(CartError::NotEnoughStock);
    }
    parse_quantity(quantity).map_err(|_| CartError::TooManyOfOne)
}

/// Reason why a cart does not take a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CartError {
    /// The quantity is larger than the available stock.
    NotEnoughStock,
    /// The quantity is larger than 99.
    TooManyOfOne,
    /// The cart has 50 lines already.
    TooManyLines,
}

impl fmt::Display for CartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnoughStock => f.write_str("Not enough stock available"),
            Self::TooManyOfOne => write!(f, "At most {MAX_QUANTITY} of one product can be ordered at once."),
            Self::TooManyLines => f.write_str(&too_many_lines()),
        }
    }
}

impl core::error::Error for CartError {}
