//! Error responses of an endpoint in the OpenAPI document: a list of codes, grouped by status.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use utoipa::ToSchema as _;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::error::{Code, ErrorBody};

/// Endpoints that read a JSON body.
pub const BODY: &[Code] = &[Code::InvalidJson, Code::InvalidRequest, Code::BodyTooLarge, Code::UnsupportedMediaType];
/// Endpoints that read a query string.
pub const QUERY: &[Code] = &[Code::InvalidRequest];
/// Endpoints that require a login.
pub const SIGNED_IN: &[Code] = &[Code::Unauthenticated, Code::TokenExpired];
/// Endpoints for administrators.
pub const ADMIN: &[Code] = &[Code::Unauthenticated, Code::TokenExpired, Code::Forbidden];
/// Endpoints without errors of their own.
pub const NONE: &[Code] = &[];

/// Every endpoint: internal errors and overload.
const ALWAYS: &[Code] = &[Code::Internal, Code::Overloaded];

/// Declares a type with the error responses of an endpoint: shared groups, then its own codes.
macro_rules! error_responses {
    ($name:ident: [$($group:ident),*] $($code:ident)*) => {
        pub struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<
                String,
                utoipa::openapi::RefOr<utoipa::openapi::Response>,
            > {
                $crate::error::responses::responses(&[$($crate::error::responses::$group,)* &[$($crate::error::Code::$code),*]])
            }
        }
    };
}
pub(crate) use error_responses;

pub fn responses(groups: &[&[Code]]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<String>> = BTreeMap::new();
    for code in groups.iter().chain([&ALWAYS]).copied().flatten() {
        let codes = by_status.entry(code.status().as_u16()).or_default();
        let name = format!("`{code:?}`");
        if !codes.contains(&name) {
            codes.push(name);
        }
    }
    by_status.into_iter().map(|(status, codes)| (status.to_string(), RefOr::T(response(status, &codes)))).collect()
}

fn response(status: u16, codes: &[String]) -> Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ErrorBody::name()))).build();
    let response = ResponseBuilder::new().description(codes.join(", ")).content("application/json", content);
    let retryable = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
    if !retryable.iter().any(|known| *known == status) {
        return response.build();
    }
    let seconds = HeaderBuilder::new()
        .schema(Some(Object::with_type(Type::Integer)))
        .description(Some("Seconds to wait before retrying."))
        .build();
    response.header("Retry-After", seconds).build()
}
