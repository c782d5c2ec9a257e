//! The products that were sold.

use super::sample::Draw;

const COLOURS: [&str; 20] = [
    "Amber", "Apricot", "Ash", "Birch", "Cedar", "Chalk", "Clover", "Copper", "Coral", "Dune", "Fern", "Flint",
    "Indigo", "Ivory", "Linen", "Moss", "Pearl", "Plum", "Slate", "Willow",
];
const SHAPES: [&str; 10] = ["Arc", "Bar", "Bell", "Cone", "Dome", "Disc", "Prism", "Reed", "Stem", "Tile"];

pub struct Good {
    pub id: String,
    pub name: String,
    pub description: String,
    /// Cents.
    pub price: i64,
    /// Hundredths of a pound.
    pub weight: i64,
    /// What is left today.
    pub stock: i64,
    pub created_at: i64,
}

/// `before`: how many the shop has already, so that no name is given twice.
pub fn products(draw: &mut Draw, at: i64, before: i64, many: i64) -> Vec<Good> {
    (0..many).map(|index| product(draw, at + index, before + index)).collect()
}

fn product(draw: &mut Draw, at: i64, index: i64) -> Good {
    let (colour, shape) = (cycle(&COLOURS, index), cycle(&SHAPES, index / 20));
    let series = match index / 200 {
        0 => String::new(),
        number => format!(" {}", number + 1),
    };
    Good {
        id: draw.id(at),
        name: format!("Nudgelight {colour} {shape}{series}"),
        description: format!(
            "{} {} in {}, that lights up when you asked it to.",
            if shape.starts_with(['A', 'E', 'I', 'O', 'U']) { "An" } else { "A" },
            shape.to_lowercase(),
            colour.to_lowercase()
        ),
        price: 9_99 + 50 * draw.below(140),
        weight: 20 + draw.below(160),
        stock: if draw.one_in(15) { draw.below(5) } else { 20 + draw.below(500) },
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
        let goods = products(&mut Draw::new(1, 1), 0, 0, 40);
        let begin = |index: usize| goods.get(index).map(|good| good.description.chars().take(9).collect::<String>());
        assert_eq!([begin(0), begin(20)], [Some("An arc in".to_owned()), Some("A bar in ".to_owned())]);
    }
}
