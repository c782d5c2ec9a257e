//! The public pages, as the server renders them.

use app::catalog::{
    ArrivalEstimate, ProductEvents, ProductListProps, ProductProps, product_list, product_page, related_products,
    stock_status,
};
use app::frame::{
    Account, FooterEvents, FooterProps, NavigationEvents, NavigationProps, ProductLink, footer, navigation_bar,
};
use app::pages::{FirmwareFile, HeroEvents, HomeProps, LampState, Text, TextPageProps, USES, home_page, text_page};
use app::ui::{Daypart, Illustration, Lamp, illustration, render_to_string};
use leptos::prelude::*;
use wasm_core::catalog::{Dimensions, LampColor, Photo, Plug, Product, ProductList, ProductQuery};
use wasm_core::delivery::{DayRange, DeliveryTimes};
use wasm_core::pricing::ShippingRates;
use wasm_core::schedule;
use wasm_core::weight::Weight;

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

fn list_page(products: &[Product], query: &str) -> String {
    let list = ProductList::select(products, &ProductQuery::parse(query));
    html(ProductListProps { list }, product_list)
}

fn product(change: impl FnOnce(&mut Product)) -> String {
    product_with(|props| change(&mut props.product))
}

fn product_with(change: impl FnOnce(&mut ProductProps)) -> String {
    let mut props = ProductProps { product: products().remove(0), return_days: Some(30), ..ProductProps::default() };
    change(&mut props);
    html(props, |props| product_page(props, ProductEvents::default()))
}

fn home(change: impl FnOnce(&mut HomeProps)) -> String {
    let mut props = HomeProps { shop_name: "Nudgelight".to_owned(), products: products(), ..HomeProps::default() };
    change(&mut props);
    html(props, |props| home_page(props, HeroEvents::default()))
}

/// The attributes of every element with a name.
fn elements<'html>(html: &'html str, name: &str) -> Vec<&'html str> {
    let begin = format!("<{name} ");
    html.split(&begin).skip(1).filter_map(|rest| rest.split('>').next()).collect()
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
        "A warm little light",
        "Specifications",
        "0.60 lb (272 g)",
        "SCHEDULE.TXT",
    ] {
        assert!(text.contains(fact), "{fact} in {text}");
    }
    assert!(attributes(&page, "max").contains(&"10".to_owned()), "no more than there are");
}

#[test]
fn every_given_fact_is_shown_in_the_units_people_use() {
    let page = product(|product| {
        product.dimensions = Some(Dimensions { length_mm: 64, width_mm: 24, height_mm: 14 });
        product.plug = Some(Plug::UsbA);
        product.cable_length_mm = Some(600);
        product.power_mw = Some(900);
        product.led_color = Some("Warm white, 2700 K".to_owned());
        product.in_the_box = vec!["The light".to_owned(), "A 2 ft cable".to_owned()];
        product.warranty_months = Some(24);
        product.origin_country = Some("CA".to_owned());
        product.sku = Some("NL-ONE".to_owned());
        product.gtin = Some("00850012345670".to_owned());
    });
    let text = visible(&page);
    for fact in [
        "Dimensions 2.52 × 0.94 × 0.55 in (64 × 24 × 14 mm)",
        "Plug USB-A",
        "Cable 23.62 in (600 mm)",
        "Power 0.9 W",
        "LED color Warm white, 2700 K",
        "Warranty 2 years",
        "Made in Canada",
        "SKU NL-ONE",
        "GTIN 00850012345670",
        "In the box The light A 2 ft cable",
    ] {
        assert!(text.contains(fact), "{fact} in {text}");
    }
}

#[test]
fn a_fact_that_is_not_given_has_no_row() {
    let text = visible(&product(|_| {}));
    for term in ["Dimensions", "Plug", "Cable", "LED color", "Warranty", "Made in", "SKU", "GTIN", "In the box"] {
        assert!(!text.contains(term), "{term} in {text}");
    }
}

#[test]
fn the_page_says_when_a_light_ships_and_what_the_cheapest_shipping_of_its_weight_costs() {
    let text = visible(&product_with(|props| {
        props.product.weight_pounds = Weight::from_hundredths(101);
        props.delivery = DeliveryTimes { handling: DayRange { min: 1, max: 1 }, ..DeliveryTimes::default() };
        props.shipping_rates = ShippingRates::default();
    }));
    assert!(text.contains("Ships in 1 business day, from $6.20"), "{text}");
    assert!(text.contains("Then 3–5 business days to the US, 5–10 to Canada"), "{text}");
    assert!(text.contains("30-day returns."), "{text}");
}

