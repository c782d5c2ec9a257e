//! The one transaction that makes an order of a paid checkout: the checkout leaves its state, the goods their responses, and
//! order, ledger, receipt, tax record and the note of the event that told of the payment are written.

use sqlx::AnyConnection;
use wasm_core::orders::{Order, OrderItem};
use wasm_core::validation::Address;

use super::alerts::Shopkeeper;
use super::intent::TABLE_CALCULATION;
use super::store::{self, Checkout};
use super::webhook::{Note, SHOP};
use super::{reserve, tax_records};
use crate::catalogue::store::{Cause, insert_stock_change};
use crate::http::error::{Code, Error};
use crate::orders::customer_mail;
use crate::orders::insert::store::{NewOrder, insert_order};
use crate::shop_metadata;

#[derive(Clone)]
pub struct Sale {
    pub checkout: Checkout,
    pub billing: Address,
    /// Of a payment with which real money moved.
    pub live_intent: Option<String>,
    pub shopkeeper: Shopkeeper,
    pub note: Note,
    pub now: i64,
}

pub enum Outcome {
    /// The order's id.
    Made(String),
    MadeBefore,
    Refunded,
}

impl Sale {
    /// # Errors
    /// `InsufficientStockError` that names a product when it is gone: nothing is kept of what was written.
    pub async fn write(&self, tx: &mut AnyConnection) -> Result<Outcome, Error> {
        let left = match store::leave_for_order(tx, &self.checkout.id).await? {
            store::State::Ordered => return Ok(Outcome::MadeBefore),
            store::State::Refunded => return Ok(Outcome::Refunded),
            left @ (store::State::Open | store::State::Closed) => left,
        };
        self.note.write(tx).await?;
        let lines = store::list_lines(tx, &self.checkout.id).await?;
        take_goods(tx, &lines, left).await?;
        let order = insert_order(tx, self.new_order(&lines)?).await?;
        for line in &lines {
            let (id, sold) = (&line.product_id, -line.quantity);
            insert_stock_change(tx, id, sold, Cause::Sold, Some(&order.id), SHOP, self.now).await?;
        }
        if !self.is_taxed_by_table() {
            tax_records::store::insert_sale(tx, &order.id, self.now).await?;
        }
        if let Some(intent_id) = &self.live_intent {
            shop_metadata::set(tx, shop_metadata::LIVE_PAYMENT, intent_id).await?;
        }
        self.tell(tx, &order).await?;
        Ok(Outcome::Made(order.id))
    }

    /// Only what the provider calculated can be recorded there.
    fn is_taxed_by_table(&self) -> bool {
        self.checkout.tax_calculation.as_ref().is_some_and(|tax| tax.id.starts_with(TABLE_CALCULATION))
    }

    fn new_order<'a>(&'a self, items: &'a [OrderItem]) -> Result<NewOrder<'a>, Error> {
        let checkout = &self.checkout;
        let (Some(tax), Some(total), Some(payment_intent_id)) =
            (&checkout.tax_calculation, checkout.total, &checkout.payment_intent_id)
        else {
            return Err(Error::internal("a paid checkout without its quote"));
        };
        Ok(NewOrder {
            user_id: &checkout.user_id,
            user_email: &checkout.user_email,
            checkout_id: &checkout.id,
            payment_intent_id,
            address: &checkout.address,
            billing_address: &self.billing,
            items,
            subtotal: checkout.subtotal,
            shipping: checkout.shipping,
            tax,
            total,
            now: self.now,
        })
    }

    /// The receipt for the customer and the news for the shopkeeper.
    async fn tell(&self, tx: &mut AnyConnection, order: &Order) -> Result<(), Error> {
        let shop = &self.shopkeeper.mail_shop;
        let key = format!("receipt:{}", order.id);
        customer_mail::send(tx, order, key, app::mail::receipt(shop, order), self.now).await?;
        let news = app::mail::new_order(shop, order);
        self.shopkeeper.tell(tx, format!("new-order:{}", order.id), news, self.now).await
    }
}

async fn take_goods(tx: &mut AnyConnection, lines: &[OrderItem], left: store::State) -> Result<(), Error> {
    for line in lines {
        let sold = match left {
            store::State::Open => reserve::store::sell_reserved(tx, &line.product_id, line.quantity).await?,
            _ => reserve::store::sell_unreserved(tx, &line.product_id, line.quantity).await?,
        };
        if !sold {
            return Err(Error::new(Code::InsufficientStockError, &line.product_name));
        }
    }
    Ok(())
}
