use app::pages::{FirmwareFile, Text, TextPageProps, text_page};
use app::ui::{Part, Props};
use leptos::prelude::*;

use crate::{SHOP_NAME, SUPPORT, state};

pub fn states() -> AnyView {
    let page = |text: Text| {
        let props = TextPageProps {
            text,
            shop_name: SHOP_NAME.to_owned(),
            support_email: SUPPORT.to_owned(),
            checked_by: Some("Cloudflare’s Turnstile".to_owned()),
            counted_by: None,
            firmware: Some(FirmwareFile { url: "#".to_owned(), bytes: 730_000 }),
        };
        state("A page of text", text_page(Props::new(props)).erased())
    };
    Text::ALL.map(page).collect_view().into_any()
}
