//! What is served of a photo: sizes, formats and headers.

use image::GenericImageView as _;

use super::attached::{file, picture};
use super::files::{PngColor, encoded, flat_png, jpeg, noise};
use crate::harness::TestShop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_is_served_in_five_widths_and_never_enlarged() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    for (upload, heights) in [
        (jpeg(3000, 2000), &[(200, 133), (360, 240), (720, 480), (1200, 800), (1920, 1280)][..]),
        (jpeg(700, 500), &[(200, 143), (360, 257), (700, 500)][..]),
        (jpeg(100, 60), &[(100, 60)][..]),
        (flat_png(1600, 6000, PngColor::Rgb), &[(200, 750), (360, 1350), (720, 2700)][..]),
    ] {
        let photo = admin.uploads(&light, upload).await.gives(201);
        let id = photo["id"].as_str().unwrap();
        for (width, height) in heights {
            for extension in ["webp", "jpg"] {
                let picture = picture(&shop.visitor(), &format!("{id}-{width}.{extension}")).await;
                assert_eq!(picture.dimensions(), (*width, *height));
            }
        }
    }
    assert_eq!(shop.count("SELECT COUNT(*) FROM photo_variants").await, 24);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_may_be_cached_forever() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let photo = admin.uploads(&light, jpeg(400, 300)).await.gives(201);
    let id = photo["id"].as_str().unwrap();
    for (extension, media_type) in [("webp", "image/webp"), ("jpg", "image/jpeg")] {
        let path = format!("/images/photos/{id}-400.{extension}");
        // From the database, then from the cache.
        for _ in 0..2 {
            let served = shop.visitor().get(&path).await;
            assert_eq!(served.status, 200);
            assert_eq!(served.header("content-type"), Some(media_type));
            assert_eq!(served.header("cache-control"), Some("public, max-age=31536000, immutable"));
            assert_eq!(served.header("x-content-type-options"), Some("nosniff"));
            let etag = served.header("etag").unwrap().to_owned();
            let again = shop.visitor().request("GET", &path).header("if-none-match", &etag);
            let again = shop.visitor().send(again).await;
            assert_eq!((again.status, again.header("etag")), (304, Some(etag.as_str())));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_photo_is_not_found() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let photo = admin.uploads(&light, jpeg(400, 300)).await.gives(201);
    let id = photo["id"].as_str().unwrap();
    let unknown = "0".repeat(32);
    for name in [
        format!("{unknown}-400.webp"),
        format!("{id}-401.webp"),
        format!("{id}-720.jpg"),
        format!("{id}-0400.jpg"),
        format!("{id}-400.png"),
        format!("{id}-400.svg"),
        format!("{id}.jpg"),
        format!("{}-400.jpg", id.to_uppercase()),
        format!("{id}-99999999999999999999.jpg"),
        format!("{id}-400.jpg%00"),
        "..%2F..%2Fetc%2Fpasswd".to_owned(),
        "a".repeat(200),
    ] {
        shop.visitor().get(&format!("/images/photos/{name}")).await.refuses(404, "NotFound");
    }
}

// invariant: photo-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_that_is_served_is_larger_than_a_megabyte() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let upload = encoded(&noise(2000, 1500), image::ImageFormat::Png);
    let photo = admin.uploads(&light, upload).await.gives(201);
    let id = photo["id"].as_str().unwrap();
    for width in [200, 360, 720, 1200, 1920] {
        for extension in ["webp", "jpg"] {
            let file = file(&admin, &format!("{id}-{width}.{extension}")).await.unwrap();
            assert!(file.len() <= 1_000_000, "{width}.{extension}: {}", file.len());
        }
    }
}
