//! Streams of events to pages, of bounded number.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::mpsc;

use super::error::ApiError;

/// The most streams at once. Each open page has one or two.
const MAX_STREAMS: usize = 512;

/// The events that wait for a slow page. Its task waits when the queue is full.
const QUEUE: usize = 32;

/// The time between two signs of life on an idle stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Counts the open streams.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams(Arc<AtomicUsize>);

/// The place of an open stream.
#[derive(Debug)]
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream of events. Dropping it, as the server does when the page is closed, closes the channel
/// that its task sends to.
struct Events {
    receiver: mpsc::Receiver<Event>,
    _place: Place,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(Ok))
    }
}

impl Streams {
    /// Starts a task that sends events to a page. The task has to end when its channel is closed.
    pub(super) fn start<F>(
        &self,
        task: impl FnOnce(mpsc::Sender<Event>) -> F,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        let place = Place(self.0.clone());
        if before >= MAX_STREAMS {
            let why = format!("{MAX_STREAMS} pages are open already");
            return Err(ApiError::busy(why).with_help("close some of them"));
        }
        let (sender, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(task(sender));
        let events = Events { receiver, _place: place };
        let alive = KeepAlive::new().interval(KEEP_ALIVE);
        Ok(Sse::new(events).keep_alive(alive).into_response())
    }
}

/// An event with a value as its data.
pub(super) fn event(name: &str, data: &impl serde::Serialize) -> Event {
    let data = serde_json::to_string(data).expect("events are texts and numbers");
    Event::default().event(name).data(data)
}
