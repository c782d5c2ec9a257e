//! Rebuilds this crate when the built shell or the packages change, because the binary embeds them.

fn main() {
    for dist in ["../react-shell/dist", "../packages/dist"] {
        if let Err(error) = std::fs::create_dir_all(dist) {
            println!("cargo:warning={dist} cannot be created: {error}");
        }
        println!("cargo:rerun-if-changed={dist}");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
