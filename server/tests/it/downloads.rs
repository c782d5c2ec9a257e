//! Firmware download, which is available only if the file exists at startup.

use serde_json::json;

use crate::harness::TestShop;

const FIRMWARE: &str = "/downloads/nudgelight-pico-w.uf2";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lights_program_is_offered_by_a_shop_that_found_it_when_it_started() {
    let mut shop = TestShop::open().await;
    shop.visitor().get(FIRMWARE).await.refuses(404, "NotFound");
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["firmware"], json!(null));
    let tutorial = shop.visitor().get("/tutorial").await;
    assert!(!tutorial.text.contains("href=\"/downloads"), "{tutorial}");

    let folder = shop.inside().platform.config.data_dir.join("downloads");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("nudgelight-pico-w.uf2"), "UF2").unwrap();
    shop.restart().await;

    let offered = json!({ "url": FIRMWARE, "bytes": 3 });
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["firmware"], offered);
    let tutorial = shop.visitor().get("/tutorial").await;
    let link = format!("<a href=\"{FIRMWARE}\" download");
    assert!(tutorial.text.contains(&link) && tutorial.text.contains("(UF2, 1 KB)"), "{tutorial}");
    let program = shop.visitor().get(FIRMWARE).await;
    assert_eq!((program.status, program.text.as_str()), (200, "UF2"));
    assert_eq!(program.header("content-type"), Some("application/octet-stream"));
    assert_eq!(program.header("content-disposition"), Some("attachment; filename=\"nudgelight-pico-w.uf2\""));
}
