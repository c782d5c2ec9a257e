//! Fixed-capacity text, without an allocator.

use core::fmt;

/// Text of at most `N` bytes (and at most 255), stored inline.
///
/// ```
/// use wasm_core::schedule::Text;
///
/// assert_eq!(Text::<8>::new("Home").unwrap().as_str(), "Home");
/// assert!(Text::<8>::new("Home Network").is_none());
/// ```
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    length: u8,
}

impl<const N: usize> Text<N> {
    /// Empty text.
    pub const EMPTY: Self = Self { bytes: [0; N], length: 0 };

    /// The text, or `None` if it does not fit.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        Self::join([text])
    }

    /// The concatenated parts, or `None` if they do not fit.
    pub(super) fn join<'t>(parts: impl IntoIterator<Item = &'t str>) -> Option<Self> {
        let mut whole = Self::EMPTY;
        parts.into_iter().try_for_each(|part| whole.push(part))?;
        Some(whole)
    }

    /// The text as a string slice.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let kept = self.bytes.get(..usize::from(self.length)).unwrap_or_default();
        core::str::from_utf8(kept).unwrap_or_default()
    }

    /// Whether the text is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends text, or returns `None` if it does not fit.
    pub(super) fn push(&mut self, text: &str) -> Option<()> {
        let from = usize::from(self.length);
        let to = from.checked_add(text.len())?;
        let length = u8::try_from(to).ok()?;
        // Not `copy_from_slice`, which links panic code for slices of different lengths.
        let places = self.bytes.get_mut(from..to)?;
        places.iter_mut().zip(text.bytes()).for_each(|(place, byte)| *place = byte);
        self.length = length;
        Some(())
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> PartialEq for Text<N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl<const N: usize> Eq for Text<N> {}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), out)
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}
