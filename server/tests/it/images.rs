//! Product images: drawings as SVG files, bitmaps for link previews and feeds, and pictures in emails.

use std::io::Cursor;

use reqwest::header::CONTENT_TYPE;
use serde_json::json;

use crate::harness::{CUSTOMER, Client, TestShop};

/// The demo products with their forms and lamp colors.
const LIGHTS: [(&str, &str); 4] = [
    ("nudgelight-one", "#ffb020"),
    ("nudgelight-mini", "#ffb020"),
    ("nudgelight-duo", "#ff6b5e"),
    ("nudgelight-halo", "#fff1cf"),
];
const VIEWS: [&str; 5] = ["", "-in-use", "-shelf", "-hand", "-dimensions"];

/// A decoded bitmap.
struct Picture {
    width: u32,
    height: u32,
    rgb: Vec<u8>,
}

impl Picture {
    fn decode(png: &[u8]) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(png)).read_info().unwrap();
        let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut rgb).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        Self { width: info.width, height: info.height, rgb }
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let start = usize::try_from((y * self.width + x) * 3).unwrap();
        self.rgb[start..start + 3].try_into().unwrap()
    }

    /// Whether the brightest point of a column is as bright as a lamp, and the corner is dark.
    fn is_lit_at(&self, x: u32) -> bool {
        let is_bright = |color: [u8; 3]| color.iter().all(|channel| *channel > 190);
        (0..self.height).any(|y| is_bright(self.at(x, y))) && self.at(0, 0).iter().all(|channel| *channel < 110)
    }
}

