//! Writes every mail of the shop as files, to look at: `cargo run -p app --example mails --features ssr -- FOLDER`.

use std::path::Path;
use std::{env, error, fs};

use app::mail::{self, MailShop};
use wasm_core::money::Cents;
use wasm_core::orders::Order;

fn main() -> Result<(), Box<dyn error::Error>> {
    let folder = env::args().nth(1).ok_or("Which folder shall the mails go to?")?;
    let folder = Path::new(&folder);
    let order: Order = serde_json::from_str(include_str!("../testdata/order.json"))?;
    let shipped: Order = serde_json::from_str(include_str!("../testdata/order-quebec.json"))?;
    let shop = MailShop {
        name: "Nudgelight".to_owned(),
        public_url: "https://nudgelight.example".to_owned(),
        support_email: "support@nudgelight.example".to_owned(),
    };
    let refunded = shipped.payment.refunded;
    let sold_out = "Nudgelight One sold out before your payment arrived.";
    let mails = [
        ("confirm-email", mail::confirm_email(&shop, "kit@example.com", "048213")),
        ("reset-password", mail::reset_password(&shop, "kit@example.com", "048213")),
        ("address-in-use", mail::address_in_use(&shop)),
        ("password-changed", mail::password_changed(&shop)),
        ("sessions-ended", mail::sessions_ended(&shop)),
        ("receipt", mail::receipt(&shop, &order)),
        ("shipped", mail::shipped(&shop, &shipped)),
        ("refunded", mail::refunded(&shop, &shipped, refunded)),
        ("payment-returned", mail::payment_returned(&shop, Cents::from_cents(5980), sold_out)),
        ("new-order", mail::new_order(&shop, &order)),
        ("attention", mail::attention(&shop, "Order 1002 is disputed", "The bank asks for proof of delivery.")),
    ];
    fs::create_dir_all(folder)?;
    for (name, mail) in mails {
        fs::write(folder.join(name).with_extension("html"), mail.html)?;
        fs::write(folder.join(name).with_extension("txt"), format!("Subject: {}\n\n{}", mail.subject, mail.text))?;
    }
    Ok(())
}
