//! Emails about an account.

use super::render::Mail;
use super::shop_info::ShopInfo;
use super::template::{Block, EmailTemplate};

/// The code that verifies an email address. The link carries the address, so that the form is prefilled.
#[must_use]
pub fn confirm_email(shop: &ShopInfo, email: &str, code: &str, signed_up: &str) -> Mail {
    EmailTemplate {
        subject: code_subject(shop, code),
        heading: "Confirm your email".to_owned(),
        blocks: vec![
            Block::paragraph("Enter this code to finish creating your account. It expires in 10 minutes."),
            Block::Code(code.to_owned()),
            Block::Button { label: "Confirm Email", url: shop.link_for("/confirm-email", email) },
            Block::note(&format!(
                "Didn’t sign up on {signed_up}? Ignore this email. Without the code, no account is created."
            )),
        ],
    }
    .render(shop)
}

/// The code that logs in.
#[must_use]
pub fn login_code(shop: &ShopInfo, email: &str, code: &str) -> Mail {
    EmailTemplate {
        subject: code_subject(shop, code),
        heading: "Log in".to_owned(),
        blocks: vec![
            Block::paragraph("Enter this code on the page where you requested it. It expires in 10 minutes."),
            Block::Code(code.to_owned()),
            Block::Button { label: "Log In", url: shop.link_for("/login/code", email) },
            Block::note("Didn’t try to log in? Ignore this email, and don’t share the code with anyone."),
        ],
    }
    .render(shop)
}

/// Sent when someone requests a login code for an administrator's address.
#[must_use]
pub fn no_login_code(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("Log in to {} with your password", shop.name),
        heading: "Log in with your password".to_owned(),
        blocks: vec![
            Block::paragraph(
                "Someone requested a login code for this email address. Administrators can’t log in with a code.",
            ),
            Block::Button { label: "Log In", url: shop.link("/login") },
            Block::note("If this wasn’t you, you can ignore this email. No one was logged in."),
        ],
    }
    .render(shop)
}

/// The code that resets a password.
#[must_use]
pub fn reset_password(shop: &ShopInfo, email: &str, code: &str) -> Mail {
    EmailTemplate {
        subject: code_subject(shop, code),
        heading: "Reset your password".to_owned(),
        blocks: vec![
            Block::paragraph("Enter this code with your new password. It expires in 10 minutes."),
            Block::Code(code.to_owned()),
            Block::Button { label: "Reset Password", url: shop.link_for("/confirm-forgot-password", email) },
            Block::note("If you didn’t request this, you can ignore this email. Your password won’t change."),
        ],
    }
    .render(shop)
}

/// Sent when a sign-up uses the address of an existing account. The page responds as for a new one (account
/// enumeration).
#[must_use]
pub fn address_in_use(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("You already have an account at {}", shop.name),
        heading: "You already have an account".to_owned(),
        blocks: vec![
            Block::paragraph(
                "We received a request to sign up with this email address, which already has an account. Nothing has changed.",
            ),
            Block::Button { label: "Log In", url: shop.link("/login") },
            Block::paragraph("Forgot your password? You can choose a new one."),
            Block::Link { label: "Reset Password", url: shop.link("/forgot-password") },
            Block::note("If this wasn’t you, you can ignore this email. Your account is safe."),
        ],
    }
    .render(shop)
}

/// The code for the current address of an account that gets another one.
#[must_use]
pub fn change_email_from(shop: &ShopInfo, new_email: &str, code: &str) -> Mail {
    EmailTemplate {
        subject: code_subject(shop, code),
        heading: "Change your email address".to_owned(),
        blocks: vec![
            Block::paragraph("Enter this code in Settings to change your account’s email address. It expires in 10 minutes."),
            Block::Code(code.to_owned()),
            Block::paragraph(&format!("The new address is {new_email}. We emailed a second code there.")),
            Block::Button { label: "Open Settings", url: shop.link("/profile/settings") },
            Block::note(
                "Didn’t request this? Don’t share the code with anyone, and change your password: someone else may be logged in to your account.",
            ),
        ],
    }
    .render(shop)
}

