//! A whole shop to test against, and the people who use it, in the words of a shop.

mod account;
mod answer;
mod audit;
mod bare_stripe;
mod bot_check;
mod buying;
mod client;
mod cluster;
mod database;
mod folder;
mod link;
mod mail;
mod mail_server;
mod past;
mod shop;
mod siteverify;
mod stripe;
mod wait;
mod webhook;

pub use account::Person;
pub use answer::Answer;
pub use bare_stripe::BareStripe;
pub use bot_check::{proof, solve};
pub use buying::{Intent, Light, address, california, montreal};
pub use client::Client;
pub use cluster::Cluster;
pub use database::Database;
pub use folder::Folder;
pub use link::Link;
pub use mail::{Mail, words};
pub use mail_server::{MAIL_PASSWORD, MAIL_USER, MailServer, Privacy, Received};
pub use shop::{ADMIN, CUSTOMER, PASSWORD, TestShop};
pub use siteverify::{Form, Reply, SiteVerify, refused};
pub use stripe::{Stripe, form};
pub use wait::{eventually, never, together};
pub use webhook::{event, signature};
