//! The paths of all pages. Any other path gets the home page with status 404.

use app::schedule::Recipe;

pub const PUBLIC: &[&str] = &[
    "/",
    "/about",
    "/cart",
    "/contact",
    "/privacy",
    "/products",
    "/schedule-lab",
    "/schedules",
    "/shipping-and-returns",
    "/terms",
    "/tutorial",
];

const PERSONAL: &[&str] = &[
    "/back-in-stock",
    "/checkout",
    "/checkout/success",
    "/confirm-email",
    "/confirm-forgot-password",
    "/forgot-password",
    "/login",
    "/login/code",
    "/register",
    "/second-factor",
    "/undo-email-change",
];

/// A page without personal data. Analytics counts its views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicPage<'a> {
    Fixed(&'static str),
    /// The percent-encoded name or slug from the path.
    Product(&'a str),
}

pub fn public_page(path: &str) -> Option<PublicPage<'_>> {
    let path = without_slash(path);
    if let Some(fixed) = PUBLIC.iter().find(|fixed| **fixed == path) {
        return Some(PublicPage::Fixed(fixed));
    }
    if let Some(slug) = recipe_slug(path) {
        return Recipe::find(slug).map(|recipe| PublicPage::Fixed(recipe.path));
    }
    child_segment(path, "/products/").map(PublicPage::Product)
}

pub fn is_page(path: &str) -> bool {
    let path = without_slash(path);
    public_page(path).is_some()
        || PERSONAL.contains(&path)
        || path == "/profile"
        || path.starts_with("/profile/")
        || path == "/admin"
        || path.starts_with("/admin/")
        || child_segment(path, "/order/").is_some()
}

/// The slug in the path of a recipe's page, which may not exist.
pub fn recipe_slug(path: &str) -> Option<&str> {
    child_segment(path, "/schedules/")
}

/// Removes trailing slashes.
pub fn without_slash(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => "/",
        trimmed => trimmed,
    }
}

fn child_segment<'a>(path: &'a str, parent: &str) -> Option<&'a str> {
    path.strip_prefix(parent).filter(|rest| !rest.is_empty() && !rest.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specifications_routes_are_known_and_others_are_not() {
        for path in [
            "/",
            "/products/nudgelight-one",
            "/profile/orders",
            "/order/1",
            "/admin/products",
            "/checkout/success",
            "/about/",
            "/schedules",
            "/schedules/stand-up/",
        ] {
            assert!(is_page(path), "{path}");
        }
        for path in [
            "/nothing",
            "/products/a/b",
            "/schedules/nothing",
            "/schedules/stand-up/x",
            "/order/",
            "/api/nothing",
            "/index.php",
        ] {
            assert!(!is_page(path), "{path}");
        }
    }

    #[test]
    fn personal_pages_are_not_public() {
        for path in ["/login", "/profile", "/admin/orders", "/order/1", "/checkout"] {
            assert_eq!(public_page(path), None, "{path}");
        }
    }

    #[test]
    fn a_slash_at_the_end_makes_no_other_page() {
        assert_eq!(public_page("/about/"), Some(PublicPage::Fixed("/about")));
        assert_eq!(public_page("/products/"), Some(PublicPage::Fixed("/products")));
        assert_eq!(public_page("/products/one/"), Some(PublicPage::Product("one")));
        assert_eq!(public_page(""), Some(PublicPage::Fixed("/")));
    }
}
