//! Products: finding, viewing, adding and editing them.

use serde_json::{Value, json};

use crate::harness::{Person, TestShop, product, together};

async fn named(shop: &TestShop, name: &str) -> crate::harness::ApiResponse {
    shop.visitor().get(&format!("/api/products/{name}")).await
}

fn lamp(name: &str) -> Value {
    let lamp = product().name(name).description("A lamp.").price(12.34);
    lamp.stock(7).weight_pounds(0.45).json()
}

// spec: id, name, description, price, stock, weight_pounds, active (boolean)
// spec: product list
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_sees_what_is_for_sale_and_all_there_is_to_know_of_it() {
    let shop = TestShop::open().await;
    let list = shop.visitor().get("/api/products").await.gives(200);
    let names: Vec<&str> = list.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["Nudgelight One", "Nudgelight Mini", "Nudgelight Duo", "Nudgelight Halo"]);
    let one = &list[0];
    let expected = [
        ("slug", json!("nudgelight-one")),
        ("price", json!(24.99)),
        ("stock", json!(120)),
        ("available", json!(120)),
        ("weight_pounds", json!(0.6)),
        ("active", json!(true)),
        ("image", json!("/images/nudgelight-one.svg")),
    ];
    for (member, value) in expected {
        assert_eq!(one[member], value, "{member}");
    }
    assert!(one["id"].is_string() && one["description"].is_string() && one["version"].is_i64());
}

// spec: Money shown with two decimals
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_and_weight_are_written_with_two_decimals() {
    let shop = TestShop::open().await;
    let text = named(&shop, "nudgelight-mini").await.text;
    assert!(text.contains("\"price\":17.50") && text.contains("\"weight_pounds\":0.25"), "{text}");
}

