//! Every kind of still image that people have is decoded to the right pixels.

use image::{DynamicImage, GenericImageView as _, ImageBuffer, ImageFormat, Luma, LumaA, Rgba, RgbaImage};

use super::attached::picture;
use super::files::PngColor;
use super::files::{
    QUADRANTS, encoded, exif, flat_png, interlaced_png, jpeg, png, quadrants, webp, with_jpeg_segment, with_png_chunk,
    with_webp_chunks,
};
use crate::harness::{Light, Person, TestShop};

/// The middle of each quadrant, which both formats reproduce closely.
fn colors(image: &DynamicImage) -> [[u8; 3]; 4] {
    let (width, height) = image.dimensions();
    [(1, 1), (3, 1), (1, 3), (3, 3)].map(|(x, y)| {
        let pixel = image.get_pixel(width * x / 4, height * y / 4).0;
        [pixel[0], pixel[1], pixel[2]]
    })
}

#[track_caller]
fn assert_close(found: [[u8; 3]; 4], expected: [[u8; 3]; 4], name: &str) {
    let differences = found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| a.abs_diff(*b));
    // In a small picture, JPEG mixes colors at their borders.
    assert!(differences.max().unwrap() <= 40, "{name}: {found:?}, not {expected:?}");
}

/// Uploads a file in place of the product's photos, and compares what is served in both formats.
async fn shows(admin: &Person, light: &Light, name: &str, file: Vec<u8>, size: (i64, i64), expected: [[u8; 3]; 4]) {
    let photo = admin.uploads(light, file).await;
    assert_eq!(photo.status, 201, "{name}: {photo}");
    let photo = photo.json();
    assert_eq!((photo["width"].as_i64(), photo["height"].as_i64()), (Some(size.0), Some(size.1)), "{name}");
    let color = photo["color"].as_str().unwrap();
    assert!(color.len() == 7 && color.starts_with('#'), "{name}: {color}");
    let id = photo["id"].as_str().unwrap();
    for extension in ["webp", "jpg"] {
        let picture = picture(admin, &format!("{id}-{}.{extension}", size.0.min(360))).await;
        assert_close(colors(&picture), expected, &format!("{name}.{extension}"));
    }
    admin.lists_photos(light, &[]).await.gives(200);
}

