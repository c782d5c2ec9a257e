//! Drawing lots.

use uuid::Builder;

use crate::infra::random::Repeatable;

pub struct Draw(Repeatable);

impl Draw {
    /// `place` tells apart what is drawn into one database one after the other.
    pub fn new(seed: u64, place: i64) -> Self {
        Self(Repeatable::new(seed ^ place.unsigned_abs().rotate_left(32)))
    }

    /// From 0 up to, but not including, `end`.
    pub fn below(&mut self, end: i64) -> i64 {
        self.0.below(end)
    }

    pub fn one_in(&mut self, many: i64) -> bool {
        self.below(many) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let index = usize::try_from(self.below(i64::try_from(from.len()).ok()?)).ok()?;
        from.get(index)
    }

    /// A UUIDv7 of that instant whose last two digits are zeros, to be replaced by those who need several that belong
    /// together.
    pub fn id(&mut self, at: i64) -> String {
        let mut random: [u8; 10] = self.0.bytes();
        random[9] = 0;
        Builder::from_unix_timestamp_millis(at.unsigned_abs(), &random).into_uuid().to_string()
    }
}