// spec: /products/{name} | all | Product detail
// spec: GET /api/products/{name} | none | product
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_is_found_by_its_name_without_case_and_by_its_slug() {
    let shop = TestShop::open().await;
    let id = shop.light("Nudgelight One").await.id;
    for name in ["Nudgelight%20One", "NUDGELIGHT%20one", "nudgelight-one", "Nudgelight-One"] {
        assert_eq!(named(&shop, name).await.gives(200)["id"], json!(id), "{name}");
    }
    for name in ["nothing", "nudgelight", "%20", "..%2F..%2Fetc", "%00"] {
        named(&shop, name).await.refuses(404, "NotFound");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_is_found_by_the_id_under_which_it_is_changed() {
    let shop = TestShop::open().await;
    let (admin, id) = (shop.admin().await, shop.light("Nudgelight Duo").await.id);
    let path = format!("/api/products/{id}");
    assert_eq!(shop.visitor().get(&path).await.gives(200)["name"], json!("Nudgelight Duo"));
    let hidden = admin.patch(&path, &json!({ "active": false })).await.gives(200);
    assert_eq!(admin.get(&path).await.gives(200), hidden);
    shop.visitor().get(&path).await.refuses(404, "NotFound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renamed_product_is_still_found_by_its_old_slug_and_no_longer_by_its_old_name() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let path = format!("/api/products/{}", light.id);
    let renamed = admin.patch(&path, &json!({ "name": "Nudgelight Prime" })).await.gives(200);
    assert_eq!(
        (renamed["slug"].as_str(), renamed["name"].as_str()),
        (Some("nudgelight-prime"), Some("Nudgelight Prime"))
    );
    for slug in ["nudgelight-one", "nudgelight-prime"] {
        assert_eq!(named(&shop, slug).await.gives(200)["id"], json!(light.id), "{slug}");
        let picture = shop.visitor().get(&format!("/images/{slug}.svg")).await;
        assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/svg+xml")), "{slug}");
    }
    // A new product with the former name gets its own ID and slug.
    let second = admin.post("/api/products", &lamp("Nudgelight One")).await.gives(201);
    assert_ne!(second["slug"], json!("nudgelight-one"));
    assert_eq!(named(&shop, "Nudgelight%20One").await.gives(200)["id"], second["id"]);
    assert_eq!(named(&shop, "nudgelight-one").await.gives(200)["id"], json!(light.id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_that_is_not_for_sale_has_no_picture() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let path = format!("/api/products/{}", light.id);
    let pictures = async |status: u16| {
        for file in ["nudgelight-one.svg", "nudgelight-prime.svg", "Nudgelight%20Prime.svg"] {
            let picture = shop.visitor().get(&format!("/images/{file}")).await;
            assert_eq!(picture.status, status, "{file}: {picture}");
        }
    };
    admin.patch(&path, &json!({ "name": "Nudgelight Prime" })).await.gives(200);
    pictures(200).await;
    admin.patch(&path, &json!({ "active": false })).await.gives(200);
    pictures(404).await;
    shop.visitor().get("/images/nudgelight-one.svg").await.refuses(404, "NotFound");
    admin.patch(&path, &json!({ "active": true })).await.gives(200);
    pictures(200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_taken_without_regard_to_case() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    for name in ["Nudgelight One", "NUDGELIGHT ONE", "  nudgelight one  "] {
        admin.post("/api/products", &lamp(name)).await.refuses(409, "DuplicateName");
    }
    let path = format!("/api/products/{}", shop.light("Nudgelight Duo").await.id);
    admin.patch(&path, &json!({ "name": "nudgelight one" })).await.refuses(409, "DuplicateName");
    admin.patch(&path, &json!({ "name": "NUDGELIGHT DUO" })).await.gives(200);
    admin.post("/api/products", &lamp("Straße")).await.gives(201);
    admin.post("/api/products", &lamp("STRAßE")).await.refuses(409, "DuplicateName");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_added_ten_times_at_once_is_added_once() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let responses = together(10, |_| {
        let admin = admin.clone();
        async move { admin.post("/api/products", &lamp("Nudgelight Nova")).await }
    })
    .await;
    let statuses: Vec<u16> = responses.iter().map(|response| response.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 9, "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inactive_product_is_seen_by_administrators_alone() {
    let shop = TestShop::open().await;
    let (admin, customer) = (shop.admin().await, shop.customer().await);
    let mut hidden = lamp("Nudgelight Nova");
    hidden["active"] = json!(false);
    admin.post("/api/products", &hidden).await.gives(201);
    let sees = async |person: &crate::harness::Client| {
        let list = person.get("/api/products").await.gives(200);
        let listed = list.as_array().unwrap().iter().any(|one| one["name"] == "Nudgelight Nova");
        (listed, person.get("/api/products/nudgelight-nova").await.status)
    };
    assert_eq!(sees(&shop.visitor()).await, (false, 404));
    assert_eq!(sees(&customer).await, (false, 404));
    assert_eq!(sees(&admin).await, (true, 200));
}

// spec: active defaults to true
// spec: the new product
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_product_is_active_and_answered_as_it_is_shown() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let mut body = lamp("  Nudgelight Nova  ");
    body["id"] = json!("mine");
    body["available"] = json!(1_000);
    body["reserved"] = json!(5);
    let added = admin.post("/api/products", &body).await.gives(201);
    assert_eq!((added["name"].as_str(), added["active"].as_bool()), (Some("Nudgelight Nova"), Some(true)));
    assert_eq!((added["stock"].as_i64(), added["available"].as_i64()), (Some(7), Some(7)));
    assert_ne!(added["id"], json!("mine"), "read-only fields are ignored");
    assert_eq!(named(&shop, "nudgelight-nova").await.gives(200), added);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_that_names_an_older_version_is_a_conflict_and_shows_how_it_is_now() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let path = format!("/api/products/{}", light.id);
    let edit = json!({ "price": 29.99, "version": light.version });
    let edited = admin.patch(&path, &edit).await.gives(200);
    assert!(edited["version"].as_i64() > Some(light.version));
    let conflict =
        admin.patch(&path, &json!({ "price": 19.99, "version": light.version })).await.refuses(409, "EditConflict");
    assert_eq!(conflict["details"]["current"], edited);
    let forced = admin.patch(&path, &json!({ "price": 19.99 })).await.gives(200);
    assert_eq!((forced["price"].clone(), forced["description"].clone()), (json!(19.99), edited["description"].clone()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_edits_of_one_version_at_once_are_one_edit() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let responses = together(20, |number| {
        let (admin, path) = (admin.clone(), format!("/api/products/{}", light.id));
        let body = json!({ "price": 10 + number, "version": light.version });
        async move { admin.patch(&path, &body).await }
    })
    .await;
    assert_eq!(responses.iter().filter(|response| response.status == 200).count(), 1, "{responses:?}");
    assert_eq!(responses.iter().filter(|response| response.status == 409).count(), 19, "{responses:?}");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_equal_counts_at_once_are_one_change() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let responses = together(20, |_| {
        let (admin, id) = (admin.clone(), light.id.clone());
        async move { set_stock(&admin, &id, json!({ "stock": 130 })).await }
    })
    .await;
    for response in responses {
        response.gives(200);
    }
    assert_eq!(shop.light("Nudgelight One").await.stock, 130);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_wrong_field_undoes_a_whole_edit() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let before = named(&shop, "nudgelight-one").await.json();
    let body = json!({ "name": "Nudgelight Prime", "price": 0, "stock": 3 });
    admin.patch(&format!("/api/products/{}", light.id), &body).await.names(&["price"]);
    assert_eq!(named(&shop, "nudgelight-one").await.json(), before);
}

async fn set_stock(admin: &Person, id: &str, body: Value) -> crate::harness::ApiResponse {
    admin.patch(&format!("/api/products/{id}/stock"), &body).await
}

// spec: Admin stock edit minimum 0.
// spec: PATCH /api/products/{id}/stock
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stock_is_set_to_any_number_from_nothing() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    for stock in [15, 0, 1_000_000] {
        let response = set_stock(&admin, &light.id, json!({ "stock": stock })).await.gives(200);
        assert_eq!((response["stock"].as_i64(), response["available"].as_i64()), (Some(stock), Some(stock)));
    }
    for stock in [-1, 1_000_001] {
        set_stock(&admin, &light.id, json!({ "stock": stock })).await.names(&["stock"]);
    }
    set_stock(&admin, "nothing", json!({ "stock": 1 })).await.refuses(404, "NotFound");
    shop.audit().await;
}

// invariant: lost-updates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stock_edit_that_says_what_was_seen_does_not_undo_a_sale_in_between() {
    let shop = TestShop::open().await;
    let (admin, buyer, stripe) = (shop.admin().await, shop.customer().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    buyer.buys(&stripe, &light, 2).await;
    let response = set_stock(&admin, &light.id, json!({ "stock": 130, "was": 120 })).await.gives(200);
    assert_eq!(response["stock"], json!(128), "ten restocked, two sold");
    set_stock(&admin, &light.id, json!({ "stock": 0, "was": 200 })).await.names(&["stock"]);
    for was in [-1, 1_000_001, i64::MIN, i64::MAX] {
        set_stock(&admin, &light.id, json!({ "stock": 1, "was": was })).await.names(&["was"]);
    }
    shop.audit().await;
}

// invariant: lost-updates
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stock_edits_by_two_administrators_at_once_all_count() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let responses = together(20, |number| {
        let (admin, id) = (admin.clone(), light.id.clone());
        let change = if number % 2 == 0 { 123 } else { 118 };
        async move { set_stock(&admin, &id, json!({ "stock": change, "was": 120 })).await }
    })
    .await;
    for response in responses {
        response.gives(200);
    }
    assert_eq!(shop.light("Nudgelight One").await.stock, 120 + 10 * 3 - 10 * 2);
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_does_not_raise_the_version_of_its_product() {
    let shop = TestShop::open().await;
    let (buyer, stripe) = (shop.customer().await, shop.stripe().await);
    let before = shop.light("Nudgelight Duo").await;
    buyer.buys(&stripe, &before, 1).await;
    let after = shop.light("Nudgelight Duo").await;
    assert_eq!((after.stock, after.version), (before.stock - 1, before.version));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stock_may_be_set_below_what_is_reserved_and_nothing_is_available_then() {
    let shop = TestShop::open().await;
    let (buyer, light) = (shop.customer().await, shop.light("Nudgelight Halo").await);
    buyer.starts_payment(&[(&light, 3)]).await;
    let reserved = shop.light("Nudgelight Halo").await;
    assert_eq!((reserved.stock, reserved.available), (4, 1));
    shop.sets_stock(&light, 1).await;
    let edited = shop.light("Nudgelight Halo").await;
    assert_eq!((edited.stock, edited.available), (1, 0));
}
