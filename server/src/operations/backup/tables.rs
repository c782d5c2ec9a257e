//! Every table and column of the shop's and the mock Stripe's schema, ordered so that referenced rows come first.
//!
//! Add new tables and columns here as well: a test compares this list with the schema.

/// Column type. Texts and integers may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Blob,
}

#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// The primary key. Rows are written in its order, so that equal databases give equal files.
    pub key: &'static [&'static str],
    pub texts: &'static [&'static str],
    pub integers: &'static [&'static str],
    /// Binary columns; in the file their values are base64.
    pub blobs: &'static [&'static str],
}

impl Table {
    /// Text columns, then integer columns, then binary ones: the order of values in a row of the file.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, Kind)> {
        let of = |names: &'static [&'static str], kind| names.iter().map(move |name| (*name, kind));
        of(self.texts, Kind::Text).chain(of(self.integers, Kind::Integer)).chain(of(self.blobs, Kind::Blob))
    }

    pub fn column_names(&self) -> Vec<&'static str> {
        self.columns().map(|(name, _)| name).collect()
    }
}

/// Tables that migrations insert rows into; restore replaces these rows.
pub const SEEDED: &[&str] = &["counters", "shop_metadata"];

/// The tables of the shop.
pub const TABLES: &[Table] = &[
    Table {
        name: "users",
        key: &["id"],
        texts: &["id", "email", "email_key", "password_hash", "totp_secret"],
        integers: &["is_admin", "created_at", "confirmed_at", "last_login_at", "totp_step"],
        blobs: &[],
    },
    Table {
        name: "codes",
        key: &["user_id", "purpose"],
        texts: &["user_id", "purpose", "code_hash"],
        integers: &["attempts_left", "expires_at"],
        blobs: &[],
    },
    Table {
        name: "signups",
        key: &["email_key", "slot"],
        texts: &["id", "email", "email_key", "password_hash", "client", "code_hash"],
        integers: &["slot", "attempts_left", "expires_at", "created_at"],
        blobs: &[],
    },
    Table {
        name: "sessions",
        key: &["id"],
        texts: &["id", "user_id", "device"],
        integers: &["created_at", "last_used_at", "expires_at", "ended_at"],
        blobs: &[],
    },
    Table {
        name: "refresh_tokens",
        key: &["token_hash"],
        texts: &["token_hash", "session_id"],
        integers: &["spent_at"],
        blobs: &[],
    },
    Table {
        name: "signing_keys",
        key: &["position"],
        texts: &["kid", "public_key"],
        integers: &["position", "created_at"],
        blobs: &[],
    },
    Table {
        name: "rate_limits",
        key: &["bucket"],
        texts: &["bucket"],
        integers: &["used", "window_start", "locked_until", "expires_at"],
        blobs: &[],
    },
    Table {
        name: "used_bot_challenges",
        key: &["challenge"],
        texts: &["challenge"],
        integers: &["expires_at"],
        blobs: &[],
    },
    Table { name: "counters", key: &["name"], texts: &["name"], integers: &["value"], blobs: &[] },
    Table {
        name: "setting_changes",
        key: &["version", "name"],
        texts: &["name", "value", "actor"],
        integers: &["version", "created_at"],
        blobs: &[],
    },
    Table {
        name: "products",
        key: &["id"],
        texts: &[
            "id",
            "name",
            "name_key",
            "slug",
            "description",
            "form",
            "lamp_color",
            "plug",
            "led_color",
            "in_the_box",
            "sku",
            "gtin",
            "origin_country",
            "hs_code",
        ],
        integers: &[
            "price",
            "weight",
            "stock",
            "reserved",
            "active",
            "version",
            "created_at",
            "updated_at",
            "length_mm",
            "width_mm",
            "height_mm",
            "cable_length_mm",
            "power_mw",
            "warranty_months",
            "low_stock_threshold",
            "low_stock_notified_at",
        ],
        blobs: &[],
    },
    Table { name: "product_slugs", key: &["slug"], texts: &["slug", "product_id"], integers: &[], blobs: &[] },
    Table {
        name: "photos",
        key: &["id"],
        texts: &["id", "color"],
        integers: &["width", "height", "last_used_at"],
        blobs: &[],
    },
    Table {
        name: "photo_variants",
        key: &["photo_id", "width", "format"],
        texts: &["photo_id", "format"],
        integers: &["width"],
        blobs: &["bytes"],
    },
    Table {
        name: "product_photos",
        key: &["product_id", "position"],
        texts: &["product_id", "photo_id", "alt"],
        integers: &["position"],
        blobs: &[],
    },
    Table {
        name: "stock_ledger",
        key: &["id"],
        texts: &["id", "product_id", "reason", "order_id", "actor", "note"],
        integers: &["change", "created_at"],
        blobs: &[],
    },
    Table {
        name: "back_in_stock_requests",
        key: &["id"],
        texts: &["id", "product_id", "email", "email_key", "token_hash"],
        integers: &["confirmed_at", "requested_at", "created_at"],
        blobs: &[],
    },
    Table {
        name: "back_in_stock_rounds",
        key: &["product_id"],
        texts: &["product_id"],
        integers: &["notified"],
        blobs: &[],
    },
    Table {
        name: "checkouts",
        key: &["id"],
        texts: &[
            "id",
            "user_id",
            "user_email",
            "payment_intent_id",
            "client_secret",
            "state",
            "fingerprint",
            "address",
            "currency",
            "tax_calculation",
            "closed_reason",
        ],
        integers: &[
            "subtotal",
            "shipping",
            "tax",
            "total",
            "created_at",
            "expires_at",
            "chain_began_at",
            "held_since",
            "closed_at",
        ],
        blobs: &[],
    },
    Table {
        name: "checkout_lines",
        key: &["checkout_id", "position"],
        texts: &["checkout_id", "product_id", "product_name"],
        integers: &["position", "quantity", "price"],
        blobs: &[],
    },
    Table {
        name: "orders",
        key: &["id"],
        texts: &[
            "id",
            "user_id",
            "user_email",
            "email_key",
            "checkout_id",
            "payment_intent_id",
            "status",
            "name",
            "name_key",
            "address",
            "country",
            "billing_address",
            "tracking_number",
            "tax_breakdown",
            "tax_region",
            "tax_calculation_id",
            "payment_status",
            "dispute",
            "card_brand",
            "card_last4",
        ],
        integers: &["number", "subtotal", "shipping", "tax", "total", "refunded", "version", "created_at"],
        blobs: &[],
    },
    Table {
        name: "order_lines",
        key: &["order_id", "position"],
        texts: &["order_id", "product_id", "product_name"],
        integers: &["position", "quantity", "price"],
        blobs: &[],
    },
    Table {
        name: "order_history",
        key: &["id"],
        texts: &["id", "order_id", "actor", "kind", "data"],
        integers: &["created_at"],
        blobs: &[],
    },
    Table {
        name: "refunds",
        key: &["id"],
        texts: &["id", "order_id", "tax_breakdown", "actor", "state", "provider_id"],
        integers: &["amount", "subtotal", "shipping", "tax", "restock", "created_at"],
        blobs: &[],
    },
    Table {
        name: "refund_lines",
        key: &["refund_id", "product_id"],
        texts: &["refund_id", "product_id"],
        integers: &["quantity"],
        blobs: &[],
    },
    Table {
        name: "disputes",
        key: &["id"],
        texts: &["id", "order_id", "status", "reason"],
        integers: &["needs_response", "due_at", "amount", "withdrawn", "reinstated", "created_at", "updated_at"],
        blobs: &[],
    },
    Table {
        name: "early_fraud_warnings",
        key: &["id"],
        texts: &["id", "order_id", "fraud_type"],
        integers: &["actionable", "created_at"],
        blobs: &[],
    },
    Table {
        name: "tax_records",
        key: &["reference"],
        texts: &["reference", "order_id", "state", "provider_id"],
        integers: &["reversed", "attempts", "next_attempt_at", "created_at"],
        blobs: &[],
    },
    Table {
        name: "payouts",
        key: &["id"],
        texts: &["id", "status"],
        integers: &["amount", "arrival_at", "created_at", "complete"],
        blobs: &[],
    },
    Table {
        name: "balance_transactions",
        key: &["id"],
        texts: &["id", "type", "category", "source", "payment_intent_id", "payout_id", "description", "problem"],
        integers: &["amount", "fee", "net", "created_at"],
        blobs: &[],
    },
    Table {
        name: "alerts",
        key: &["id"],
        texts: &["id", "kind", "data", "dedupe_key", "order_id", "payment_intent_id", "resolved_by"],
        integers: &["created_at", "resolved_at"],
        blobs: &[],
    },
    Table {
        name: "webhook_events",
        key: &["id"],
        texts: &["id", "type", "body"],
        integers: &["received_at", "applied_at", "attempts", "next_attempt_at"],
        blobs: &[],
    },
    Table {
        name: "outbox",
        key: &["id"],
        texts: &["id", "kind", "order_id", "dedupe_key", "recipient", "message", "rendered", "message_id", "failure"],
        integers: &["created_at", "next_attempt_at", "attempts", "sent_at", "expires_at", "failed_at"],
        blobs: &[],
    },
    Table {
        name: "daily_order_totals",
        key: &["day", "status"],
        texts: &["status"],
        integers: &["day", "orders", "sales"],
        blobs: &[],
    },
    Table {
        name: "daily_product_totals",
        key: &["day", "product_id"],
        texts: &["product_id"],
        integers: &["day", "sold"],
        blobs: &[],
    },
    Table { name: "page_views", key: &["day", "path"], texts: &["day", "path"], integers: &["views"], blobs: &[] },
    Table { name: "shop_metadata", key: &["name"], texts: &["name", "value"], integers: &[], blobs: &[] },
];

