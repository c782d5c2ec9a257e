//! How the receipt looks, part by part.

use crate::ui::Dress;

pub const FRAME: Dress =
    Dress { page: "rounded-card border border-line bg-card p-5 text-ink sm:p-8 print:border-0 print:p-0", mail: "" };
pub const HEAD: Dress =
    Dress { page: "flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2", mail: "margin:0 0 16px" };
pub const TITLE: Dress =
    Dress { page: "text-xl", mail: "margin:0 0 4px;font-size:18px;line-height:26px;font-weight:600" };
pub const FACTS: Dress = Dress { page: "flex flex-wrap gap-x-6 gap-y-1", mail: "margin:0" };
pub const FACT: Dress = Dress { page: "flex gap-2", mail: "display:inline-block;margin:0 20px 0 0" };
pub const FACT_LABEL: Dress = Dress { page: "text-muted", mail: "display:inline;color:#5D6270" };
pub const FACT_VALUE: Dress = Dress { page: "font-medium", mail: "display:inline;margin:0 0 0 6px;font-weight:600" };
pub const TABLE: Dress = Dress {
    page: "mt-6 w-full border-collapse tabular-nums",
    mail: "width:100%;border-collapse:collapse;margin:0 0 16px",
};
pub const COLUMN_NAME: Dress = Dress {
    page: "border-b border-line pb-2 text-left text-sm font-medium text-muted",
    mail: "border-bottom:1px solid #E6E2D8;padding:0 0 8px;text-align:left;font-size:14px;line-height:20px;font-weight:400;color:#5D6270",
};
pub const COLUMN_AMOUNT: Dress = Dress {
    page: "border-b border-line pb-2 pl-4 text-right text-sm font-medium text-muted",
    mail: "border-bottom:1px solid #E6E2D8;padding:0 0 8px 12px;text-align:right;font-size:14px;line-height:20px;font-weight:400;color:#5D6270",
};
pub const ITEM: Dress = Dress {
    page: "border-b border-line py-3 text-left font-normal",
    mail: "border-bottom:1px solid #E6E2D8;padding:12px 0;text-align:left;vertical-align:top;font-weight:400",
};
pub const NAME: Dress =
    Dress { page: "block font-medium wrap-anywhere", mail: "display:block;font-weight:600;word-break:break-word" };
pub const EACH: Dress =
    Dress { page: "block text-sm text-muted", mail: "display:block;font-size:14px;line-height:22px;color:#5D6270" };
pub const AMOUNT: Dress = Dress {
    page: "border-b border-line py-3 pl-4 text-right align-top whitespace-nowrap",
    mail: "border-bottom:1px solid #E6E2D8;padding:12px 0 12px 12px;text-align:right;vertical-align:top;white-space:nowrap",
};
pub const SUM_LABEL: Dress = Dress {
    page: "pt-2 text-left font-normal text-muted",
    mail: "padding:8px 0 0;text-align:left;font-weight:400;color:#5D6270",
};
pub const SUM: Dress = Dress {
    page: "pt-2 pl-4 text-right whitespace-nowrap",
    mail: "padding:8px 0 0 12px;text-align:right;white-space:nowrap",
};
pub const TOTAL_LABEL: Dress = Dress {
    page: "pt-3 text-left text-lg font-semibold",
    mail: "padding:12px 0 0;text-align:left;font-size:18px;line-height:26px;font-weight:600",
};
pub const TOTAL: Dress = Dress {
    page: "pt-3 pl-4 text-right text-lg font-semibold whitespace-nowrap",
    mail: "padding:12px 0 0 12px;text-align:right;font-size:18px;line-height:26px;font-weight:600;white-space:nowrap",
};
pub const NOTE: Dress = Dress { page: "mt-3 text-muted", mail: "margin:0 0 16px;color:#5D6270" };
pub const ADDRESSES: Dress = Dress { page: "mt-6 grid gap-6 sm:grid-cols-2", mail: "margin:0" };
pub const ADDRESS: Dress =
    Dress { page: "", mail: "display:inline-block;width:220px;margin:0 16px 16px 0;vertical-align:top" };
pub const ADDRESS_TITLE: Dress = Dress {
    page: "text-sm font-medium text-muted",
    mail: "margin:0 0 4px;font-size:14px;line-height:20px;font-weight:400;color:#5D6270",
};
pub const ADDRESS_LINES: Dress =
    Dress { page: "mt-1 not-italic wrap-anywhere", mail: "font-style:normal;word-break:break-word" };
pub const ADDRESS_LINE: Dress = Dress { page: "block", mail: "display:block" };
pub const LINK: Dress =
    Dress { page: "text-glow-ink underline underline-offset-4", mail: "color:#7A4B00;text-decoration:underline" };
pub const SUPPORT: Dress = Dress { page: "mt-6 text-muted", mail: "margin:0;color:#5D6270" };
/// On paper nothing else says whose receipt it is; a mail has the shop's name above and below.
pub const PAPER_ONLY: Dress = Dress { page: "hidden print:block print:mb-6 print:font-semibold", mail: "" };
