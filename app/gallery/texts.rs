use app::pages::{FirmwareFile, Text, TextPageProps, text_page};
use leptos::prelude::*;

use crate::{SHOP_NAME, state};

pub fn states() -> AnyView {
    let page = |text: Text| {
        let props = TextPageProps {
            text,
            shop_name: SHOP_NAME.to_owned(),
            policy: Some("<h2>Heading</h2><p>The server’s text with <a href=\"#\">a link</a>.</p>".to_owned()),
            firmware: Some(FirmwareFile { url: "#".to_owned(), bytes: 730_000 }),
        };
        state("Text page", text_page(Signal::stored(props)))
    };
    Text::ALL.map(page).collect_view().into_any()
}