#[test]
fn a_low_stock_is_counted_beside_its_badge_and_units_in_the_cart_beside_the_button() {
    let text = visible(&product_with(|props| (props.product.available, props.in_cart) = (3, 2)));
    assert!(text.contains("Low Stock Only 3 left"), "{text}");
    assert!(text.contains("2 in your cart"), "{text}");
    let plenty = visible(&product(|_| {}));
    assert!(!plenty.contains("left") && !plenty.contains("in your cart"), "{plenty}");
}

#[test]
fn what_is_gone_cannot_be_put_into_the_cart_and_the_reason_is_beside_the_button() {
    let page = product(|product| product.available = 0);
    assert!(visible(&page).contains("Out of Stock"));
    let (button, below) = page.split("<button").find_map(|button| button.split_once("Add to Cart")).unwrap();
    assert!(button.contains("disabled") && button.contains("aria-describedby=\"order-note\""), "{button}");
    assert!(visible(below).contains("Sold out right now."), "{below}");
    let text = visible(&page);
    assert!(!text.contains("Ships in") && !text.contains("Arrives"), "{text}");
}

#[test]
fn the_question_about_brightness_is_answered_with_the_entered_lumens_and_left_out_without() {
    let text = |lumens| visible(&product(|product| product.brightness_lm = lumens));
    assert!(text(Some(25)).contains("How bright is it? 25 lumens at 100%."), "{}", text(Some(25)));
    assert!(!text(None).contains("How bright"));
}

#[test]
fn an_arrival_is_a_date_for_each_country_with_the_time_left_to_order() {
    let estimate =
        |minutes_left| ArrivalEstimate { us: "Nov 30 – Dec 3".to_owned(), ca: "Dec 5–12".to_owned(), minutes_left };
    let text = |arrival| visible(&product_with(|props| props.arrival = Some(arrival)));
    let page = text(estimate(Some(312)));
    assert!(page.contains("Arrives Nov 30 – Dec 3 in the US, Dec 5–12 in Canada"), "{page}");
    assert!(page.contains("Order within 5 h 12 min.") && !page.contains("Ships in"), "{page}");
    assert!(text(estimate(Some(120))).contains("Order within 2 h."));
    assert!(text(estimate(Some(7))).contains("Order within 7 min."));
    assert!(!text(estimate(None)).contains("Order within"));
    let sold_out = visible(&product_with(|props| (props.product.available, props.arrival) = (0, Some(estimate(None)))));
    assert!(!sold_out.contains("Arrives"), "{sold_out}");
}

#[test]
fn the_gallery_shows_every_drawing_with_its_own_text_and_size_and_loads_the_first_one_first() {
    let page = product(|product| {
        product.dimensions = Some(Dimensions { length_mm: 64, width_mm: 24, height_mm: 14 });
    });
    let pictures = elements(&page, "img");
    assert!(pictures[0].contains("/images/nudgelight-one.svg") && pictures[0].contains("fetchpriority=\"high\""));
    assert!(pictures[0].contains("alt=\"Illustration of Nudgelight One\""), "{}", pictures[0]);
    assert_eq!(pictures.iter().filter(|picture| picture.contains("\"high\"")).count(), 1);
    for picture in &pictures {
        assert!(picture.contains("width=\"480\"") && picture.contains("height=\"360\""), "{picture}");
    }
    let labels = attributes(&page, "aria-label");
    for label in ["The light", "In use", "On a shelf at night", "Dimensions"] {
        assert!(labels.contains(&label.to_owned()), "{label} in {labels:?}");
    }
    assert!(!attributes(&product(|_| {}), "aria-label").contains(&"Dimensions".to_owned()));
}

#[test]
fn photographs_come_first_then_the_drawings_and_one_without_text_is_numbered() {
    let page = product(|product| {
        product.dimensions = Some(Dimensions { length_mm: 64, width_mm: 24, height_mm: 14 });
        let photo = |id: &str, alt: &str| {
            let (id, alt) = (id.to_owned(), alt.to_owned());
            Photo { id, alt, width: 1200, height: 900, ..Photo::default() }
        };
        product.photos = vec![photo("0a", "In a port"), photo("0b", "")];
    });
    let labels = attributes(&page, "aria-label");
    let pictures =
        ["In a port", "Nudgelight One, photo 2 of 2", "The light", "In use", "On a shelf at night", "Dimensions"];
    let shown: Vec<&String> = labels.iter().filter(|label| pictures.contains(&label.as_str())).collect();
    assert_eq!(shown, pictures);
    let first = elements(&page, "img")[0];
    assert!(first.contains("/images/photos/0a-") && first.contains("alt=\"In a port\""), "{first}");
}

