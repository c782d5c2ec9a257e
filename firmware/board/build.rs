//! Linker arguments and memory layout of the chip. Host builds skip it.

#![expect(clippy::disallowed_methods, reason = "cargo passes the build settings in environment variables")]

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=memory-rp2040.x");
    println!("cargo:rerun-if-changed=memory-rp235x.x");
    let is_board = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none");
    if !is_board {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let rp2040 = env::var_os("CARGO_FEATURE_RP2040").is_some();
    let memory = if rp2040 { "memory-rp2040.x" } else { "memory-rp235x.x" };
    if let Err(error) = fs::copy(memory, out.join("memory.x")) {
        println!("cargo:error=cannot copy {memory}: {error}");
    }
    println!("cargo:rustc-link-search={}", out.display());
    println!("cargo:rustc-link-arg-bins=--nmagic");
    println!("cargo:rustc-link-arg-bins=-Tlink.x");
    if rp2040 {
        // Second-stage bootloader of the RP2040, from embassy-rp.
        println!("cargo:rustc-link-arg-bins=-Tlink-rp.x");
    }
}
