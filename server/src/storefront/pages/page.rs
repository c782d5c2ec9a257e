//! Pages by path.

use app::pages::Text;
use app::schedule::Recipe;
use wasm_core::catalog::{Product, ProductList, ProductQuery};

/// The content between navigation and footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    Home,
    Products(ProductList),
    Product(Box<Product>),
    ProductNotFound,
    Text(Text),
    Recipes,
    Recipe(&'static Recipe),
    RecipeNotFound,
    /// A page with personal data, which only the shell renders.
    Personal,
}

/// The path of the product list, whose page depends on the query string as well.
pub const PRODUCTS: &str = "/products";

/// The path of the page of all recipes. Those of the recipes are below it.
pub const RECIPES: &str = "/schedules";

/// Pages with a fixed path, which the server renders.
static FIXED: [(&str, Page); 9] = [
    ("/", Page::Home),
    ("/about", Page::Text(Text::About)),
    ("/tutorial", Page::Text(Text::Tutorial)),
    ("/schedule-lab", Page::Text(Text::ScheduleLab)),
    (RECIPES, Page::Recipes),
    ("/contact", Page::Text(Text::Contact)),
    ("/privacy", Page::Text(Text::Privacy)),
    ("/terms", Page::Text(Text::Terms)),
    ("/shipping-and-returns", Page::Text(Text::ShippingAndReturns)),
];

impl Page {
    /// The page at a known path, or the home page. The product list is selected by [`Page::of_list`], and product pages
    /// are handled in [`super::product`].
    pub fn at(path: &str) -> Self {
        match FIXED.iter().find(|(fixed, _)| *fixed == path) {
            Some((_, page)) => page.clone(),
            None => Self::at_other(path),
        }
    }

    fn at_other(path: &str) -> Self {
        match super::paths::recipe_slug(path) {
            Some(slug) => Recipe::find(slug).map_or(Self::RecipeNotFound, Self::Recipe),
            None if super::paths::is_page(path) => Self::Personal,
            None => Self::Home,
        }
    }

    /// The page of the product list that a query string selects.
    pub fn of_list(query_string: &str, products: &[Product]) -> Self {
        Self::Products(ProductList::select(products, &ProductQuery::parse(query_string)))
    }

    /// Finds a product by its name or current slug. Former slugs redirect here.
    pub fn of_product(name: &str, products: &[Product]) -> Self {
        let key = name.trim().to_lowercase();
        let found = products.iter().find(|product| product.slug == name || product.name.to_lowercase() == key);
        found.cloned().map_or(Self::ProductNotFound, |product| Self::Product(Box::new(product)))
    }

    /// The canonical path with its query string, or `None` for a page that search engines must not index, like the
    /// results of a search.
    pub fn canonical_path(&self) -> Option<String> {
        match self {
            Self::Products(list) => (!list.query.is_search()).then(|| list.query.path()),
            Self::Product(product) => Some(format!("/products/{}", product.slug)),
            Self::Recipe(recipe) => Some(recipe.path.to_owned()),
            page => FIXED.iter().find(|(_, fixed)| fixed == page).map(|(path, _)| (*path).to_owned()),
        }
    }

    /// The path without the query string, for the links to the current page in the navigation.
    pub fn path(&self) -> String {
        match self {
            Self::Products(_) => PRODUCTS.to_owned(),
            page => page.canonical_path().unwrap_or_default(),
        }
    }

    /// The key in the response cache. The number of keys is bounded by the number of public pages and products; the
    /// results of a search are not cached.
    pub fn cache_key(&self) -> Option<String> {
        match self {
            Self::Products(_) => self.canonical_path(),
            page => page.canonical_path().or_else(|| Some(page.view_name().to_owned())),
        }
    }

    /// The route label in metrics.
    pub const fn metrics_route(&self) -> &'static str {
        match self {
            Self::Product(_) | Self::ProductNotFound => "/products/{name}",
            Self::Home
            | Self::Products(_)
            | Self::Text(_)
            | Self::Recipes
            | Self::Recipe(_)
            | Self::RecipeNotFound
            | Self::Personal => "other",
        }
    }

    /// The name of the view in `data-view`.
    pub const fn view_name(&self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Products(_) => "products",
            Self::Product(_) => "product",
            Self::ProductNotFound => "product-not-found",
            Self::Text(_) => "text",
            Self::Recipes => "recipes",
            Self::Recipe(_) => "recipe",
            Self::RecipeNotFound => "recipe-not-found",
            Self::Personal => "personal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_with_an_address_is_found_at_it() {
        let texts = Text::ALL.map(Page::Text);
        let recipes = Recipe::all().map(Page::Recipe);
        for page in [Page::Home, Page::Recipes].into_iter().chain(texts).chain(recipes) {
            assert_eq!(Page::at(&page.canonical_path().unwrap()), page);
        }
        assert_eq!(Page::at("/login"), Page::Personal);
        assert_eq!(Page::at("/nothing"), Page::Home);
        assert_eq!(Page::at("/schedules/nothing"), Page::RecipeNotFound);
    }

    #[test]
    fn only_the_pages_of_the_whole_list_are_cached_and_indexed_each_under_one_path() {
        let product = |index| Product { id: format!("{index}"), active: true, ..Product::default() };
        let products: Vec<Product> = (0..50).map(product).collect();
        for (query, path) in [
            ("", Some("/products")),
            ("page=1&sort=featured&q=", Some("/products")),
            ("utm_source=mail&page=2", Some("/products?page=2")),
            ("page=3&sort=price", Some("/products?sort=price&page=3")),
            ("page=99999", Some("/products?page=3")),
            ("page=x&sort=y", Some("/products")),
            ("q=amber", None),
        ] {
            let page = Page::of_list(query, &products);
            assert_eq!((page.canonical_path().as_deref(), page.cache_key().as_deref()), (path, path), "{query}");
        }
    }
}