#[test]
fn other_products_follow_in_the_order_of_the_catalog_and_never_the_product_itself() {
    let products = products();
    let ids = |id| related_products(id, &products).into_iter().map(|product| product.id).collect::<Vec<_>>();
    assert_eq!(ids("p1"), ["p2", "p3"]);
    assert_eq!(ids("p2"), ["p3", "p1"]);
    assert_eq!(ids("unlisted"), ["p1", "p2", "p3"]);
    let page = product_with(|props| props.related = related_products("p1", &products));
    assert!(attributes(&page, "href").contains(&"/products/nudgelight-mini".to_owned()));
}

#[test]
fn the_stock_badge_has_the_specifications_words() {
    for (available, words) in [(5, "In Stock"), (4, "Low Stock"), (1, "Low Stock"), (0, "Out of Stock")] {
        assert_eq!(visible(&render_to_string(|| stock_status(available))), words);
    }
}

#[test]
fn the_list_links_every_product_once_and_says_so_when_there_is_none() {
    let list = |products: &[Product]| list_page(products, "");
    let links = attributes(&list(&products()), "href");
    let of_products: Vec<&String> = links.iter().filter(|link| link.starts_with("/products/")).collect();
    assert_eq!(of_products, ["/products/nudgelight-one", "/products/nudgelight-mini", "/products/long"]);
    assert!(visible(&list(&[])).contains("No products yet."));
}

#[test]
fn the_home_page_shows_the_line_that_its_lamp_follows_and_the_part_of_the_day() {
    let page = home(|_| {});
    let text = visible(&page);
    assert!(text.starts_with("Welcome to Nudgelight") && text.contains("On at 40% until 11 PM."), "{text}");
    assert!(attributes(&page, "value").contains(&"on 18:00-23:00 40%".to_owned()), "{page}");
    let chosen = |page: &str| {
        let pressed = page.split("<button").filter(|button| button.contains("aria-pressed=\"true\""));
        pressed
            .map(|button| visible(&format!("<button{}", button.split("</button").next().unwrap())))
            .collect::<Vec<_>>()
    };
    assert_eq!(chosen(&page), ["Cozy evening", "Dusk"]);
    let blinking = home(|props| {
        props.line = Some("blink 9am".to_owned());
        props.lamp = Some(LampState {
            lamp: Lamp::Blink,
            daypart: Daypart::Day,
            meaning: "Blinks.".to_owned(),
            problem: Some("Not a time.".to_owned()),
            fix: Some("blink 09:00 for 30s".to_owned()),
            ..LampState::default()
        });
    });
    assert!(visible(&blinking).contains("Blinks. In your file: blink 09:00 for 30s Use it"), "{}", visible(&blinking));
    assert!(attributes(&blinking, "data-lamp").contains(&"blink".to_owned()));
    assert_eq!(chosen(&blinking), ["Day"]);
    let sunset =
        home(|props| props.lamp = Some(LampState { problem: Some("No sunset.".to_owned()), ..LampState::default() }));
    assert!(visible(&sunset).contains("No sunset.") && !visible(&sunset).contains("Use it"));
}

#[test]
fn the_home_pages_lamp_is_named_by_what_it_does() {
    for (lamp, said) in [(Lamp::On, "glowing"), (Lamp::Blink, "blinking"), (Lamp::Off, "dark")] {
        let page = home(|props| props.lamp = Some(LampState { lamp, ..LampState::default() }));
        let names = attributes(&page, "aria-label");
        assert!(names.contains(&format!("A small light, {said}. On a shelf at dusk.")), "{lamp:?}: {names:?}");
    }
}

#[test]
fn the_home_page_names_the_lowest_price_of_its_products_and_where_it_ships() {
    let text = visible(&home(|_| {}));
    assert!(text.contains("From $17.50 · Ships to the US and Canada"), "{text}");
    let cheapest_last = visible(&home(|props| {
        let cheapest = Product { price: wasm_core::money::Cents::from_cents(325), ..props.products[0].clone() };
        props.products.push(cheapest);
    }));
    assert!(cheapest_last.contains("From $3.25"), "{cheapest_last}");
    let empty = visible(&home(|props| props.products.clear()));
    assert!(!empty.contains("From $") && empty.contains("Ships to the US and Canada"), "{empty}");
}

#[test]
fn the_home_page_features_four_products_and_links_all_of_them() {
    let page = home(|props| props.products = products().into_iter().cycle().take(200).collect());
    let grid = page.split_once("Our lights").unwrap().1;
    assert_eq!(attributes(grid, "href").iter().filter(|link| link.starts_with("/products/")).count(), 4);
    assert!(visible(&page).contains("All products"));
    assert!(visible(&home(|props| props.products.clear())).contains("No products yet."));
}

