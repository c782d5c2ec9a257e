//! Metrics of orders and webhook events.

use prometheus::{IntCounterVec, Opts, Registry};
use wasm_core::money::Cents;

/// What created an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderSource {
    /// The customer's browser, after the payment.
    Browser,
    Webhook,
    /// A background job, or a command.
    Reconciler,
}

impl OrderSource {
    const ALL: [Self; 3] = [Self::Browser, Self::Webhook, Self::Reconciler];

    fn as_str(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Webhook => "webhook",
            Self::Reconciler => "reconciler",
        }
    }
}

/// What became of a webhook event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventOutcome {
    Applied,
    /// It is applied again later.
    Failed,
    /// Of a type that the shop does not process.
    Ignored,
    /// It was delivered before.
    Duplicate,
}

impl EventOutcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Failed => "failed",
            Self::Ignored => "ignored",
            Self::Duplicate => "duplicate",
        }
    }
}

pub struct CheckoutMetrics {
    orders: IntCounterVec,
    revenue: IntCounterVec,
    events: IntCounterVec,
}

impl CheckoutMetrics {
    /// # Errors
    /// If the registry already has a metric.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let orders = Opts::new("shop_orders_total", "Orders created, by what created them.");
        let revenue = Opts::new("shop_revenue_cents_total", "Totals of these orders, with shipping and tax.");
        let events = Opts::new("shop_webhook_events_total", "Webhook events, by what became of them.");
        let metrics = Self {
            orders: IntCounterVec::new(orders, &["source"])?,
            revenue: IntCounterVec::new(revenue, &["source"])?,
            events: IntCounterVec::new(events, &["type", "outcome"])?,
        };
        for counters in [&metrics.orders, &metrics.revenue, &metrics.events] {
            registry.register(Box::new(counters.clone()))?;
        }
        // Counters start at 0: the first order would otherwise be no increase.
        for source in OrderSource::ALL.map(OrderSource::as_str) {
            metrics.orders.with_label_values(&[source]);
            metrics.revenue.with_label_values(&[source]);
        }
        Ok(metrics)
    }

    pub fn count_order(&self, source: OrderSource, total: Cents) {
        let source = source.as_str();
        self.orders.with_label_values(&[source]).inc();
        self.revenue.with_label_values(&[source]).inc_by(u64::try_from(total.cents()).unwrap_or_default());
    }

    /// `kind` is a type of which there are few.
    pub fn count_event(&self, kind: &'static str, outcome: EventOutcome) {
        self.events.with_label_values(&[kind, outcome.as_str()]).inc();
    }
}
