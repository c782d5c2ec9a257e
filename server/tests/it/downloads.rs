//! Firmware download, which is available only if the file exists at startup.

use serde_json::json;
use sha2::{Digest as _, Sha256};
use wasm_core::{firmware_version, uf2};

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
    let file = folder.join("nudgelight-pico-w.uf2");
    std::fs::write(&file, "no UF2").unwrap();
    shop.restart().await;
    shop.visitor().get(FIRMWARE).await.refuses(404, "NotFound");

    // A program that has changed without a new version.
    let mut flash = [b' '; 256];
    flash.iter_mut().zip(firmware_version!("0.1.0").bytes()).for_each(|(to, from)| *to = from);
    std::fs::write(&file, uf2::block(0, 1, &flash)).unwrap();
    shop.restart().await;
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["firmware"], json!(null));

    let hash = hex::encode(Sha256::digest(flash));
    uf2::hash_digits(&mut flash).unwrap().copy_from_slice(&hash.as_bytes()[..8]);
    let content = uf2::block(0, 1, &flash);
    std::fs::write(&file, content).unwrap();
    shop.restart().await;

    let (version, sha256) = (format!("0.1.0+{}", &hash[..8]), hex::encode(Sha256::digest(content)));
    let offered = json!({ "url": FIRMWARE, "bytes": 512, "version": version, "sha256": sha256 });
    assert_eq!(shop.visitor().get("/api/config").await.gives(200)["firmware"], offered);
    let tutorial = shop.visitor().get("/tutorial").await;
    let link = format!("<a href=\"{FIRMWARE}\" download");
    assert!(tutorial.text.contains(&link) && tutorial.text.contains("(UF2, 1 KB)"), "{tutorial}");
    let program = shop.visitor().get(FIRMWARE).await;
    assert_eq!((program.status, program.text.contains("nudgelight-firmware-version")), (200, true));
    assert_eq!(program.header("content-type"), Some("application/octet-stream"));
    assert_eq!(program.header("content-disposition"), Some("attachment; filename=\"nudgelight-pico-w.uf2\""));
}
