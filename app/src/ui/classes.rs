//! How what recurs on pages looks.

pub const TEXT_LINK: &str = "font-medium text-glow-ink underline underline-offset-4 hover:decoration-2";
pub const PRIMARY: &str = "inline-flex min-h-12 items-center justify-center gap-2 rounded-field bg-glow px-6 font-semibold text-on-glow transition-[filter,translate] hover:brightness-105 active:translate-y-px disabled:cursor-not-allowed disabled:bg-line disabled:text-muted disabled:hover:brightness-100";
pub const SECONDARY: &str = "inline-flex min-h-12 items-center justify-center gap-2 rounded-field border border-edge px-6 font-semibold transition-colors hover:bg-line/50";
pub const WIDE: &str = "mx-auto w-full max-w-6xl";
pub const CODE: &str = "overflow-x-auto rounded-card border border-line bg-card p-4 font-mono text-sm leading-6 sm:p-5";
pub const EYEBROW: &str = "font-mono text-sm text-glow-ink";
