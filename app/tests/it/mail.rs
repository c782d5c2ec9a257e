//! Rules for all emails, and the content of each.

use app::mail::{self, ShopInfo};
use app::orders::picture_id;
use wasm_core::money::Cents;

use crate::emails::{all, shop};
use crate::html::{attributes, facts, first_six_digits, visible};
use crate::orders::{HOSTILE, HOSTILE_LINE, hostile, to_quebec, two_lights};

const CUSTOMER: &str = "zoe@example.com";

#[test]
fn html_and_text_of_every_mail_carry_the_same_facts() {
    for (name, mail) in all(&shop(), &to_quebec(), "Order 1002 was paid twice: see kit@example.com") {
        let mut seen = facts(&visible(&mail.html));
        seen.extend(attributes(&mail.html, "href").into_iter().filter(|link| !link.starts_with("mailto:")));
        assert_eq!(seen, facts(&mail.text), "{name}");
        assert!(!seen.is_empty(), "{name} has links at least");
    }
}

#[test]
fn every_sentence_of_the_text_is_in_the_html() {
    for (name, mail) in all(&shop(), &two_lights(), "Look here.") {
        let page = visible(&mail.html);
        let sentences = mail.text.lines().filter(|line| line.ends_with('.') && !line.starts_with("https://"));
        assert!(sentences.clone().count() > 0, "{name}");
        for sentence in sentences {
            assert!(page.contains(sentence), "{name} lacks in HTML: {sentence}");
        }
    }
}

#[test]
fn a_subject_is_one_line_whatever_the_data_says() {
    let hostile_shop = ShopInfo { name: HOSTILE.to_owned(), ..shop() };
    for (name, mail) in all(&hostile_shop, &hostile(), HOSTILE) {
        assert!(!mail.subject.is_empty(), "{name}");
        assert!(!mail.subject.contains(|c: char| c.is_control() || "\u{2028}\u{2029}".contains(c)), "{name}");
    }
    assert_eq!(mail::alert(&shop(), HOSTILE, "x").subject, format!("Alert: {HOSTILE_LINE}"));
}

#[test]
fn nothing_from_outside_becomes_markup_a_link_or_a_line() {
    let hostile_shop = ShopInfo { name: HOSTILE.to_owned(), support_email: HOSTILE.to_owned(), ..shop() };
    for (name, mail) in all(&hostile_shop, &hostile(), HOSTILE) {
        assert!(!mail.html.contains("<Kit>") && !mail.html.contains("<script"), "{name}");
        assert!(visible(&mail.html).contains(HOSTILE_LINE), "{name}");
        assert!(mail.text.contains(HOSTILE_LINE), "{name}");
        for link in attributes(&mail.html, "href") {
            assert!(link.starts_with("https://") || link.starts_with("mailto:"), "{name}: {link}");
        }
    }
    for (name, mail) in all(&hostile_shop, &hostile(), HOSTILE).into_iter().filter(|(name, _)| *name != "alert") {
        assert!(!mail.text.contains("\nBcc:"), "{name}");
    }
}

#[test]
fn a_mail_loads_nothing_and_brings_its_own_looks_and_pictures() {
    for (name, mail) in all(&shop(), &to_quebec(), "Look here.") {
        assert!(mail.html.starts_with("<!DOCTYPE html><html"), "{name}");
        assert!(mail.html.contains("max-width:560px"), "{name}");
        for loaded in ["<link", "<script", "url(", "@import", " class="] {
            assert!(!mail.html.contains(loaded), "{name} has {loaded}");
        }
        let carried: Vec<String> = mail.pictures.iter().map(|id| format!("cid:{}", picture_id(id))).collect();
        let mut shown = attributes(&mail.html, "src");
        shown.dedup();
        assert_eq!(shown, carried, "{name}");
    }
}

