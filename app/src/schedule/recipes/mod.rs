//! Recipes: ready-made schedules, the wall of lamps that follow them, and a page for each.

mod lamp;
mod page;
mod recipe;
mod wall;

pub use lamp::Clock;
pub use page::{RecipeProps, recipe_not_found, recipe_page};
pub use recipe::{GROUPS, Group, Recipe};
pub use wall::{WallProps, recipe_wall};
