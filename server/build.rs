//! The shell is embedded in the binary: when its build changes, so must this crate.

fn main() {
    let dist = "../react-shell/dist";
    if let Err(error) = std::fs::create_dir_all(dist) {
        println!("cargo:warning={dist} cannot be made: {error}");
    }
    println!("cargo:rerun-if-changed={dist}");
    println!("cargo:rerun-if-changed=build.rs");
}
