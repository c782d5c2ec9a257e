//! A product's photograph on a page.

use app::ui::{Loading, photo, render_to_string};
use wasm_core::catalog::Photo;

fn rendered(width: i64, height: i64, loading: Loading) -> String {
    let one = Photo {
        id: "9f86d081884c7d659a2feaa0c55ad015".to_owned(),
        alt: "A light on a desk & its \"glow\"".to_owned(),
        width,
        height,
        color: "#3b2f4a".to_owned(),
    };
    render_to_string(move || photo(&one, "(min-width: 64rem) 30rem, 100vw", loading))
}

#[test]
fn a_browser_chooses_format_and_width() {
    let html = rendered(700, 500, Loading::Lazy);
    let files = |extension: &str| {
        let url = |width: u32| format!("/images/photos/9f86d081884c7d659a2feaa0c55ad015-{width}.{extension} {width}w");
        format!("srcset=\"{}\"", [200, 360, 700].map(url).join(", "))
    };
    let (source, image) = html.split_once("<img").unwrap();
    assert!(source.contains("type=\"image/webp\"") && source.contains(&files("webp")), "{html}");
    assert!(image.contains(&files("jpg")), "{html}");
    for part in [source, image] {
        assert!(part.contains("sizes=\"(min-width: 64rem) 30rem, 100vw\""), "{html}");
    }
    assert!(image.contains("src=\"/images/photos/9f86d081884c7d659a2feaa0c55ad015-700.jpg\""), "{html}");
}

#[test]
fn a_photo_has_its_place_its_text_and_its_color_before_it_is_there() {
    let html = rendered(4000, 3000, Loading::Lazy);
    for attribute in [
        "width=\"4000\"",
        "height=\"3000\"",
        "alt=\"A light on a desk &amp; its &quot;glow&quot;\"",
        "background-color:#3b2f4a",
        "loading=\"lazy\"",
    ] {
        assert!(html.contains(attribute), "{attribute}: {html}");
    }
}

#[test]
fn the_main_photo_comes_before_other_images() {
    let html = rendered(4000, 3000, Loading::First);
    assert!(html.contains("fetchpriority=\"high\"") && html.contains("loading=\"eager\""), "{html}");
}
