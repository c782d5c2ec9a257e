//! Files that are rejected: with a sentence, in time, and without a change of what customers see.

use image::{ImageEncoder as _, ImageFormat};

use super::files::{
    PngColor, encoded, flat_png, jpeg, noise, png, png_of, quadrants, webp, with_png_chunk, with_webp_chunks,
};
use crate::harness::{ApiResponse, Light, Person, TestShop};

const OTHER_FORMAT: &str = "This file isn’t a JPEG, PNG or WebP image. Save it as one of them and try again.";
const ANIMATED: &str = "This image is animated. Upload a still image instead.";
const DAMAGED: &str = "This image is damaged or incomplete. Open it in a photo app, save a copy and upload the copy.";
const TOO_MANY_PIXELS: &str = "Photos are limited to 50 megapixels. Make this one smaller and try again.";
const TOO_NARROW: &str =
    "A photo can be at most four times as long as it is wide, or the other way round. Crop this one and try again.";
const TOO_MUCH_MEMORY: &str = "This image needs too much memory to open. Save it as a JPEG that isn’t progressive, or \
                               make it smaller, and try again.";
const TOO_DETAILED: &str = "This image is too detailed to be compressed. Make it smaller and try again.";

async fn is_rejected(admin: &Person, light: &Light, name: &str, file: Vec<u8>, sentence: &str) {
    let response = admin.uploads(light, file).await;
    assert_eq!(message(&response), sentence, "{name}: {response}");
}

#[track_caller]
fn message(response: &ApiResponse) -> String {
    response.names(&["photo"])["fields"]["photo"].as_str().unwrap().to_owned()
}

/// A file cut after these percents of its bytes.
fn cut(file: &[u8], percent: usize) -> Vec<u8> {
    file[..file.len() * percent / 100].to_vec()
}

