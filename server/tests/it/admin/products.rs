use serde_json::{Value, json};

use crate::harness::{Person, TestShop, product, together};

async fn list(admin: &Person, query: &str) -> Value {
    admin.get(&format!("/api/admin/products?{query}")).await.gives(200)
}

fn names(page: &Value) -> Vec<&str> {
    page["products"].as_array().unwrap().iter().map(|product| product["name"].as_str().unwrap()).collect()
}

/// Products named Row 00 to Row 29: prices and stocks rise, and every tenth is hidden.
async fn with_rows() -> (TestShop, Person) {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    for number in 0..30 {
        let row = product()
            .name(format!("Row {number:02} Amber_100%"))
            .price(f64::from(100 + number))
            .stock(1_000 + i64::from(number))
            .with("active", number % 10 != 9)
            .with("sku", format!("ROW-{number:02}"));
        admin.adds(row).await;
    }
    (shop, admin)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_table_is_searched_filtered_sorted_and_cut_into_pages() {
    let (_shop, admin) = with_rows().await;
    let first = list(&admin, "q=amber%20row&limit=25&sort=name").await;
    assert_eq!((&first["total"], &first["totalPages"], &first["page"]), (&json!(30), &json!(2), &json!(1)));
    assert_eq!((names(&first).len(), names(&first)[0]), (25, "Row 00 Amber_100%"));
    let second = list(&admin, "q=amber%20row&limit=25&sort=name&page=2").await;
    assert_eq!((names(&second).len(), names(&second)[4]), (5, "Row 29 Amber_100%"));
    assert_eq!(names(&list(&admin, "q=row&page=9").await), Vec::<&str>::new());

    for (sort, first) in [
        ("-name", "Row 29"),
        ("price", "Row 00"),
        ("-price", "Row 29"),
        ("stock", "Row 00"),
        ("-available", "Row 29"),
        ("created", "Row 00"),
        ("-created", "Row 29"),
    ] {
        let page = list(&admin, &format!("q=row&sort={sort}")).await;
        assert!(names(&page)[0].starts_with(first), "{sort}: {page}");
    }
    assert!(names(&list(&admin, "").await)[0].starts_with("Row 29"), "the newest is first");
    assert_eq!(list(&admin, "q=row&status=hidden").await["total"], 3);
    assert_eq!(list(&admin, "q=row&status=active").await["total"], 27);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_is_found_by_its_sku_and_a_wildcard_is_a_character_like_any_other() {
    let (_shop, admin) = with_rows().await;
    assert_eq!(names(&list(&admin, "q=row-07").await), ["Row 07 Amber_100%"]);
    assert_eq!(list(&admin, "q=r_w").await["total"], 0);
    assert_eq!(list(&admin, "q=%25").await["total"], 30, "only names with a percent sign");
    assert_eq!(list(&admin, "q=!").await["total"], 0);
    assert_eq!(list(&admin, "q=AMBER_100%25").await["total"], 30);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_parameter_of_the_table_is_named() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let get = async |query: &str| admin.get(&format!("/api/admin/products?{query}")).await;
    for wrong in ["sort=color", "sort=", "sort=--name"] {
        get(wrong).await.names(&["sort"]);
    }
    get("status=lost").await.names(&["status"]);
    get(&format!("q={}", "a".repeat(101))).await.names(&["q"]);
    get("page=0&limit=101&sort=x").await.names(&["limit", "page", "sort"]);
    shop.customer().await.get("/api/admin/products").await.refuses(403, "Forbidden");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_hidden_and_has_everything_but_stock_photos_and_codes() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let original = admin
        .adds(product().name("Nova").stock(7).with("sku", "NOVA").with("gtin", "4006381333931").with("power_mw", 900))
        .await;
    let path = format!("/api/products/{}/duplicate", original.id);
    let copy = admin.post(&path, &json!({})).await.gives(201);
    assert_eq!((&copy["name"], &copy["slug"]), (&json!("Copy of Nova"), &json!("copy-of-nova")));
    assert_eq!((&copy["active"], &copy["stock"], &copy["photos"]), (&json!(false), &json!(0), &json!([])));
    assert!(copy.get("sku").is_none() && copy.get("gtin").is_none(), "{copy}");
    assert_eq!((&copy["power_mw"], &copy["price"]), (&json!(900), &json!(9.95)));
    shop.visitor().get("/api/products/copy-of-nova").await.refuses(404, "NotFound");

    let copies = together(3, |_| {
        let (admin, path) = (admin.clone(), path.clone());
        async move { admin.post(&path, &json!({})).await }
    });
    let mut names: Vec<Value> = copies.await.iter().map(|copy| copy.gives(201)["name"].clone()).collect();
    names.sort_by_key(ToString::to_string);
    assert_eq!(names, ["Copy of Nova (2)", "Copy of Nova (3)", "Copy of Nova (4)"]);
    admin.post("/api/products/nothing/duplicate", &json!({})).await.refuses(404, "NotFound");
    shop.audit().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_patch_changes_only_its_members_and_null_clears_an_optional_fact() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let facts = json!({ "length_mm": 64, "width_mm": 24, "height_mm": 14 });
    let light = product().with("sku", "NL-ONE").with("power_mw", 900).with("dimensions", facts);
    let before = admin.post("/api/products", &light.json()).await.gives(201);
    let path = format!("/api/products/{}", before["id"].as_str().unwrap());

    let cleared = admin.patch(&path, &json!({ "sku": null, "power_mw": null, "dimensions": null })).await.gives(200);
    for fact in ["sku", "power_mw", "dimensions"] {
        assert_eq!(cleared.get(fact), None, "{cleared}");
    }
    for member in ["name", "description", "price", "stock", "weight_pounds", "active", "in_the_box"] {
        assert_eq!(cleared[member], before[member]);
    }
    let changed = admin.patch(&path, &json!({ "power_mw": 750.0, "price": 19.99 })).await.gives(200);
    assert_eq!((&changed["power_mw"], &changed["price"]), (&json!(750), &json!(19.99)));
    assert_eq!(changed["name"], before["name"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_patch_names_the_member_that_cannot_be_null_or_has_the_wrong_type() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    let path = format!("/api/products/{}", admin.adds(product()).await.id);
    for member in ["name", "description", "price", "stock", "weight_pounds", "active", "version"] {
        admin.patch(&path, &json!({ member: null })).await.names(&[member]);
    }
    admin.patch(&path, &json!({ "power_mw": "900" })).await.names(&["power_mw"]);
    admin.patch(&path, &json!({ "dimensions": { "length_mm": 64 } })).await.names(&["dimensions.width_mm"]);
    admin.patch(&path, &json!({ "sku": "NL\0ONE" })).await.names(&["sku"]);
    admin.patch(&path, &json!([])).await.names(&["body"]);
}