/// Shades of gray of the four colors, as video standards weigh them: old (JPEG) and new.
const OLD_GRAYS: [[u8; 3]; 4] = [[87; 3], [118; 3], [52; 3], [240; 3]];
const GRAYS: [[u8; 3]; 4] = [[70; 3], [137; 3], [44; 3], [240; 3]];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jpegs_of_every_kind_are_shown() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let small = (64, 48);
    let zip = [jpeg(64, 48), b"PK\x03\x04 a second file behind the first".to_vec()].concat();
    let mut without_end = jpeg(64, 48);
    without_end.truncate(without_end.len() - 2);
    for (name, file, size, expected) in [
        ("baseline", jpeg(64, 48), small, QUADRANTS),
        ("progressive", include_bytes!("corpus/progressive.jpg").to_vec(), small, QUADRANTS),
        ("subsampled", include_bytes!("corpus/subsampled.jpg").to_vec(), small, QUADRANTS),
        ("restart intervals", include_bytes!("corpus/restarts.jpg").to_vec(), small, QUADRANTS),
        ("cmyk", include_bytes!("corpus/cmyk.jpg").to_vec(), small, QUADRANTS),
        ("gray", include_bytes!("corpus/gray.jpg").to_vec(), small, OLD_GRAYS),
        ("jpeg and zip", zip, small, QUADRANTS),
        ("without its end marker", without_end, small, QUADRANTS),
        ("odd size", jpeg(333, 127), (333, 127), QUADRANTS),
        ("large", jpeg(2500, 1000), (2500, 1000), QUADRANTS),
    ] {
        shows(&admin, &light, name, file, size, expected).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pngs_of_every_kind_are_shown() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let image = quadrants(64, 48);
    let as_png = |image: DynamicImage| encoded(&image, ImageFormat::Png);
    let gray16 = ImageBuffer::<Luma<u16>, _>::from_fn(64, 48, |_, _| Luma([77 * 257]));
    let gray_alpha16 = ImageBuffer::<LumaA<u16>, _>::from_fn(64, 48, |_, _| LumaA([0, 32_768]));
    let html = [png(64, 48), b"<script>alert(1)</script>".to_vec()].concat();
    let text = with_png_chunk(&png(64, 48), b"tEXt", b"Comment\0<script>alert(1)</script>");
    let small = (64, 48);
    for (name, file, size, expected) in [
        ("rgb", png(64, 48), small, QUADRANTS),
        ("rgba", as_png(image.to_rgba8().into()), small, QUADRANTS),
        ("16 bits", as_png(image.to_rgb16().into()), small, QUADRANTS),
        ("16 bits and alpha", as_png(image.to_rgba16().into()), small, QUADRANTS),
        ("gray", as_png(image.to_luma8().into()), small, GRAYS),
        ("gray and alpha", as_png(image.to_luma_alpha8().into()), small, GRAYS),
        ("16 bits gray", as_png(gray16.into()), small, [[77; 3]; 4]),
        ("16 bits gray, half transparent on white", as_png(gray_alpha16.into()), small, [[127; 3]; 4]),
        ("palette", include_bytes!("corpus/palette.png").to_vec(), small, QUADRANTS),
        ("interlaced", interlaced_png(), (8, 8), QUADRANTS),
        ("png and html", html, small, QUADRANTS),
        ("html in a text", text, small, QUADRANTS),
        ("one pixel", flat_png(1, 1, PngColor::Rgb), (1, 1), [[0; 3]; 4]),
        ("four times as long as wide", flat_png(400, 100, PngColor::Rgb), (400, 100), [[0; 3]; 4]),
        ("four times as tall as wide", flat_png(100, 400, PngColor::Rgb), (100, 400), [[0; 3]; 4]),
        ("fully transparent", flat_png(64, 48, PngColor::Rgba), small, [[255; 3]; 4]),
    ] {
        shows(&admin, &light, name, file, size, expected).await;
    }
    let transparent = include_bytes!("corpus/palette-transparent.png").to_vec();
    admin.uploads(&light, transparent).await.gives(201);
    admin.lists_photos(&light, &[]).await.gives(200);
    let one_bit = include_bytes!("corpus/one-bit.png").to_vec();
    admin.uploads(&light, one_bit).await.gives(201);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn webps_of_every_kind_are_shown() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let image = quadrants(64, 48);
    let lossless = webp::Encoder::from_rgb(image.as_bytes(), 64, 48).encode_lossless().to_vec();
    let half = RgbaImage::from_fn(64, 48, |_, _| Rgba([0, 0, 0, 128]));
    let alpha = webp::Encoder::from_rgba(half.as_raw(), 64, 48).encode(80.0).to_vec();
    let alpha_lossless = webp::Encoder::from_rgba(half.as_raw(), 64, 48).encode_lossless().to_vec();
    let small = (64, 48);
    for (name, file, size, expected) in [
        ("lossy", webp(64, 48), small, QUADRANTS),
        ("lossless", lossless, small, QUADRANTS),
        ("half transparent on white", alpha, small, [[127; 3]; 4]),
        ("lossless, half transparent on white", alpha_lossless, small, [[127; 3]; 4]),
        ("large", webp(2000, 1000), (2000, 1000), QUADRANTS),
        ("extended", with_webp_chunks(&webp(64, 48), 64, 48, 0, &[]), small, QUADRANTS),
    ] {
        shows(&admin, &light, name, file, size, expected).await;
    }
}

/// The quadrants of an upright picture after a camera with this orientation has stored it: the four colors of the file,
/// from the upper left to the lower right, give this picture.
const UPRIGHT: [[usize; 4]; 8] =
    [[0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 1, 3], [2, 0, 3, 1], [3, 1, 2, 0], [1, 3, 0, 2]];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_is_turned_upright_whatever_way_the_camera_was_held() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    for (number, quadrants) in (1_u16..).zip(UPRIGHT) {
        let size = if number < 5 { (600, 400) } else { (400, 600) };
        let expected = quadrants.map(|quadrant| QUADRANTS[quadrant]);
        let data = exif(number, "");
        let segment = [b"Exif\0\0", data.as_slice()].concat();
        for (name, file) in [
            ("jpeg", with_jpeg_segment(&jpeg(600, 400), 0xE1, &segment)),
            ("png", with_png_chunk(&png(600, 400), b"eXIf", &data)),
            ("webp", with_webp_chunks(&webp(600, 400), 600, 400, 8, &[(b"EXIF", &data)])),
        ] {
            shows(&admin, &light, &format!("{name}, orientation {number}"), file, size, expected).await;
        }
    }
    // An orientation that doesn't exist is none.
    let segment = [b"Exif\0\0", exif(9, "").as_slice()].concat();
    let file = with_jpeg_segment(&jpeg(600, 400), 0xE1, &segment);
    shows(&admin, &light, "orientation 9", file, (600, 400), QUADRANTS).await;
}
