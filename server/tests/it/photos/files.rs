//! Image files, generated. Formats that no encoder of the shop writes are in `corpus/`, each less than a kilobyte.

use std::io::{Cursor, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

/// Four colors: red, green, blue and white, from the upper left to the lower right.
pub const QUADRANTS: [[u8; 3]; 4] = [[220, 30, 30], [30, 180, 30], [30, 30, 220], [240, 240, 240]];

pub fn quadrants(width: u32, height: u32) -> DynamicImage {
    let color = |x, y| QUADRANTS[usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2)];
    RgbImage::from_fn(width, height, |x, y| Rgb(color(x, y))).into()
}

pub fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A PNG of this size with the four colors.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&quadrants(width, height), ImageFormat::Png)
}

/// A JPEG of this size with the four colors.
pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&quadrants(width, height), ImageFormat::Jpeg)
}

/// A lossy WebP of this size with the four colors.
pub fn webp(width: u32, height: u32) -> Vec<u8> {
    webp::Encoder::from_rgb(quadrants(width, height).as_bytes(), width, height).encode(90.0).to_vec()
}

/// Pixels without any pattern, which no encoder can compress.
pub fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    RgbImage::from_fn(width, height, |_, _| Rgb([next(), next(), next()])).into()
}

/// Color types of a PNG header.
#[derive(Clone, Copy)]
pub enum PngColor {
    Rgb = 2,
    Rgba = 6,
}

/// A PNG file from its parts: the size in its header, its interlacing and its rows, each with a filter byte.
pub fn png_of(
    width: u32,
    height: u32,
    color: PngColor,
    interlaced: u8,
    rows: impl Iterator<Item = Vec<u8>>,
) -> Vec<u8> {
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, color as u8, 0, 0, interlaced]);
    let mut compressed = ZlibEncoder::new(Vec::new(), Compression::fast());
    rows.for_each(|row| compressed.write_all(&row).unwrap());
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    file.extend(png_chunk(b"IHDR", &header));
    file.extend(png_chunk(b"IDAT", &compressed.finish().unwrap()));
    file.extend(png_chunk(b"IEND", &[]));
    file
}

/// A PNG of one color whose file is a thousandth of its pixels.
pub fn flat_png(width: u32, height: u32, color: PngColor) -> Vec<u8> {
    let channels = if matches!(color, PngColor::Rgba) { 4 } else { 3 };
    let row = vec![0; usize::try_from(width).unwrap() * channels + 1];
    png_of(width, height, color, 0, (0..height).map(|_| row.clone()))
}

/// An interlaced PNG of 8×8 pixels with the four colors: seven passes, each with its own part of the pixels (Adam7).
pub fn interlaced_png() -> Vec<u8> {
    const PASSES: [(usize, usize, usize, usize); 7] =
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];
    let color = |x: usize, y: usize| QUADRANTS[usize::from(x >= 4) + 2 * usize::from(y >= 4)];
    let row = move |left: usize, step: usize, y: usize| {
        [0].into_iter().chain((left..8).step_by(step).flat_map(move |x| color(x, y))).collect::<Vec<u8>>()
    };
    let rows = PASSES.into_iter().flat_map(move |(left, top, across, down)| {
        (top..8).step_by(down).map(move |y| row(left, across, y)).collect::<Vec<_>>()
    });
    png_of(8, 8, PngColor::Rgb, 1, rows)
}

fn png_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [kind, data].concat();
    let mut crc = Crc::new();
    crc.update(&named);
    let length = u32::try_from(data.len()).unwrap();
    [length.to_be_bytes().as_slice(), &named, &crc.sum().to_be_bytes()].concat()
}

/// A PNG with another chunk after its header.
pub fn with_png_chunk(png: &[u8], kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    // Signature, and the header's chunk.
    let (head, rest) = png.split_at(8 + 25);
    [head, &png_chunk(kind, data), rest].concat()
}

/// A JPEG with another segment at its start.
pub fn with_jpeg_segment(jpeg: &[u8], marker: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).unwrap().to_be_bytes();
    let (start, rest) = jpeg.split_at(2);
    [start, &[0xFF, marker], &length, data, rest].concat()
}

/// A WebP in the extended format, with further chunks after the image.
pub fn with_webp_chunks(webp: &[u8], width: u32, height: u32, flags: u8, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut header = vec![flags, 0, 0, 0];
    header.extend(&(width - 1).to_le_bytes()[..3]);
    header.extend(&(height - 1).to_le_bytes()[..3]);
    let mut content = b"WEBP".to_vec();
    content.extend(webp_chunk(b"VP8X", &header));
    content.extend(&webp[12..]);
    chunks.iter().for_each(|(kind, data)| content.extend(webp_chunk(kind, data)));
    webp_chunk(b"RIFF", &content)
}

fn webp_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_le_bytes();
    let padding: &[u8] = if data.len() % 2 == 1 { &[0] } else { &[] };
    [kind.as_slice(), &length, data, padding].concat()
}

/// EXIF data as a TIFF file: an orientation, a description and a GPS position, which are personal data.
pub fn exif(orientation: u16, description: &str) -> Vec<u8> {
    let text = format!("{description}\0");
    let mut file = b"II*\0\x08\0\0\0\x03\0".to_vec();
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let text_length = u32::try_from(text.len()).unwrap();
    // After the header, three entries and the end of the list.
    let text_at = 10 + 3 * 12 + 4;
    file.extend(entry(0x010E, 2, text_length, text_at));
    file.extend(entry(0x0112, 3, 1, orientation.into()));
    file.extend(entry(0x8825, 4, 1, text_at + text_length));
    file.extend([0; 4]);
    file.extend(text.as_bytes());
    // The GPS list: `N`, then the latitude in degrees, minutes and seconds.
    let latitude_at = text_at + text_length + 2 + 2 * 12 + 4;
    file.extend(2_u16.to_le_bytes());
    file.extend(entry(1, 2, 2, u32::from(b'N')));
    file.extend(entry(2, 5, 3, latitude_at));
    file.extend([0; 4]);
    [37_u32, 1, 25, 1, 19, 1].iter().for_each(|number| file.extend(number.to_le_bytes()));
    file
}
