//! Photos that no product uses are deleted after a day, those that a product uses never.

use super::attached::file;
use super::files::{jpeg, png, webp};
use crate::harness::TestShop;

const DAY: i64 = 86_400_000;

// invariant: photo-storage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_photo_is_deleted_a_day_later() {
    let mut shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let name = |photo: serde_json::Value| format!("{}-64.webp", photo["id"].as_str().unwrap());
    let kept = name(admin.uploads(&light, png(64, 48)).await.gives(201));
    let removed = name(admin.uploads(&light, jpeg(64, 48)).await.gives(201));
    shop.clock.advance(30 * DAY);
    let admin = shop.admin().await;
    let ids = shop.photo_ids(&light).await;
    admin.lists_photos(&light, &[(&ids[0], "")]).await.gives(200);
    shop.clock.advance(DAY - 1_000);
    shop.deletes_what_is_old().await;
    // Pages in caches may still show it.
    assert!(file(&shop.visitor(), &removed).await.is_ok());
    shop.clock.advance(2_000);
    shop.deletes_what_is_old().await;
    shop.restart().await;
    assert_eq!(file(&shop.visitor(), &removed).await, Err(404));
    assert!(file(&shop.visitor(), &kept).await.is_ok());
    assert_eq!(shop.count("SELECT COUNT(*) FROM photo_variants").await, 2);
}

// invariant: photo-storage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_interrupted_upload_left_is_invisible_completed_by_the_next_one_or_deleted() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    for upload in [png(400, 300), webp(400, 300)] {
        admin.uploads(&light, upload).await.gives(201);
    }
    let ids = shop.photo_ids(&light).await;
    admin.lists_photos(&light, &[]).await.gives(200);
    // As if the process had ended before the last variant and the product were written.
    shop.tamper("DELETE FROM photo_variants WHERE width = 400 AND format = 'jpg'").await;
    assert_eq!(shop.photos(&light).await.len(), 0);
    admin.uploads(&light, png(400, 300)).await.gives(201);
    assert!(file(&shop.visitor(), &format!("{}-400.jpg", ids[0])).await.is_ok());
    shop.clock.advance(DAY + 1_000);
    shop.deletes_what_is_old().await;
    assert_eq!(shop.texts("SELECT id FROM photos").await, [ids[0].clone()]);
    assert_eq!(shop.count("SELECT COUNT(*) FROM photo_variants").await, 6);
}

// invariant: photo-storage
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upload_uses_an_old_leftover_without_losing_it_to_the_deletion() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    admin.uploads(&light, png(64, 48)).await.gives(201);
    admin.lists_photos(&light, &[]).await.gives(200);
    shop.clock.advance(2 * DAY);
    let admin = shop.admin().await;
    let photo = admin.uploads(&light, png(64, 48)).await.gives(201);
    admin.lists_photos(&light, &[]).await.gives(200);
    shop.deletes_what_is_old().await;
    assert!(file(&shop.visitor(), &format!("{}-64.jpg", photo["id"].as_str().unwrap())).await.is_ok());
}
