//! The light's program, which a shop has only once it was built.

use crate::harness::TestShop;

const PROGRAM: &str = "/downloads/nudgelight-pico-w.uf2";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lights_program_is_there_once_it_lies_in_the_data_folder() {
    let shop = TestShop::open().await;
    shop.visitor().get(PROGRAM).await.refuses(404, "NotFound");

    let folder = shop.inside().config.data_dir.join("downloads");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("nudgelight-pico-w.uf2"), "UF2").unwrap();

    let program = shop.visitor().get(PROGRAM).await;
    assert_eq!((program.status, program.text.as_str()), (200, "UF2"));
    assert_eq!(program.header("content-type"), Some("application/octet-stream"));
    assert_eq!(program.header("content-disposition"), Some("attachment; filename=\"nudgelight-pico-w.uf2\""));
}