/// The code for the address that the account is to get.
#[must_use]
pub fn change_email_to(shop: &ShopInfo, code: &str) -> Mail {
    EmailTemplate {
        subject: code_subject(shop, code),
        heading: "Confirm your new email address".to_owned(),
        blocks: vec![
            Block::paragraph("Enter this code in Settings to use this email address for your account. It expires in 10 minutes. We emailed a second code to the account’s current address."),
            Block::Code(code.to_owned()),
            Block::Button { label: "Open Settings", url: shop.link("/profile/settings") },
            Block::note("Didn’t request this? Ignore this email. Without the code, nothing changes."),
        ],
    }
    .render(shop)
}

/// Sent instead of a code to an address that has an account.
#[must_use]
pub fn address_in_use_by_you(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("You already have an account at {}", shop.name),
        heading: "You already have an account".to_owned(),
        blocks: vec![
            Block::paragraph(
                "We received a request to use this email address for another account, but you already have an account with it. Nothing has changed.",
            ),
            Block::Button { label: "Log In", url: shop.link("/login") },
            Block::note("If this wasn’t you, you can ignore this email. Your account is safe."),
        ],
    }
    .render(shop)
}

/// To the previous address of an account, with the token that undoes the change.
#[must_use]
pub fn email_changed(shop: &ShopInfo, new_email: &str, undo_token: &str) -> Mail {
    EmailTemplate {
        subject: format!("Your {} email address was changed", shop.name),
        heading: "Your email address was changed".to_owned(),
        blocks: vec![
            Block::paragraph(&format!(
                "Your account’s email address is now {new_email}. Use it to log in. Emails about your orders go \
                 there as well."
            )),
            Block::paragraph("If this was you, there’s nothing to do. If it wasn’t, undo the change within 7 days. That logs out all devices, and you can then choose a new password."),
            Block::Button { label: "Undo Change", url: shop.link(&format!("/undo-email-change#{undo_token}")) },
        ],
    }
    .render(shop)
}

/// To the address that an account has again.
#[must_use]
pub fn email_change_undone(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("Your {} email address was changed back", shop.name),
        heading: "Your email address was changed back".to_owned(),
        blocks: vec![
            Block::paragraph("Your account has this email address again. All devices were logged out, and the password no longer works. Choose a new one to log in. Then remove any passkeys you don’t recognize in Settings: earlier ones can still be used to log in."),
            Block::Button { label: "Choose a New Password", url: shop.link("/forgot-password") },
            Block::note("If you didn’t do this, choose a new password anyway, and change the password of your mailbox: someone else may be able to read your email."),
        ],
    }
    .render(shop)
}

/// To the address that an account lost when its change was undone.
#[must_use]
pub fn email_changed_back(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("Your {} email address was changed back", shop.name),
        heading: "Your email address was changed back".to_owned(),
        blocks: vec![
            Block::paragraph("This is no longer the email address of your account. The change was undone with the link that we sent to the previous address, and all devices were logged out."),
            Block::paragraph("If this was you, there’s nothing to do. If it wasn’t, contact us: someone else may be able to read the email at the previous address."),
            Block::Button { label: "Contact Us", url: shop.link("/contact") },
        ],
    }
    .render(shop)
}

/// To an address that belonged to an account until a few days ago, instead of a code: it gets no other account meanwhile.
#[must_use]
pub fn address_was_changed(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("You log in to {} with a new email address", shop.name),
        heading: "You log in with a new email address".to_owned(),
        blocks: vec![
            Block::paragraph("Someone tried to log in or sign up with this email address. Your account had it until a few days ago: use the new address to log in."),
            Block::paragraph("If you didn’t change it, undo the change with the link in our earlier email, “Your email address was changed.” The link works for 7 days. Until then, no one can create a new account with this address."),
            Block::Button { label: "Log In", url: shop.link("/login") },
        ],
    }
    .render(shop)
}

