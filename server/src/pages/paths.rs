//! Which paths are pages. Anything else is answered with the home page and 404.

const PUBLIC: &[&str] =
    &["/", "/about", "/cart", "/contact", "/privacy", "/products", "/shipping-and-returns", "/terms", "/tutorial"];

const PERSONAL: &[&str] = &[
    "/checkout",
    "/checkout/success",
    "/confirm-email",
    "/confirm-forgot-password",
    "/forgot-password",
    "/login",
    "/register",
];

/// Pages that look the same to everybody, whose views are counted.
pub fn is_public(path: &str) -> bool {
    PUBLIC.contains(&path) || one_below(path, "/products/")
}

pub fn is_known(path: &str) -> bool {
    let path = match path.trim_end_matches('/') {
        "" => "/",
        trimmed => trimmed,
    };
    is_public(path)
        || PERSONAL.contains(&path)
        || path == "/profile"
        || path.starts_with("/profile/")
        || path == "/admin"
        || path.starts_with("/admin/")
        || one_below(path, "/order/")
}

fn one_below(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
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
        ] {
            assert!(is_known(path), "{path}");
        }
        for path in ["/nothing", "/products/a/b", "/order/", "/api/nothing", "/index.php"] {
            assert!(!is_known(path), "{path}");
        }
    }

    #[test]
    fn personal_pages_are_not_public() {
        for path in ["/login", "/profile", "/admin/orders", "/order/1", "/checkout"] {
            assert!(!is_public(path), "{path}");
        }
    }
}
