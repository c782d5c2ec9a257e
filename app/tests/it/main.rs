//! The rendered views, as a customer reads them.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod drawings;
mod emails;
mod evidence;
mod html;
mod lab;
mod mail;
mod mail_colors;
mod manual;
mod orders;
mod pages;
mod photo;
mod product_list;
mod receipt;
mod recipes;
mod snapshots;
