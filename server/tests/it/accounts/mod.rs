//! Accounts: sign-up, login, sessions, codes and rate limits, with real proofs of work, emailed codes and a test clock.

mod attacker;
mod bot_service;
mod code_login;
mod codes;
mod email_change;
mod limits;
mod login;
mod passkey_attacks;
mod passkeys;
mod passwords;
pub mod privacy;
mod refresh;
mod rotation;
mod second_factor;
mod sign_up;
mod tokens;
