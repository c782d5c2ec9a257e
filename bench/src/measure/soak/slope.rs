//! The least-squares line through samples, with the confidence of its slope.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slope {
    pub per_hour: i64,
    /// Half the width of the 95 % confidence interval, if the samples scatter independently of each other.
    pub margin: i64,
}

const HOUR: i128 = 3_600;

impl Slope {
    /// The slope of (second, value) points. `None` if they are fewer than three or of one second.
    pub fn of(points: &[(u64, u64)]) -> Option<Self> {
        let sum = |of: fn(i128, i128) -> i128| -> i128 {
            points.iter().map(|&(second, value)| of(i128::from(second), i128::from(value))).sum()
        };
        let (count, x, y) = (i128::try_from(points.len()).ok()?, sum(|x, _| x), sum(|_, y| y));
        // Each is the sum of squared deviations times the count, so that all stay whole numbers.
        let xx = count * sum(|x, _| x * x) - x * x;
        let xy = count * sum(|x, y| x * y) - x * y;
        let yy = count * sum(|_, y| y * y) - y * y;
        if count < 3 || xx == 0 {
            return None;
        }
        let scatter = (yy - xy * xy / xx).max(0);
        // 1.96² × the slope's variance, per hour.
        let squared = scatter * 384 / 100 * HOUR * HOUR / xx / (count - 2);
        Some(Self { per_hour: i64::try_from(xy * HOUR / xx).ok()?, margin: i64::try_from(squared.isqrt()).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::Slope;

    #[test]
    fn a_line_has_its_slope_and_no_margin() {
        let line: Vec<_> = (0..60).map(|second| (second, 1_000 + 2 * second)).collect();
        assert_eq!(Slope::of(&line), Some(Slope { per_hour: 7_200, margin: 0 }));
        let falling: Vec<_> = (0..60).map(|second| (second, 1_000 - second)).collect();
        assert_eq!(Slope::of(&falling).unwrap().per_hour, -3_600);
    }

    /// By hand: the slope of (0, 0), (1, 10), (2, 0), (3, 10) is 2 per second; the squared residuals' sum is 80, so the
    /// slope's variance is 80 / 2 / 5 = 8 and the margin 1.96 × 2.828 = 5.54 per second.
    #[test]
    fn the_margin_grows_with_the_scatter() {
        let slope = Slope::of(&[(0, 0), (1, 10), (2, 0), (3, 10)]).unwrap();
        assert_eq!(slope.per_hour, 7_200);
        assert!((19_930..=19_960).contains(&slope.margin), "{slope:?}");
    }

    #[test]
    fn too_few_points_have_no_slope() {
        assert_eq!(Slope::of(&[(0, 1), (1, 2)]), None);
        assert_eq!(Slope::of(&[(5, 1), (5, 2), (5, 3)]), None);
    }
}
