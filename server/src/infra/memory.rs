//! Memory that the allocator has freed and not yet returned to the operating system.

/// Returns freed memory to the operating system. The allocator itself returns it only while it allocates more, so an idle
/// process would keep what a burst of work took: a photo, or the hash of a password (19 MiB).
#[expect(unsafe_code, reason = "the allocator has no safe function for this")]
pub fn return_freed_memory() {
    // SAFETY: any thread may call this at any time; memory in use is left alone.
    unsafe { libmimalloc_sys::mi_collect(true) }
}
