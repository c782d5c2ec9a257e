//! Random sampling with a seed.

use uuid::Builder;

use crate::infra::random::SeededRng;

pub struct Sampler(SeededRng);

impl Sampler {
    /// `place` distinguishes consecutive runs on one database.
    pub fn new(seed: u64, place: i64) -> Self {
        Self(SeededRng::new(seed ^ place.unsigned_abs().rotate_left(32)))
    }

    /// A number from 0 to `end - 1`.
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

    /// A UUIDv7 of that time with two final zeros, which related IDs replace.
    pub fn id(&mut self, at: i64) -> String {
        let mut random: [u8; 10] = self.0.bytes();
        random[9] = 0;
        Builder::from_unix_timestamp_millis(at.unsigned_abs(), &random).into_uuid().to_string()
    }
}
