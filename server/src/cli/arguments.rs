//! The arguments of the command line, and the text of `--help`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::operations::sample_data;
use crate::operations::schedule;

/// An online shop for a programmable USB light. Configured by environment variables (see `.env.example`); without any, it
/// serves a demo on http://127.0.0.1:3000.
#[derive(Parser)]
#[command(name = "nudgelight", version)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Start the server (default)
    Serve,
    /// Run pending database migrations
    Migrate,
    /// Insert the demo products and accounts into an empty database; with --orders also sample customers, products and
    /// orders. Test mode only
    Seed(sample_data::Arguments),
    /// Manage administrator rights
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Manage the key that signs access tokens
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// Print the OpenAPI 3.1 document of the HTTP API (JSON)
    Openapi,
    /// Check the configuration: database, email, DNS records of the sender, payments, tax, bot check; exit status 1 if a
    /// check fails
    Check,
    /// Reconcile open payments, recent refunds and disputes with the payment provider once; exit status 1 on a failure
    Reconcile,
    /// Import settings
    Settings {
        #[command(subcommand)]
        command: SettingsCommand,
    },
    /// List open checkouts, or release one
    Checkout {
        #[command(subcommand)]
        command: CheckoutCommand,
    },
    /// Verify accounting invariants over the whole database; exit status 1 if one is violated
    Audit,
    /// Write a consistent backup of the database to a file; the server may keep running
    Backup {
        /// Replaced when the backup is complete; in a folder, a new file with the time as its name. Contains all customer
        /// data: protect it like the database
        file: PathBuf,
        /// Afterward, delete the older backups of the folder except this many, the new one included
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..))]
        keep: Option<u16>,
    },
    /// Restore a backup beside the shop, audit the copy and delete it; exit status 1 if that fails. The shop may keep
    /// running
    Drill {
        /// File written by `nudgelight backup`, or a folder of them: then the newest one
        file: PathBuf,
    },
    /// Restore a backup into an empty database, SQLite or PostgreSQL
    Restore {
        /// File written by `nudgelight backup`
        file: PathBuf,
        /// Restore a copy for a drill, without asking: until `nudgelight confirm`, a shop on it creates no orders for lost
        /// payments, makes no automatic refunds, and cancels no expired payments
        #[arg(long)]
        drill: bool,
    },
    /// Confirm that this database and SHOP_PUBLIC_URL are the shop's, after a change of the address or when a restored
    /// copy takes over. Lost payments become orders or are refunded from then on
    Confirm,
    /// Explain and preview a light's schedule file
    Schedule {
        #[command(subcommand)]
        command: schedule::Command,
    },
}

#[derive(Subcommand)]
pub enum AdminCommand {
    /// Make an account an administrator
    Grant {
        /// Email address of an existing account
        email: String,
    },
    /// Revoke administrator rights, effective immediately
    Revoke {
        /// Email address of an existing account
        email: String,
    },
}

#[derive(Subcommand)]
pub enum SettingsCommand {
    /// Import shipping rates and delivery times from a file; a running shop uses them within two seconds
    Import {
        /// File like `shop.toml`
        file: PathBuf,
    },
}

#[derive(Subcommand)]
pub enum CheckoutCommand {
    /// List open checkouts, oldest first: payment intent, checkout ID, total, reservation expiry
    List,
    /// Cancel a checkout's payment, close the checkout and release its stock. If the payment has succeeded, the order is
    /// created instead
    Release {
        /// Payment intent (pi_...) or checkout ID from `checkout list`
        id: String,
        /// Close the checkout even if the payment provider is unreachable. The payment may have succeeded: an alert asks you
        /// to check it
        #[arg(long)]
        force: bool,
    },
}

#[derive(Subcommand)]
pub enum KeysCommand {
    /// Rotate the key: the new key is published at once, signs after seven minutes and is the only one after 27
    Rotate,
}
