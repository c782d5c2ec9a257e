//! The public pages, as the server renders them.

use app::catalogue::{ProductEvents, ProductListProps, ProductProps, product_list, product_page, stock_status};
use app::frame::{
    Account, FooterEvents, FooterProps, NavigationEvents, NavigationProps, ProductLink, footer, navigation_bar,
};
use app::pages::{FirmwareFile, HomeProps, LampState, Text, TextPageProps, home_page, text_page};
use app::ui::{Illustration, Lamp, illustration, render_to_string, svg_file};
use leptos::prelude::*;
use wasm_core::catalogue::{LampColor, Product};

use crate::html::{attributes, visible};

/// Names that try to inject markup.
const HOSTILE: [&str; 4] = [
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>&lt;",
    "'-alert(1)-'<!--",
];

fn html<P: Send + Sync + 'static>(props: P, view: impl FnOnce(Signal<P>) -> AnyView) -> String {
    render_to_string(|| view(Signal::stored(props)))
}

fn products() -> Vec<Product> {
    serde_json::from_str(include_str!("../../testdata/products.json")).unwrap()
}

fn product(change: impl FnOnce(&mut Product)) -> String {
    let mut product = products().remove(0);
    change(&mut product);
    html(ProductProps { product }, |props| product_page(props, ProductEvents::default()))
}

fn navigation(account: Account, name: &str) -> String {
    navigation_at("/about", account, name)
}

fn navigation_at(path: &str, account: Account, name: &str) -> String {
    let props = NavigationProps {
        shop_name: name.to_owned(),
        path: path.to_owned(),
        products: vec![ProductLink { name: name.to_owned(), slug: "one".to_owned() }],
        cart_count: 1,
        account,
    };
    html(props, |props| navigation_bar(props, NavigationEvents::default()))
}

#[test]
fn a_product_page_says_what_it_is_what_it_costs_and_how_many_there_are() {
    let page = product(|_| {});
    let text = visible(&page);
    for fact in [
        "Nudgelight One",
        "$24.99",
        "In Stock",
        "A warm light",
        "In the box",
        "Specifications",
        "0.60 lb",
        "SCHEDULE.TXT",
    ] {
        assert!(text.contains(fact), "{fact} in {text}");
    }
    assert!(attributes(&page, "max").contains(&"10".to_owned()), "no more than there are");
}

#[test]
fn what_is_gone_cannot_be_put_into_the_cart_and_its_lamp_is_off() {
    let page = product(|product| product.available = 0);
    assert!(visible(&page).contains("Out of Stock"));
    let button = page.split("<button").find(|button| button.contains("Add to Cart")).unwrap();
    assert!(button.split('>').next().unwrap().contains("disabled"), "{button}");
    assert!(attributes(&page, "data-lamp").iter().all(|lamp| lamp == "off"));
}

#[test]
fn the_stock_badge_has_the_specifications_words() {
    for (available, words) in [(5, "In Stock"), (4, "Low Stock"), (1, "Low Stock"), (0, "Out of Stock")] {
        assert_eq!(visible(&render_to_string(|| stock_status(available))), words);
    }
}

#[test]
fn the_list_links_every_product_once_and_says_so_when_there_is_none() {
    let list = |products| html(ProductListProps { products }, product_list);
    let links = attributes(&list(products()), "href");
    assert_eq!(links, ["/products/nudgelight-one", "/products/nudgelight-mini", "/products/long"]);
    assert!(visible(&list(Vec::new())).contains("No products yet."));
}

#[test]
fn the_home_page_shows_the_line_that_lights_its_lamp() {
    let lamp = LampState { lamp: Lamp::Blink, rule: "blink 09:00 for 30s".to_owned(), meaning: "Now.".to_owned() };
    let props = HomeProps { shop_name: "Nudgelight".to_owned(), products: products(), lamp };
    let page = html(props, home_page);
    assert!(visible(&page).starts_with("Welcome to Nudgelight"));
    assert!(visible(&page).contains("blink 09:00 for 30s Now."));
    assert!(attributes(&page, "data-lamp").contains(&"blink".to_owned()));
}

#[test]
fn the_home_pages_lamp_is_named_by_what_it_does() {
    for (lamp, said) in [(Lamp::On, "glowing"), (Lamp::Blink, "blinking"), (Lamp::Off, "dark")] {
        let props = HomeProps { lamp: LampState { lamp, ..LampState::default() }, ..HomeProps::default() };
        let names = attributes(&html(props, home_page), "aria-label");
        assert!(names.contains(&format!("A small light, {said}, on a shelf at night")), "{lamp:?}: {names:?}");
    }
}

#[test]
fn everybody_gets_the_links_that_are_theirs() {
    let cases = [
        (Account::Visitor, vec!["Login", "Register"], vec!["My Account", "Admin Panel", "Logout"]),
        (Account::Customer, vec!["My Account", "Logout"], vec!["Login", "Register", "Admin Panel"]),
        (Account::Admin, vec!["My Account", "Admin Panel", "Logout"], vec!["Login", "Register"]),
    ];
    for (account, shown, hidden) in cases {
        let text = visible(&navigation(account, "Nudgelight"));
        assert!(shown.iter().all(|link| text.contains(link)), "{account:?}: {text}");
        assert!(!hidden.iter().any(|link| text.contains(link)), "{account:?}: {text}");
    }
    let bar = navigation(Account::Visitor, "Nudgelight");
    assert!(visible(&bar).contains("View Cart 1 item "));
    assert_eq!(attributes(&bar, "aria-current"), ["page", "page"], "About, in the bar and in the small menu");
}

