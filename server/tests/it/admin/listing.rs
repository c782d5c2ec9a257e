use serde_json::json;

use crate::harness::{CUSTOMER, Person, TestShop, montreal};

async fn numbers(admin: &Person, query: &str) -> Vec<i64> {
    let page = admin.get(&format!("/api/admin/orders{query}")).await.gives(200);
    page["orders"].as_array().unwrap().iter().map(|order| order["number"].as_i64().unwrap()).collect()
}

// spec: endDate, status | orders, totalPages
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybodys_orders_are_listed_with_what_only_administrators_see() {
    let shop = TestShop::open().await;
    let (ada, bea, admin) = (shop.customer().await, shop.new_customer("bea@example.com").await, shop.admin().await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    ada.buys(&stripe, &one, 1).await;
    bea.buys(&stripe, &one, 1).await;
    let page = admin.get("/api/admin/orders").await.gives(200);
    let newest = &page["orders"][0];
    let expected = [
        ("number", json!(1002)),
        ("user_email", json!("bea@example.com")),
        ("payment", json!("paid")),
        ("open_alerts", json!(0)),
        ("status", json!("pending")),
        ("name", json!("Ada Lovelace")),
    ];
    for (member, value) in expected {
        assert_eq!(newest[member], value, "{member}");
    }
    assert_eq!(page["orders"][1]["user_email"], CUSTOMER);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_status_filters_and_an_unknown_one_is_refused() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let one = shop.light("Nudgelight One").await;
    let id = ada.buys(&stripe, &one, 1).await;
    ada.buys(&stripe, &one, 1).await;
    admin.patch(&format!("/api/admin/order/{id}"), &json!({ "status": "shipped" })).await.gives(200);
    assert_eq!(numbers(&admin, "?status=shipped").await, [1001]);
    assert_eq!(numbers(&admin, "?status=pending").await, [1002]);
    assert_eq!(numbers(&admin, "?status=refunded").await, [] as [i64; 0]);
    for wrong in ["", "lost", "SHIPPED", "shipped%27%20OR%201=1"] {
        admin.get(&format!("/api/admin/orders?status={wrong}")).await.names(&["status"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_numbers_and_the_beginnings_of_the_words_of_addresses_and_names() {
    let shop = TestShop::open().await;
    let (ada, bea, admin) = (shop.customer().await, shop.new_customer("Bea_50%@example.com").await, shop.admin().await);
    let (one, stripe) = (shop.light("Nudgelight One").await, shop.stripe().await);
    ada.buys(&stripe, &one, 1).await;
    bea.buys(&stripe, &one, 1).await;
    let found = async |q: &str| numbers(&admin, &format!("?q={q}")).await;
    assert_eq!(found("1001").await, [1001]);
    assert_eq!(found("%231002").await, [1002]);
    assert_eq!(found("BEA").await, [1002]);
    assert_eq!(found("bea_50%25@").await, [1002]);
    assert_eq!(found("ada").await, [1002, 1001]);
    assert_eq!(found("lovelace").await, [1002, 1001]);
    assert_eq!(found("50").await, [1002]);
    assert_eq!(found("ovelace").await, [] as [i64; 0]);
    // SQL wildcards and quotes match literally.
    for query in ["%25", "_", "%27", "%5C", "1001%27%20OR%201=1", "bea550"] {
        assert_eq!(found(query).await, [] as [i64; 0], "{query}");
    }
    let long = "a".repeat(300);
    admin.get(&format!("/api/admin/orders?q={long}")).await.names(&["q"]);
    admin.get("/api/admin/orders?q=%00").await.names(&["q"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_every_word_of_an_order_with_its_accents_folded() {
    let shop = TestShop::open().await;
    let (ada, bea, admin) =
        (shop.customer().await, shop.new_customer("bea.o-neil@example.com").await, shop.admin().await);
    let (one, mini, stripe) =
        (shop.light("Nudgelight One").await, shop.light("Nudgelight Mini").await, shop.stripe().await);
    let first = ada.buys(&stripe, &one, 1).await;
    let second = bea.buys(&stripe, &mini, 1).await;
    let zoe = json!({ "name": "Zo\u{eb} O’Neil-M\u{fc}ller", "address": montreal()["address"] });
    let edit = json!({ "address": zoe, "tracking_number": "1Z 999 AA1 01 2345 6784" });
    admin.patch(&format!("/api/admin/order/{second}"), &edit).await.gives(200);
    let found = async |q: &str| numbers(&admin, &format!("?q={q}")).await;
    for query in
        ["Zoe", "zo%C3%AB", "MULLER", "o%E2%80%99neil", "zoe%20mull", "H2X%201Y4", "h2x1y4", "NL-1002", "nl-1002"]
    {
        assert_eq!(found(query).await, [1002], "{query}");
    }
    for query in [
        "1Z999AA10123456784",
        "1z%20999%20aa1%2001%202345%206784",
        "bea.o-neil@example.com",
        "neil",
        "mini",
        "mini%20zoe",
        "oneil",
        "neil@",
    ] {
        assert_eq!(found(query).await, [1002], "{query}");
    }
    for query in ["lovelace", "lovelace@", "94110", "nudge%20one%20ada", "NL-1001", "1001"] {
        assert_eq!(found(query).await, [1001], "{query}");
    }
    assert_eq!(found("nudgelight").await, [1002, 1001]);
    assert_eq!(found("%40example.com").await, [1002]);
    assert_eq!(found("o").await, [1002], "one letter is a word");
    for query in ["z", "m", "zoe%20l", "zoe%20lovelace", "mini%20one%20ada", "ada%20mini", "NL-10"] {
        assert_eq!(found(query).await, [] as [i64; 0], "{query}");
    }
    admin.patch(&format!("/api/admin/order/{first}"), &json!({ "status": "shipped" })).await.gives(200);
    assert_eq!(numbers(&admin, "?q=nudge&status=shipped").await, [1001]);
    assert_eq!(numbers(&admin, "?q=example&country=CA").await, [1002]);
    assert_eq!(numbers(&admin, &format!("?q=zoe&product={}", one.id)).await, [] as [i64; 0]);
    let edit = json!({ "tracking_number": "" });
    admin.patch(&format!("/api/admin/order/{second}"), &edit).await.gives(200);
    assert_eq!(found("1Z999AA10123456784").await, [] as [i64; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_imported_tracking_number_is_found() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    let shipments = json!({ "shipments": [{ "order_number": 1001, "tracking_number": "T-42" }] });
    admin.post("/api/admin/tracking-import", &shipments).await.gives(200);
    for query in ["t-42", "T42"] {
        assert_eq!(numbers(&admin, &format!("?q={query}")).await, [1001], "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_that_finds_very_many_says_so_and_its_first_ten_thousand_have_pages() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(10_100).await;
    let found = admin.get("/api/admin/orders?q=ada&limit=100").await.gives(200);
    assert_eq!((&found["total"], &found["totalPages"]), (&json!(10_000), &json!(100)));
    assert_eq!(found["more_than_total"], json!(true));
    for page in [1, 2, 79, 80, 81, 100] {
        let all = numbers(&admin, &format!("?limit=100&page={page}")).await;
        assert_eq!(numbers(&admin, &format!("?q=ada&limit=100&page={page}")).await, all, "page {page}");
    }
    assert_eq!(numbers(&admin, "?q=ada&limit=100&page=101").await, [] as [i64; 0]);
    let one = admin.get("/api/admin/orders?q=1001").await.gives(200);
    assert_eq!((&one["total"], one.get("more_than_total")), (&json!(1), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_with_very_many_orders_says_so_and_five_hundred_of_them_have_pages() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    ada.buys(&stripe, &light, 1).await;
    shop.copies_its_order(499).await;
    let lines = "INSERT INTO order_lines (order_id, position, product_id, product_name, quantity, price) \
                 SELECT o.id, position, product_id, product_name, quantity, l.price FROM orders o, order_lines l WHERE o.id <> l.order_id";
    shop.tamper(lines).await;
    shop.continues_order_numbers().await;
    let list = format!("/api/admin/orders?product={}&payment=paid&country=US&limit=100", light.id);
    let found = admin.get(&list).await.gives(200);
    assert_eq!((&found["total"], found.get("more_than_total")), (&json!(500), None));

    let second = ada.buys(&stripe, &light, 1).await;
    let found = admin.get(&list).await.gives(200);
    assert_eq!((&found["total"], &found["totalPages"]), (&json!(500), &json!(5)));
    assert_eq!((&found["more_than_total"], &found["orders"][0]["id"]), (&json!(true), &json!(second)));
    for (page, orders) in [(5, 100), (6, 0)] {
        let found = admin.get(&format!("{list}&page={page}")).await.gives(200);
        assert_eq!(found["orders"].as_array().unwrap().len(), orders, "page {page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_of_product_words_with_very_many_orders_begins_at_either_end_and_with_what_is_not_on_hold() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(599).await;
    let lines = "INSERT INTO order_lines (order_id, position, product_id, product_name, quantity, price) \
                 SELECT o.id, position, product_id, product_name, quantity, l.price FROM orders o, order_lines l WHERE o.id <> l.order_id";
    shop.tamper(lines).await;
    let by_id = "(SELECT MIN(created_at) FROM checkouts) + (SELECT COUNT(*) FROM orders o WHERE o.id < orders.id)";
    shop.tamper(&format!("UPDATE orders SET created_at = {by_id}")).await;
    shop.tamper("UPDATE order_words SET created_at = (SELECT created_at FROM orders WHERE id = order_id)").await;
    let hold = "UPDATE orders SET hold = 'dispute' WHERE created_at < (SELECT MIN(created_at) FROM checkouts) + 98";
    shop.tamper(hold).await;
    for filter in ["", "&status=pending", "&held=false", "&held=true", "&country=US"] {
        for sort in ["newest", "oldest"] {
            let all = numbers(&admin, &format!("?sort={sort}{filter}")).await;
            assert_eq!(numbers(&admin, &format!("?q=nudge&sort={sort}{filter}")).await, all, "{filter} {sort}");
        }
    }
    for (held, total, more) in [("false", 500, Some(&json!(true))), ("true", 98, None)] {
        let found = admin.get(&format!("/api/admin/orders?q=nudge&held={held}")).await.gives(200);
        assert_eq!((&found["total"], found.get("more_than_total")), (&json!(total), more));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_of_a_frequent_word_begins_at_either_end_and_with_what_the_filter_keeps() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(20_000).await;
    let oldest = "(SELECT MIN(created_at) FROM orders)";
    shop.tamper(&format!("UPDATE orders SET hold = 'dispute' WHERE created_at = {oldest}")).await;
    let held = admin.get("/api/admin/orders?held=true").await.gives(200)["total"].clone();
    let canada = format!("UPDATE orders SET country = 'CA' WHERE created_at BETWEEN {oldest} + 3 AND {oldest} + 5");
    shop.tamper(&canada).await;
    for filter in ["", "&status=pending", "&held=false", "&held=true", "&country=US", "&country=CA", "&payment=paid"] {
        for sort in ["newest", "oldest"] {
            let all = numbers(&admin, &format!("?sort={sort}{filter}")).await;
            for query in ["nudgelight.example", "customer", "customer%20ada", "ada"] {
                let found = numbers(&admin, &format!("?q={query}&sort={sort}{filter}")).await;
                assert_eq!(found, all, "{query} {filter} {sort}");
            }
        }
    }
    let more_than_500 = (json!(500), Some(&json!(true)));
    for (filter, (total, more)) in
        [("", more_than_500), ("&held=true", (held, None)), ("&country=CA", (json!(300), None))]
    {
        let found = admin.get(&format!("/api/admin/orders?q=nudgelight.example{filter}")).await.gives(200);
        assert_eq!((&found["total"], found.get("more_than_total")), (&total, more), "{filter}");
    }
    // A rare word is read first.
    let number = numbers(&admin, "?page=3").await[0];
    let words = "UPDATE order_words SET word = 'rare' WHERE word = 'ada' \
                 AND order_id = (SELECT id FROM orders WHERE number =";
    shop.tamper(&format!("{words} {number})")).await;
    assert_eq!(numbers(&admin, "?q=nudgelight.example%20rare").await, [number]);
    assert_eq!(numbers(&admin, "?q=rare%20ada").await, [] as [i64; 0]);
    let customers = admin.get("/api/admin/customers?q=nudgelight.example").await.gives(200);
    assert_eq!(customers["total"], json!(2), "{customers}");
    assert_eq!(exported(&admin, "?q=nudgelight.example").await.len(), 20_001);
}

/// The order numbers of a CSV file, whose first column they are.
async fn exported(admin: &Person, query: &str) -> Vec<i64> {
    let file = admin.get(&format!("/api/admin/orders.csv{query}")).await;
    assert_eq!(file.status, 200, "{file}");
    file.text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_oldest_order_comes_first_if_so_asked_in_the_list_the_files_the_slips_and_beside_an_order() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    let light = shop.light("Nudgelight One").await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(ada.buys(&stripe, &light, 1).await);
        shop.clock.advance(1_000);
    }
    let product = format!("?product={}", light.id);
    for filter in ["?", "?status=pending", "?q=ada", "?numbers=1002,1003,1001", "?country=US", product.as_str()] {
        let oldest = format!("{filter}&sort=oldest");
        assert_eq!(numbers(&admin, &oldest).await, [1001, 1002, 1003], "{filter}");
        assert_eq!(exported(&admin, &oldest).await, [1001, 1002, 1003], "{filter}");
        assert_eq!(exported(&admin, &format!("{oldest}&columns=pirate_ship")).await, [1001, 1002, 1003], "{filter}");
        let slips = admin.get(&format!("/api/admin/packing-slips{oldest}")).await;
        assert_eq!(slips.between("data-order=\"", "\""), ["1001", "1002", "1003"], "{filter}");
        for default in [filter.to_owned(), format!("{filter}&sort=newest")] {
            assert_eq!(numbers(&admin, &default).await, [1003, 1002, 1001], "{default}");
            let slips = admin.get(&format!("/api/admin/packing-slips{default}")).await;
            assert_eq!(slips.between("data-order=\"", "\""), ["1003", "1002", "1001"], "{default}");
        }
    }
    let neighbors = format!("/api/admin/order/{}/neighbors?sort=", ids[1]);
    let oldest = admin.get(&format!("{neighbors}oldest")).await.gives(200);
    assert_eq!(oldest, json!({ "previous": ids[0], "next": ids[2] }));
    let newest = admin.get(&format!("{neighbors}newest")).await.gives(200);
    assert_eq!(newest, json!({ "previous": ids[2], "next": ids[0] }));
    admin.get("/api/admin/orders?sort=sideways").await.names(&["sort"]);
    admin.get("/api/admin/orders?sort=").await.names(&["sort"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn far_pages_are_the_same_from_both_ends() {
    let shop = TestShop::open().await;
    let (ada, admin, stripe) = (shop.customer().await, shop.admin().await, shop.stripe().await);
    ada.buys(&stripe, &shop.light("Nudgelight One").await, 1).await;
    shop.copies_its_order(1_249).await;
    for filter in ["?limit=100", "?limit=100&status=pending", "?limit=100&q=ada"] {
        let mut all = Vec::new();
        for page in 1..=13 {
            all.extend(numbers(&admin, &format!("{filter}&page={page}")).await);
        }
        all.reverse();
        assert_eq!(all.len(), 1_250);
        for (index, expected) in all.chunks(100).enumerate() {
            let page = index + 1;
            assert_eq!(
                numbers(&admin, &format!("{filter}&sort=oldest&page={page}")).await,
                expected,
                "{filter} {page}"
            );
        }
        assert_eq!(numbers(&admin, &format!("{filter}&sort=oldest&page=14")).await, [] as [i64; 0]);
    }
}
