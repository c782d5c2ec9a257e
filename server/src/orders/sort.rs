//! Order of a list of orders.

use std::str::FromStr;

use utoipa::ToSchema;

/// By time, and by id among orders of the same millisecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "snake_case")]
pub enum Sort {
    #[default]
    Newest,
    Oldest,
}

impl FromStr for Sort {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        match word {
            "newest" => Ok(Self::Newest),
            "oldest" => Ok(Self::Oldest),
            _ => Err(()),
        }
    }
}

impl Sort {
    pub const fn reversed(self) -> Self {
        match self {
            Self::Newest => Self::Oldest,
            Self::Oldest => Self::Newest,
        }
    }

    /// `ORDER BY` of orders.
    pub const fn by_time(self) -> &'static str {
        match self {
            Self::Newest => "created_at DESC, id DESC",
            Self::Oldest => "created_at ASC, id ASC",
        }
    }

    /// `ORDER BY` of order lines, whose order ids sort by time.
    pub const fn by_order_id(self) -> &'static str {
        match self {
            Self::Newest => "order_id DESC",
            Self::Oldest => "order_id ASC",
        }
    }

    /// How the time and the id of a later order in the list compare with those of an earlier one.
    pub const fn comparison(self) -> &'static str {
        match self {
            Self::Newest => "<",
            Self::Oldest => ">",
        }
    }
}
