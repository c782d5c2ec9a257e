//! Styles of the receipt's elements.

use crate::ui::Styles;

pub const FRAME: Styles = Styles {
    class: "rounded-card border border-line bg-card p-5 text-ink sm:p-6 print:border-0 print:p-0",
    inline: "",
};
pub const HEADER: Styles =
    Styles { class: "flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2", inline: "margin:0 0 16px" };
pub const TITLE: Styles =
    Styles { class: "text-xl", inline: "margin:0 0 4px;font-size:18px;line-height:26px;font-weight:600" };
pub const DETAILS: Styles = Styles { class: "flex flex-wrap gap-x-6 gap-y-1", inline: "margin:0" };
pub const DETAIL: Styles = Styles { class: "flex gap-2", inline: "display:inline-block;margin:0 20px 0 0" };
pub const DETAIL_LABEL: Styles = Styles { class: "text-muted", inline: "display:inline;color:#5D6270" };
pub const DETAIL_VALUE: Styles =
    Styles { class: "font-medium", inline: "display:inline;margin:0 0 0 6px;font-weight:600" };
pub const TABLE: Styles = Styles {
    class: "mt-6 w-full border-collapse tabular-nums",
    inline: "width:100%;border-collapse:collapse;margin:0 0 16px",
};
pub const COLUMN_NAME: Styles = Styles {
    class: "border-b border-line pb-2 text-left text-sm font-medium text-muted",
    inline: "border-bottom:1px solid #E6E2D8;padding:0 0 8px;text-align:left;font-size:14px;line-height:20px;font-weight:400;color:#5D6270",
};
pub const COLUMN_AMOUNT: Styles = Styles {
    class: "border-b border-line pb-2 pl-4 text-right text-sm font-medium text-muted",
    inline: "border-bottom:1px solid #E6E2D8;padding:0 0 8px 12px;text-align:right;font-size:14px;line-height:20px;font-weight:400;color:#5D6270",
};
pub const ITEM: Styles = Styles {
    class: "border-b border-line py-3 text-left font-normal",
    inline: "border-bottom:1px solid #E6E2D8;padding:12px 0;text-align:left;vertical-align:top;font-weight:400",
};
/// Keeps every line beside the picture, even below its height.
pub const ITEM_TEXT: Styles = Styles { class: "block", inline: "display:block;overflow:hidden" };
pub const NAME: Styles =
    Styles { class: "block font-medium wrap-anywhere", inline: "display:block;font-weight:600;word-break:break-word" };
pub const EACH: Styles =
    Styles { class: "block text-sm text-muted", inline: "display:block;font-size:14px;line-height:22px;color:#5D6270" };
/// Only an email shows the item's picture. Its background is visible while images are blocked.
pub const PICTURE: &str = "float:left;width:64px;height:64px;margin:0 14px 0 0;border-radius:10px;\
    background-color:#1A1F37;color:#F2F0EA;font-size:12px;line-height:16px;overflow:hidden";
pub const AMOUNT: Styles = Styles {
    class: "border-b border-line py-3 pl-4 text-right align-top whitespace-nowrap",
    inline: "border-bottom:1px solid #E6E2D8;padding:12px 0 12px 12px;text-align:right;vertical-align:top;white-space:nowrap",
};
pub const SUM_LABEL: Styles = Styles {
    class: "pt-2 text-left font-normal text-muted",
    inline: "padding:8px 0 0;text-align:left;font-weight:400;color:#5D6270",
};
pub const SUM: Styles = Styles {
    class: "pt-2 pl-4 text-right whitespace-nowrap",
    inline: "padding:8px 0 0 12px;text-align:right;white-space:nowrap",
};
pub const TOTAL_LABEL: Styles = Styles {
    class: "pt-3 text-left text-lg font-semibold",
    inline: "padding:12px 0 0;text-align:left;font-size:18px;line-height:26px;font-weight:600",
};
pub const TOTAL: Styles = Styles {
    class: "pt-3 pl-4 text-right text-lg font-semibold whitespace-nowrap",
    inline: "padding:12px 0 0 12px;text-align:right;font-size:18px;line-height:26px;font-weight:600;white-space:nowrap",
};
pub const NOTE: Styles = Styles { class: "mt-3 text-muted", inline: "margin:0 0 16px;color:#5D6270" };
pub const ADDRESSES: Styles = Styles { class: "mt-6 grid gap-6 sm:grid-cols-2", inline: "margin:0" };
pub const ADDRESS: Styles =
    Styles { class: "", inline: "display:inline-block;width:220px;margin:0 16px 16px 0;vertical-align:top" };
pub const ADDRESS_TITLE: Styles = Styles {
    class: "text-sm font-medium text-muted",
    inline: "margin:0 0 4px;font-size:14px;line-height:20px;font-weight:400;color:#5D6270",
};
pub const ADDRESS_LINES: Styles =
    Styles { class: "mt-1 not-italic wrap-anywhere", inline: "font-style:normal;word-break:break-word" };
pub const ADDRESS_LINE: Styles = Styles { class: "block", inline: "display:block" };
pub const LINK: Styles =
    Styles { class: "text-glow-ink underline underline-offset-4", inline: "text-decoration:underline;color:#7A4B00" };
pub const SUPPORT: Styles = Styles { class: "mt-6 text-muted", inline: "margin:0;color:#5D6270" };
/// Only a printed page needs the shop's name here; an email has it above and below.
pub const PRINT_ONLY: Styles = Styles { class: "hidden print:block print:mb-6 print:font-semibold", inline: "" };
