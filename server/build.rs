//! Rebuilds this crate when the built shell changes, because the binary embeds it.

fn main() {
    let dist = "../react-shell/dist";
    if let Err(error) = std::fs::create_dir_all(dist) {
        println!("cargo:warning={dist} cannot be created: {error}");
    }
    println!("cargo:rerun-if-changed={dist}");
    println!("cargo:rerun-if-changed=build.rs");
}