#[test]
fn every_line_of_the_home_page_is_a_rule_without_a_mistake() {
    let text = visible(&home(|_| {}));
    for (title, line, _) in USES {
        let mut mistakes = Vec::new();
        let parsed = schedule::parse(format!("timezone = UTC\n{line}\n"), &mut |mistake| mistakes.push(mistake));
        assert!(mistakes.is_empty(), "{line}: {mistakes:?}");
        assert_eq!(parsed.rules().len(), 1, "{line}");
        assert!(text.contains(&format!("{title} ")) && text.contains(line), "{line} in {text}");
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
fn every_text_has_one_heading_a_description_and_links_within_the_shop() {
    for text in Text::ALL {
        let props = TextPageProps { text, shop_name: "Nudgelight".to_owned(), policy: None, firmware: None };
        let page = html(props, text_page);
        assert_eq!(page.matches("<h1").count(), 1, "{text:?}");
        assert!(visible(&page).starts_with(&text.title("Nudgelight")), "{text:?}");
        assert!((40..=160).contains(&text.description().len()), "{text:?}");
        assert!(attributes(&page, "href").iter().all(|href| href.starts_with('/') || href == "#lab"));
    }
}

#[test]
fn the_labs_page_shows_its_first_example_until_the_lab_starts() {
    let page = |text| {
        html(TextPageProps { text, shop_name: "Nudgelight".to_owned(), policy: None, firmware: None }, text_page)
    };
    let lab = page(Text::ScheduleLab);
    let (_, shown) = lab.split_once("<div class=\"lab-placeholder\">").expect("a placeholder");
    for line in ["timezone = America/New_York", "blink every 30m 09:00-17:00 for 10s weekdays"] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    for control in ["<button", "<textarea", "<a "] {
        assert!(!shown.contains(control), "{control} in {shown}");
    }
    assert!(!page(Text::Tutorial).contains("lab-placeholder"), "the Lab is far below the tutorial's text");
}

#[test]
fn the_tutorial_offers_the_lights_firmware_where_the_shop_has_it() {
    let tutorial = |firmware: Option<FirmwareFile>| {
        let props = TextPageProps { text: Text::Tutorial, shop_name: "Nudgelight".to_owned(), policy: None, firmware };
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
        let text = TextPageProps { text: Text::About, shop_name: name.to_owned(), policy: None, firmware: None };
        let named = |product: &mut Product| (product.name, product.description) = (name.to_owned(), name.to_owned());
        let mut listed = products();
        listed.iter_mut().for_each(named);
        let pages = [
            product(named),
            navigation(Account::Visitor, name),
            list_page(&listed, ""),
            html(home, |props| home_page(props, HeroEvents::default())),
            html(text, text_page),
            render_to_string(|| illustration(Illustration::Front, LampColor::Teal, Lamp::On, Some(name.to_owned()))),
        ];
        for page in pages {
            for tag in ["<script", "<img src=x", "<svg/", "<!--'"] {
                assert!(!page.contains(tag), "{tag} in {page}");
            }
            let said = visible(&page).contains(name) || attributes(&page, "aria-label").contains(&name.to_owned());
            assert!(said, "{name} is not shown in {page}");
        }
    }
}

#[test]
fn every_gradient_of_an_illustration_is_once_in_the_footer_or_in_its_room() {
    let footer = html(FooterProps::default(), |props| footer(props, FooterEvents::default()));
    let ids = attributes(&footer, "id");
    for (color, scene) in LampColor::ALL.into_iter().flat_map(|color| Illustration::ALL.map(|scene| (color, scene))) {
        let in_page = render_to_string(|| illustration(scene, color, Lamp::On, None));
        assert!(!in_page.contains('@'), "{in_page}");
        let own = attributes(&in_page, "id");
        let references: Vec<&str> = in_page.split("url(#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(!references.is_empty());
        for reference in references {
            assert_eq!(ids.iter().chain(&own).filter(|id| *id == reference).count(), 1, "{reference}");
        }
    }
}

#[test]
fn html_has_no_markers_for_hydration_and_typed_ones_are_shown() {
    let listed = list_page(&products(), "");
    assert!(!listed.contains("<!>"), "{listed}");
    let typed = product(|product| product.name = "A<!>B".to_owned());
    assert!(!typed.contains("<!>"), "{typed}");
    assert!(visible(&typed).contains("A<!>B"), "{typed}");
    assert!(attributes(&typed, "alt").contains(&"Illustration of A<!>B".to_owned()), "{typed}");
}
