//! Streams of events to pages, of bounded number. Each is a WebSocket, because a browser opens only
//! six plain connections to a server, whatever the number of its windows.
//!
//! An event is a message of text with a JSON array of its name and its data. Pages send nothing.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use serde::Serialize;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::connections::Bounds;
use super::error::ApiError;

/// The events that wait for a slow page. Its task waits when the queue is full.
const QUEUE: usize = 32;

/// The time between two signs of life.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The time a page may take to read what it gets; then its stream ends.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest message from a page in bytes, which is not read.
const MAX_MESSAGE: usize = 1 << 10;

/// An event as it is sent.
pub(super) struct Event(String);

impl Event {
    /// An event with a value as its data.
    pub(super) fn new(name: &str, data: &impl Serialize) -> Event {
        Event(serde_json::to_string(&(name, data)).expect("events are texts and numbers"))
    }
}

/// The places of the open streams.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    places: Arc<Semaphore>,
    most: usize,
}

impl Default for Streams {
    fn default() -> Streams {
        let most = Bounds::of_this_process().all;
        Streams { places: Arc::new(Semaphore::new(most)), most }
    }
}

impl Streams {
    /// Starts a task that sends events to a page. The task has to end when its channel is closed.
    pub(super) fn start<F>(
        &self,
        upgrade: WebSocketUpgrade,
        task: impl FnOnce(mpsc::Sender<Event>) -> F + Send + 'static,
    ) -> Result<Response, ApiError>
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            let why = format!("{} pages are open already", self.most);
            return Err(ApiError::busy(why).with_help("close some of them").said("busy-pages"));
        };
        let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
        Ok(upgrade.on_upgrade(move |socket| async move {
            let (sender, events) = mpsc::channel(QUEUE);
            tokio::spawn(task(sender));
            pass_on(socket, events).await;
            drop(place);
        }))
    }
}

/// Sends events to a page until one of the sides ends the stream.
async fn pass_on(mut socket: WebSocket, mut events: mpsc::Receiver<Event>) {
    let mut alive = interval(KEEP_ALIVE);
    alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let message = tokio::select! {
            event = events.recv() => match event {
                Some(Event(text)) => Message::Text(text.into()),
                None => Message::Close(None),
            },
            _ = alive.tick() => Message::Ping(Bytes::new()),
            said = socket.recv() => match said {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        let is_last = matches!(message, Message::Close(_));
        match timeout(PATIENCE, socket.send(message)).await {
            Ok(Ok(())) if !is_last => {}
            _ => return,
        }
    }
}
