//! Styles of emails: inline, because many email clients support no stylesheets. Those that follow the device's dark
//! theme do, so it is a stylesheet.

/// The dark theme. It replaces each color of the inline styles, by the place where it is used, with its dark twin.
pub const DARK: &str = r#"
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
[style*="background-color:#FBFAF7"]{background-color:#0F1220!important}
[style*="background-color:#FFFFFF"]{background-color:#171B2E!important}
[style*="solid #E6E2D8"]{border-color:#2A2F47!important}
[style*=";color:#16181D"]{color:#F2F0EA!important}
[style*=";color:#5D6270"]{color:#A7ABBA!important}
[style*=";color:#7A4B00"]{color:#FFD991!important}
[style*="background-color:#16181D"]{background-color:#FFC14D!important;color:#16181D!important}
}
"#;

pub const FONT: &str = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;\
    font-size:16px;line-height:26px;color:#16181D";
pub const BODY: &str = "margin:0;padding:0;background-color:#FBFAF7";
pub const PAPER: &str = "width:100%;border-collapse:collapse;background-color:#FBFAF7";
pub const MARGIN: &str = "padding:24px 12px;text-align:center";
/// Clients without support for `max-width` use the `width` attribute of the same element.
pub const SHEET: &str =
    "width:100%;max-width:560px;margin:0 auto;border-collapse:separate;border-spacing:0;text-align:left";
pub const BRAND: &str = "padding:0 4px 16px;font-weight:600";
/// The logo: a dot, so that it needs no image.
pub const LAMP: &str = "display:inline-block;width:12px;height:12px;margin:0 10px 0 0;border-radius:6px;\
    background-color:#FFB020";
pub const CARD: &str = "padding:28px 28px 12px;border:1px solid #E6E2D8;border-radius:12px;background-color:#FFFFFF";
pub const HEADING: &str = "margin:0 0 16px;font-size:24px;line-height:30px;font-weight:600";
pub const PARAGRAPH: &str = "margin:0 0 16px";
pub const CODE: &str = "margin:0 0 16px;padding:14px 16px;border:1px solid #E6E2D8;border-radius:10px;\
    background-color:#FBFAF7;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:30px;line-height:36px;\
    letter-spacing:6px;text-align:center;font-weight:600";
pub const ACTION: &str = "margin:0 0 20px";
pub const BUTTON: &str = "display:inline-block;padding:11px 22px;border-radius:10px;background-color:#16181D;\
    color:#FBFAF7;text-decoration:none;font-weight:600";
pub const SECONDARY_LINK: &str = "text-decoration:underline;color:#7A4B00";
pub const RECEIPT: &str = "margin:8px 0 20px;padding:20px 0 0;border-top:1px solid #E6E2D8";
pub const NOTE: &str = "margin:0 0 8px;font-size:14px;line-height:22px;color:#5D6270";
pub const SIGNATURE: &str = "padding:16px 4px 0;font-size:14px;line-height:22px;color:#5D6270";
pub const SIGNATURE_LINE: &str = "display:block";
pub const LINK: &str = "text-decoration:underline;color:#5D6270";