async fn bitmap(client: &Client, path: &str) -> Picture {
    let response = client.request("GET", path).send().await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()[CONTENT_TYPE]), (200, &"image/png".parse().unwrap()));
    Picture::decode(&response.bytes().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_light_is_drawn_in_four_views_in_the_color_of_its_lamp() {
    let shop = TestShop::open().await;
    for (slug, color) in LIGHTS {
        for view in VIEWS {
            let drawing = shop.visitor().get(&format!("/images/{slug}{view}.svg")).await;
            assert_eq!((drawing.status, drawing.header("content-type")), (200, Some("image/svg+xml")), "{drawing}");
            assert!(drawing.text.starts_with("<svg ") && drawing.text.ends_with("</svg>"), "{drawing}");
            assert!(drawing.text.contains(color), "{slug}{view} lacks {color}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_light_is_drawn_as_an_administrator_describes_it() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let front = async || shop.visitor().get("/images/nudgelight-one.svg").await.text;
    let (path, before) = (format!("/api/products/{}", light.id), front().await);
    admin.patch(&path, &json!({ "form": "halo", "lamp_color": "teal" })).await.gives(200);
    let after = front().await;
    assert!(after != before && after.contains("#2fd1c5") && !after.contains("#ffb020"), "{after}");
    let size = json!({ "length_mm": 101, "width_mm": 99, "height_mm": 17 });
    admin.patch(&path, &json!({ "dimensions": size })).await.gives(200);
    let technical = shop.visitor().get("/images/nudgelight-one-dimensions.svg").await.text;
    assert!(technical.contains("101 mm · 3.98 in") && technical.contains(">17 mm<"), "{technical}");
    admin.patch(&path, &json!({ "dimensions": null })).await.gives(200);
    for file in ["dimensions", "hand"] {
        shop.visitor().get(&format!("/images/nudgelight-one-{file}.svg")).await.refuses(404, "NotFound");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drawing_is_lit_also_when_the_light_is_sold_out() {
    let shop = TestShop::open().await;
    let light = shop.light("Nudgelight Duo").await;
    let front = async || shop.visitor().get("/images/nudgelight-duo.svg").await.text;
    let before = front().await;
    shop.sets_stock(&light, 0).await;
    assert_eq!(front().await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_former_slug_leads_to_every_image_of_the_renamed_light() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight One").await);
    let path = format!("/api/products/{}", light.id);
    admin.patch(&path, &json!({ "name": "Nudgelight Prime" })).await.gives(200);
    for file in ["-in-use.svg", "-shelf.svg", "-hand.svg", "-dimensions.svg", ".svg"] {
        for slug in ["nudgelight-one", "nudgelight-prime"] {
            assert_eq!(shop.visitor().get(&format!("/images/{slug}{file}")).await.status, 200, "{slug}{file}");
        }
    }
    bitmap(&shop.visitor(), "/images/nudgelight-one-preview.png").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_ends_like_a_view_has_its_own_front() {
    let shop = TestShop::open().await;
    shop.adds_light("Nudgelight One Shelf", 3).await;
    let images = async |file: &str| shop.visitor().get(&format!("/images/{file}")).await.text;
    assert_eq!(images("nudgelight-one-shelf.svg").await, images("nudgelight-one.svg").await);
    assert_ne!(images("nudgelight-one-shelf-shelf.svg").await, images("nudgelight-one-shelf.svg").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_image_that_does_not_exist_is_a_404() {
    let shop = TestShop::open().await;
    let (admin, light) = (shop.admin().await, shop.light("Nudgelight Mini").await);
    admin.patch(&format!("/api/products/{}", light.id), &json!({ "active": false })).await.gives(200);
    for file in [
        "nudgelight-one",
        "nudgelight-one.png",
        "nudgelight-one-1201.png",
        "nudgelight-one-preview.svg",
        "nudgelight-one-top.svg",
        "-shelf.svg",
        ".svg",
        "-preview.png",
        "nothing-preview.png",
        "nudgelight-mini-shelf.svg",
        "nudgelight-mini-preview.png",
    ] {
        shop.visitor().get(&format!("/images/{file}")).await.refuses(404, "NotFound");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn link_preview_and_feed_have_a_bitmap_of_the_lit_light() {
    let shop = TestShop::open().await;
    for (file, size, lamp) in [
        ("nudgelight-one-preview.png", (1200, 630), 600),
        ("nudgelight-duo-preview.png", (1200, 630), 503),
        ("nudgelight-halo-preview.png", (1200, 630), 600),
        ("nudgelight-mini-1200.png", (1200, 1200), 600),
    ] {
        let picture = bitmap(&shop.visitor(), &format!("/images/{file}")).await;
        assert_eq!((picture.width, picture.height), size, "{file}");
        assert!(picture.is_lit_at(lamp), "{file} is not lit");
    }
    let duo = bitmap(&shop.visitor(), "/images/nudgelight-duo-preview.png").await;
    assert!(duo.at(600, 140).iter().any(|channel| *channel < 190), "there is a gap between the two domes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_product_page_names_its_own_preview_and_other_pages_that_of_the_shop() {
    let shop = TestShop::open_with(&[("SHOP_PUBLIC_URL", "https://shop.example")]).await;
    let meta = async |path: &str| {
        let page = shop.visitor().get(path).await.text;
        let of = |name: &str| {
            let rest = page.split_once(&format!("property=\"{name}\" content=\"")).unwrap().1;
            rest.split('"').next().unwrap().to_owned()
        };
        ["og:image", "og:image:width", "og:image:height", "og:image:alt"].map(of)
    };
    let [image, width, height, alt] = meta("/products/nudgelight-halo").await;
    assert_eq!(image, "https://shop.example/images/nudgelight-halo-preview.png");
    assert_eq!([width, height, alt], ["1200", "630", "Drawing of Nudgelight Halo"]);
    let picture = bitmap(&shop.visitor(), "/images/nudgelight-halo-preview.png").await;
    assert_eq!((picture.width, picture.height), (1200, 630));
    assert_eq!(meta("/").await[0], "https://shop.example/preview.png");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receipt_carries_a_small_picture_of_each_item() {
    let shop = TestShop::open().await;
    let (stripe, ada) = (shop.stripe().await, shop.customer().await);
    let halo = shop.light("Nudgelight Halo").await;
    ada.buys(&stripe, &halo, 2).await;
    let mail = shop.mail_to(CUSTOMER, "is confirmed").await;
    let [(id, png)] = mail.pictures.as_slice() else { panic!("{:?}", mail.pictures.len()) };
    assert!(mail.html.contains(&format!("src=\"cid:{id}\"")), "{}", mail.html);
    assert!(mail.html.contains("alt=\"Nudgelight Halo\""), "{}", mail.html);
    assert!(png.len() <= 10 * 1024, "{} bytes", png.len());
    let picture = Picture::decode(png);
    assert_eq!((picture.width, picture.height), (128, 128));
    assert!(picture.is_lit_at(64));
    assert!(mail.header("Content-Type").unwrap().starts_with("multipart/alternative"), "{:?}", mail.headers);
}
