use app::pages::{FirmwareFile, Text, TextPageProps, text_page};
use leptos::prelude::*;

use crate::{SHOP_NAME, SUPPORT, state};

pub fn states() -> AnyView {
    let page = |text: Text| {
        let props = TextPageProps {
            text,
            shop_name: SHOP_NAME.to_owned(),
            support_email: SUPPORT.to_owned(),
            captcha_provider: Some("Cloudflare’s Turnstile".to_owned()),
            analytics_host: None,
            firmware: Some(FirmwareFile { url: "#".to_owned(), bytes: 730_000 }),
        };
        state("Text page", text_page(Signal::stored(props)))
    };
    Text::ALL.map(page).collect_view().into_any()
}