/// A JPEG whose header claims another size.
fn jpeg_claiming(width: u16, height: u16) -> Vec<u8> {
    let mut file = jpeg(64, 48);
    let frame = file.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    file[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    file[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    file
}

// invariant: photo-content
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_of_another_format_is_told_from_its_content() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let mut bitmap = Vec::new();
    bitmap.extend(b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0");
    bitmap.extend([0; 40]);
    let files: [(&str, &[u8]); 15] = [
        ("gif", include_bytes!("corpus/still.gif")),
        ("animated gif", include_bytes!("corpus/animated.gif")),
        ("bmp", &bitmap),
        ("tiff", include_bytes!("corpus/tagged.tiff")),
        ("avif", include_bytes!("corpus/photo.avif")),
        ("jpeg 2000", include_bytes!("corpus/photo.jp2")),
        ("ico", include_bytes!("corpus/icon.ico")),
        ("heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"),
        ("svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>"),
        ("svg with a declaration", b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        ("html", b"<!doctype html><img src=x onerror=alert(1)>"),
        ("html and jpeg", b"<script>alert(1)</script>\xFF\xD8\xFF\xE0"),
        ("pdf", b"%PDF-1.7\n1 0 obj"),
        ("zip", b"PK\x03\x04\x14\0\0\0"),
        ("text", b"../../etc/passwd"),
    ];
    for (name, file) in files {
        is_rejected(&admin, &light, name, file.to_vec(), OTHER_FORMAT).await;
        // The content type of the request changes nothing.
        for content_type in ["image/jpeg", "image/png", "image/svg+xml"] {
            let response = admin.uploads_with(&light, "", content_type, file.to_vec()).await;
            assert_eq!(message(&response), OTHER_FORMAT, "{name} as {content_type}");
        }
    }
    is_rejected(&admin, &light, "nothing", Vec::new(), "This file is empty. Choose another one.").await;
    admin.uploads_with(&light, "", "image/svg+xml", png(64, 48)).await.gives(201);
}

// invariant: photo-content
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_or_animated_file_is_rejected_and_the_photo_before_stays() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let kept = admin.uploads(&light, png(640, 480)).await.gives(201);
    let id = kept["id"].as_str().unwrap();
    let [jpeg, png, webp] = [jpeg(640, 480), png(640, 480), webp(640, 480)];
    let flipped = |file: &[u8]| {
        let mut file = file.to_vec();
        let middle = file.len() / 2;
        file[middle] ^= 0x55;
        file
    };
    let progressive = include_bytes!("corpus/progressive.jpg");
    let mut files = vec![
        ("flipped png", flipped(&png), DAMAGED),
        ("png of a header", png[..33].to_vec(), DAMAGED),
        ("png signature", png[..8].to_vec(), DAMAGED),
        ("jpeg signature", b"\xFF\xD8\xFF".to_vec(), DAMAGED),
        ("webp signature", b"RIFF\x04\0\0\0WEBP".to_vec(), DAMAGED),
        ("jpeg of markers", b"\xFF\xD8\xFF\xD9".to_vec(), DAMAGED),
        ("png without data", with_png_chunk(&png[..33], b"IEND", &[]), DAMAGED),
        ("png without pixels", flat_png(0, 100, PngColor::Rgb), DAMAGED),
        ("jpeg without pixels", jpeg_claiming(0, 0), DAMAGED),
        ("jpeg larger than its data", jpeg_claiming(4000, 3000), DAMAGED),
        ("animated webp", include_bytes!("corpus/animated.webp").to_vec(), ANIMATED),
        ("animated png", include_bytes!("corpus/animated.png").to_vec(), ANIMATED),
        ("webp that says it is animated", with_webp_chunks(&webp, 640, 480, 2, &[]), DAMAGED),
    ];
    for percent in [5, 10, 50, 90, 97] {
        files.push(("cut jpeg", cut(&jpeg, percent), DAMAGED));
        files.push(("cut png", cut(&png, percent), DAMAGED));
        files.push(("cut webp", cut(&webp, percent), DAMAGED));
        files.push(("cut progressive jpeg", cut(progressive, percent), DAMAGED));
    }
    for (name, file, sentence) in files {
        let replace = format!("?replaces={id}");
        let response = admin.uploads_with(&light, &replace, "image/jpeg", file).await;
        assert_eq!(message(&response), sentence, "{name}: {response}");
    }
    assert_eq!(shop.photos(&light).await, std::slice::from_ref(&kept));
    assert_eq!(shop.count("SELECT COUNT(*) FROM photos").await, 1);
}

// invariant: photo-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_image_that_is_too_large_to_open_is_rejected_from_its_header() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    // A row is enough: nothing after the header is read.
    let bomb = |width, height| png_of(width, height, PngColor::Rgba, 0, [vec![0; 100_000]].into_iter());
    let sixteen_bits = encoded(&quadrants(32, 32).to_rgba16().into(), ImageFormat::Png);
    let mut sixteen_bits = sixteen_bits;
    sixteen_bits.splice(16..24, [6000_u32.to_be_bytes(), 5000_u32.to_be_bytes()].concat());
    let header_crc = {
        let mut crc = flate2::Crc::new();
        crc.update(&sixteen_bits[12..29]);
        crc.sum().to_be_bytes()
    };
    sixteen_bits.splice(29..33, header_crc);
    for (name, file, sentence) in [
        ("2.5 gigapixels", bomb(50_000, 50_000), TOO_MANY_PIXELS),
        ("the largest number of pixels", bomb(u32::MAX >> 1, u32::MAX >> 1), TOO_MANY_PIXELS),
        ("50 megapixels and a column", bomb(10_001, 5_000), TOO_MANY_PIXELS),
        ("the largest jpeg", jpeg_claiming(65_500, 65_500), TOO_MANY_PIXELS),
        ("a line", bomb(50_000, 1), TOO_NARROW),
        ("a column", bomb(1, 50_000), TOO_NARROW),
        ("four times as long and a pixel", flat_png(401, 100, PngColor::Rgb), TOO_NARROW),
        ("30 megapixels of 16 bits", sixteen_bits, TOO_MUCH_MEMORY),
        ("noise", noisy_jpeg(1000, 4000), TOO_DETAILED),
    ] {
        assert!(file.len() < 15 * 1024 * 1024, "{name} is a small file: {}", file.len());
        is_rejected(&admin, &light, name, file, sentence).await;
    }
    // A text that takes gigabytes when it is decompressed is skipped.
    let text = compressed_zeros(50_000_000);
    let with_text = with_png_chunk(&png(64, 48), b"zTXt", &[b"Comment\0\0", text.as_slice()].concat());
    admin.uploads(&light, with_text).await.gives(201);
}

fn noisy_jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, 95);
    encoder.write_image(noise(width, height).as_bytes(), width, height, image::ExtendedColorType::Rgb8).unwrap();
    file
}

fn compressed_zeros(count: usize) -> Vec<u8> {
    use std::io::Write as _;
    let mut compressed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    compressed.write_all(&vec![0; count]).unwrap();
    compressed.finish().unwrap()
}
