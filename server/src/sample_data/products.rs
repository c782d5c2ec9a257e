//! Sample products.

use super::sample::Sampler;

const COLORS: [&str; 20] = [
    "Amber", "Apricot", "Ash", "Birch", "Cedar", "Chalk", "Clover", "Copper", "Coral", "Dune", "Fern", "Flint",
    "Indigo", "Ivory", "Linen", "Moss", "Pearl", "Plum", "Slate", "Willow",
];
const SHAPES: [&str; 10] = ["Arc", "Bar", "Bell", "Cone", "Dome", "Disc", "Prism", "Reed", "Stem", "Tile"];

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
}

/// `before`: number of existing products, so that names are unique.
pub fn products(sampler: &mut Sampler, at: i64, before: i64, many: i64) -> Vec<SampleProduct> {
    (0..many).map(|index| product(sampler, at + index, before + index)).collect()
}

fn product(sampler: &mut Sampler, at: i64, index: i64) -> SampleProduct {
    let (color, shape) = (cycle(&COLORS, index), cycle(&SHAPES, index / 20));
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
    }
}

fn cycle(words: &[&'static str], index: i64) -> &'static str {
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
}
