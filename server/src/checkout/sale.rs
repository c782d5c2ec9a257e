//! The transaction of a sale: the checkout becomes ordered, stock is deducted, and order, stock ledger, receipt, tax
//! record and the processed event are written.

use sqlx::AnyConnection;
use wasm_core::orders::{Card, OrderItem};
use wasm_core::validation::Address;

use super::alerts::{Notification, Shopkeeper};
use super::checkout_state::CheckoutState;
use super::intent::TABLE_CALCULATION;
use super::store::{self, StoredCheckout};
use super::tax_records;
use super::webhook_events::ProcessedEvent;
use crate::catalog::products::stock::store as stock;
use crate::catalog::products::store::{StockReason, insert_stock_change};
use crate::db::shop_metadata;
use crate::error::{Code, Error};
use crate::mail::EmailKind;
use crate::orders::StoredOrder;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::history::{HistoryEvent, store as history};
use crate::orders::insert::store::{NewOrder, insert_order};
use crate::orders::store::SHOP_ACTOR;
use crate::time_zone;

#[derive(Clone)]
pub struct Sale {
    pub checkout: StoredCheckout,
    pub billing: Address,
    pub card: Option<Card>,
    /// The intent of a payment in live mode.
    pub live_intent: Option<String>,
    pub shopkeeper: Shopkeeper,
    pub event: ProcessedEvent,
    pub now: i64,
}

pub enum SaleResult {
    /// The new order's id.
    Ordered(String),
    AlreadyOrdered,
    AlreadyRefunded,
    AlreadyChargedBack,
}

impl Sale {
    /// # Errors
    /// `InsufficientStockError` with the product's name if it is out of stock; the transaction must be rolled back.
    pub async fn write(&self, tx: &mut AnyConnection) -> Result<SaleResult, Error> {
        let previous = match store::mark_ordered(tx, &self.checkout.id).await? {
            CheckoutState::Ordered => return Ok(SaleResult::AlreadyOrdered),
            CheckoutState::Refunded => return Ok(SaleResult::AlreadyRefunded),
            CheckoutState::ChargedBack => return Ok(SaleResult::AlreadyChargedBack),
            previous @ (CheckoutState::Open | CheckoutState::Closed) => previous,
        };
        self.event.mark(tx).await?;
        let items = store::list_lines(tx, &self.checkout.id).await?;
        deduct_stock(tx, &items, previous).await?;
        let order = insert_order(tx, self.new_order(&items)?).await?;
        if self.checkout.recovered_at.is_some() {
            history::insert(tx, &order.id, SHOP_ACTOR, HistoryEvent::Recovered, self.now).await?;
        }
        for item in &items {
            let change = -item.quantity;
            let reason = StockReason::Sold;
            insert_stock_change(tx, &item.product_id, change, reason, Some(&order.id), SHOP_ACTOR, self.now).await?;
        }
        if !self.is_taxed_by_table() {
            tax_records::store::insert_sale(tx, &order.id, self.now).await?;
        }
        if let Some(intent_id) = &self.live_intent {
            shop_metadata::set(tx, shop_metadata::LIVE_PAYMENT, intent_id).await?;
        }
        self.send_emails(tx, &order).await?;
        Ok(SaleResult::Ordered(order.id))
    }

    /// A sale taxed by the built-in table has no tax calculation that the provider could record.
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
            card: self.card.as_ref(),
            now: self.now,
        })
    }

    /// The customer's receipt and the shopkeeper's notification.
    async fn send_emails(&self, tx: &mut AnyConnection, order: &StoredOrder) -> Result<(), Error> {
        let shop = &self.shopkeeper.mail_shop;
        let shown = order.for_customer(time_zone::store::load(&mut *tx).await?);
        let (kind, dedupe_key) = (EmailKind::Receipt, format!("receipt:{}", order.id));
        let receipt = OrderMail { order, kind, dedupe_key, mail: app::mail::receipt(shop, &shown) };
        customer_mail::send(tx, receipt, self.now).await?;
        let (kind, dedupe_key) = (EmailKind::NewOrder, format!("new-order:{}", order.id));
        let mail = app::mail::new_order(shop, &shown, &order.user_email);
        let notification = Notification { kind, order_id: Some(&order.id), dedupe_key, mail };
        self.shopkeeper.notify(tx, notification, self.now).await
    }
}

/// Deducts the items from the reserved stock, or from the available stock if the reservation was released.
async fn deduct_stock(tx: &mut AnyConnection, items: &[OrderItem], previous: CheckoutState) -> Result<(), Error> {
    for item in items {
        let is_sold = match previous {
            CheckoutState::Open => stock::sell_reserved(tx, &item.product_id, item.quantity).await?,
            _ => stock::sell_unreserved(tx, &item.product_id, item.quantity).await?,
        };
        if !is_sold {
            return Err(Error::new(Code::InsufficientStockError, &item.product_name));
        }
    }
    Ok(())
}
