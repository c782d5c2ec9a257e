//! Order fixtures, parsed from API responses.

use wasm_core::orders::Order;

/// Two units shipped to California.
pub fn two_lights() -> Order {
    read(include_str!("../../testdata/order.json"))
}

/// Two products and two taxes, shipped by UPS, partially refunded.
pub fn to_quebec() -> Order {
    read(include_str!("../../testdata/order-quebec.json"))
}

/// Untrusted input that attempts markup and header injection.
pub const HOSTILE: &str = "<Kit> & \"Co\" 'x' <script>alert(1)</script>\r\nBcc: all@example.com";
/// The same input normalized to one line, as it must be displayed.
pub const HOSTILE_LINE: &str = "<Kit> & \"Co\" 'x' <script>alert(1)</script> Bcc: all@example.com";

/// An order whose free-text fields are all hostile.
pub fn hostile() -> Order {
    let mut order = to_quebec();
    order.name = HOSTILE.to_owned();
    order.tracking_number = Some(HOSTILE.to_owned());
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
    serde_json::from_str(json).expect("a valid order")
}