/// The tables of the mock Stripe, which are last in a backup, and only in that of a shop in test mode.
pub const MOCK_STRIPE: &[Table] = &[
    Table { name: "mock_stripe_settings", key: &["name"], texts: &["name", "value"], integers: &[], blobs: &[] },
    Table {
        name: "mock_stripe_objects",
        key: &["id"],
        texts: &["id", "kind", "parent", "reference", "document"],
        integers: &["created_at", "version"],
        blobs: &[],
    },
    Table {
        name: "mock_stripe_responses",
        key: &["idempotency_key"],
        texts: &["idempotency_key", "endpoint", "fingerprint", "body"],
        integers: &["status", "created_at"],
        blobs: &[],
    },
    Table {
        name: "mock_stripe_scheduled",
        key: &["object_id"],
        texts: &["object_id"],
        integers: &["due_at"],
        blobs: &[],
    },
    Table {
        name: "mock_stripe_events",
        key: &["id"],
        texts: &["id", "type", "body"],
        integers: &["created_at"],
        blobs: &[],
    },
    Table {
        name: "mock_stripe_endpoints",
        key: &["id"],
        texts: &["id", "url", "secret", "enabled_events"],
        integers: &["created_at"],
        blobs: &[],
    },
    Table {
        name: "mock_stripe_deliveries",
        key: &["id"],
        texts: &["id", "event_id", "state", "endpoint_id"],
        integers: &["created_at", "next_attempt_at", "attempts"],
        blobs: &[],
    },
    Table {
        name: "mock_stripe_faults",
        key: &["id"],
        texts: &["id", "method", "path_prefix", "action"],
        integers: &["remaining"],
        blobs: &[],
    },
];
