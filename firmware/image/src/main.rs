//! Linked firmware: size limits, stack usage and UF2 files. `cargo xtask` runs it.

mod budget;
mod elf;
mod frames;
mod uf2;

use std::env;
use std::error::Error;
use std::fs;
use std::process::ExitCode;

use self::uf2::Program;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const USAGE: &str = "image size ELF | image uf2 ELF FILE | image schedule ELF";

/// Size limits: half of the flash below the drive, and memory that leaves twice as much for the stack.
const MOST_FLASH: u64 = 512 * 1024;
const MOST_MEMORY: u64 = 96 * 1024;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match *arguments {
        ["size", elf] => size(elf),
        ["uf2", elf, file] => convert(elf, file),
        ["schedule", elf] => read(elf).and_then(|bytes| budget::check(&bytes)),
        _ => Err(USAGE.into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn read(file: &str) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| format!("{file}: {error}").into())
}

/// Fails if the firmware exceeds its limits.
fn size(elf: &str) -> Result<()> {
    let size = Program::read(&read(elf)?)?.size();
    println!("{elf}: {} bytes of flash, {} bytes of memory", size.flash, size.memory);
    if size.flash <= MOST_FLASH && size.memory <= MOST_MEMORY {
        return Ok(());
    }
    Err(format!("{elf}: exceeds {MOST_FLASH} bytes of flash or {MOST_MEMORY} bytes of memory").into())
}

/// Writes the UF2 file that the Pico's boot drive accepts, and prints its version.
fn convert(elf: &str, file: &str) -> Result<()> {
    let bytes = uf2::file(&Program::read(&read(elf)?)?)?;
    let version = wasm_core::uf2::version(&bytes).map_err(|error| error.to_string())?;
    println!("{version}");
    Ok(fs::write(file, &bytes)?)
}
