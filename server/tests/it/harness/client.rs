//! HTTP client for the shop's API.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use super::ApiResponse;

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    access_token: Option<String>,
    address: Option<String>,
}

impl Client {
    pub fn new(url: &str) -> Self {
        Self::calling_from(url, None)
    }

    /// A client with its own source address, which must be a loopback address. It counts as another machine.
    pub fn from_address(url: &str, own: &str) -> Self {
        Self::calling_from(url, Some(own.parse().unwrap()))
    }

    fn calling_from(url: &str, own: Option<IpAddr>) -> Self {
        let http = reqwest::Client::builder()
            .local_address(own)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(40))
            .build()
            .unwrap();
        Self { http, url: url.to_owned(), access_token: None, address: None }
    }

    /// The same client with this address in `X-Forwarded-For`. The shop must trust this machine as a proxy.
    pub fn at(&self, address: &str) -> Self {
        Self { address: Some(address.to_owned()), ..self.clone() }
    }

    pub fn with_token(&self, token: &str) -> Self {
        Self { access_token: Some(token.to_owned()), ..self.clone() }
    }

    pub fn signed_out(&self) -> Self {
        Self { access_token: None, ..self.clone() }
    }

    pub fn access_token(&self) -> &str {
        self.access_token.as_deref().unwrap_or_default()
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.http.request(method, format!("{}{path}", self.url));
        if let Some(address) = &self.address {
            request = request.header("x-forwarded-for", address);
        }
        match &self.access_token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    pub async fn send(&self, request: RequestBuilder) -> ApiResponse {
        let request = request.build().unwrap();
        let call = format!("{} {}", request.method(), request.url().path());
        ApiResponse::of(call, self.http.execute(request).await.unwrap()).await
    }

    /// The response. None if the server exits before the response is complete.
    pub async fn sends_to_the_dying(&self, request: RequestBuilder) -> Option<ApiResponse> {
        let request = request.build().unwrap();
        let call = format!("{} {}", request.method(), request.url().path());
        let response = self.http.execute(request).await.ok()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Some(ApiResponse { call, status, headers, text: response.text().await.ok()? })
    }

    pub async fn get(&self, path: &str) -> ApiResponse {
        self.send(self.request("GET", path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> ApiResponse {
        self.send(self.request("POST", path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> ApiResponse {
        self.send(self.request("PATCH", path).json(body)).await
    }

    pub async fn delete(&self, path: &str) -> ApiResponse {
        self.send(self.request("DELETE", path)).await
    }

    /// Sends any bytes with a JSON content type, valid JSON or not.
    pub async fn send_json(&self, method: &str, path: &str, body: impl Into<reqwest::Body>) -> ApiResponse {
        self.send(self.request(method, path).header(CONTENT_TYPE, "application/json").body(body)).await
    }
}
