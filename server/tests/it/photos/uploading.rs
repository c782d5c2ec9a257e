//! The photos of a product: upload, order, alternative texts, replacement and removal.

use serde_json::{Value, json};

use super::files::{jpeg, png, webp};
use crate::harness::{Light, Person, TestShop, eventually};

async fn shop() -> (TestShop, Person, Light) {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    (shop, admin, light)
}

fn id(photo: &Value) -> String {
    photo["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_uploaded_photo_is_the_products_image_at_once() {
    let (shop, admin, light) = shop().await;
    assert_eq!(shop.photos(&light).await, [] as [Value; 0]);
    let photo = admin.uploads_with(&light, "?alt=%20On%20a%20desk%20", "image/png", png(1000, 500)).await.gives(201);
    let expected = json!({
        "id": id(&photo), "alt": "On a desk", "width": 1000, "height": 500, "color": photo["color"],
    });
    assert_eq!(photo, expected);
    let second = admin.uploads(&light, jpeg(400, 300)).await.gives(201);
    for path in ["/api/products/nudgelight-one", "/api/products/Nudgelight%20One"] {
        for client in [&shop.visitor(), &*admin] {
            let product = client.get(path).await.gives(200);
            assert_eq!(product["photos"], json!([photo, second]), "{path}");
            assert_eq!(product["image"], json!(format!("/images/photos/{}-1000.jpg", id(&photo))), "{path}");
            assert_eq!(product["version"], json!(light.version + 2), "{path}");
        }
    }
    for client in [&shop.visitor(), &*admin] {
        let list = client.get("/api/products").await.gives(200);
        for product in list.as_array().unwrap() {
            let photos = if product["id"] == json!(light.id) { json!([photo, second]) } else { json!([]) };
            assert_eq!(product["photos"], photos);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_list_orders_describes_and_removes() {
    let (shop, admin, light) = shop().await;
    let mut ids = Vec::new();
    for file in [png(64, 48), jpeg(64, 48), webp(64, 48)] {
        ids.push(id(&admin.uploads(&light, file).await.gives(201)));
    }
    let [a, b, c] = [0, 1, 2].map(|number: usize| ids[number].as_str());
    let product = admin.lists_photos(&light, &[(c, " From above "), (a, "")]).await.gives(200);
    assert_eq!(product["photos"][0]["alt"], json!("From above"));
    assert_eq!(shop.photo_ids(&light).await, [c, a]);
    // A removed photo can be uploaded again, but not be listed.
    admin.lists_photos(&light, &[(c, ""), (b, "")]).await.names(&["photos[1].id"]);
    admin.lists_photos(&light, &[(c, ""), (c, "")]).await.names(&["photos[1].id"]);
    admin
        .lists_photos(&light, &[(c, &"x".repeat(201)), (a, "two\nlines")])
        .await
        .names(&["photos[0].alt", "photos[1].alt"]);
    assert_eq!(shop.photo_ids(&light).await, [c, a]);
    admin.uploads(&light, jpeg(64, 48)).await.gives(201);
    assert_eq!(shop.photo_ids(&light).await, [c, a, b]);
    admin.lists_photos(&light, &[]).await.gives(200);
    assert_eq!(shop.photo_ids(&light).await, [] as [&str; 0]);
    let image = shop.visitor().get("/api/products/nudgelight-one").await.gives(200)["image"].clone();
    assert_eq!(image, json!("/images/nudgelight-one.svg"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_of_an_outdated_product_is_a_conflict() {
    let (_shop, admin, light) = shop().await;
    let path = format!("/api/products/{}/photos", light.id);
    admin.uploads(&light, png(64, 48)).await.gives(201);
    let outdated = json!({ "photos": [], "version": light.version });
    let conflict = admin.patch(&path, &outdated).await.refuses(409, "EditConflict");
    let current = &conflict["details"]["current"];
    assert_eq!(current["photos"].as_array().unwrap().len(), 1);
    admin.patch(&path, &json!({ "photos": [], "version": current["version"] })).await.gives(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replacement_takes_the_place_and_the_text_of_the_photo_before() {
    let (shop, admin, light) = shop().await;
    let first = id(&admin.uploads_with(&light, "?alt=Front", "image/png", png(64, 48)).await.gives(201));
    let second = id(&admin.uploads_with(&light, "?alt=Back", "image/png", jpeg(64, 48)).await.gives(201));
    let replace = |id: &str| format!("?replaces={id}");
    let third = admin.uploads_with(&light, &replace(&first), "image/webp", webp(64, 48)).await.gives(201);
    assert_eq!(third["alt"], json!("Front"));
    assert_eq!(shop.photo_ids(&light).await, [id(&third), second.clone()]);
    let with_text = format!("{}&alt=Side", replace(&second));
    admin.uploads_with(&light, &with_text, "image/png", png(100, 100)).await.gives(201);
    assert_eq!(shop.photos(&light).await[1]["alt"], json!("Side"));
    // By itself, by another one of the product, and one that isn't there.
    let same = admin.uploads_with(&light, &replace(&id(&third)), "image/webp", webp(64, 48)).await.gives(201);
    assert_eq!(same, third);
    admin.uploads_with(&light, &replace(&id(&third)), "image/png", png(100, 100)).await.names(&["photo"]);
    admin.uploads_with(&light, &replace(&first), "image/png", png(90, 90)).await.names(&["replaces"]);
    assert_eq!(shop.photos(&light).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_has_twelve_different_photos_at_most_and_products_may_share_one() {
    let (shop, admin, light) = shop().await;
    for number in 0..12 {
        admin.uploads(&light, png(40 + number, 40)).await.gives(201);
    }
    admin.uploads(&light, png(80, 40)).await.names(&["photo"]);
    let last = shop.photo_ids(&light).await[11].clone();
    admin.uploads_with(&light, &format!("?replaces={last}"), "image/png", png(80, 40)).await.gives(201);
    let other = shop.light("Nudgelight Duo").await;
    admin.uploads(&other, png(40, 40)).await.gives(201);
    admin.uploads(&other, png(40, 40)).await.names(&["photo"]);
    assert_eq!(shop.photos(&other).await[0], shop.photos(&light).await[0]);
    assert_eq!(shop.count("SELECT COUNT(*) FROM photos").await, 13);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_cannot_be_carried_out_says_why() {
    let (shop, admin, light) = shop().await;
    let unknown = Light { id: "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b".to_owned(), ..light.clone() };
    admin.uploads(&unknown, png(64, 48)).await.refuses(404, "NotFound");
    admin.lists_photos(&unknown, &[]).await.refuses(404, "NotFound");
    // A name isn't an id here.
    let by_name = Light { id: light.slug.clone(), ..light.clone() };
    admin.uploads(&by_name, png(64, 48)).await.refuses(404, "NotFound");
    for content_type in ["text/html", "multipart/form-data; boundary=x", "application/json", ""] {
        let response = admin.uploads_with(&light, "", content_type, png(64, 48)).await;
        response.refuses(415, "UnsupportedMediaType");
    }
    let long = format!("?alt={}", "x".repeat(201));
    for query in [long.as_str(), "?alt=two%0Alines", "?alt=%00"] {
        admin.uploads_with(&light, query, "image/png", png(64, 48)).await.names(&["alt"]);
    }
    admin.uploads_with(&light, "?replaces=..%2F..%2Fx", "image/png", png(64, 48)).await.names(&["replaces"]);
    assert_eq!(shop.photos(&light).await, [] as [Value; 0]);
}

// invariant: photo-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_is_15_megabytes_at_most() {
    let (shop, admin, light) = shop().await;
    let limit = 15 * 1024 * 1024;
    let padded = |length: usize| {
        let mut file = png(64, 48);
        file.resize(length, 0);
        file
    };
    admin.uploads(&light, padded(limit)).await.gives(201);
    let too_large = admin.uploads(&light, padded(limit + 1)).await.refuses(413, "BodyTooLarge");
    assert_eq!(too_large["error"], json!("The request body is limited to 15728640 bytes."));
    assert_eq!(shop.photos(&light).await.len(), 1);
}

/// A body that never ends, after this many bytes.
fn unfinished(bytes: usize) -> reqwest::Body {
    use futures_util::StreamExt as _;
    use futures_util::stream::{once, pending};
    let start = once(async move { Ok::<_, std::convert::Infallible>(vec![0_u8; bytes]) });
    reqwest::Body::wrap(http_body_util::StreamBody::new(
        start.chain(pending()).map(|chunk| chunk.map(|bytes| hyper::body::Frame::data(axum::body::Bytes::from(bytes)))),
    ))
}

// invariant: photo-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_third_upload_at_the_same_time_is_asked_to_wait_and_customers_are_not() {
    let (shop, admin, light) = shop().await;
    let busy = [0, 1].map(|_| {
        let (admin, light) = (admin.clone(), light.clone());
        tokio::spawn(async move { admin.uploads(&light, unfinished(100_000)).await })
    });
    // Without a pause, this upload could take the place of one of the others, which would then be the rejected one.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    // The whole file is received before the rejection, so that the client reads it. It is no photo, so that nothing is added
    // while the others have not begun.
    let rejected = eventually("the rejection", async || {
        let third = admin.uploads(&light, vec![0; 3_000_000]).await;
        (third.status == 429).then_some(third)
    })
    .await;
    let message = rejected.refuses(429, "TooManyRequests")["error"].clone();
    assert_eq!(message, json!("Two photos are being uploaded already. Please try again in a moment."));
    assert_eq!(rejected.header("retry-after"), Some("5"));
    shop.visitor().get("/api/products").await.gives(200);
    shop.visitor().get("/api/products/nudgelight-one").await.gives(200);
    // A client that goes away makes room.
    busy.iter().for_each(tokio::task::JoinHandle::abort);
    eventually("room for an upload", async || {
        let response = admin.uploads(&light, png(64, 48)).await;
        (response.status == 201).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_at_the_same_time_all_count() {
    let (shop, admin, light) = shop().await;
    let (one, two) = tokio::join!(admin.uploads(&light, png(64, 48)), admin.uploads(&light, jpeg(64, 48)));
    one.gives(201);
    two.gives(201);
    assert_eq!(shop.photos(&light).await.len(), 2);
    shop.audit().await;
}
