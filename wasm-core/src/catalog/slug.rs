//! URL slug of a product's name.

use alloc::string::String;

use crate::codec;

/// Slug of a name without Latin letters and digits.
const FALLBACK: &str = "product";

/// URL slug of a name: its lower-case letters and digits, with a hyphen between words.
///
/// Accents are removed from Latin letters and other scripts are dropped; a name without Latin letters and digits
/// becomes `product`. Two names can have the same slug, so the catalog makes slugs unique.
///
/// ```
/// use wasm_core::catalog::slug;
///
/// assert_eq!(slug("Nudgelight One"), "nudgelight-one");
/// assert_eq!(slug("  Café & Co. "), "cafe-co");
/// ```
#[must_use]
pub fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for c in codec::lowercase(name).chars() {
        match transliterate(c) {
            "" if c.is_ascii_alphanumeric() => slug.push(c),
            // An apostrophe does not separate words.
            "" if matches!(c, '\'' | '’') => {}
            "" => hyphenate(&mut slug),
            letters => slug.push_str(letters),
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    if slug.is_empty() { FALLBACK.into() } else { slug }
}

fn hyphenate(slug: &mut String) {
    if !slug.is_empty() && !slug.ends_with('-') {
        slug.push('-');
    }
}

/// ASCII letters of an accented Latin letter; empty for any other character.
fn transliterate(c: char) -> &'static str {
    match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => "e",
        'ğ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'ı' => "i",
        'ł' | 'ľ' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' | 'ō' => "o",
        'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' | 'ş' | 'ș' => "s",
        'ß' => "ss",
        'ť' | 'ț' | 'ţ' => "t",
        'þ' => "th",
        'ù' | 'ú' | 'û' | 'ü' | 'ů' | 'ű' | 'ū' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ž' | 'ż' => "z",
        _ => "",
    }
}
