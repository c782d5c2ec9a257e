//! Write cache of whole flash pages.

use crate::disk::layout::{JOURNAL_PAGES, PAGE_SIZE};

/// Entry of the write cache.
pub struct CachedPage {
    /// Number of the dirty page. None if the entry is free.
    pub page: Option<u16>,
    pub bytes: [u8; PAGE_SIZE],
}

impl CachedPage {
    const FREE: Self = Self { page: None, bytes: [0; PAGE_SIZE] };
}

/// Memory of the write cache. It is large, so the caller allocates it.
pub struct PageBuffers(pub(super) [CachedPage; JOURNAL_PAGES]);

impl PageBuffers {
    #[must_use]
    pub const fn new() -> Self {
        Self([CachedPage::FREE; JOURNAL_PAGES])
    }
}

impl Default for PageBuffers {
    fn default() -> Self {
        Self::new()
    }
}
