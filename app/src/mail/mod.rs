//! The shop's emails. Each is written once, as an [`EmailTemplate`](template::EmailTemplate), and rendered twice, to
//! plain text and to HTML, so that both say the same.

mod account;
mod back_in_stock;
mod html;
mod order;
mod render;
mod shop_info;
mod shopkeeper;
mod styles;
mod template;

pub use account::{
    address_in_use, address_in_use_by_you, address_was_changed, change_email_from, change_email_to, confirm_email,
    email_change_undone, email_changed, email_changed_back, login_code, no_login_code, passkey_added, passkey_removed,
    password_changed, recovery_code_used, recovery_codes_replaced, reset_password, second_factor_set_up,
    sessions_ended,
};
pub use back_in_stock::{back_in_stock, confirm_back_in_stock};
pub use order::{payment_refund_failed, payment_refunded, receipt, refund_failed, refunded, shipped};
pub use render::Mail;
pub use shop_info::ShopInfo;
pub use shopkeeper::{DueResponse, alert, dispute_due, low_stock, new_order, order_alert};
