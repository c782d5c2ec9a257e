//! What a call may refuse with, as a type for its description: a list of codes, sorted into statuses.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use utoipa::ToSchema as _;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

use crate::http::error::{Code, ErrorBody};

/// Of every call that reads a JSON body.
pub const BODY: &[Code] = &[Code::InvalidJson, Code::InvalidRequest, Code::BodyTooLarge, Code::UnsupportedMediaType];
/// Of every call that reads a query string.
pub const QUERY: &[Code] = &[Code::InvalidRequest];
/// Of every call for somebody who is logged in.
pub const SIGNED_IN: &[Code] = &[Code::Unauthenticated, Code::TokenExpired];
/// Of every call for administrators.
pub const ADMIN: &[Code] = &[Code::Unauthenticated, Code::TokenExpired, Code::Forbidden];
/// Of a call that only says something.
pub const NONE: &[Code] = &[];

/// Of every call at all: a fault of ours, and a shop that is too busy.
const ALWAYS: &[Code] = &[Code::Internal, Code::Overloaded];

/// Declares a type that stands for what a call may refuse with: groups that calls have in common, then codes of
/// its own.
macro_rules! error_responses {
    ($name:ident: [$($group:ident),*] $($code:ident)*) => {
        pub struct $name;

        impl utoipa::IntoResponses for $name {
            fn responses() -> std::collections::BTreeMap<
                String,
                utoipa::openapi::RefOr<utoipa::openapi::Response>,
            > {
                $crate::http::error_responses::responses(&[$($crate::http::error_responses::$group,)* &[$($crate::http::error::Code::$code),*]])
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
    let may_try_again = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
    if !may_try_again.iter().any(|known| *known == status) {
        return response.build();
    }
    let seconds = HeaderBuilder::new()
        .schema(Some(Object::with_type(Type::Integer)))
        .description(Some("Seconds after which another try makes sense."))
        .build();
    response.header("Retry-After", seconds).build()
}
