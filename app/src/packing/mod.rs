//! Packing slips and the pick list, as one printed document.

mod pick_list;
mod slip;
mod view;

pub use pick_list::{PickedProduct, pick_list};
pub use slip::{PackedItem, PackingSlip, order_code};
pub use view::{LeftOut, packing_document};