/// The security notice after every password change.
#[must_use]
pub fn password_changed(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("Your {} password was changed", shop.name),
        heading: "Your password was changed".to_owned(),
        blocks: vec![
            Block::paragraph("Your password was just changed, and you were logged out on all other devices."),
            Block::paragraph("If this was you, there’s nothing to do. If it wasn’t, reset your password right away, then remove passkeys that you don’t recognize in Settings: they can still be used to log in."),
            Block::Button { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .render(shop)
}

/// To an administrator whose authenticator app was set up.
#[must_use]
pub fn second_factor_set_up(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("Two-factor authentication is set up at {}", shop.name),
        heading: "Two-factor authentication is set up".to_owned(),
        blocks: vec![
            Block::paragraph("An authenticator app was set up for your account, with ten recovery codes. Earlier recovery codes no longer work."),
            Block::paragraph("If this wasn’t you, ask the person who runs the server to revoke your administrator rights, and reset your password."),
            Block::Button { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .render(shop)
}

/// To an administrator who logged in with a recovery code. `left` codes still work.
#[must_use]
pub fn recovery_code_used(shop: &ShopInfo, left: i64) -> Mail {
    let left = match left {
        0 => "No recovery codes are left.".to_owned(),
        1 => "You have one recovery code left.".to_owned(),
        _ => format!("You have {left} recovery codes left."),
    };
    EmailTemplate {
        subject: format!("A recovery code was used at {}", shop.name),
        heading: "A recovery code was used".to_owned(),
        blocks: vec![
            Block::paragraph(&format!("A recovery code of your account was used in place of the authenticator app. {left}")),
            Block::paragraph("Lost your phone? Ask the person who runs the server to grant your administrator rights again, then set up the app on your new phone. If this wasn’t you, ask them to revoke your rights, and reset your password."),
            Block::Button { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .render(shop)
}

/// The security notice about a new passkey.
#[must_use]
pub fn passkey_added(shop: &ShopInfo, name: &str) -> Mail {
    EmailTemplate {
        subject: format!("A passkey was added to your {} account", shop.name),
        heading: "A passkey was added".to_owned(),
        blocks: vec![
            Block::paragraph(&format!("You can now log in with the passkey “{name}”.")),
            Block::paragraph("If this wasn’t you, remove the passkey in Settings, log out of sessions you don’t recognize, and reset your password."),
            Block::Button { label: "Open Settings", url: shop.link("/profile/settings") },
        ],
    }
    .render(shop)
}

/// The security notice about a removed passkey.
#[must_use]
pub fn passkey_removed(shop: &ShopInfo, name: &str) -> Mail {
    EmailTemplate {
        subject: format!("A passkey was removed from your {} account", shop.name),
        heading: "A passkey was removed".to_owned(),
        blocks: vec![
            Block::paragraph(&format!(
                "The passkey “{name}” can no longer log in to your account. You can also delete it from your device."
            )),
            Block::paragraph("If this wasn’t you, log out of sessions you don’t recognize, and reset your password."),
            Block::Button { label: "Open My Account", url: shop.link("/profile") },
        ],
    }
    .render(shop)
}

/// To an administrator who replaced the recovery codes.
#[must_use]
pub fn recovery_codes_replaced(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("Your recovery codes at {} were replaced", shop.name),
        heading: "Your recovery codes were replaced".to_owned(),
        blocks: vec![
            Block::paragraph("Your account has ten new recovery codes. Earlier recovery codes no longer work."),
            Block::paragraph("If this wasn’t you, ask the person who runs the server to revoke your administrator rights, and reset your password."),
            Block::Button { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .render(shop)
}

/// The security notice after refresh token reuse, which revokes the session's whole token family.
#[must_use]
pub fn sessions_ended(shop: &ShopInfo) -> Mail {
    EmailTemplate {
        subject: format!("You were logged out of {}", shop.name),
        heading: "We logged you out as a precaution".to_owned(),
        blocks: vec![
            Block::paragraph(
                "One of your sessions was used in two places at once, so we ended it. Restoring a browser from a backup can cause this. So can someone copying your session.",
            ),
            Block::paragraph("Log in again to continue. If you’re not sure it was you, reset your password too."),
            Block::Button { label: "Log In", url: shop.link("/login") },
            Block::Link { label: "Reset Password", url: shop.link("/forgot-password") },
        ],
    }
    .render(shop)
}

/// The subject contains the code, so that an inbox or a notification shows it.
fn code_subject(shop: &ShopInfo, code: &str) -> String {
    format!("Your {} code is {code}", shop.name)
}
