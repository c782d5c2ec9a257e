//! The drawings of all forms.

use std::collections::BTreeSet;

use app::ui::{Bitmap, DrawingView, bitmap_source, drawing, drawing_src};
use wasm_core::catalog::{DeviceForm, Dimensions, LampColor, Product};

use crate::html::attributes;

fn drawn(form: DeviceForm, lamp_color: LampColor) -> Product {
    let dimensions = Some(Dimensions { length_mm: 64, width_mm: 24, height_mm: 12 });
    Product { slug: "a-light".to_owned(), form, lamp_color, dimensions, ..Product::default() }
}

fn assert_complete(svg: &str, color: LampColor, label: &str) {
    let ids: Vec<String> = attributes(svg, "id");
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len(), "an id occurs twice in {label}");
    let urls = svg.split("url(#").skip(1).filter_map(|rest| rest.split(')').next());
    let uses = svg.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next());
    for reference in urls.chain(uses) {
        assert!(ids.iter().any(|id| id == reference), "{label} refers to {reference}");
    }
    assert!(svg.contains(color.css()), "{label} is not lit in its color");
    assert!(
        !svg.contains(['@', '$', '{']) || label.contains("Dimensions") || label.contains("Hand"),
        "a placeholder in {label}"
    );
    assert_eq!(
        svg.matches("<g").count(),
        svg.matches("</g>").count() + svg.matches("<g/").count(),
        "groups of {label}"
    );
}

#[test]
fn every_form_is_drawn_in_every_view_and_color() {
    let mut files = BTreeSet::new();
    for (form, color) in DeviceForm::ALL.into_iter().flat_map(|form| LampColor::ALL.map(|color| (form, color))) {
        let product = drawn(form, color);
        for view in DrawingView::of(&product) {
            let svg = drawing(&product, view).unwrap();
            assert_complete(&svg, color, &format!("{form:?} {color:?} {view:?}"));
            files.insert(svg);
        }
        for bitmap in [Bitmap::LinkPreview, Bitmap::Square, Bitmap::Email] {
            assert_complete(&bitmap_source(form, color, bitmap), color, &format!("{form:?} {color:?} {bitmap:?}"));
        }
    }
    assert_eq!(files.len(), 4 * 8 * 5, "two of them look the same");
}

#[test]
fn a_technical_drawing_has_the_products_own_measurements_in_millimeters_and_inches() {
    for form in DeviceForm::ALL {
        let product = Product { cable_length_mm: Some(600), ..drawn(form, LampColor::Teal) };
        let svg = drawing(&product, DrawingView::Dimensions).unwrap();
        for text in ["64 mm · 2.52 in", ">24 mm<", ">0.94 in<", ">12 mm<", ">0.47 in<", ">24.26 mm<"] {
            assert!(svg.contains(text), "{text} in {form:?}: {svg}");
        }
        assert_eq!(svg.contains(">600 mm<"), form == DeviceForm::Halo, "only a halo has a cable: {form:?}");
    }
}

#[test]
fn a_product_without_dimensions_has_no_drawing_to_scale() {
    let product = Product { dimensions: None, ..drawn(DeviceForm::Duo, LampColor::Rose) };
    for view in [DrawingView::Hand, DrawingView::Dimensions] {
        assert_eq!(drawing(&product, view), None);
        assert!(!DrawingView::of(&product).contains(&view));
    }
}

#[test]
fn a_drawing_to_scale_of_any_size_stays_on_its_paper() {
    for (length_mm, width_mm, height_mm) in [(1, 1, 1), (2000, 2000, 2000), (2000, 1, 1), (1, 2000, 1), (1, 1, 2000)] {
        let views = DeviceForm::ALL
            .into_iter()
            .flat_map(|form| [DrawingView::Hand, DrawingView::Dimensions].map(|view| (form, view)));
        for (form, view) in views {
            let dimensions = Some(Dimensions { length_mm, width_mm, height_mm });
            let product = Product { dimensions, cable_length_mm: Some(10_000), ..drawn(form, LampColor::Azure) };
            let svg = drawing(&product, view).unwrap();
            for (axis, size) in [("x", 4800), ("y", 3600)] {
                let places = svg.split("<text").skip(1).map(|text| attributes(text, axis)[0].parse::<i64>().unwrap());
                for place in places {
                    assert!(
                        (60..size - 60).contains(&place),
                        "{axis} {place} of {length_mm} {width_mm} {height_mm} {form:?}"
                    );
                }
            }
            for radius in attributes(&svg, "r").iter().chain(&attributes(&svg, "rx")) {
                assert!(!radius.starts_with('-'), "{radius} in {length_mm} {width_mm} {height_mm} {form:?}");
            }
        }
    }
}

#[test]
fn the_files_of_a_product_are_named_by_its_slug() {
    let product = drawn(DeviceForm::Stick, LampColor::Amber);
    let files = DrawingView::ALL.map(|view| drawing_src(&product, view));
    let names = [
        "/images/a-light.svg",
        "/images/a-light-in-use.svg",
        "/images/a-light-shelf.svg",
        "/images/a-light-hand.svg",
        "/images/a-light-dimensions.svg",
    ];
    assert_eq!(files, names);
}
