//! The product list: pages, order and search, as HTML and as JSON.

use serde_json::{Value, json};

use crate::harness::{ApiResponse, TestShop, eventually, product};

/// A shop with the four lights of the demonstration and 50 lamps: 54 products, three pages.
async fn with_lamps() -> TestShop {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let admin = shop.admin().await;
    for number in 1..=50 {
        let color = if number % 2 == 0 { "Amber" } else { "Azure" };
        let price = if number == 50 { 0.5 } else { 100.0 };
        admin.adds(product().name(format!("Lamp {color} {number:02}")).price(price)).await;
    }
    shop
}

/// The slugs of the products that a page of the list shows, in order.
fn shown(page: &ApiResponse) -> Vec<&str> {
    let (_, list) = page.text.split_once("<main").unwrap();
    let (list, _) = list.split_once("</main>").unwrap();
    list.split("href=\"/products/").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn slugs(list: &Value) -> Vec<&str> {
    list["products"].as_array().unwrap().iter().filter_map(|product| product["slug"].as_str()).collect()
}

fn canonical(page: &ApiResponse) -> Option<&str> {
    page.between("<link rel=\"canonical\" href=\"https://shop.example", "\"").first().copied()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_pages_show_every_product_once_and_lead_to_each_other_without_scripts() {
    let shop = with_lamps().await;
    let visitor = shop.visitor();
    let pages =
        [visitor.get("/products").await, visitor.get("/products?page=2").await, visitor.get("/products?page=3").await];
    let slugs: Vec<&str> = pages.iter().flat_map(shown).collect();
    let all = visitor.get("/api/products").await.gives(200);
    let listed: Vec<&str> = all.as_array().unwrap().iter().filter_map(|product| product["slug"].as_str()).collect();
    assert_eq!(slugs, listed);
    assert_eq!(pages.each_ref().map(|page| shown(page).len()), [24, 24, 6]);
    pages[0].has(&["54 products, page 1 of 3", "<title data-first-paint=\"\">Products · Nudgelight</title>"]);
    pages[1].has(&[
        "54 products, page 2 of 3",
        "<title data-first-paint=\"\">Products, page 2 · Nudgelight</title>",
        "<a href=\"/products\" rel=\"prev\"",
        "<a href=\"/products?page=3\" rel=\"next\"",
        "<link rel=\"prev\" href=\"https://shop.example/products\"",
        "<link rel=\"next\" href=\"https://shop.example/products?page=3\"",
        "<nav aria-label=\"Pages\"",
        "<form role=\"search\" action=\"/products\" method=\"get\"",
    ]);
    assert!(!pages[2].text.contains("rel=\"next\""), "{}", pages[2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_that_makes_no_sense_is_a_page_and_each_page_has_one_canonical_address() {
    let shop = with_lamps().await;
    let visitor = shop.visitor();
    for (query, path) in [
        ("", "/products"),
        ("?page=1&sort=featured&q=", "/products"),
        ("?page=0", "/products"),
        ("?page=-7&sort=cheap", "/products"),
        ("?page=%00&q=%FF%00", "/products"),
        ("?utm_source=mail&page=2", "/products?page=2"),
        ("?page=2&sort=price", "/products?sort=price&page=2"),
        ("?page=99999999999999999999", "/products"),
        ("?page=4000000000", "/products?page=3"),
    ] {
        let page = visitor.get(&format!("/products{query}")).await;
        assert_eq!(page.status, 200, "{query}");
        let found = canonical(&page).or_else(|| page.text.contains("noindex").then_some("search"));
        let expected = if query.contains("%FF") { "search" } else { path };
        assert_eq!(found.map(|found| found.replace("&amp;", "&")).as_deref(), Some(expected), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_finds_words_of_the_name_and_is_not_for_search_engines() {
    let shop = with_lamps().await;
    let visitor = shop.visitor();
    let found = visitor.get("/products?q=aMBer+LAMP&page=2").await;
    assert_eq!((found.status, shown(&found)), (200, vec!["lamp-amber-50"]));
    found.has(&["25 products for “aMBer LAMP”, page 2 of 2", "value=\"aMBer LAMP\"", "noindex"]);
    found.has(&["<a href=\"/products?q=aMBer+LAMP\" rel=\"prev\""]);
    assert_eq!(canonical(&found), None);
    let nothing = visitor.get("/products?q=%3Cscript%3Ealert(1)%3C/script%3E").await;
    nothing.has(&["Clear search", "href=\"/products\""]);
    assert!(!nothing.text.contains("<script>alert"), "{nothing}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_is_sent_compressed() {
    let shop = with_lamps().await;
    let plain = shop.visitor().get("/products?q=lamp").await;
    let request = shop.visitor().request("GET", "/products?q=lamp").header("accept-encoding", "gzip");
    let compressed = request.send().await.unwrap();
    assert_eq!(compressed.headers().get("content-encoding").map(|value| value.as_bytes()), Some(&b"gzip"[..]));
    let size = compressed.bytes().await.unwrap().len();
    assert!(size * 4 < plain.text.len(), "{size} of {}", plain.text.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_list_is_ordered_by_price_or_by_age() {
    let shop = with_lamps().await;
    let visitor = shop.visitor();
    let cheapest = visitor.get("/products?sort=price").await;
    assert_eq!(shown(&cheapest)[..3], ["lamp-amber-50", "nudgelight-mini", "nudgelight-one"]);
    let newest = visitor.get("/products?sort=newest").await;
    assert_eq!(shown(&newest)[..2], ["lamp-amber-50", "lamp-azure-49"]);
    newest.has(&["<a href=\"/products?sort=newest\" aria-current=\"true\"", "name=\"sort\" value=\"newest\""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_endpoint_gives_what_the_page_shows_for_any_query() {
    let shop = with_lamps().await;
    let visitor = shop.visitor();
    for query in [
        "",
        "page=3",
        "sort=price&page=2",
        "q=amber&sort=newest",
        "q=nothing",
        "page=0&sort=cheap&other=1",
        "page=two&q=%00%FF",
        &format!("q={}", "a".repeat(5_000)),
    ] {
        let list = visitor.get(&format!("/api/product-list?{query}")).await.gives(200);
        let page = visitor.get(&format!("/products?{query}")).await;
        assert_eq!(slugs(&list), shown(&page), "{query}");
        assert_eq!(page.embedded()["list"], list, "{query}");
    }
    let last = visitor.get("/api/product-list?page=1000000000").await.gives(200);
    assert_eq!((&last["query"]["page"], &last["pages"], &last["total"]), (&3.into(), &3.into(), &54.into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_products_of_a_cart_are_found_by_their_ids() {
    let shop = TestShop::open().await;
    let (visitor, admin) = (shop.visitor(), shop.admin().await);
    let (one, duo) = (shop.light("Nudgelight One").await, shop.light("Nudgelight Duo").await);
    let found = async |ids: &str| {
        let found = visitor.get(&format!("/api/products?ids={ids}")).await.gives(200);
        found.as_array().unwrap().iter().map(|product| product["slug"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // The whole list is cached under the same path.
    assert_eq!(visitor.get("/api/products").await.gives(200).as_array().unwrap().len(), 4);
    assert_eq!(found(&format!("{},nothing,{}", duo.id, one.id)).await, ["nudgelight-one", "nudgelight-duo"]);
    assert!(found("").await.is_empty());
    admin.patch(&format!("/api/products/{}", duo.id), &serde_json::json!({ "active": false })).await.gives(200);
    assert_eq!(found(&format!("{},{}", duo.id, one.id)).await, ["nudgelight-one"]);
    let many: Vec<String> = (0..51).map(|number| number.to_string()).collect();
    visitor.get(&format!("/api/products?ids={}", many.join(","))).await.names(&["ids"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_leads_to_those_that_follow_it_in_the_catalog() {
    let shop = TestShop::open().await;
    let (visitor, duo) = (shop.visitor(), shop.light("Nudgelight Duo").await);
    for name in ["nudgelight-duo", "Nudgelight%20Duo", &duo.id] {
        let related = visitor.get(&format!("/api/products/{name}/related")).await.gives(200);
        let names: Vec<&str> = related.as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["Nudgelight Halo", "Nudgelight One", "Nudgelight Mini"], "{name}");
    }
    visitor.get("/api/products/nothing/related").await.refuses(404, "NotFound");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_menu_of_a_large_catalog_is_not_part_of_every_page() {
    let shop = TestShop::open().await;
    let (visitor, admin) = (shop.visitor(), shop.admin().await);
    let names = async || visitor.get("/api/product-names").await.gives(200);
    let few = visitor.get("/about").await.embedded();
    assert_eq!(few["menu"], names().await);
    for number in 5..=201 {
        admin.adds(product().name(format!("Lamp {number}"))).await;
    }
    assert_eq!(names().await.as_array().unwrap().len(), 201);
    let page = visitor.get("/about").await;
    assert_eq!(page.embedded()["menu"], Value::Null);
    assert_eq!(page.text.matches("href=\"/products/").count(), 8, "the menu without scripts has the first names");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_home_page_names_the_lowest_price_of_all_active_products() {
    let shop = TestShop::open().await;
    let admin = shop.admin().await;
    admin.adds(product().name("Nudgelight Zero").price(3.25).stock(5)).await;
    let hidden = admin.adds(product().name("Nudgelight Draft").price(1.5).stock(5)).await;
    admin.patch(&format!("/api/products/{}", hidden.id), &json!({ "active": false })).await.gives(200);
    let home = eventually("the catalog", async || {
        let home = shop.visitor().get("/").await;
        home.text.contains("From $3.25").then_some(home)
    })
    .await;
    assert!(!home.text.contains("$1.50"), "{home}");
}
