//! Settings that administrators change: in force on every page, in every process, and in the history.

use serde_json::{Value, json};

use crate::configuration::{binary, complaint, run_to_end, serve};
use crate::harness::{ADMIN, Client, Folder, Intent, Person, TestShop, eventually, together};

const SETTINGS: &str = "/api/admin/settings";
const HISTORY: &str = "/api/admin/settings/history";
const HOSTILE: &str = "</script><b onclick=\"x\">&";

async fn changes(admin: &Person, patch: Value) -> Value {
    admin.patch(SETTINGS, &patch).await.gives(200)
}

fn rates(first_pound: f64) -> Value {
    json!({ "us": { "first_pound": first_pound, "additional_pound": 2 } })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_of_a_setting_shows_on_every_page_in_the_feed_and_in_the_next_email() {
    let shop = TestShop::open().await;
    let (admin, visitor, stripe) = (shop.admin().await, shop.visitor(), shop.stripe().await);
    let pages = ["/", "/contact", "/products/nudgelight-one", "/feeds/google.xml", "/manifest.webmanifest"];
    for page in pages {
        assert!(!visitor.get(page).await.text.contains("Lampshop"), "{page}");
    }
    let delivery = json!({ "handling": { "min": 3, "max": 3 }, "transit": { "US": { "min": 1, "max": 2 }, "CA": { "min": 8, "max": 9 } }, "cutoff_hour": 11 });
    let patch = json!({
        "shop_name": "Lampshop", "support_email": "help@lampshop.example", "orders_email": "orders@lampshop.example", "low_stock_email": "stock@lampshop.example",
        "shipping_rates": rates(7.50), "delivery_times": delivery,
        "seller_name": "Lampshop Ltd.", "seller_address": "1 Lamp Street, Springfield", "return_shipping": "shop",
    });
    let saved = changes(&admin, patch).await;
    assert_eq!((&saved["version"], &saved["settings"]["shop_name"]), (&json!(1), &json!("Lampshop")));
    for page in pages {
        assert!(visitor.get(page).await.text.contains("Lampshop"), "{page}");
    }
    visitor.get("/contact").await.has(&["mailto:help@lampshop.example"]);
    const SELLER: &str = "Lampshop Ltd., 1 Lamp Street, Springfield";
    for page in ["/", "/contact", "/terms"] {
        visitor.get(page).await.has(&[SELLER, "30-day returns. We pay return shipping."]);
    }
    visitor.get("/shipping-and-returns").await.has(&["refund of the price. We pay return shipping."]);
    let product = visitor.get("/products/nudgelight-one").await;
    assert_eq!(
        product.text.matches("30-day returns. We pay return shipping.").count(),
        2,
        "in the page and its footer"
    );
    let organization = visitor.get("/").await.json_ld("Organization");
    assert_eq!(
        (&organization["legalName"], &organization["address"], &organization["hasMerchantReturnPolicy"]["returnFees"]),
        (&json!("Lampshop Ltd."), &json!("1 Lamp Street, Springfield"), &json!("https://schema.org/FreeReturn"))
    );
    visitor.get("/.well-known/security.txt").await.has(&["help@lampshop.example"]);
    visitor.get("/feeds/google.xml").await.has(&["<g:price>7.50 USD</g:price>", "<g:max_transit_time>9<"]);
    let offer = visitor.get("/products/nudgelight-one").await.json_ld("Product")["offers"].clone();
    assert_eq!(offer["shippingDetails"][0]["shippingRate"]["value"], "7.50");
    let config = visitor.get("/api/config").await.gives(200);
    assert_eq!((&config["shipping_rates"]["us"]["first_pound"], &config["delivery"]), (&json!(7.5), &delivery));
    assert_eq!(config["shipping_rates"]["ca"]["first_pound"], json!(11.95), "the other country's rate stays");

    let buyer = shop.new_customer("ada@example.com").await;
    buyer.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let receipt = shop.mail_to("ada@example.com", "order 1001").await;
    assert!(receipt.text.contains("30-day returns. We pay return shipping."), "{}", receipt.text);
    let mail = shop.mail_to("orders@lampshop.example", "New order").await;
    assert!(mail.text.contains(SELLER), "{}", mail.text);
    assert!(mail.header("From").unwrap().contains("Lampshop"), "{:?}", mail.header("From"));
    assert!(mail.header("From").unwrap().contains("help@lampshop.example"), "{:?}", mail.header("From"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_reaches_another_process_within_five_seconds_and_empties_its_response_cache() {
    let shop = TestShop::open().await;
    let (second, there) = shop.another_process().await;
    let admin = shop.admin().await;
    let before = there.get("/").await.header("etag").unwrap().to_owned();
    there.get("/feeds/google.xml").await;
    changes(&admin, json!({ "shop_name": "Lampshop", "shipping_rates": rates(7.50) })).await;
    eventually("the other process's settings", async || {
        let config = there.get("/api/config").await.gives(200);
        (config["shop_name"] == "Lampshop" && config["shipping_rates"]["us"]["first_pound"] == 7.5).then_some(())
    })
    .await;
    eventually("the other process's pages", async || {
        let home = there.get("/").await;
        (home.text.contains("Lampshop") && home.header("etag") != Some(&before)).then_some(())
    })
    .await;
    there.get("/feeds/google.xml").await.has(&["<g:price>7.50 USD</g:price>"]);
    second.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_checkout_keeps_the_shipping_that_it_was_quoted() {
    let shop = TestShop::open().await;
    let (admin, buyer, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let quoted = buyer.starts_payment(&[(&light, 2)]).await;
    assert_eq!(quoted.quote["shippingCost"], json!(6.2));
    changes(&admin, json!({ "shipping_rates": rates(20.0) })).await;

    let mut again = Person::cart(&[(&light, 2)]);
    again["replaces"] = json!(quoted.id);
    assert_eq!(buyer.asks_to_pay(&again).await.gives(200), quoted.quote);
    stripe.takes(&quoted, "pm_card_visa").await;
    let response = buyer.asks_for_order(&quoted.id).await;
    assert!(matches!(response.status, 200 | 201), "{response}");
    let order = buyer.get(&format!("/api/orders/{}", response.json()["orderId"].as_str().unwrap())).await.gives(200);
    assert_eq!((&order["shipping_cost"], &order["total"]), (&json!(6.2), &quoted.quote["total"]));

    let next: Intent = buyer.starts_payment(&[(&light, 2)]).await;
    assert_eq!(next.quote["shippingCost"], json!(22.0), "the next checkout has the new rates");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_environment_variable_wins_and_is_shown_as_locked() {
    let mut shop = TestShop::open().await;
    changes(&shop.admin().await, json!({ "shop_name": "From the database" })).await;
    shop.restart_with(&[("SHOP_NAME", "From outside"), ("SHOP_ORDERS_EMAIL", "orders@shop.example")]).await;
    let admin = shop.admin().await;
    let settings = admin.get(SETTINGS).await.gives(200);
    assert_eq!(settings["locked"], json!({ "shop_name": "SHOP_NAME", "orders_email": "SHOP_ORDERS_EMAIL" }));
    assert_eq!(settings["settings"]["shop_name"], "From outside");
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["shop_name"], "From outside");
    let refused = admin.patch(SETTINGS, &json!({ "shop_name": "Another", "orders_email": null })).await;
    let error = refused.names(&["orders_email", "shop_name"]);
    assert!(error["fields"]["shop_name"].as_str().unwrap().contains("SHOP_NAME"), "{error}");
    // A form sends the locked value along with the others.
    changes(&admin, json!({ "shop_name": "From outside", "support_email": "help@shop.example" })).await;
    shop.restart_with(&[("SHOP_NAME", "")]).await;
    let config = shop.visitor().get("/api/config").await.gives(200);
    assert_eq!(
        (&config["shop_name"], &config["support_email"]),
        (&json!("From the database"), &json!("help@shop.example"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_administrators_at_once_lose_nothing() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let seen = admin.get(SETTINGS).await.gives(200)["version"].clone();
    changes(&admin, json!({ "version": seen, "shop_name": "Mine" })).await;
    let stale = admin.patch(SETTINGS, &json!({ "version": seen, "shop_name": "Theirs" })).await;
    let error = stale.refuses(409, "EditConflict");
    assert_eq!(error["details"]["current"]["settings"]["shop_name"], "Mine");
    assert_eq!(error["details"]["current"]["version"], json!(1));
    // A change of other settings is none that this one would undo.
    changes(&admin, json!({ "version": seen, "shipping_rates": rates(3.0) })).await;
    changes(&admin, json!({ "version": seen, "shop_name": "Mine" })).await;

    let all =
        together(10, |index| {
            let admin = admin.clone();
            async move {
                admin.patch(SETTINGS, &json!({ "version": 99, "shop_name": format!("Shop {index}") })).await.status
            }
        })
        .await;
    assert!(all.iter().all(|status| *status == 200), "{all:?}");
    let versions = "SELECT COUNT(DISTINCT version) FROM setting_changes WHERE name = 'shop_name'";
    assert_eq!(shop.count(versions).await, 11, "each change is one version");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_history_says_who_changed_what_from_what_to_what() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    for number in 1..=21 {
        changes(&admin, json!({ "shop_name": format!("Shop {number}") })).await;
    }
    changes(&admin, json!({ "support_email": "help@shop.example", "shop_name": "Shop 21" })).await;
    let history = admin.get(HISTORY).await.gives(200);
    assert_eq!((&history["totalPages"], history["changes"].as_array().unwrap().len()), (&json!(2), 20));
    let latest = &history["changes"][0];
    assert_eq!((&latest["name"], &latest["before"]), (&json!("support_email"), &Value::Null));
    assert_eq!((&latest["value"], &latest["actor"]), (&json!("help@shop.example"), &json!(ADMIN)));
    let second = &history["changes"][1];
    assert_eq!((&second["before"], &second["value"]), (&json!("Shop 20"), &json!("Shop 21")));
    let older = admin.get(&format!("{HISTORY}?name=shop_name&page=2")).await.gives(200);
    assert_eq!(older["changes"].as_array().unwrap().len(), 1);
    assert_eq!(older["changes"][0]["before"], Value::Null);
    admin.get(&format!("{HISTORY}?page=0")).await.names(&["page"]);
    admin.get(&format!("{HISTORY}?name=password")).await.names(&["name"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_setting_is_named_and_changes_nothing() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let rate = |first_pound: Value| json!({ "ca": { "first_pound": first_pound, "additional_pound": 1 } });
    let first_pound = "shipping_rates.ca.first_pound";
    for (patch, field) in [
        (json!({ "shop_name": "" }), "shop_name"),
        (json!({ "shop_name": "Lamps\r\nBcc: eve@example.com" }), "shop_name"),
        (json!({ "shop_name": null }), "shop_name"),
        (json!({ "support_email": "nobody" }), "support_email"),
        (json!({ "orders_email": 7 }), "orders_email"),
        (json!({ "seller_name": "x".repeat(101) }), "seller_name"),
        (json!({ "seller_address": "1 Lamp Street\nSpringfield" }), "seller_address"),
        (json!({ "return_shipping": "nobody" }), "return_shipping"),
        (json!({ "shipping_rates": rate(json!(-1)) }), first_pound),
        (json!({ "shipping_rates": rate(json!(1.005)) }), first_pound),
        (json!({ "shipping_rates": rate(json!("much")) }), first_pound),
        (json!({ "shipping_rates": rate(json!(1e300)) }), first_pound),
        (json!({ "shipping_rates": rate(json!(1_000)) }), first_pound),
        (json!({ "delivery_times": { "handling": { "min": 1, "max": 300 } } }), "delivery_times.handling.max"),
        (json!({ "version": "one" }), "version"),
    ] {
        admin.patch(SETTINGS, &patch).await.names(&[field]);
    }
    let several = json!({ "shop_name": " ", "orders_email": "x", "support_email": "help@shop.example" });
    admin.patch(SETTINGS, &several).await.names(&["orders_email", "shop_name"]);
    assert_eq!(shop.count("SELECT COUNT(*) FROM setting_changes").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hostile_shop_name_is_text_everywhere() {
    let shop = TestShop::open().await;
    let name = changes(&shop.admin().await, json!({ "shop_name": HOSTILE })).await["settings"]["shop_name"].clone();
    assert_eq!(name, HOSTILE);
    for page in ["/", "/about", "/contact", "/products/nudgelight-one", "/feeds/google.xml"] {
        let text = shop.visitor().get(page).await.text;
        assert!(!text.contains("<b onclick") && !text.contains("</script><b"), "{page}");
    }
    let embedded = shop.visitor().get("/").await.embedded();
    assert_eq!(embedded["config"]["shop_name"], HOSTILE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_file_is_imported_on_request_and_at_the_first_start_only() {
    let folder = Folder::new();
    let file = folder.path().join("shop.toml");
    let vars = [("SHOP_ADDR", "127.0.0.1:0")];
    let cost = async |url: &str| {
        let config = Client::new(url).get("/api/config").await.gives(200);
        (config["shipping_rates"]["us"]["first_pound"].as_f64().unwrap(), config["delivery"]["handling"]["max"].clone())
    };
    let write = |amount: &str| {
        std::fs::write(&file, format!("[shipping.us]\nfirst_pound = \"{amount}\"\nadditional_pound = \"1.00\"\n"))
            .unwrap();
    };
    write("7.00");
    let (first, url, _) = serve(folder.path(), &vars);
    assert_eq!(cost(&url).await, (7.0, json!(2)));
    write("8.00");
    drop(first);
    let (_second, url, _) = serve(folder.path(), &vars);
    assert_eq!(cost(&url).await, (7.0, json!(2)), "the settings are in the database now");

    let import = |path: &str| {
        let mut command = binary(folder.path(), &[]);
        command.args(["settings", "import", path]);
        command
    };
    assert!(run_to_end(import("shop.toml")).status.success());
    let wanted = async || (cost(&url).await.0 == 8.0).then_some(());
    eventually("the running shop's new rate", wanted).await;
    write("8.001");
    assert!(complaint(import("shop.toml")).contains("line 2"));
    assert!(complaint(import("another.toml")).contains("another.toml"));
}
