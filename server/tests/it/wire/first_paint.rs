//! Server-side rendering: pages without JavaScript, as search engines, link previews and slow phones see them.

use serde_json::{Value, json};

use crate::harness::{TestShop, product};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";

// spec: Description, how it works, link to a setup tutorial at /tutorial, links to /products and /contact
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_can_be_read_without_scripts() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let home = visitor.get("/").await;
    home.has(&["Welcome to Nudgelight</h1>", "href=\"/products/nudgelight-mini\"", "$17.50", "Set up in three steps"]);
    let product = visitor.get("/products/nudgelight-one").await;
    product.has(&[
        "<title data-first-paint=\"\">Nudgelight One · Nudgelight</title>",
        "$24.99",
        "In Stock",
        "Add to Cart",
    ]);
    let about = visitor.get("/about").await;
    about.has(&["How it works", "href=\"/tutorial\"", "href=\"/products\"", "href=\"/contact\""]);
    let tutorial = visitor.get("/tutorial").await;
    tutorial.has(&["blink every 30m 09:00-17:00 for 10s", "Save the file"]);
    for page in [home, product, about, tutorial] {
        page.has(&[
            "<header id=\"nav\">",
            "<main id=\"page\"",
            "<footer>",
            "rel=\"canonical\"",
            "property=\"og:title\"",
        ]);
        assert_eq!(page.text.matches("<h1").count(), 1, "{page}");
        assert_eq!(page.text.matches("<title").count(), 1, "{page}");
        assert!(!page.text.contains("nonce"), "no script needs a nonce: {page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_search_engines_read_of_a_product_is_its_price_and_stock_of_this_moment() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let (visitor, admin, light) = (shop.visitor(), shop.admin().await, shop.light("Nudgelight One").await);
    let url = "https://shop.example/products/nudgelight-one";
    for (stock, availability) in [(120, "InStock"), (4, "LimitedAvailability"), (0, "OutOfStock")] {
        let path = format!("/api/products/{}", light.id);
        admin.patch(&path, &json!({ "stock": stock, "price": 19.05 })).await.gives(200);
        let (page, product) = (
            visitor.get("/products/nudgelight-one").await,
            visitor.get(&path.replace(&light.id, "nudgelight-one")).await,
        );
        let (fact, product) = (page.json_ld("Product"), product.gives(200));
        assert_eq!(
            (&fact["name"], &fact["description"], &fact["sku"]),
            (&product["name"], &product["description"], &product["sku"])
        );
        assert_eq!(fact["offers"]["price"], "19.05");
        assert_eq!(fact["offers"]["priceCurrency"], "USD");
        assert_eq!(fact["offers"]["availability"], format!("https://schema.org/{availability}"));
        assert_eq!((fact["url"].as_str(), fact["offers"]["url"].as_str()), (Some(url), Some(url)));
        assert_eq!(page.embedded()["products"][0], product, "the embedded data equals the response of the API");
        page.has(&[&format!("<link rel=\"canonical\" href=\"{url}\"")]);
    }
    let trail = visitor.get("/products/nudgelight-one").await.json_ld("BreadcrumbList");
    let steps: Vec<&str> =
        trail["itemListElement"].as_array().unwrap().iter().filter_map(|step| step["item"].as_str()).collect();
    assert_eq!(steps, ["https://shop.example/", "https://shop.example/products", url]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shell_finds_what_it_would_ask_for() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let body = async |path: &str| visitor.get(path).await.gives(200);
    let (config, names, products) =
        (body("/api/config").await, body("/api/product-names").await, body("/api/products").await);
    let list = body("/api/product-list").await;
    // A product, then the three that follow it.
    let products_from_one = products.clone();
    let (home, none) = (json!(products.as_array().unwrap()[..4]), Value::Null);
    for (path, products, list) in [
        ("/", &home, &none),
        ("/nothing", &home, &none),
        ("/products", &none, &list),
        ("/products/nudgelight-one", &products_from_one, &none),
        ("/about", &none, &none),
        ("/login", &none, &none),
    ] {
        let data = visitor.get(path).await.embedded();
        assert_eq!((&data["config"], &data["menu"]), (&config, &names), "{path}");
        assert_eq!((&data["products"], &data["list"]), (products, list), "{path}");
    }
}

// invariant: cross-site-scripting
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_is_text_wherever_a_page_shows_it() {
    let shop = TestShop::open_with(&[("SHOP_NAME", "Lamp </script><script>alert(2)</script> & Co")]).await;
    let (visitor, admin) = (shop.visitor(), shop.admin().await);
    let slug = admin.adds(product().name(HOSTILE).description(HOSTILE)).await.slug;
    for path in ["/", "/products", "/about", "/login", &format!("/products/{slug}")] {
        let page = visitor.get(path).await;
        let scripts = page.text.matches("<script>").count();
        assert!(scripts == 1 && !page.text.contains("<img src=x"), "exactly one script: {path}: {page}");
        let data = page.embedded();
        assert_eq!(data["menu"].as_array().unwrap().last().unwrap()["name"], HOSTILE, "{path}");
    }
    let fact = visitor.get(&format!("/products/{slug}")).await.json_ld("Product");
    assert_eq!(fact["name"], HOSTILE);
    let drawing = visitor.get(&format!("/images/{slug}.svg")).await;
    assert!(drawing.status == 200 && !drawing.text.contains("<script") && !drawing.text.contains("<img"), "{drawing}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let shop = TestShop::open().await;
    let (visitor, admin, light) = (shop.visitor(), shop.admin().await, shop.light("Nudgelight One").await);
    let first = visitor.get("/products").await;
    let tag = first.header("etag").unwrap().to_owned();
    let again = async || visitor.send(visitor.request("GET", "/products").header("if-none-match", &tag)).await;
    let unchanged = again().await;
    assert_eq!((unchanged.status, unchanged.text.as_str()), (304, ""), "{unchanged}");
    assert_eq!(unchanged.header("content-security-policy"), first.header("content-security-policy"));
    admin.patch(&format!("/api/products/{}/stock", light.id), &json!({ "stock": 3 })).await.gives(200);
    let changed = again().await;
    assert_eq!(changed.status, 200, "{changed}");
    assert_ne!(changed.header("etag"), Some(tag.as_str()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_nobody_elses_business_is_not_for_search_engines() {
    let shop = TestShop::open().await;
    let visitor = shop.visitor();
    let noindex = "<meta name=\"robots\" content=\"noindex\"";
    for path in ["/cart", "/login", "/register", "/profile/orders", "/checkout", "/admin/orders", "/products/nothing"] {
        visitor.get(path).await.has(&[noindex]);
    }
    for path in ["/", "/about", "/products", "/products/nudgelight-one", "/privacy"] {
        assert!(!visitor.get(path).await.text.contains(noindex), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_that_is_not_there_is_a_page_of_its_own_with_404() {
    let shop = TestShop::open().await;
    let (visitor, admin, light) = (shop.visitor(), shop.admin().await, shop.light("Nudgelight Duo").await);
    admin.patch(&format!("/api/products/{}", light.id), &json!({ "active": false })).await.gives(200);
    for path in ["/products/nothing", "/products/nudgelight-duo", "/products/%3Cscript%3E"] {
        let page = visitor.get(path).await;
        assert_eq!(page.status, 404, "{page}");
        page.has(&["Product not found.", "data-view=\"product-not-found\""]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_recipe_has_a_page_with_its_lamp_its_week_its_file_and_a_product() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let visitor = shop.visitor();
    let wall = visitor.get("/schedules").await;
    wall.has(&["Schedule Recipes</h1>", "rel=\"canonical\" href=\"https://shop.example/schedules\""]);
    let list = wall.json_ld("ItemList");
    let items = list["itemListElement"].as_array().unwrap();
    assert!(items.len() >= 24 && list["numberOfItems"] == items.len(), "{list}");
    for item in items {
        let url = item["url"].as_str().unwrap();
        let path = url.strip_prefix("https://shop.example").unwrap();
        wall.has(&[&format!("href=\"{path}\"")]);
        let page = visitor.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        let slug = path.strip_prefix("/schedules/").unwrap();
        page.has(&[
            "data-view=\"recipe\"",
            "data-lamp=\"",
            "aria-label=\"The week\"",
            "timezone = America/New_York\n",
            &format!("href=\"/schedule-lab#schedule={slug}\""),
            "download=\"SCHEDULE.TXT\"",
            "href=\"/products/nudgelight-one\"",
            &format!("rel=\"canonical\" href=\"{url}\""),
        ]);
        let fact = page.json_ld("WebPage");
        assert_eq!((&fact["name"], &fact["url"]), (&item["name"], &item["url"]));
    }
    for path in ["/schedules/nothing", "/schedules/%3Cscript%3E"] {
        let page = visitor.get(path).await;
        assert_eq!(page.status, 404, "{page}");
        page.has(&["Recipe not found.", "data-view=\"recipe-not-found\"", "content=\"noindex\""]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_sitemap_lists_every_public_page_and_robots_txt_leads_to_it() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let visitor = shop.visitor();
    let sitemap = visitor.get("/sitemap.xml").await;
    let listed = sitemap.between("<loc>https://shop.example", "</loc>");
    let recipes = listed.iter().filter(|path| path.starts_with("/schedules/")).count();
    assert!(recipes >= 24, "{listed:?}");
    assert_eq!(listed.len(), 14 + recipes, "{listed:?}");
    for path in listed {
        assert_eq!(visitor.get(path).await.status, 200, "{path}");
        assert_ne!(path, "/cart");
    }
    visitor.get("/robots.txt").await.has(&["Disallow: /admin\n", "Sitemap: https://shop.example/sitemap.xml"]);
    let manifest = visitor.get("/manifest.webmanifest").await;
    assert_eq!(manifest.header("content-type"), Some("application/manifest+json"));
    let manifest = manifest.gives(200);
    assert_eq!((&manifest["id"], &manifest["lang"]), (&json!("/"), &json!("en")));
    assert!(manifest["description"].as_str().is_some_and(|text| !text.is_empty()), "{manifest}");
    for icon in manifest["icons"].as_array().unwrap() {
        let file = visitor.request("GET", icon["src"].as_str().unwrap()).send().await.unwrap();
        assert_eq!(file.headers().get("content-type").unwrap(), "image/png");
    }
    let preview = visitor.request("GET", "/preview.png").send().await.unwrap();
    assert_eq!(preview.status(), 200, "the og:image exists");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn well_known_addresses_name_the_security_contact_and_lead_to_the_password_page() {
    let shop = TestShop::open_with(&[("SHOP_SUPPORT_EMAIL", "help@lamp.example")]).await;
    let visitor = shop.visitor();
    let contact = visitor.get("/.well-known/security.txt").await;
    assert_eq!((contact.status, contact.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    contact.has(&["Contact: mailto:help@lamp.example\n", "/.well-known/security.txt\n"]);
    let expires: jiff::Timestamp = contact.between("Expires: ", "\n")[0].parse().unwrap();
    let days = (expires.as_second() - jiff::Timestamp::now().as_second()) / 86_400;
    assert!((150..365).contains(&days), "{expires}");

    let change = visitor.get("/.well-known/change-password").await;
    assert_eq!((change.status, change.header("location")), (303, Some("/profile/settings")));
    // Password managers request this path to detect servers that respond with 200 to everything.
    let missing = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
    assert_eq!(visitor.get(missing).await.status, 404);

    let icon = visitor.request("GET", "/favicon.ico").send().await.unwrap();
    assert_eq!(icon.status(), 200);
    assert_eq!(icon.headers().get("content-type").unwrap(), "image/x-icon");
    assert!(icon.bytes().await.unwrap().starts_with(&[0, 0, 1, 0]), "an ICO file");
}
