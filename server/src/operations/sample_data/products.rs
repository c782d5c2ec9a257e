//! Sample products.

use wasm_core::catalog::{DeviceForm, Dimensions, LampColor};

use super::sample::Sampler;

/// Names of colors, and the lamp color that is closest.
const COLORS: [(&str, LampColor); 20] = [
    ("Amber", LampColor::Amber),
    ("Apricot", LampColor::Coral),
    ("Ash", LampColor::Ivory),
    ("Birch", LampColor::Ivory),
    ("Cedar", LampColor::Coral),
    ("Chalk", LampColor::Ivory),
    ("Clover", LampColor::Green),
    ("Copper", LampColor::Amber),
    ("Coral", LampColor::Coral),
    ("Dune", LampColor::Amber),
    ("Fern", LampColor::Green),
    ("Flint", LampColor::Azure),
    ("Indigo", LampColor::Violet),
    ("Ivory", LampColor::Ivory),
    ("Linen", LampColor::Ivory),
    ("Moss", LampColor::Teal),
    ("Pearl", LampColor::Rose),
    ("Plum", LampColor::Violet),
    ("Slate", LampColor::Azure),
    ("Willow", LampColor::Teal),
];
/// Names of shapes, and the form that is closest.
const SHAPES: [(&str, DeviceForm); 10] = [
    ("Arc", DeviceForm::Halo),
    ("Bar", DeviceForm::Stick),
    ("Bell", DeviceForm::Mini),
    ("Cone", DeviceForm::Mini),
    ("Dome", DeviceForm::Duo),
    ("Disc", DeviceForm::Halo),
    ("Prism", DeviceForm::Duo),
    ("Reed", DeviceForm::Stick),
    ("Stem", DeviceForm::Stick),
    ("Tile", DeviceForm::Mini),
];

pub struct SampleProduct {
    pub id: String,
    pub name: String,
    pub description: String,
    /// Cents.
    pub price: i64,
    /// Hundredths of a pound.
    pub weight: i64,
    /// Current stock.
    pub stock: i64,
    pub created_at: i64,
    pub form: DeviceForm,
    pub lamp_color: LampColor,
    pub dimensions: Dimensions,
    pub sku: String,
}

/// `before`: number of existing products, so that names are unique.
pub fn products(sampler: &mut Sampler, at: i64, before: i64, many: i64) -> Vec<SampleProduct> {
    (0..many).map(|index| product(sampler, at + index, before + index)).collect()
}

fn product(sampler: &mut Sampler, at: i64, index: i64) -> SampleProduct {
    let (color, lamp_color) = cycle(&COLORS, index);
    let (shape, form) = cycle(&SHAPES, index / 20);
    let series = match index / 200 {
        0 => String::new(),
        number => format!(" {}", number + 1),
    };
    SampleProduct {
        id: sampler.id(at),
        name: format!("Nudgelight {color} {shape}{series}"),
        description: format!(
            "{} {} in {}, that lights up when you want it to.",
            if shape.starts_with(['A', 'E', 'I', 'O', 'U']) { "An" } else { "A" },
            shape.to_lowercase(),
            color.to_lowercase()
        ),
        price: 9_99 + 50 * sampler.below(140),
        weight: 20 + sampler.below(160),
        stock: if sampler.one_in(15) { sampler.below(5) } else { 20 + sampler.below(500) },
        created_at: at,
        form,
        lamp_color,
        dimensions: dimensions(form, sampler.below(8)),
        sku: format!("NL-S{:05}", index + 1),
    }
}

/// Dimensions of a form, longer by some millimeters.
const fn dimensions(form: DeviceForm, longer: i64) -> Dimensions {
    let (length, width_mm, height_mm) = match form {
        DeviceForm::Stick => (60, 24, 14),
        DeviceForm::Mini => (32, 18, 10),
        DeviceForm::Duo => (70, 52, 14),
        DeviceForm::Halo => (94, 96, 16),
    };
    Dimensions { length_mm: length + longer, width_mm, height_mm }
}

fn cycle<T: Copy + Default>(words: &[(&'static str, T)], index: i64) -> (&'static str, T) {
    let place = usize::try_from(index).unwrap_or_default() % words.len();
    words.get(place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_begins_with_the_article_that_its_shape_takes() {
        let products = products(&mut Sampler::new(1, 1), 0, 0, 40);
        let begin =
            |index: usize| products.get(index).map(|product| product.description.chars().take(9).collect::<String>());
        assert_eq!([begin(0), begin(20)], [Some("An arc in".to_owned()), Some("A bar in ".to_owned())]);
    }

    #[test]
    fn sample_products_have_every_form_and_color_and_a_sku_of_their_own() {
        let products = products(&mut Sampler::new(1, 1), 0, 0, 200);
        assert!(DeviceForm::ALL.iter().all(|form| products.iter().any(|product| product.form == *form)));
        assert!(LampColor::ALL.iter().all(|color| products.iter().any(|product| product.lamp_color == *color)));
        let skus: std::collections::BTreeSet<&str> = products.iter().map(|product| product.sku.as_str()).collect();
        assert_eq!(skus.len(), products.len());
    }
}
