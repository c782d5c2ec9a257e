//! The transaction of a sale: the checkout becomes ordered, stock is deducted, and order, stock ledger, receipt, tax
//! record and the processed event are written.
//!
//! Sales wait for each other only at rows that they share: those of the products and of the day's totals. These are
//! written last, so that they are locked for few round trips to the database. A test counts the statements.

use std::iter;

use sqlx::AnyConnection;
use wasm_core::orders::{Card, OrderItem};
use wasm_core::validation::Address;

use super::alerts::{Notification, Shopkeeper};
use super::checkout_state::CheckoutState;
use super::intent::TABLE_CALCULATION;
use super::store::{self, StoredCheckout};
use super::tax_records;
use super::webhook_events::ProcessedEvent;
use crate::catalog::daily_totals::store as product_totals;
use crate::catalog::products::stock::store::{self as stock, Source};
use crate::db::shop_metadata;
use crate::error::{Code, Error};
use crate::mail::{EmailKind, outbox};
use crate::orders::StoredOrder;
use crate::orders::customer_mail::{self, OrderMail};
use crate::orders::daily_totals::store as order_totals;
use crate::orders::history::HistoryEvent;
use crate::orders::history::store::{self as history, NewEntry};
use crate::orders::insert::store::{NewOrder, insert_order};
use crate::orders::store::SHOP_ACTOR;
use crate::time_zone::{self, ShopZone};

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
        let zone = time_zone::store::load_locked_shared(tx).await?;
        let order = insert_order(tx, self.new_order(&items)?).await?;
        if !self.is_taxed_by_table() {
            tax_records::store::insert_sale(tx, &order.id, self.now).await?;
        }
        if let Some(intent_id) = &self.live_intent {
            shop_metadata::claim(tx, shop_metadata::LIVE_PAYMENT, intent_id).await?;
        }
        let receipt = self.send_emails(tx, &order, zone).await?;
        self.insert_history(tx, &order, receipt).await?;
        stock::insert_sold(tx, &order.id, &items, SHOP_ACTOR, self.now).await?;
        // Rows of the products of this sale.
        deduct_stock(tx, &items, previous).await?;
        let day = zone.day_of(self.now);
        let sold: Vec<_> = items.iter().map(|item| (item.product_id.as_str(), item.quantity)).collect();
        product_totals::add_all(tx, day, &sold).await?;
        // A row of all sales of the day.
        order_totals::add_new(tx, day, order.total).await?;
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

    /// The customer's receipt and the shopkeeper's notification. Returns the history's event of the receipt.
    async fn send_emails(
        &self,
        tx: &mut AnyConnection,
        order: &StoredOrder,
        zone: ShopZone,
    ) -> Result<HistoryEvent, Error> {
        let shop = &self.shopkeeper.mail_shop;
        let shown = order.for_customer(zone);
        let (kind, dedupe_key) = (EmailKind::Receipt, format!("receipt:{}", order.id));
        let (receipt, sent) =
            customer_mail::first(OrderMail { order, kind, dedupe_key, mail: app::mail::receipt(shop, &shown) });
        let (kind, dedupe_key) = (EmailKind::NewOrder, format!("new-order:{}", order.id));
        let mail = app::mail::new_order(shop, &shown, &order.user_email);
        let notification = Notification { kind, order_id: Some(&order.id), dedupe_key, mail };
        let mails: Vec<_> = iter::once(receipt).chain(self.shopkeeper.addressed(notification)).collect();
        outbox::enqueue_all_once(tx, self.now, &mails).await?;
        Ok(sent)
    }

    async fn insert_history(
        &self,
        tx: &mut AnyConnection,
        order: &StoredOrder,
        receipt: HistoryEvent,
    ) -> Result<(), Error> {
        let order_id = &order.id;
        let mut entries = vec![NewEntry { order_id, actor: &order.user_email, event: HistoryEvent::Placed }];
        if self.checkout.recovered_at.is_some() {
            entries.push(NewEntry { order_id, actor: SHOP_ACTOR, event: HistoryEvent::Recovered });
        }
        entries.push(NewEntry { order_id, actor: SHOP_ACTOR, event: receipt });
        history::insert_all(tx, &entries, self.now).await
    }
}

/// Deducts the items from the reserved stock, or from the available stock if the reservation was released.
async fn deduct_stock(tx: &mut AnyConnection, items: &[OrderItem], previous: CheckoutState) -> Result<(), Error> {
    let source = if previous == CheckoutState::Open { Source::Reserved } else { Source::Available };
    match stock::sell(tx, items, source).await? {
        None => Ok(()),
        Some(missing) => Err(Error::new(Code::InsufficientStockError, &missing.product_name)),
    }
}
