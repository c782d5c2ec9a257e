//! What each page may load. Every page runs our own scripts and talks to us; a few may use one other service each.

use std::sync::LazyLock;

use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::{assets, paths};
use crate::config::{Analytics, BotCheck, Config, Payments, ServiceKind};

/// What a page may use beside our own, as sources of a directive: each begins with a blank or is empty.
#[derive(Default)]
struct Others {
    script: String,
    connect: String,
    frame: String,
    img: String,
}

/// The script that stands in every page, by its hash: nothing else may run that is no file of ours.
static EARLY_SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let hash = |script: &str| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(script)));
    assets::early_script().map(hash).unwrap_or_default()
});

/// The content security policy of the page at this path.
pub fn of(config: &Config, path: &str) -> HeaderValue {
    let Others { script, connect, frame, img } = others(config, paths::without_slash(path));
    let frame = if frame.is_empty() { frame } else { format!("frame-src{frame}; ") };
    let early = EARLY_SCRIPT.as_str();
    let policy = format!(
        "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; \
         manifest-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'{early}{script}; \
         {frame}connect-src 'self'{connect}; img-src 'self' data:{img}; font-src 'self'; style-src 'self' 'unsafe-inline'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Never two of them on one page, and none where an account or the shop is at work.
fn others(config: &Config, path: &str) -> Others {
    if path == "/checkout" || path.starts_with("/checkout/") {
        return match config.payments {
            Payments::Stripe(_) => stripe(),
            Payments::Test => Others::default(),
        };
    }
    if path == "/login" || path == "/register" {
        return match &config.bot_check {
            BotCheck::Service(service) => bot_check(service.kind),
            BotCheck::Pow | BotCheck::Off => Others::default(),
        };
    }
    match &config.analytics {
        Analytics::Plausible(there) if paths::public_page(path).is_some() => {
            let source = format!(" {}", there.origin());
            Others { script: source.clone(), connect: source, ..Others::default() }
        }
        _ => Others::default(),
    }
}

fn stripe() -> Others {
    Others {
        script: " https://js.stripe.com https://*.js.stripe.com".to_owned(),
        connect: " https://api.stripe.com".to_owned(),
        frame: " https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com".to_owned(),
        img: " https://*.stripe.com".to_owned(),
    }
}

/// As the services themselves ask for: a path after the host lets in that much of the host, and no more.
fn bot_check(kind: ServiceKind) -> Others {
    match kind {
        ServiceKind::Recaptcha => Others {
            script: " https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/".to_owned(),
            connect: " https://www.google.com/recaptcha/".to_owned(),
            frame: " https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/".to_owned(),
            img: String::new(),
        },
        ServiceKind::Turnstile => Others {
            script: " https://challenges.cloudflare.com".to_owned(),
            frame: " https://challenges.cloudflare.com".to_owned(),
            ..Others::default()
        },
    }
}
