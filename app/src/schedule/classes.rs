//! Classes that the Lab's views share with its placeholder. Those of both are part of every page's critical CSS.

pub const LAYOUT: &str = "grid grid-cols-1 items-start gap-x-10 gap-y-5 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]";
/// The column of the text.
pub const WRITING: &str = "grid grid-cols-1 gap-5 lg:col-start-1 lg:row-span-2 lg:row-start-1";
/// The lamp with its caption: beside it on a narrow screen.
pub const FIGURE: &str =
    "overflow-hidden rounded-card border border-line bg-card shadow-card max-lg:grid max-lg:grid-cols-[8.5rem_1fr]";
pub const CAPTION: &str = "grid content-center gap-0.5 bg-card px-5 py-3 max-lg:border-l lg:border-t border-line";
pub const EXAMPLE: &str = "min-h-9 rounded-full border border-edge px-4 text-sm font-medium hover:bg-line/50";
/// The frame of the text.
pub const FRAME: &str = "overflow-x-auto rounded-card border border-edge bg-card shadow-card focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-(--focus)";
/// Its lines, with the line numbers.
pub const LINES: &str =
    "relative grid min-h-72 font-mono max-sm:grid-cols-1 text-base leading-6 sm:min-w-max sm:text-sm sm:leading-6";
pub const NUMBERS: &str = "absolute inset-y-0 w-12 border-r border-line";
/// The text area and the lines behind it, which must break at the same characters.
pub const LAYER: &str = "col-start-1 row-start-1 py-3";
pub const WRAP: &str = "max-sm:wrap-break-word max-sm:whitespace-pre-wrap sm:whitespace-pre";
