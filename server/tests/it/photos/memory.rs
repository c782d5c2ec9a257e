//! Memory use: the largest photos stay within their share.

use std::process::Child;

use serde_json::json;

use super::files::{PngColor, flat_png};
use crate::configuration::serve;
use crate::harness::{ADMIN, Client, Folder, Light, PASSWORD, Person};

/// In KiB: `VmHWM:` is the highest resident memory so far, `VmRSS:` is that of now.
fn memory_of(process: &Child, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with(field)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

// invariant: photo-limits
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_of_the_largest_photos_at_once_stay_within_their_memory() {
    let folder = Folder::new();
    let vars = [
        ("SHOP_ADDR", "127.0.0.1:0"),
        ("SHOP_BOT_CHECK", "off"),
        ("SHOP_RATE_LIMITS", "off"),
        ("SHOP_DEMO_PASSWORD", PASSWORD),
    ];
    let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
    let client = Client::new(&url);
    let login = json!({ "username": ADMIN, "password": PASSWORD, "recaptchaToken": "" });
    let admin = Person::of(&client, &client.post("/api/auth/login", &login).await.gives(200));
    let light: Light = serde_json::from_value(client.get("/api/products/nudgelight-one").await.gives(200)).unwrap();

    // 50 megapixels with transparency, each padded to the largest file.
    let [first, second] = [(8_660, 5_773), (8_650, 5_780)].map(|(width, height)| {
        let mut file = flat_png(width, height, PngColor::Rgba);
        file.resize(15 * 1024 * 1024, 0);
        file
    });
    let (first, second) = tokio::join!(admin.uploads(&light, first), admin.uploads(&light, second));
    first.gives(201);
    second.gives(201);
    let peak = memory_of(&process.0, "VmHWM:");
    // 360 to 411 MB have been measured, depending on how the two uploads arrive.
    assert!(peak < 430 * 1024, "{peak} KiB");
    // The memory is returned, not kept for another photo.
    let kept = memory_of(&process.0, "VmRSS:");
    assert!(kept < peak / 2, "{kept} of {peak} KiB");
}
