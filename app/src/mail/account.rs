//! Mails about an account.

use super::letter::{Letter, Part};
use super::{Mail, MailShop};

/// The code that confirms an address. `email` goes into the link, so that nobody types it twice.
#[must_use]
pub fn confirm_email(shop: &MailShop, email: &str, code: &str, signed_up: &str) -> Mail {
    Letter {
        subject: code_subject(shop, code),
        heading: "Confirm your e-mail address".to_owned(),
        parts: vec![
            Part::say("Enter this code to finish setting up your account. It works for 10 minutes."),
            Part::Code(code.to_owned()),
            Part::Go { label: "Confirm E-mail", url: shop.link_for("/confirm-email", email) },
            Part::aside(&format!(
                "This code is for the sign-up of {signed_up} and for the password chosen then. That was not you? Then do \
                 not use it: without the code no account is opened."
            )),
        ],
    }
    .into_mail(shop)
}

/// The code that sets a new password.
#[must_use]
pub fn reset_password(shop: &MailShop, email: &str, code: &str) -> Mail {
    Letter {
        subject: code_subject(shop, code),
        heading: "Choose a new password".to_owned(),
        parts: vec![
            Part::say("Enter this code together with your new password. It works for 10 minutes."),
            Part::Code(code.to_owned()),
            Part::Go { label: "Reset Password", url: shop.link_for("/confirm-forgot-password", email) },
            Part::aside("You did not ask for this? Then do nothing: your password stays as it is."),
        ],
    }
    .into_mail(shop)
}

/// To the owner of an address with which somebody tried to register again: the page tells nobody that it is known.
#[must_use]
pub fn address_in_use(shop: &MailShop) -> Mail {
    Letter {
        subject: format!("You already have an account at {}", shop.name),
        heading: "You already have an account".to_owned(),
        parts: vec![
            Part::say("Somebody, probably you, tried to register with this address. It has an account already, so nothing was changed."),
            Part::Go { label: "Log In", url: shop.link("/login") },
            Part::say("If you do not remember your password, you can choose a new one."),
            Part::Or { label: "Reset Password", url: shop.link("/forgot-password") },
            Part::aside("It was not you? Then do nothing: your account is safe."),
        ],
    }
    .into_mail(shop)
}

/// After every change of a password, so that nobody else changes it unnoticed.
#[must_use]
pub fn password_changed(shop: &MailShop) -> Mail {
    Letter {
        subject: format!("Your {} password was changed", shop.name),
        heading: "Your password was changed".to_owned(),
        parts: vec![
            Part::say("The password of your account was changed just now. Everywhere else you were logged out."),
            Part::say("If this was you, there is nothing to do. If it was not, choose a new password right away."),
            Part::Go { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .into_mail(shop)
}

/// A spent refresh token came back, so every session of its family was ended.
#[must_use]
pub fn sessions_ended(shop: &MailShop) -> Mail {
    Letter {
        subject: format!("You were logged out of {}", shop.name),
        heading: "You were logged out, to be safe".to_owned(),
        parts: vec![
            Part::say("One of your log-ins was used from two places at once, so we ended it. A browser restored from a backup does this; so does somebody who copied the log-in."),
            Part::say("Log in again to go on. If you are not sure that it was you, choose a new password too."),
            Part::Go { label: "Log In", url: shop.link("/login") },
            Part::Or { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .into_mail(shop)
}

/// The code stands in the subject: it can be read from the list of mails.
fn code_subject(shop: &MailShop, code: &str) -> String {
    format!("Your {} code is {code}", shop.name)
}