#[test]
fn my_account_and_the_admin_panel_are_current_on_their_tabs_too() {
    let cases = [
        ("/profile", vec!["page"]),
        ("/profile/orders", vec!["true"]),
        ("/profiles", vec![]),
        ("/admin/products", vec!["true"]),
    ];
    for (path, current) in cases {
        let bar = navigation_at(path, Account::Admin, "Nudgelight");
        // In the bar and in the small menu.
        assert_eq!(attributes(&bar, "aria-current"), current.repeat(2), "{path}");
    }
}

#[test]
fn every_text_has_one_heading_a_description_and_the_address_for_questions() {
    for text in Text::ALL {
        let props = TextPageProps {
            text,
            shop_name: "Nudgelight".to_owned(),
            support_email: "help@lamp.example".to_owned(),
            captcha_provider: None,
            analytics_host: None,
            firmware: None,
        };
        let page = html(props, text_page);
        assert_eq!(page.matches("<h1").count(), 1, "{text:?}");
        assert!(visible(&page).starts_with(&text.title("Nudgelight")), "{text:?}");
        assert!((40..=160).contains(&text.description().len()), "{text:?}");
        assert!(
            attributes(&page, "href")
                .iter()
                .all(|href| href.starts_with('/') || href == "#lab" || href == "mailto:help@lamp.example")
        );
    }
}

#[test]
fn the_tutorial_offers_the_lights_firmware_where_the_shop_has_it() {
    let tutorial = |firmware: Option<FirmwareFile>| {
        let props = TextPageProps {
            text: Text::Tutorial,
            shop_name: "Nudgelight".to_owned(),
            support_email: "help@lamp.example".to_owned(),
            captcha_provider: None,
            analytics_host: None,
            firmware,
        };
        html(props, text_page)
    };
    let with = tutorial(Some(FirmwareFile { url: "/downloads/light.uf2".to_owned(), bytes: 700_001 }));
    assert!(with.contains("href=\"/downloads/light.uf2\" download"), "{with}");
    assert!(visible(&with).contains("(UF2, 684 KB)"), "{}", visible(&with));
    assert!(!tutorial(None).contains("download"));
}

#[test]
fn names_typed_by_people_stay_text_in_every_view() {
    for name in HOSTILE {
        let home = HomeProps { shop_name: name.to_owned(), ..HomeProps::default() };
        let text = TextPageProps {
            text: Text::Privacy,
            shop_name: name.to_owned(),
            support_email: name.to_owned(),
            captcha_provider: Some(name.to_owned()),
            analytics_host: None,
            firmware: None,
        };
        let named = |product: &mut Product| (product.name, product.description) = (name.to_owned(), name.to_owned());
        let mut listed = products();
        listed.iter_mut().for_each(named);
        let pages = [
            product(named),
            navigation(Account::Visitor, name),
            html(ProductListProps { products: listed }, product_list),
            html(home, home_page),
            html(text, text_page),
            render_to_string(|| illustration(Illustration::Front, LampColor::Teal, Lamp::On, Some(name.to_owned()))),
        ];
        for page in pages {
            for tag in ["<script", "<img", "<svg/", "<!--'"] {
                assert!(!page.contains(tag), "{tag} in {page}");
            }
            let said = visible(&page).contains(name) || attributes(&page, "aria-label").contains(&name.to_owned());
            assert!(said, "{name} is not shown in {page}");
        }
    }
}

#[test]
fn every_gradient_of_a_drawing_is_in_its_file_and_once_in_the_footer() {
    let footer = html(FooterProps::default(), |props| footer(props, FooterEvents::default()));
    let ids = attributes(&footer, "id");
    for (color, scene) in LampColor::ALL.into_iter().flat_map(|color| Illustration::ALL.map(|scene| (color, scene))) {
        let file = svg_file(scene, color);
        assert!(file.contains(color.css()) && !file.contains('@'));
        let in_page = render_to_string(|| illustration(scene, color, Lamp::On, None));
        assert!(!in_page.contains(" id=") && !in_page.contains('@'), "{in_page}");
        let references: Vec<&str> = in_page.split("url(#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(!references.is_empty());
        for reference in references {
            assert!(file.contains(&format!("id=\"{reference}\"")), "{reference}");
            assert_eq!(ids.iter().filter(|id| *id == reference).count(), 1, "{reference} in the footer");
        }
    }
}

#[test]
fn html_has_no_markers_for_hydration_and_typed_ones_are_shown() {
    let listed = html(ProductListProps { products: products() }, product_list);
    assert!(!listed.contains("<!>"), "{listed}");
    let typed = product(|product| product.name = "A<!>B".to_owned());
    assert!(!typed.contains("<!>"), "{typed}");
    assert!(visible(&typed).contains("A<!>B"), "{typed}");
    assert!(attributes(&typed, "aria-label").contains(&"Illustration of A<!>B".to_owned()), "{typed}");
}
