//! The cart: what somebody means to buy, kept in their browser.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

use crate::catalogue::Product;
use crate::codec;
use crate::money::{Cents, Overflow};
use crate::pricing::PricedLine;
use crate::validation::{MAX_QUANTITY, Message, Quantity, parse_quantity};
use crate::weight::Weight;

/// The most lines a cart, and an order, may have.
pub const MAX_LINES: usize = 50;

/// One product in the cart, with a copy of what the page shows of it. The copy is never what is charged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub struct CartLine {
    /// The product's id.
    pub id: String,
    /// The product's name.
    pub name: String,
    /// For one piece.
    #[cfg_attr(feature = "js", tsify(type = "Dollars"))]
    pub price: Cents,
    /// Modifiers many: 1–99.
    pub quantity: i64,
    /// The product's name in an address.
    pub slug: String,
    /// The address of its drawing.
    pub image: String,
    /// For one piece.
    #[cfg_attr(feature = "js", tsify(type = "Pounds"))]
    pub weight_pounds: Weight,
    /// Pieces on hand when the catalogue was last read.
    pub stock: i64,
    /// Pieces that could be bought then.
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
    /// [`Overflow`] where it does not fit.
    pub fn total(&self) -> Result<Cents, Overflow> {
        self.price.times(self.quantity)
    }
}

/// Lines of different products: at most 50, each with a quantity of 1–99. On the wire an array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub struct Cart(Vec<CartLine>);

impl Cart {
    /// Puts a product in. One that is there already gets more of the same line.
    ///
    /// ```
    /// use wasm_core::cart::Cart;
    /// # let product = wasm_core::catalogue::Product {
    /// #     id: "p1".into(), name: "Nudgelight One".into(), slug: "nudgelight-one".into(), description: "-".into(),
    /// #     price: wasm_core::money::Cents::from_cents(2499), stock: 5, available: 5,
    /// #     weight_pounds: wasm_core::weight::Weight::from_hundredths(60), active: true,
    /// #     image: "/images/nudgelight-one.svg".into(), version: 1,
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
    /// [`CartError`]; the cart stays as it is.
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

    /// Changes how many of a product there are. A product that is not in the cart changes nothing.
    ///
    /// # Errors
    /// [`CartError::NotEnoughStock`]; the cart stays as it is. Fewer than before is always allowed, also where that
    /// is still more than there is.
    pub fn set_quantity(&self, id: &str, quantity: Quantity) -> Result<Self, CartError> {
        let mut lines = self.0.clone();
        if let Some(line) = lines.iter_mut().find(|line| line.id == id) {
            line.quantity = allowed(quantity.get(), line.available.max(line.quantity))?.get();
        }
        Ok(Self(lines))
    }

    /// Takes a product out.
    #[must_use]
    pub fn remove(&self, id: &str) -> Self {
        Self(self.0.iter().filter(|line| line.id != id).cloned().collect())
    }

    /// An empty cart.
    #[must_use]
    pub fn clear(&self) -> Self {
        Self::default()
    }

    /// The sum of quantities: the number on the badge.
    #[must_use]
    pub fn count(&self) -> i64 {
        self.0.iter().fold(0, |count, line| count.saturating_add(line.quantity))
    }

    /// The sum of price × quantity.
    ///
    /// # Errors
    /// [`Overflow`] where it does not fit.
    pub fn subtotal(&self) -> Result<Cents, Overflow> {
        self.0.iter().try_fold(Cents::ZERO, |sum, line| sum.checked_add(line.total()?))
    }

    /// What a quote needs to know of the lines.
    #[must_use]
    pub fn priced_lines(&self) -> Vec<PricedLine> {
        self.0
            .iter()
            .map(|line| PricedLine { price: line.price, weight: line.weight_pounds, quantity: line.quantity })
            .collect()
    }

    /// The lines, in the order they were put in.
    #[must_use]
    pub fn lines(&self) -> &[CartLine] {
        &self.0
    }

    /// The cart with prices, names and stock as the catalogue has them now. A product that is no longer sold stays,
    /// with nothing available, so that its owner sees what became of it.
    ///
    /// Quantities stay too, even above what is available: the missing pieces may be the ones held for this very
    /// customer while they pay.
    #[must_use]
    pub fn refreshed(&self, catalogue: &[Product]) -> Self {
        Self(self.0.iter().map(|line| refreshed(line, catalogue)).collect())
    }

    /// Reads what a browser has stored, however old or damaged: what cannot be read is left out, lines of one product
    /// are added up, and quantities and lines are cut to what is allowed. Only `id`, `name`, `price` and `quantity`
    /// need to be there.
    #[must_use]
    pub fn from_storage(stored: &str) -> Self {
        let lines: Vec<StoredLine> = codec::readable_entries(stored);
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

    /// The lines as they were sent: the sentence says why they are no cart.
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

/// A line as a browser may have stored it.
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

fn refreshed(line: &CartLine, catalogue: &[Product]) -> CartLine {
    let current = catalogue.iter().find(|product| product.id == line.id && product.active);
    match (current, parse_quantity(line.quantity)) {
        (Some(product), Ok(quantity)) => CartLine::of(product, quantity),
        _ => CartLine { stock: 0, available: 0, ..line.clone() },
    }
}

/// The most of a product that somebody can choose while `available` are left: 0 where it is sold out.
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

/// Why something cannot go into the cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CartError {
    /// More than can be bought now.
    NotEnoughStock,
    /// More than 99 of one product.
    TooManyOfOne,
    /// A 51st product.
    TooManyLines,
}

impl fmt::Display for CartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotEnoughStock => f.write_str("Not enough stock available"),
            Self::TooManyOfOne => write!(f, "At most {MAX_QUANTITY} of one product can be ordered at once."),
            Self::TooManyLines => write!(f, "At most {MAX_LINES} different products can be ordered at once."),
        }
    }
}

impl core::error::Error for CartError {}
