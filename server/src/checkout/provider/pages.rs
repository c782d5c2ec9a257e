//! Lists of the provider, newest first, in pages of up to a hundred objects.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use stripe::StripeRequest;
use stripe_types::RangeQueryTs;

use super::client::{Deadline, Provider, ProviderError, optional};
use super::responses::{self, Listed};
use crate::error::Error;
use crate::infra::clock::SECOND;

/// Largest page size of the provider.
pub(super) const PAGE_SIZE: i64 = 100;

/// Whether a list is limited by its filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    On,
    Off,
}

/// Position in a list that is read page by page.
pub struct PageCursor {
    filter: Filter,
    /// Last object of the previous page.
    after: Option<String>,
    /// Ids of all objects so far: a provider that ignores the cursor returns some again.
    seen: HashSet<String>,
    is_end: bool,
}

impl PageCursor {
    pub fn start() -> Self {
        Self { filter: Filter::On, after: None, seen: HashSet::new(), is_end: false }
    }

    /// Whether the last page has been read.
    pub fn is_end(&self) -> bool {
        self.is_end
    }

    /// The page's new objects. Without any, the list ends.
    fn move_past<T: Listed>(&mut self, responses::List { mut data, has_more }: responses::List<T>) -> Vec<T> {
        data.retain(|object| self.seen.insert(object.id().to_owned()));
        self.is_end = !has_more || data.is_empty();
        self.after = data.last().map(|object| object.id().to_owned());
        data
    }
}

impl Provider {
    /// Reads every page of a list. None if the provider has no such list. `request` builds the request for the page after
    /// an id. Without a shared deadline each page has its own.
    pub(super) async fn list<R, T>(
        &self,
        deadline: Option<Deadline>,
        request: impl Fn(Filter, Option<&str>) -> R,
        is_wanted: impl Fn(&T) -> bool,
    ) -> Result<Option<Vec<T>>, Error>
    where
        R: StripeRequest,
        T: DeserializeOwned + Listed,
    {
        let (mut cursor, mut objects) = (PageCursor::start(), Vec::new());
        while !cursor.is_end {
            let Some(page) = self.list_page(deadline, &mut cursor, &request, &is_wanted).await? else {
                return Ok(None);
            };
            objects.extend(page);
        }
        Ok(Some(objects))
    }

    /// Reads one page of a list, and moves the cursor. If the provider rejects the filter on the first page, the list is
    /// read without it, and `is_wanted` filters it. None if the provider has no such list.
    pub(super) async fn list_page<R, T>(
        &self,
        deadline: Option<Deadline>,
        cursor: &mut PageCursor,
        request: impl Fn(Filter, Option<&str>) -> R,
        is_wanted: impl Fn(&T) -> bool,
    ) -> Result<Option<Vec<T>>, Error>
    where
        R: StripeRequest,
        T: DeserializeOwned + Listed,
    {
        let read = async |filter, after: Option<&str>| {
            self.send(deadline.unwrap_or_else(Deadline::start), request(filter, after), None).await
        };
        let page: Result<responses::List<T>, _> = match read(cursor.filter, cursor.after.as_deref()).await {
            Err(error) if cursor.after.is_none() && error.is_bad_request() => {
                cursor.filter = Filter::Off;
                read(Filter::Off, None).await
            }
            // A partial list is an error.
            Err(ProviderError::NoEndpoint) if cursor.after.is_some() => {
                Err(ProviderError::invalid("a list without its next page"))
            }
            page => page,
        };
        let Some(page) = optional(page)? else {
            return Ok(None);
        };
        let mut objects = cursor.move_past(page);
        if cursor.filter == Filter::Off {
            objects.retain(is_wanted);
        }
        Ok(Some(objects))
    }
}

/// List parameter for objects that were created at this time or later.
pub(super) fn created_since(ms: i64) -> RangeQueryTs {
    RangeQueryTs::gte(ms / SECOND)
}

/// Whether an object without a time, or with one at `since_ms` or later, belongs to a list since then.
pub(super) fn is_since(created: Option<i64>, since_ms: i64) -> bool {
    created.is_none_or(|seconds| seconds >= since_ms / SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Object(String);

    impl Listed for Object {
        fn id(&self) -> &str {
            &self.0
        }
    }

    fn page(ids: &[u8], has_more: bool) -> responses::List<Object> {
        responses::List { data: ids.iter().map(|id| Object(id.to_string())).collect(), has_more }
    }

    #[test]
    fn a_list_ends_with_its_last_page() {
        let mut cursor = PageCursor::start();
        assert_eq!((cursor.move_past(page(&[4, 3], true)).len(), cursor.is_end()), (2, false));
        assert_eq!(cursor.after.as_deref(), Some("3"));
        assert_eq!((cursor.move_past(page(&[2, 1], false)).len(), cursor.is_end()), (2, true));
    }

    #[test]
    fn a_list_whose_provider_ignores_the_cursor_ends_and_has_each_object_once() {
        let mut cursor = PageCursor::start();
        assert_eq!(cursor.move_past(page(&[3, 2, 1], true)).len(), 3);
        // Meanwhile there is a new object.
        assert_eq!((cursor.move_past(page(&[4, 3, 2], true)).len(), cursor.is_end()), (1, false));
        assert_eq!((cursor.move_past(page(&[4, 3, 2], true)).len(), cursor.is_end()), (0, true));
    }
}
