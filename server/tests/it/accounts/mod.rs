//! Accounts: by the real proof of work, codes from real mails, and with a clock that can be moved.

mod bot_service;
mod codes;
mod limits;
mod log_in;
mod passwords;
pub mod privacy;
mod refresh;
mod rotation;
mod second_factor;
mod sign_up;
mod stranger;
mod tokens;
