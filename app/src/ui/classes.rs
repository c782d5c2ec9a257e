//! Class lists that several views share.

pub const CODE: &str = "overflow-x-auto rounded-card border border-line bg-card p-4 font-mono text-sm leading-6 sm:p-5";
