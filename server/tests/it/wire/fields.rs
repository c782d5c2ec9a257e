//! Field validation: every invalid value is reported with its field.

use serde_json::{Value, json};

use crate::harness::{Person, TestShop, product};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_and_weight_are_plain_numbers_with_two_decimals_at_most() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let with = |member: &str, text: &str| {
        let (price, weight) = if member == "price" { (text, "0.5") } else { ("9.95", text) };
        format!(r#"{{"name":"Nova","description":"New.","price":{price},"stock":3,"weight_pounds":{weight}}}"#)
    };
    let never_good = [
        "\"9.95\"",
        "1e1",
        "1E1",
        "9.5e0",
        "9.950",
        "9.999",
        "null",
        "true",
        "[]",
        "{}",
        "-1",
        "-0.01",
        "0",
        "0.00",
        "99999999999999999999",
        "1e400",
        "0.1e1",
    ];
    for member in ["price", "weight_pounds"] {
        for text in never_good {
            admin.send_json("POST", "/api/products", with(member, text)).await.names(&[member]);
        }
    }
    for (member, text) in
        [("price", "100000"), ("price", "99999999.99"), ("weight_pounds", "150.01"), ("weight_pounds", "0.001")]
    {
        admin.send_json("POST", "/api/products", with(member, text)).await.names(&[member]);
    }
    for text in ["1.", ".5", "01", "+1", "0x1", "NaN", "1_000"] {
        admin.send_json("POST", "/api/products", with("price", text)).await.refuses(400, "InvalidJson");
    }
    for (text, shown) in [("0.01", "0.01"), ("99999.99", "99999.99"), ("7", "7.00"), ("7.5", "7.50"), ("0.29", "0.29")]
    {
        let body = with("price", text).replace("Nova", &format!("Nova {shown}"));
        let response = admin.send_json("POST", "/api/products", body).await;
        response.gives(201);
        assert!(response.text.contains(&format!("\"price\":{shown}")), "{response}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_wrong_field_of_a_product_is_named_at_once() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let changed = |change: Value| {
        let members = change.as_object().unwrap().iter();
        members.fold(product(), |product, (member, value)| product.with(member, value.clone())).json()
    };
    let wrong = [
        (json!({ "name": "" }), &["name"][..]),
        (json!({ "name": "   " }), &["name"]),
        (json!({ "name": "n".repeat(81) }), &["name"]),
        (json!({ "name": "a\nb" }), &["name"]),
        (json!({ "name": "a\u{0}b" }), &["name"]),
        (json!({ "name": "a\u{202e}b" }), &["name"]),
        (json!({ "name": 7 }), &["name"]),
        (json!({ "description": "" }), &["description"]),
        (json!({ "description": "d".repeat(4_001) }), &["description"]),
        (json!({ "stock": -1 }), &["stock"]),
        (json!({ "stock": 1_000_001 }), &["stock"]),
        (json!({ "stock": 1.5 }), &["stock"]),
        (json!({ "stock": "3" }), &["stock"]),
        (json!({ "stock": 9_223_372_036_854_775_808_u64 }), &["stock"]),
        (json!({ "active": "yes" }), &["active"]),
        (json!({ "active": 1 }), &["active"]),
        (
            json!({ "name": "", "description": "", "price": 0, "stock": -1, "weight_pounds": 0 }),
            &["name", "description", "price", "stock", "weight_pounds"],
        ),
    ];
    for (change, fields) in wrong {
        admin.post("/api/products", &changed(change)).await.names(fields);
    }
    for missing in ["name", "description", "price", "stock", "weight_pounds"] {
        admin.post("/api/products", &product().without(missing).json()).await.names(&[missing]);
    }
    admin.adds(product().name("n".repeat(80)).description("d".repeat(4_000))).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_null_where_nothing_can_be_empty_is_refused() {
    let shop = TestShop::open().await;
    let (admin, one) = (shop.admin().await, shop.light("Nudgelight One").await);
    for member in ["name", "description", "price", "stock", "weight_pounds", "active", "version"] {
        let mut body = json!({});
        body[member] = Value::Null;
        admin.patch(&format!("/api/products/{}", one.id), &body).await.names(&[member]);
    }
    admin.patch(&format!("/api/products/{}/stock", one.id), &json!({ "stock": null })).await.names(&["stock"]);
}

// invariant: price-tampering
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_wrong_field_of_a_checkout_is_named_at_once() {
    let shop = TestShop::open().await;
    let (buyer, one) = (shop.customer().await, shop.light("Nudgelight One").await);
    let nothing = [
        "currency",
        "items",
        "shippingAddress.name",
        "shippingAddress.address.line1",
        "shippingAddress.address.city",
        "shippingAddress.address.state",
        "shippingAddress.address.postal_code",
        "shippingAddress.address.country",
    ];
    buyer.asks_to_pay(&json!({})).await.names(&nothing);

    let with = |change: &dyn Fn(&mut Value)| {
        let mut cart = Person::cart(&[(&one, 1)]);
        change(&mut cart);
        cart
    };
    type Change<'a> = &'a dyn Fn(&mut Value);
    let wrong: [(Change<'_>, &[&str]); 14] = [
        (&|cart| cart["currency"] = json!("eur"), &["currency"]),
        (&|cart| cart["currency"] = json!("USD "), &["currency"]),
        (&|cart| cart["currency"] = json!(1), &["currency"]),
        (&|cart| cart["items"] = json!([]), &["items"]),
        (&|cart| cart["items"] = json!({}), &["items"]),
        (&|cart| cart["items"][0]["quantity"] = json!(0), &["items[0].quantity"]),
        (&|cart| cart["items"][0]["quantity"] = json!(-1), &["items[0].quantity"]),
        (&|cart| cart["items"][0]["quantity"] = json!(100), &["items[0].quantity"]),
        (&|cart| cart["items"][0]["quantity"] = json!("1"), &["items[0].quantity"]),
        (&|cart| cart["items"][0]["quantity"] = json!(1.5), &["items[0].quantity"]),
        (&|cart| cart["items"][0]["product_id"] = json!(7), &["items[0].product_id"]),
        (&|cart| cart["shippingAddress"]["name"] = json!("n".repeat(101)), &["shippingAddress.name"]),
        (&|cart| cart["shippingAddress"]["name"] = json!("Ada\r\nBcc: eve@example.com"), &["shippingAddress.name"]),
        (&|cart| cart["shippingAddress"]["address"]["city"] = json!(7), &["shippingAddress.address.city"]),
    ];
    for (change, fields) in wrong {
        buyer.asks_to_pay(&with(change)).await.names(fields);
    }
    let line = json!({ "product_id": one.id, "quantity": 1 });
    let crowded = with(&|cart| cart["items"] = json!(vec![line.clone(); 51]));
    buyer.asks_to_pay(&crowded).await.names(&["items"]);
    let brim = with(&|cart| cart["items"] = json!(vec![line.clone(); 50]));
    buyer.asks_to_pay(&brim).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_cannot_be_one_is_named() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let long = format!("{}@example.com", "a".repeat(65));
    let wrong = [
        "",
        "ada",
        "ada@",
        "@example.com",
        "ada@example",
        "a@b@example.com",
        "ada example@x.com",
        "ada@exa mple.com",
        "ada@example..com",
        "ada\n@example.com",
        "ada@example.com\u{0}",
        long.as_str(),
    ];
    for address in wrong {
        let body = json!({ "email": address, "password": "four small lamps" });
        visitor.post("/api/auth/signup", &body).await.names(&["email"]);
        let body = json!({ "username": address });
        visitor.post("/api/auth/forgot-password", &body).await.names(&["username"]);
        visitor.post("/api/auth/resend-code", &body).await.names(&["username"]);
    }
    for missing in ["email", "password"] {
        let mut body = json!({ "email": "ada@example.com", "password": "four small lamps" });
        body.as_object_mut().unwrap().remove(missing);
        visitor.post("/api/auth/signup", &body).await.names(&[missing]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_path_that_names_nothing_is_a_404_in_the_one_form_whatever_its_bytes() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let ids = ["nothing", "0", "%00", "%27%20OR%201=1", &"x".repeat(3_000), "%F0%9F%92%A1"];
    for id in ids {
        for path in [
            format!("/api/orders/{id}"),
            format!("/api/admin/order/{id}"),
            format!("/api/products/{id}"),
            format!("/images/{id}"),
            format!("/images/{id}.svg"),
        ] {
            admin.get(&path).await.refuses(404, "NotFound");
        }
    }
    for path in
        ["/api/orders/%FF", "/api/admin/order/%FF", "/api/products/%FF", "/images/%FF", "/api/auth/sessions/%FF"]
    {
        let method = if path.contains("sessions") { "DELETE" } else { "GET" };
        let response = admin.send(admin.request(method, path)).await;
        assert!(matches!(response.status, 400 | 404), "{response}");
        response.refusal();
    }
    for path in ["/api", "/api/", "/api/nothing", "/api/products/a/b/c", "/api/admin"] {
        let response = admin.get(path).await;
        assert_eq!(response.status, 404, "{response}");
    }
}
