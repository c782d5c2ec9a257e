/// What a person meant by a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A line that the grammar accepts.
    Line(String),
    /// What this light cannot do, or what is missing.
    Sentence(&'static str),
}