#[test]
fn a_picture_with_its_name_and_size_is_beside_each_item_of_a_receipt() {
    let order = to_quebec();
    for mail in [
        mail::receipt(&shop(), &order),
        mail::shipped(&shop(), &order, None),
        mail::refunded(&shop(), &order, order.total),
        mail::new_order(&shop(), &order, CUSTOMER),
    ] {
        let names: Vec<String> = order.items.iter().map(|item| item.product_name.clone()).collect();
        assert_eq!(attributes(&mail.html, "alt"), names, "{}", mail.subject);
        assert_eq!(mail.html.matches("<img ").count(), names.len(), "{}", mail.subject);
        assert_eq!(mail.html.matches(r#"width="64" height="64""#).count(), names.len(), "{}", mail.subject);
    }
}

#[test]
fn a_product_in_two_lines_is_carried_once() {
    let mut order = two_lights();
    order.items.push(order.items[0].clone());
    assert_eq!(mail::receipt(&shop(), &order).pictures, [order.items[0].product_id.clone()]);
}

#[test]
fn a_mail_has_one_button() {
    for (name, mail) in all(&shop(), &to_quebec(), "Look here.") {
        let links = mail.html.split("<a ").skip(1).filter_map(|link| link.split('>').next());
        let buttons = links.filter(|tag| tag.contains("border-radius"));
        assert_eq!(buttons.count(), 1, "{name}");
    }
}

#[test]
fn a_code_is_the_first_thing_of_six_digits_in_all_that_is_sent() {
    // The address may contain digits too, but it comes after the code.
    let email = "kit654321@example.com";
    for mail in [
        mail::confirm_email(&shop(), email, "048213", "11/22/2026, 11:40 UTC"),
        mail::login_code(&shop(), email, "048213"),
        mail::change_email_from(&shop(), email, "048213"),
        mail::change_email_to(&shop(), "048213"),
        mail::reset_password(&shop(), email, "048213"),
    ] {
        assert_eq!(mail.subject, "Your Nudgelight code is 048213");
        assert!(mail.text.lines().any(|line| line == "048213"));
        for part in [&mail.subject, &mail.text, &mail.html] {
            assert_eq!(first_six_digits(part), Some("048213"));
        }
    }
}

#[test]
fn no_color_can_be_taken_for_a_code() {
    for (name, mail) in all(&shop(), &two_lights(), "kit@example.com") {
        for color in mail.html.split('#').skip(1) {
            assert!(first_six_digits(color.get(..6).unwrap_or_default()).is_none(), "{name}: #{color:.6}");
        }
    }
}

#[test]
fn the_links_of_the_code_mails_carry_the_address() {
    let email = "kit+night&day@example.com";
    let confirm = "https://shop.example/confirm-email?email=kit%2Bnight%26day%40example.com";
    let login = "https://shop.example/login/code?email=kit%2Bnight%26day%40example.com";
    let reset = "https://shop.example/confirm-forgot-password?email=kit%2Bnight%26day%40example.com";
    for (mail, link) in [
        (mail::confirm_email(&shop(), email, "1", "11/22/2026, 11:40 UTC"), confirm),
        (mail::login_code(&shop(), email, "1"), login),
        (mail::reset_password(&shop(), email, "1"), reset),
    ] {
        assert!(mail.text.lines().any(|line| line == link));
        assert!(attributes(&mail.html, "href").contains(&link.to_owned()));
    }
}

#[test]
fn a_customer_is_led_to_the_order_and_the_shopkeeper_to_the_admins_page() {
    let order = two_lights();
    let customers = format!("https://shop.example/order/{}", order.id);
    let admins = format!("https://shop.example/admin/order/{}", order.id);
    assert!(mail::receipt(&shop(), &order).text.contains(&customers));
    assert!(mail::shipped(&shop(), &order, None).text.contains(&customers));
    assert!(mail::refunded(&shop(), &order, order.total).text.contains(&customers));
    assert!(mail::new_order(&shop(), &order, CUSTOMER).text.contains(&admins));
    assert!(mail::order_alert(&shop(), &order, CUSTOMER, "Look.").text.contains(&admins));
}

#[test]
fn subjects_tell_the_mails_apart() {
    let subjects = all(&shop(), &to_quebec(), "Look here").map(|(_, mail)| mail.subject);
    let expected = [
        "Your Nudgelight code is 048213",
        "Your Nudgelight code is 048213",
        "Log in to Nudgelight with your password",
        "Your Nudgelight code is 048213",
        "You already have an account at Nudgelight",
        "Your Nudgelight code is 048213",
        "Your Nudgelight code is 048213",
        "You already have an account at Nudgelight",
        "Your Nudgelight email address was changed",
        "Your Nudgelight email address was changed back",
        "Your Nudgelight email address was changed back",
        "You log in to Nudgelight with a new email address",
        "Your Nudgelight password was changed",
        "Two-factor authentication is set up at Nudgelight",
        "A recovery code was used at Nudgelight",
        "Your recovery codes at Nudgelight were replaced",
        "A passkey was added to your Nudgelight account",
        "A passkey was removed from your Nudgelight account",
        "You were logged out of Nudgelight",
        "Your Nudgelight order 1002 is confirmed",
        "Your Nudgelight order 1002 has shipped",
        "Your Nudgelight order 1002 has shipped",
        "Refund for your Nudgelight order 1002",
        "The refund for your Nudgelight order 1002 failed",
        "Your payment to Nudgelight was refunded",
        "Your refund from Nudgelight failed",
        "New order 1002 for $1,519.28",
        "Alert: Order 1002",
        "Respond by 12/31/2026: dispute about order 1002",
        "Alert: Look here",
        "Low stock: 2 products",
        "Confirm: email me when Look here is back",
        "Look here is back in stock",
    ];
    assert_eq!(subjects, expected);
}

#[test]
fn a_refund_names_what_went_back_and_not_the_whole_order() {
    let mail = mail::refunded(&shop(), &to_quebec(), Cents::from_cents(19_987));
    assert!(mail.text.starts_with("We refunded $199.87\n\nWe refunded $199.87 for order 1002 to"));
}

#[test]
fn a_parcel_by_an_unknown_carrier_is_announced_without_a_link() {
    let mut order = to_quebec();
    order.tracking_number = Some("pigeon 7".to_owned());
    let mail = mail::shipped(&shop(), &order, None);
    assert!(mail.text.contains("Tracking number: pigeon 7"));
    assert!(!mail.text.contains("Track Package"));
    assert!(mail::shipped(&shop(), &to_quebec(), None).text.contains("Track Package:\nhttps://www.ups.com/"));
}

#[test]
fn the_lines_of_a_warning_stay_paragraphs() {
    let mail = mail::alert(&shop(), "A payment has no order", "First.\n\n  Second.\r\nThird.");
    assert!(mail.text.contains("\n\nFirst.\n\nSecond.\n\nThird.\n\n"));
}
