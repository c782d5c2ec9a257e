//! Email: one per event, in plain text and HTML, and sent later after a failure.

use serde_json::json;

use crate::harness::{CUSTOMER, Intent, Person, TestShop, eventually};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receipt_names_what_was_bought_and_what_it_came_to_in_text_and_html() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let id = buyer.buys(&stripe, &one, 2).await;
    let mail = shop.mail_to(CUSTOMER, "order 1001").await;
    let link = format!("https://shop.example/order/{id}");
    for part in
        ["Nudgelight One", "$24.99", "$49.98", "$6.20", "$3.62", "$59.80", "Ada Lovelace", "94110", link.as_str()]
    {
        assert!(mail.text.contains(part), "{part} is not in the text: {}", mail.text);
        assert!(mail.html.contains(part), "{part} is not in the HTML: {}", mail.html);
    }
    assert!(mail.header("From").is_some_and(|from| from.contains("support@nudgelight.example")), "{:?}", mail.headers);
    assert_eq!(mail.header("Auto-Submitted"), Some("auto-generated"));
    assert!(mail.header("Date").is_some() && mail.message_id.starts_with('<'), "{:?}", mail.headers);
    assert!(!mail.html.contains("<script") && !mail.html.contains("src=\"http"), "{}", mail.html);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shopkeeper_is_told_of_every_order() {
    let shop = TestShop::open_with(&[("SHOP_ORDERS_EMAIL", "owner@example.com")]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let id = buyer.buys(&stripe, &one, 1).await;
    let mail = shop.mail_to("owner@example.com", "New order 1001").await;
    assert_eq!(mail.header("Reply-To"), Some(CUSTOMER), "replies go to the customer");
    assert!(mail.text.contains(CUSTOMER) && mail.text.contains(&format!("/admin/order/{id}")), "{}", mail.text);
    buyer.buys(&stripe, &one, 1).await;
    shop.mail_to("owner@example.com", "New order 1002").await;
    assert_eq!(shop.mails_to("owner@example.com").len(), 2);
}

// invariant: cross-site-scripting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_customer_types_is_text_in_every_mail() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let mut cart = Person::cart(&[(&one, 1)]);
    cart["shippingAddress"]["name"] = json!("<img src=x onerror=alert(1)> & \"Ada\"");
    let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await;
    let mail = shop.mail_to(CUSTOMER, "order 1001").await;
    assert_eq!(mail.html.matches("<img").count(), 1, "only the product's picture: {}", mail.html);
    assert!(mail.html.contains("&lt;img src=x onerror=alert(1)&gt; &amp;"), "{}", mail.html);
    assert!(mail.text.contains("<img src=x onerror=alert(1)> & \"Ada\""), "{}", mail.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_in_any_script_arrive_as_they_were_typed() {
    let shop = TestShop::open_with(&[("SHOP_NAME", "Lámpara 灯")]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let mut cart = Person::cart(&[(&one, 1)]);
    cart["shippingAddress"]["name"] = json!("Zoë Østergård 王芳");
    let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await;
    let mail = eventually("the receipt", async || shop.mails_to(CUSTOMER).pop()).await;
    assert!(mail.text.contains("Zoë Østergård 王芳") && mail.html.contains("Zoë Østergård 王芳"), "{}", mail.text);
    assert!(mail.text.contains("Lámpara 灯"), "{}", mail.text);
    assert!(mail.headers.iter().all(|line| line.is_ascii()), "{:?}", mail.headers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_that_cannot_leave_delays_nobody_and_leaves_later() {
    let shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    // A file in place of the mail folder makes every delivery fail.
    std::fs::write(shop.mail_folder(), "in the way").unwrap();
    buyer.buys(&stripe, &one, 1).await;
    assert_eq!(shop.count("SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL").await, 1);
    std::fs::remove_file(shop.mail_folder()).unwrap();
    shop.mail_to(CUSTOMER, "order 1001").await;
}

// invariant: at-least-once-email
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mail_that_waits_survives_a_restart() {
    let mut shop = TestShop::open().await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    std::fs::write(shop.mail_folder(), "in the way").unwrap();
    buyer.buys(&stripe, &one, 1).await;
    shop.restart().await;
    std::fs::remove_file(shop.mail_folder()).unwrap();
    shop.mail_to(CUSTOMER, "order 1001").await;
    assert_eq!(shop.mails_to(CUSTOMER).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_of_any_form_cannot_leave_the_mail_folder() {
    let shop = TestShop::open().await;
    for address in ["..%2f..%2fevil@example.com", "../../evil@example.com", "a/b@example.com", "con:nul@example.com"] {
        let body = json!({ "email": address, "password": "four small lamps" });
        let response = shop.visitor().post("/api/auth/signup", &body).await;
        assert!(matches!(response.status, 201 | 400), "{response}");
        if response.status == 201 {
            shop.mail_to(address, "code").await;
        }
    }
}
