//! Nothing of an uploaded file but its pixels is served.

use super::attached::file;
use super::files::{exif, jpeg, png, webp, with_jpeg_segment, with_png_chunk, with_webp_chunks};
use crate::harness::TestShop;

const SECRET: &str = "37 Lamp Street, taken by Ada";

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

// invariant: photo-metadata
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_position_nor_description_nor_a_hidden_file_is_served() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let data = exif(1, SECRET);
    let xmp = format!("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>{SECRET}</x:xmpmeta>");
    let segment = [b"Exif\0\0", data.as_slice()].concat();
    let with_exif = with_jpeg_segment(&jpeg(400, 300), 0xE1, &segment);
    let with_xmp = with_jpeg_segment(&with_exif, 0xE1, xmp.as_bytes());
    let with_comment = with_jpeg_segment(&with_xmp, 0xFE, SECRET.as_bytes());
    let text = format!("Comment\0{SECRET}");
    let files = [
        [with_comment.as_slice(), SECRET.as_bytes()].concat(),
        with_png_chunk(&with_png_chunk(&png(400, 300), b"eXIf", &data), b"tEXt", text.as_bytes()),
        with_webp_chunks(&webp(400, 300), 400, 300, 12, &[(b"EXIF", &data), (b"XMP ", xmp.as_bytes())]),
    ];
    for (number, upload) in files.into_iter().enumerate() {
        assert!(contains(&upload, SECRET), "{number}: the file has it");
        let photo = admin.uploads(&light, upload).await.gives(201);
        let id = photo["id"].as_str().unwrap();
        for width in [200, 360, 400] {
            for extension in ["webp", "jpg"] {
                let served = file(&admin, &format!("{id}-{width}.{extension}")).await.unwrap();
                for trace in [SECRET, "Exif", "EXIF", "XMP", "adobe", "II*"] {
                    assert!(!contains(&served, trace), "{number}, {width}.{extension}: {trace}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn colors_are_converted_to_the_one_color_space_of_the_web() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    // The red of Display P3 is outside of sRGB: its nearest color has no green and blue at all.
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let segment = [b"ICC_PROFILE\0\x01\x01", profile.as_slice()].concat();
    let wide = with_jpeg_segment(&jpeg(64, 48), 0xE2, &segment);
    let color = async |file| admin.uploads(&light, file).await.gives(201)["color"].as_str().unwrap().to_owned();
    let (plain, converted) = (color(jpeg(64, 48)).await, color(wide).await);
    assert_ne!(plain, converted);
    // A profile that cannot be read changes nothing.
    let broken = with_jpeg_segment(&jpeg(64, 48), 0xE2, &segment[..segment.len() / 2]);
    assert_eq!(color(broken).await, plain);
}
