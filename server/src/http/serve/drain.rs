//! Body draining: reads and discards the rest of a request body that the handler did not read. Closing a connection while
//! the client still sends loses the response, and a proxy responds with 502 instead.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Bytes;
use http_body_util::BodyExt as _;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::{Request, header};

/// A longer body is not drained; the connection closes.
const MAX_BYTES: u64 = 64 * 1024;
const MAX_TIME: Duration = Duration::from_secs(5);

/// Request body whose unread rest is drained on drop.
pub struct DrainedBody {
    body: Option<Incoming>,
    /// The client waits for `100 Continue` and has sent nothing.
    expects_continue: bool,
}

/// Whether a body is too long to be drained.
pub fn is_too_long(body: &Incoming) -> bool {
    body.size_hint().lower() > MAX_BYTES
}

impl DrainedBody {
    pub fn wrap(request: Request<Incoming>) -> Request<Self> {
        let expects_continue = request.headers().contains_key(header::EXPECT);
        request.map(|body| Self { body: Some(body), expects_continue })
    }
}

impl Body for DrainedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        match &mut self.body {
            Some(body) => Pin::new(body).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

impl Drop for DrainedBody {
    fn drop(&mut self) {
        let rest =
            self.body.take().filter(|body| !self.expects_continue && !body.is_end_stream() && !is_too_long(body));
        if let (Some(rest), Ok(runtime)) = (rest, tokio::runtime::Handle::try_current()) {
            runtime.spawn(tokio::time::timeout(MAX_TIME, discard(rest)));
        }
    }
}

async fn discard(mut body: Incoming) {
    let mut left = MAX_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        match left.checked_sub(u64::try_from(bytes).unwrap_or(u64::MAX)) {
            Some(less) => left = less,
            None => return,
        }
    }
}
