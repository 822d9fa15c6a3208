//! Connections to the server: how many there may be at once, and how long one may take to say what
//! it wants.
//!
//! Anybody who reaches the port can open connections, also without the token. A new one has to send
//! a whole request soon, and where too many have not shown the token yet, the oldest of them makes room.
//! All bounds stay far below the descriptors that the process may open: in `arena run --serve` the
//! engines and the journal need them more.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{AbortHandle, JoinSet};

use fanorona_engine::descriptors;
use fanorona_tournament::mutex::lock;

/// The time a connection may take for the header of a request, the time between two requests included, and
/// for each part of its body.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The pause after a connection could not be accepted, usually for want of descriptors.
const PAUSE: Duration = Duration::from_millis(500);

/// The most connections, however many descriptors there are.
const MAX_CONNECTIONS: u64 = 512;

/// The maximum numbers of connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    /// All of them. As many streams may be open besides.
    pub(super) all: usize,
    /// The connections on which nobody has shown the token yet.
    new: usize,
}

impl Bounds {
    /// The bounds for a process that may open so many descriptors.
    fn from_descriptors(descriptors: u64) -> Bounds {
        let all = (descriptors / 4).clamp(16, MAX_CONNECTIONS) as usize;
        Bounds { all, new: all / 4 }
    }

    /// The bounds for this process.
    pub(super) fn of_this_process() -> Bounds {
        Bounds::from_descriptors(descriptors::allowed())
    }
}

/// Accepts connections, and answers their requests until the future is dropped.
///
/// # Errors
/// Returns an error if the port cannot be used any more.
pub(super) async fn serve(listener: std::net::TcpListener, router: Router) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let bounds = Bounds::of_this_process();
    let places = Arc::new(Semaphore::new(bounds.all));
    let newcomers = Arc::new(PendingConnections { most: bounds.new, queue: Mutex::default() });
    let mut talks = JoinSet::new();
    for number in 0.. {
        let place = places.clone().acquire_owned().await.expect("it is never closed");
        let stream = loop {
            match listener.accept().await {
                Ok((stream, _)) => break stream,
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        };
        while talks.try_join_next().is_some() {}
        let newcomer = PendingConnection { queue: newcomers.clone(), number };
        newcomers.add(number, || talks.spawn(talk(stream, router.clone(), place, newcomer)));
    }
    Ok(())
}

/// Answers the requests of a connection until one of the sides closes it.
async fn talk(
    stream: TcpStream,
    router: Router,
    _place: OwnedSemaphorePermit,
    new: PendingConnection,
) {
    // Events are small and shall arrive at once; where that is not possible they come later.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let new = Arc::new(new);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let (answer, new) = (router.call(request), new.clone());
        async move {
            let answer = answer.await?;
            if answer.extensions().get::<LetIn>().is_some() {
                new.leave();
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    // A connection that ends early concerns only the one who opened it.
    let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
}

/// The mark of an answer to somebody who has the token.
#[derive(Clone, Copy)]
pub(super) struct LetIn;

/// The connections on which nobody has shown the token yet, the oldest first.
struct PendingConnections {
    most: usize,
    queue: Mutex<VecDeque<(u64, AbortHandle)>>,
}

impl PendingConnections {
    fn queue(&self) -> MutexGuard<'_, VecDeque<(u64, AbortHandle)>> {
        lock(&self.queue)
    }

    /// Begins to talk with a new connection; the oldest makes room if there are too many.
    fn add(&self, number: u64, begin: impl FnOnce() -> AbortHandle) {
        let mut queue = self.queue();
        if queue.len() >= self.most
            && let Some((_, oldest)) = queue.pop_front()
        {
            oldest.abort();
        }
        queue.push_back((number, begin()));
    }
}

/// A connection among the [`PendingConnections`], until somebody shows the token or its end.
struct PendingConnection {
    queue: Arc<PendingConnections>,
    number: u64,
}

impl PendingConnection {
    fn leave(&self) {
        self.queue.queue().retain(|(number, _)| *number != self.number);
    }
}

impl Drop for PendingConnection {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_most_descriptors_to_others() {
        assert_eq!(Bounds::from_descriptors(1024), Bounds { all: 256, new: 64 });
        assert_eq!(Bounds::from_descriptors(u64::MAX).all, 512);
        for descriptors in [64, 256, 1024, 1 << 20] {
            let Bounds { all, new } = Bounds::from_descriptors(descriptors);
            assert!(2 * all as u64 <= descriptors && 4 * new <= all, "{descriptors}");
        }
    }
}
