use app::frame::{
    Account, FooterEvents, FooterProps, NavigationEvents, NavigationProps, ProductLink, footer, navigation_bar,
};
use leptos::prelude::*;
use wasm_core::catalog::WarrantyRange;

use crate::{SHOP_NAME, state};

pub fn states() -> AnyView {
    view! {
        {navigation("Navigation: a visitor", Account::Visitor, 0)}
        {navigation("Navigation: a customer with a cart", Account::Customer, 3)}
        {navigation("Navigation: an administrator", Account::Admin, 120)}
        {below("Footer: in test mode", true)}
        {below("Footer: for real", false)}
    }
    .into_any()
}

fn navigation(title: &'static str, account: Account, cart_count: i64) -> AnyView {
    let link = |name: &str, slug: &str| ProductLink { name: name.to_owned(), slug: slug.to_owned() };
    let given = NavigationProps {
        shop_name: SHOP_NAME.to_owned(),
        path: "/about".to_owned(),
        products: vec![link("Nudgelight One", "nudgelight-one"), link("Nudgelight Mini", "nudgelight-mini")],
        cart_count,
        account,
    };
    let props = RwSignal::new(given.clone());
    let log_out = Callback::new(move |()| props.set(NavigationProps { account: Account::Visitor, ..given.clone() }));
    state(title, navigation_bar(props.into(), NavigationEvents { log_out }))
}

fn below(title: &'static str, test_mode: bool) -> AnyView {
    let given = FooterProps {
        shop_name: SHOP_NAME.to_owned(),
        return_days: Some(30),
        warranty_months: Some(WarrantyRange { min: 24, max: 24 }),
        test_mode,
        ..FooterProps::default()
    };
    let props = RwSignal::new(given.clone());
    let choose_theme = Callback::new(move |theme| props.set(FooterProps { theme, ..given.clone() }));
    state(title, footer(props.into(), FooterEvents { choose_theme }))
}
