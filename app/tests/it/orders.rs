//! Orders to show, in the form in which they come over the wire.

use wasm_core::orders::Order;

/// The two lights of the contract's example, for California.
pub fn two_lights() -> Order {
    read(include_str!("../../testdata/order.json"))
}

/// Two products, two taxes, sent by UPS, one light given back.
pub fn to_quebec() -> Order {
    read(include_str!("../../testdata/order-quebec.json"))
}

/// What a customer, an administrator or a carrier's form could bring in where people type freely.
pub const HOSTILE: &str = "<Kit> & \"Co\" 'x' <script>alert(1)</script>\r\nBcc: all@example.com";
/// The same on one line: what a reader should see.
pub const HOSTILE_LINE: &str = "<Kit> & \"Co\" 'x' <script>alert(1)</script> Bcc: all@example.com";

/// An order in which every free text is hostile.
pub fn hostile() -> Order {
    let mut order = to_quebec();
    order.name = HOSTILE.to_owned();
    order.tracking_number = Some(HOSTILE.to_owned());
    order.user_email = Some(HOSTILE.to_owned());
    for item in &mut order.items {
        item.product_name = HOSTILE.to_owned();
    }
    for address in [&mut order.address, &mut order.billing_address] {
        address.name = HOSTILE.to_owned();
        address.phone = Some(HOSTILE.to_owned());
        address.address.line1 = HOSTILE.to_owned();
        address.address.line2 = Some(HOSTILE.to_owned());
        address.address.city = HOSTILE.to_owned();
        address.address.state = HOSTILE.to_owned();
        address.address.postal_code = HOSTILE.to_owned();
        address.address.country = HOSTILE.to_owned();
    }
    order
}

fn read(json: &str) -> Order {
    serde_json::from_str(json).expect("an order in the wire's form")
}
