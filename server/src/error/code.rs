//! Error codes and their statuses.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// Error codes, which clients may rely on: each has one status and never changes its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorCode)]
pub enum Code {
    InvalidJson,
    InvalidRequest,
    BotCheckFailed,
    CodeInvalid,
    CodeExpired,
    PasskeyInvalid,
    PasskeyExpired,
    Unauthenticated,
    TokenExpired,
    BadCredentials,
    RefreshTokenInvalid,
    TotpRequired,
    PaymentNotCompleted,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    InsufficientStockError,
    IntentExpired,
    EditConflict,
    DuplicateName,
    EmailTaken,
    RefundRejected,
    BodyTooLarge,
    AddressTooLong,
    UnsupportedMediaType,
    TooManyRequests,
    PaymentProviderUnavailable,
    TaxUnavailable,
    BotCheckUnavailable,
    Overloaded,
    Internal,
}

impl Code {
    pub fn status(self) -> StatusCode {
        match self {
            Self::InvalidJson
            | Self::InvalidRequest
            | Self::BotCheckFailed
            | Self::CodeInvalid
            | Self::CodeExpired
            | Self::PasskeyInvalid
            | Self::PasskeyExpired => StatusCode::BAD_REQUEST,
            Self::Unauthenticated
            | Self::TokenExpired
            | Self::BadCredentials
            | Self::RefreshTokenInvalid
            | Self::TotpRequired => StatusCode::UNAUTHORIZED,
            Self::PaymentNotCompleted => StatusCode::PAYMENT_REQUIRED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::InsufficientStockError
            | Self::IntentExpired
            | Self::EditConflict
            | Self::DuplicateName
            | Self::EmailTaken
            | Self::RefundRejected => StatusCode::CONFLICT,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::AddressTooLong => StatusCode::URI_TOO_LONG,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            Self::PaymentProviderUnavailable | Self::TaxUnavailable | Self::BotCheckUnavailable | Self::Overloaded => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}
