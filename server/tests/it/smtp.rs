//! SMTP: emails arrive complete and encrypted, and header injection is impossible.

use serde_json::json;
use server::mail::EmailKind;
use server::mail::outbox::{self, OutgoingMail};

use crate::harness::{
    CUSTOMER, Intent, MAIL_PASSWORD, MAIL_USER, MailServer, PASSWORD, Person, Privacy, Received, TestShop, eventually,
    never, words,
};

const OWNER: &str = "owner@example.com";

async fn shop_with(server: &MailServer, vars: &[(&str, &str)]) -> TestShop {
    TestShop::open_with(&[&[("SMTP_URL", server.url().as_str())], vars].concat()).await
}

/// Asserts the headers and parts that every email has.
fn assert_complete(received: &Received) {
    let mail = received.mail();
    let headers = &mail.headers;
    for name in ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Auto-Submitted", "Content-Type"] {
        let count = headers.iter().filter(|line| line.starts_with(&format!("{name}: "))).count();
        assert_eq!(count, 1, "{name}: {headers:?}");
    }
    // `Reply-To` of the owner's order emails is the customer.
    let replies = headers.iter().filter(|line| line.starts_with("Reply-To: ")).count();
    assert!(replies == 0 || received.to == [OWNER], "{headers:?}");
    assert_eq!(headers.len(), 8 + replies, "{headers:?}");
    assert_eq!(mail.header("MIME-Version"), Some("1.0"));
    assert_eq!(mail.header("Auto-Submitted"), Some("auto-generated"));
    assert!(mail.header("Content-Type").unwrap().starts_with("multipart/alternative"), "{headers:?}");
    assert!(mail.message_id.starts_with('<') && mail.message_id.ends_with("@nudgelight.example>"), "{headers:?}");
    assert_eq!(
        (received.from.as_str(), received.to.as_slice()),
        ("support@nudgelight.example", &[mail.to.clone()][..])
    );
    assert!(mail.text.len() > 40 && mail.html.contains("</html>"), "{}", received.raw);
    assert!(received.raw.is_ascii() && received.raw.lines().all(|line| line.len() < 998), "{}", received.raw);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_mail_arrives_whole_in_text_and_html() {
    let server = MailServer::start(Privacy::Never).await;
    let shop = shop_with(&server, &[("SHOP_ORDERS_EMAIL", OWNER)]).await;
    let (admin, stripe, light) = (shop.admin().await, shop.stripe().await, shop.light("Nudgelight One").await);

    shop.signs_up("ada@example.com").await;
    let code = server.mail_to("ada@example.com", "code").await.mail().code().unwrap();
    shop.confirms("ada@example.com", &code).await;
    shop.signs_up("ada@example.com").await;
    let ada = shop.logged_in("ada@example.com", PASSWORD).await;
    let change = json!({ "previousPassword": PASSWORD, "proposedPassword": "five small lamps glow" });
    ada.post("/api/change-password", &change).await.gives(200);
    let forgot = json!({ "username": "ada@example.com", "recaptchaToken": "" });
    shop.visitor().post("/api/auth/forgot-password", &forgot).await.gives(200);
    let id = ada.buys(&stripe, &light, 1).await;
    let path = format!("/api/admin/order/{id}");
    let parcel = json!({ "status": "shipped", "tracking_number": "1Z999AA10123456784" });
    admin.patch(&path, &parcel).await.gives(200);
    admin.patch(&path, &json!({ "status": "refunded" })).await.gives(200);
    let halo = shop.light("Nudgelight Halo").await;
    let gone = ada.starts_payment(&[(&halo, 2)]).await;
    shop.sets_stock(&halo, 1).await;
    stripe.takes(&gone, "pm_card_visa").await;
    ada.asks_for_order(&gone.id).await.refuses(409, "IntentExpired");
    // Reuse of a spent refresh token counts as theft, and sends a warning email.
    let spent = json!({ "refreshToken": ada.refresh_token });
    shop.visitor().post("/api/auth/refresh-token", &spent).await.gives(200);
    shop.clock.advance(21_000);
    shop.visitor().post("/api/auth/refresh-token", &spent).await.refuses(401, "RefreshTokenInvalid");

    let subjects = [
        "code",
        "already have an account",
        "password was changed",
        "order 1001",
        "has shipped",
        "Refund for",
        "was refunded",
        "logged out",
    ];
    for subject in subjects {
        server.mail_to("ada@example.com", subject).await;
    }
    server.mail_to(OWNER, "New order 1001").await;
    server.mail_to(OWNER, "Alert").await;
    // Two emails contain a code, hence one more than subjects.
    assert_eq!(server.delivers("ada@example.com", subjects.len() + 1).await.len(), subjects.len() + 1);
    server.received().iter().for_each(assert_complete);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn names_in_any_script_survive_the_way() {
    let server = MailServer::start(Privacy::Never).await;
    let shop = shop_with(&server, &[("SHOP_NAME", "Lámpara 灯")]).await;
    let (buyer, one, stripe) = (shop.customer().await, shop.light("Nudgelight One").await, shop.stripe().await);
    let mut cart = Person::cart(&[(&one, 1)]);
    cart["shippingAddress"]["name"] = json!(".Zoë Østergård 王芳");
    let intent = Intent::of(buyer.asks_to_pay(&cart).await.gives(200));
    stripe.takes(&intent, "pm_card_visa").await;
    buyer.asks_for_order(&intent.id).await;
    let received = server.delivers(CUSTOMER, 1).await.remove(0);
    assert_complete(&received);
    let mail = received.mail();
    assert!(mail.subject.starts_with("Your Lámpara 灯"), "{}", mail.subject);
    assert!(words(mail.header("From").unwrap()).contains("Lámpara 灯"), "{:?}", mail.headers);
    assert!(mail.text.contains("\n.Zoë Østergård 王芳") && mail.html.contains(".Zoë Østergård 王芳"), "{}", mail.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_cannot_bring_a_recipient_or_a_header_with_it() {
    let server = MailServer::start(Privacy::Never).await;
    let shop = shop_with(&server, &[]).await;
    let smuggled = ["ada@example.com\r\nBcc: eve@example.com", "ada@example.com>\r\nRCPT TO:<eve@example.com"];
    for to in smuggled {
        let body = json!({ "email": to, "password": PASSWORD });
        shop.visitor().post("/api/auth/signup", &body).await.refuses(400, "InvalidRequest");
        // SMTP injection must fail even if a feature accepts the address.
        enqueue_to(&shop, to).await;
    }
    enqueue_to(&shop, "ada@example.com").await;
    server.delivers("ada@example.com", 1).await.iter().for_each(assert_complete);
    assert_eq!((server.received().len(), server.named("eve@example.com")), (1, 0));
    let given_up = shop.texts("SELECT failure FROM outbox WHERE failed_at IS NOT NULL").await;
    assert!(given_up.len() == 2 && given_up.iter().all(|reason| reason.contains("address")), "{given_up:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_in_any_script_is_written_as_the_server_understands_it() {
    let server = MailServer::start(Privacy::Never).await;
    let shop = shop_with(&server, &[]).await;
    shop.signs_up("ada@bücher.example").await;
    server.delivers("ada@xn--bcher-kva.example", 1).await.iter().for_each(assert_complete);
    // The local part has no ASCII form, so the server must support SMTPUTF8.
    shop.signs_up("käthe@example.com").await;
    let given_up = "SELECT failure FROM outbox WHERE failed_at IS NOT NULL";
    let reason = eventually("the email to fail permanently", async || shop.texts(given_up).await.pop()).await;
    assert!(reason.contains("SMTPUTF8"), "{reason}");
}

async fn enqueue_to(shop: &TestShop, to: &str) {
    let (now, to) = (shop.clock.now_ms(), to.to_owned());
    let written = shop.inside().platform.db.write((), move |tx, ()| {
        let to = to.clone();
        Box::pin(async move {
            let text = "Something that has happened in the shop, in so many words.".to_owned();
            let mail = app::mail::Mail {
                subject: "News".to_owned(),
                html: format!("<html>{text}</html>"),
                text,
                reply_to: None,
                pictures: Vec::new(),
            };
            let (kind, dedupe_key) = (EmailKind::LowStock, to.clone());
            outbox::enqueue(tx, now, OutgoingMail { kind, order_id: None, dedupe_key, to, mail }).await
        })
    });
    written.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shop_logs_in_to_its_mail_server_and_only_in_private() {
    for privacy in [Privacy::StartTls, Privacy::FromTheStart] {
        let server = MailServer::start(privacy).await;
        let url = server.url_for(MAIL_USER, MAIL_PASSWORD);
        let shop = TestShop::open_with(&[("SMTP_URL", &url)]).await;
        shop.signs_up("ada@example.com").await;
        let received = server.delivers("ada@example.com", 1).await.remove(0);
        assert_complete(&received);
        assert!(received.encrypted && received.user.as_deref() == Some(MAIL_USER), "{received:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_sent_to_a_server_that_cannot_be_trusted_or_does_not_trust_us() {
    let (open, secret) = (MailServer::start(Privacy::Never).await, MailServer::start(Privacy::FromTheStart).await);
    let urls = [
        // An untrusted certificate, a wrong password, and a server without TLS.
        secret.url(),
        secret.url_for(MAIL_USER, "wrong"),
        format!("{}?tls=required", open.url()),
    ];
    for url in urls {
        let shop = TestShop::open_with(&[("SMTP_URL", &url)]).await;
        shop.signs_up("ada@example.com").await;
        never("an email", async || open.received().pop().or_else(|| secret.received().pop())).await;
        assert_eq!(shop.count("SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL").await, 1, "{url}");
    }
}
