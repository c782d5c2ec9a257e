//! The photos of a product in tests: upload, and what is served.

use image::{DynamicImage, ImageFormat};
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};

use crate::harness::{ApiResponse, Client, Light, Person, TestShop};

impl Person {
    /// Uploads a photo to the end of the product's photos.
    pub async fn uploads(&self, light: &Light, file: impl Into<reqwest::Body>) -> ApiResponse {
        self.uploads_with(light, "", "application/octet-stream", file).await
    }

    /// Uploads a photo with a query and a content type.
    pub async fn uploads_with(
        &self,
        light: &Light,
        query: &str,
        content_type: &str,
        file: impl Into<reqwest::Body>,
    ) -> ApiResponse {
        let path = format!("/api/products/{}/photos{query}", light.id);
        self.send(self.request("POST", &path).header(CONTENT_TYPE, content_type).body(file)).await
    }

    /// Sets the list of a product's photos: ids and alternative texts.
    pub async fn lists_photos(&self, light: &Light, photos: &[(&str, &str)]) -> ApiResponse {
        let photos: Vec<Value> = photos.iter().map(|(id, alt)| json!({ "id": id, "alt": alt })).collect();
        self.patch(&format!("/api/products/{}/photos", light.id), &json!({ "photos": photos })).await
    }
}

impl TestShop {
    /// The product's photos as customers see them.
    pub async fn photos(&self, light: &Light) -> Vec<Value> {
        let product = self.visitor().get(&format!("/api/products/{}", light.slug)).await.gives(200);
        product["photos"].as_array().unwrap().clone()
    }

    pub async fn photo_ids(&self, light: &Light) -> Vec<String> {
        self.photos(light).await.iter().map(|photo| photo["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// A served file, or its status if that is not 200.
pub async fn file(client: &Client, name: &str) -> Result<Vec<u8>, u16> {
    let response = client.request("GET", &format!("/images/photos/{name}")).send().await.unwrap();
    match response.status().as_u16() {
        200 => Ok(response.bytes().await.unwrap().to_vec()),
        status => Err(status),
    }
}

/// The decoded file, which has the format of its name.
pub async fn picture(client: &Client, name: &str) -> DynamicImage {
    let file = file(client, name).await.unwrap();
    let format = if name.ends_with(".webp") { ImageFormat::WebP } else { ImageFormat::Jpeg };
    image::load_from_memory_with_format(&file, format).unwrap()
}
