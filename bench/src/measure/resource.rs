//! The shop's responses, stored in files for the reference servers.

use std::fs;
use std::path::{Path, PathBuf};

use bench::http;
use xtask::process::Failure;
use xtask::shop::Shop;

const PRODUCT: &str = "nudgelight-one";

/// A response of the shop, stored in files for the reference servers.
pub struct Resource {
    /// The path on the reference servers, which have one path for each encoding.
    pub path: String,
    pub content_type: String,
    pub encoding: String,
    /// The base name of the files with its headers and its body.
    pub name: String,
    pub title: String,
    /// The path on the shop.
    pub shop_path: String,
}

impl Resource {
    /// The `Accept-Encoding` header of its requests.
    pub fn accept(&self) -> String {
        format!("Accept-Encoding: {}", self.encoding)
    }
}

/// Stores the shop's current responses in each encoding.
pub fn store_responses(shop: &Shop, folder: &Path) -> Result<Vec<Resource>, Failure> {
    let requested = [
        ("product list, JSON", "/api/products".to_owned()),
        ("a product, JSON", format!("/api/products/{PRODUCT}")),
        ("product list, page", "/products".to_owned()),
        ("a product, page", format!("/products/{PRODUCT}")),
    ];
    fs::create_dir_all(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    let mut resources = Vec::new();
    for encoding in ["identity", "br"] {
        for (title, path) in &requested {
            resources.push(store(shop, folder, title, path, encoding)?);
        }
    }
    let routes: String = resources.iter().map(|one| format!("{}\t{}\n", one.path, one.name)).collect();
    write(&folder.join("routes"), routes.as_bytes())?;
    Ok(resources)
}

fn store(shop: &Shop, folder: &Path, title: &str, path: &str, encoding: &str) -> Result<Resource, Failure> {
    let response = http::get(&shop.url, path, &[&format!("Accept-Encoding: {encoding}")])?;
    if response.status != 200 || response.header("content-encoding").unwrap_or("identity") != encoding {
        return Err(Failure::new(format!("{path} is not encoded as {encoding}")));
    }
    let name = format!("{}.{encoding}", path.trim_matches('/').replace('/', "-"));
    let resource = Resource {
        path: format!("/{name}"),
        content_type: response.header("content-type").unwrap_or_default().to_owned(),
        encoding: encoding.to_owned(),
        title: format!("{title}, {}", if encoding == "identity" { "uncompressed" } else { "brotli" }),
        shop_path: path.to_owned(),
        name,
    };
    // The reference servers write these themselves.
    let is_stored = |name: &str| !["connection", "content-length", "date"].contains(&name);
    let headers = response.headers.iter().filter(|(name, _)| is_stored(name));
    let lines: String = headers.map(|(name, value)| format!("{name}: {value}\n")).collect();
    write(&folder.join(format!("{}.headers", resource.name)), lines.as_bytes())?;
    write(&folder.join(format!("{}.body", resource.name)), &response.body)?;
    Ok(resource)
}

fn write(file: &PathBuf, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(file, bytes).map_err(|error| Failure::new(format!("{}: {error}", file.display())))
}
