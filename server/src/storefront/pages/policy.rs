//! Content security policy of each page. Every page may use the shop itself; a few may use one third-party service each.

use std::sync::LazyLock;

use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::{paths, shell_files};
use crate::config::{Analytics, BotCheckMode, Config, Payments, ServiceKind};

/// Third-party sources of each directive. Each is empty or begins with a space.
#[derive(Default)]
struct ThirdParty {
    script: String,
    connect: String,
    frame: String,
    img: String,
}

/// The hash of the only inline script. All other inline scripts are blocked.
static INLINE_SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let hash = |script: &str| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(script)));
    shell_files::inline_script().map(hash).unwrap_or_default()
});

/// The content security policy of the page at this path.
pub fn of(config: &Config, path: &str) -> HeaderValue {
    let ThirdParty { script, connect, frame, img } = third_party(config, paths::without_slash(path));
    let frame = if frame.is_empty() { frame } else { format!("frame-src{frame}; ") };
    let inline = INLINE_SCRIPT.as_str();
    let policy = format!(
        "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'; \
         manifest-src 'self'; worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'{inline}{script}; \
         {frame}connect-src 'self'{connect}; img-src 'self' data:{img}; font-src 'self'; style-src 'self' 'unsafe-inline'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// At most one service per page, and none on account and admin pages.
fn third_party(config: &Config, path: &str) -> ThirdParty {
    if path == "/checkout" || path.starts_with("/checkout/") {
        return match config.payments {
            Payments::Stripe(_) => stripe(),
            Payments::Test => ThirdParty::default(),
        };
    }
    if matches!(path, "/login" | "/login/code" | "/register") {
        return match &config.bot_check {
            BotCheckMode::Service(service) => bot_check(service.kind),
            BotCheckMode::Pow | BotCheckMode::Off => ThirdParty::default(),
        };
    }
    match &config.analytics {
        Analytics::Plausible(plausible) if paths::public_page(path).is_some() => {
            let source = format!(" {}", plausible.origin());
            ThirdParty { script: source.clone(), connect: source, ..ThirdParty::default() }
        }
        _ => ThirdParty::default(),
    }
}

fn stripe() -> ThirdParty {
    ThirdParty {
        script: " https://js.stripe.com https://*.js.stripe.com".to_owned(),
        connect: " https://api.stripe.com".to_owned(),
        frame: " https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com".to_owned(),
        img: " https://*.stripe.com".to_owned(),
    }
}

/// The sources that the services document. A source with a path allows only that path.
fn bot_check(kind: ServiceKind) -> ThirdParty {
    match kind {
        ServiceKind::Recaptcha => ThirdParty {
            script: " https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/".to_owned(),
            connect: " https://www.google.com/recaptcha/".to_owned(),
            frame: " https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/".to_owned(),
            img: String::new(),
        },
        ServiceKind::Turnstile => ThirdParty {
            script: " https://challenges.cloudflare.com".to_owned(),
            frame: " https://challenges.cloudflare.com".to_owned(),
            ..ThirdParty::default()
        },
    }
}
