//! Flash and stack usage of the schedule's code on the smallest board, measured with a program that parses a file and
//! evaluates one moment.

use crate::Result;
use crate::elf::{Elf, Symbol};
use crate::frames::Frames;

/// Flash limit in bytes, including the time zone table.
const MOST_FLASH: usize = 40 * 1024;
/// Stack limit in bytes, without the parsed schedule.
const MOST_STACK: usize = 6 * 1024;

/// Components, recognized by parts of symbol names. The first match counts.
const PARTS: [(&str, &[&str]); 4] = [
    ("table of time zones", &["zone_table"]),
    ("time zones", &["8timezone", "5zones", "5posix"]),
    ("evaluating", &["8evaluate", "4eval", "4rule17", "5civil", "5light"]),
    ("reading", &["9read_file", "8schedule"]),
];
const THE_REST: &str = "arithmetic and text (core)";
const CONSTANTS: &str = "words and other constants";

/// Prints the usage of each part, and fails above the limits.
pub fn check(program: &[u8]) -> Result<()> {
    let elf = Elf::parse(program)?;
    no_panic(&elf)?;
    flash(&elf)?;
    stack(&elf)
}

fn no_panic(elf: &Elf) -> Result<()> {
    match elf.symbols.iter().find(|symbol| symbol.name.contains("panicking") || symbol.name.contains("_fail")) {
        Some(symbol) => Err(format!("the schedule's code can panic: it links {}", symbol.name).into()),
        None => Ok(()),
    }
}

fn flash(elf: &Elf) -> Result<()> {
    let whole: usize = elf.flash.iter().map(|section| section.content.len()).sum();
    let mut left = whole;
    let sizes = PARTS.map(|(part, _)| part).into_iter().chain([THE_REST]).map(|part| (part, size_of(elf, part)));
    for (part, size) in sizes {
        left = left.saturating_sub(size);
        row(part, size);
    }
    row(CONSTANTS, left);
    bounded("flash", whole, MOST_FLASH)
}

fn size_of(elf: &Elf, part: &str) -> usize {
    elf.symbols.iter().filter(|symbol| part_of(symbol) == part).map(|symbol| symbol.size).sum()
}

fn part_of(symbol: &Symbol) -> &'static str {
    let fits = |pieces: &[&str]| pieces.iter().any(|piece| symbol.name.contains(piece));
    PARTS.iter().find(|(_, pieces)| fits(pieces)).map_or(THE_REST, |(part, _)| part)
}

fn stack(elf: &Elf) -> Result<()> {
    let frames = Frames::read(elf).ok_or_else(|| unreadable("unknown machine code"))?;
    let entry = address(elf, "_start")?;
    for (what, name) in [("stack, reading", "9read_file"), ("stack, evaluating", "8evaluate")] {
        let deepest = frames.deepest(address(elf, name)?, entry);
        let bytes = deepest.ok_or_else(|| format!("{what}: recursive call"))?;
        bounded(what, bytes, MOST_STACK)?;
    }
    Ok(())
}

fn address(elf: &Elf, name: &str) -> Result<usize> {
    let found = elf.symbols.iter().find(|symbol| symbol.is_function && symbol.name.contains(name));
    Ok(found.map(|symbol| symbol.address).ok_or_else(|| unreadable(name))?)
}

fn bounded(what: &str, bytes: usize, most: usize) -> Result<()> {
    println!("{what:>27} {bytes:>7} of {most} bytes");
    if bytes <= most { Ok(()) } else { Err(format!("{what}: {bytes} bytes exceed the limit of {most}").into()) }
}

fn row(part: &str, bytes: usize) {
    println!("{part:>27} {bytes:>7}");
}

fn unreadable(what: &str) -> String {
    format!("cannot analyze the measured program: {what}")
}
