//! Server-side rendering of Leptos views to HTML.

use std::sync::Arc;

use app::frame::{FooterEvents, FooterProps, NavigationEvents, NavigationProps, Theme, footer, navigation_bar};
use app::ui::without_hydration_markers;
use axum::body::Body;
use axum::extract::Request;
use http_body_util::BodyExt as _;
use leptos::prelude::*;

use super::data::PageData;
use super::page::Page;
use super::view::view;
use crate::error::Error;
use crate::settings::ShownAnnouncement;

/// Sets the async runtime of Leptos, once per process.
pub fn start_renderer() {
    // Fails only when it is already set.
    let _ = any_spawner::Executor::init_tokio();
}

/// The body of a page: navigation, view and footer.
pub async fn body_html(page: Page, data: Arc<PageData>) -> Result<String, Error> {
    let render = leptos_axum::render_app_async_with_context(|| {}, move || body(&page, &data));
    let rendered = render(Request::new(Body::empty())).await;
    let bytes = rendered.into_body().collect().await.map_err(Error::internal)?.to_bytes();
    let html = String::from_utf8_lossy(&bytes);
    // Cuts off the integration's hydration scripts, which the content security policy would block. No view contains a
    // script, and user text is escaped.
    let own = html.find("<script").and_then(|end| html.get(..end)).unwrap_or(&html);
    Ok(without_hydration_markers(own))
}

/// The same elements that the shell renders in the browser.
fn body(page: &Page, data: &PageData) -> AnyView {
    let navigation = NavigationProps {
        shop_name: data.shop_name.clone(),
        path: page.path(),
        products: data.menu.clone(),
        ..NavigationProps::default()
    };
    let (shop_name, seller) = (data.shop_name.clone(), data.seller.clone());
    let below = FooterProps {
        shop_name,
        seller,
        return_days: data.return_days,
        return_shipping: data.return_shipping,
        warranty_months: data.warranty_months,
        test_mode: data.test_mode,
        theme: Theme::System,
    };
    let bar = navigation_bar(Signal::stored(navigation), NavigationEvents::default());
    let below = footer(Signal::stored(below), FooterEvents::default());
    view! {
        <div id="root" class="frame">
            <a href="#page" class="skip-link">
                "Skip to content"
            </a>
            {data.announcement.clone().map(announcement_bar)}
            <header id="nav">{bar}</header>
            <main id="page" tabindex="-1" data-view=page.view_name()>
                <div>{view(page, data)}</div>
            </main>
            <footer>{below}</footer>
        </div>
    }
    .into_any()
}

/// As in `react-shell/src/app/announcement-bar.tsx`.
fn announcement_bar(ShownAnnouncement { text, link, .. }: ShownAnnouncement) -> AnyView {
    let text = match link {
        Some(link) => view! { <a href=link>{text}</a> }.into_any(),
        None => text.into_any(),
    };
    view! {
        <aside class="announcement" aria-label="Announcement">
            <p role="status">
                <span>{text}</span>
            </p>
            <button type="button" class="noscript:hidden">
                <span aria-hidden="true">"×"</span>
                <span class="sr-only">"Dismiss"</span>
            </button>
        </aside>
    }
    .into_any()
}
