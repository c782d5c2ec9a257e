//! The cart.

use alloc::string::ToString;
use alloc::vec::Vec;

use tsify::Ts;
use wasm_bindgen::prelude::wasm_bindgen;

use super::{read_i32, read_quantity, throw_overflow};
use crate::cart::{self, Cart, CartLine, CartLink};
use crate::catalog::Product;
use crate::js::typed::{JsResult, read, read_text, write};
use crate::js::{self, JsNumber, JsText};
use crate::money::Cents;
use crate::results::CartResult;

#[wasm_bindgen]
extern "C" {
    /// An array, if the caller keeps to the types.
    #[wasm_bindgen(typescript_type = "Product[]")]
    pub type Products;
}

/// Reads a cart from the text in the browser's storage. Unreadable lines are left out, so damaged text is an empty
/// cart.
///
/// @param stored JSON text of a cart; absent for a new cart
/// @throws TypeError if `stored` is not a string
/// @example
/// readCart() // []
/// readCart(JSON.stringify(cart))[0].quantity // 2
#[wasm_bindgen(js_name = readCart)]
pub fn read_cart(stored: Option<JsText>) -> JsResult<Ts<Cart>> {
    let stored = stored.map(|stored| read_text("stored", &stored)).transpose()?;
    write(Cart::from_storage(stored.as_deref().unwrap_or_default()))
}

/// Parses the value of `add` in a cart link, as in `/cart?add=nudgelight-one:2,nudgelight-duo`.
///
/// @param add entries separated by commas, each a product's slug or id, a colon and a quantity; without it 1
/// @returns at most 50 products, and the numbers of entries that are unreadable or beyond that limit
/// @throws TypeError if `add` is not a string
/// @example
/// readCartLink("nudgelight-one:2,nudgelight-duo").products[1] // { name: "nudgelight-duo", quantity: 1 }
/// readCartLink("nudgelight-one:none").unreadable // 1
#[wasm_bindgen(js_name = readCartLink)]
pub fn read_cart_link(add: JsText) -> JsResult<Ts<CartLink>> {
    write(CartLink::parse(&read_text("add", &add)?))
}

/// Adds a product to the cart, or to the quantity of its line.
///
/// @param product as `GET /api/products/{id}` returns it
/// @param quantity a whole number from 1 to 99; with the quantity in the cart at most 99 and the available units
/// @returns the changed cart, or the message about why it stays unchanged
/// @throws TypeError for a value of the wrong type
/// @example
/// addToCart([], product, 2).cart[0].quantity // 2
/// addToCart([], product, 2.5).error // "Enter the quantity as a whole number, like 2."
#[wasm_bindgen(js_name = addToCart)]
pub fn add_to_cart(cart: Ts<Cart>, product: Ts<Product>, quantity: JsNumber) -> JsResult<Ts<CartResult>> {
    let (cart, product) = (read("cart", &cart)?, read("product", &product)?);
    let quantity = read_quantity(&quantity)?;
    write(quantity.and_then(|quantity| cart.add(&product, quantity).map_err(|error| error.to_string())))
}

/// Sets the quantity of a product in the cart.
///
/// @param id the product's id
/// @param quantity a whole number from 1 to 99, at most the available units
/// @returns the changed cart, or the message about why it stays unchanged
/// @throws TypeError for a value of the wrong type
/// @example
/// setQuantity(cart, product.id, 3).cart[0].quantity // 3
/// setQuantity(cart, product.id, 0).ok // false
#[wasm_bindgen(js_name = setQuantity)]
pub fn set_quantity(cart: Ts<Cart>, id: JsText, quantity: JsNumber) -> JsResult<Ts<CartResult>> {
    let (cart, id) = (read("cart", &cart)?, read_text("id", &id)?);
    let quantity = read_quantity(&quantity)?;
    write(quantity.and_then(|quantity| cart.set_quantity(&id, quantity).map_err(|error| error.to_string())))
}

/// Removes a product from the cart.
///
/// @param id the product's id; an id that is not in the cart changes nothing
/// @throws TypeError for a value of the wrong type
/// @example
/// removeFromCart(cart, product.id) // []
#[wasm_bindgen(js_name = removeFromCart)]
pub fn remove_from_cart(cart: Ts<Cart>, id: JsText) -> JsResult<Ts<Cart>> {
    write(read("cart", &cart)?.remove(&read_text("id", &id)?))
}

/// Puts a removed line back at its place in the cart.
///
/// @param position index in the cart, from 0; beyond the last line it is the end
/// @returns the changed cart, or the message about why it stays unchanged
/// @throws TypeError for a value of the wrong type
/// @example
/// restoreCartLine([], cart[0], 0).cart.length // 1
#[wasm_bindgen(js_name = restoreCartLine)]
pub fn restore_cart_line(cart: Ts<Cart>, line: Ts<CartLine>, position: JsNumber) -> JsResult<Ts<CartResult>> {
    let (cart, line) = (read("cart", &cart)?, read("line", &line)?);
    // A position before the first line is the first.
    let position = usize::try_from(read_i32("position", &position)?).unwrap_or_default();
    write(cart.restored(line, position))
}

/// The cart with each quantity reduced to the available units.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// limitCartToStock(cart)[0].quantity // 2
#[wasm_bindgen(js_name = limitCartToStock)]
pub fn limit_cart_to_stock(cart: Ts<Cart>) -> JsResult<Ts<Cart>> {
    write(read("cart", &cart)?.limited_to_stock())
}

/// Number of items in the cart, for a badge: the sum of the quantities of available lines.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// cartCount(cart) // 2
#[wasm_bindgen(js_name = cartCount)]
pub fn cart_count(cart: Ts<Cart>) -> JsResult<u32> {
    throw_overflow("cart", u32::try_from(read("cart", &cart)?.count()))
}

/// Subtotal of the cart in dollars: the sum of price × quantity of available lines.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// cartSubtotal(cart) // 49.98
#[wasm_bindgen(js_name = cartSubtotal)]
pub fn cart_subtotal(cart: Ts<Cart>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("cart", read("cart", &cart)?.subtotal())?)
}

/// Total of one cart line in dollars: price × quantity.
///
/// @throws TypeError for a value of the wrong type
/// @example
/// lineTotal(cart[0]) // 49.98
#[wasm_bindgen(js_name = lineTotal)]
pub fn line_total(line: Ts<CartLine>) -> JsResult<Ts<Cents>> {
    write(throw_overflow("line", read("line", &line)?.total())?)
}

/// The cart with current prices, names and stock.
///
/// @param products as `GET /api/products?ids=…` returns them; a line without its product is sold out
/// @throws TypeError for a value of the wrong type
/// @example
/// refreshCart(cart, [{ ...product, price: 22.99 }])[0].price // 22.99
#[wasm_bindgen(js_name = refreshCart)]
pub fn refresh_cart(cart: Ts<Cart>, products: Products) -> JsResult<Ts<Cart>> {
    let products: Vec<Product> = js::read("products", &products)?;
    write(read("cart", &cart)?.refreshed(&products))
}

/// The largest quantity of a product that a customer can choose: 0 if it is sold out, at most 99.
///
/// @param available units, a whole number
/// @throws TypeError for a value of the wrong type
/// @example
/// quantityLimit(5) // 5
/// quantityLimit(1000) // 99
#[wasm_bindgen(js_name = quantityLimit)]
pub fn quantity_limit(available: JsNumber) -> JsResult<u32> {
    throw_overflow("available", u32::try_from(cart::quantity_limit(read_i32("available", &available)?.into())))
}
