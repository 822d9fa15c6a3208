//! Spectators of a running tournament: the pages of a server in this process, or servers that find its
//! socket. A server in this process, and one that started it, can pause and stop the tournament; others
//! only see the boards.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc::UnboundedSender;

use fanorona_runner::Stop;
use fanorona_runner::live::LiveGames;
use fanorona_serve::{BoardsSocket, Control, Running, Shown, Site};

/// The spectators of a tournament, and their requests.
#[derive(Clone)]
pub(super) struct Spectators {
    live: Arc<LiveGames>,
    paused: Arc<AtomicBool>,
    place: Place,
}

/// The place of the spectators.
#[derive(Clone)]
enum Place {
    /// On the pages of a server in this process.
    Site(Site),
    /// At the socket: a server that looks for it.
    Socket,
    /// At the socket: the server that started this process, whose requests come by standard input.
    Starter,
}

/// Shows a tournament until it is dropped.
pub(super) enum BoardDisplay {
    /// On the pages of a server in this process.
    Site { _shown: Shown },
    /// At a socket; `None` if it could not be opened, which the tournament does not need.
    Socket { _socket: Option<BoardsSocket> },
}

impl Spectators {
    /// The pages of a server in this process.
    pub(super) fn with_site(site: Site) -> Spectators {
        Spectators::at(Place::Site(site))
    }

    /// The server that started this process.
    pub(super) fn with_starter() -> Spectators {
        Spectators::at(Place::Starter)
    }

    /// Servers that look for the tournament.
    pub(super) fn with_socket() -> Spectators {
        Spectators::at(Place::Socket)
    }

    fn at(place: Place) -> Spectators {
        Spectators { live: Arc::default(), paused: Arc::default(), place }
    }

    /// The boards that the games write to.
    pub(super) fn live(&self) -> Arc<LiveGames> {
        self.live.clone()
    }

    /// Whether they follow on the pages of a server in this process.
    pub(super) fn has_pages(&self) -> bool {
        matches!(self.place, Place::Site(_))
    }

    /// Whether they have paused the tournament.
    pub(super) fn has_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    /// Handles a request.
    fn control(&self, request: Control, stop: &UnboundedSender<Stop>) -> bool {
        match request {
            Control::Pause => self.paused.store(true, Ordering::Relaxed),
            Control::Continue => self.paused.store(false, Ordering::Relaxed),
            Control::Finish => return stop.send(Stop::Finish).is_ok(),
            Control::Stop => return stop.send(Stop::AtOnce).is_ok(),
        }
        !stop.is_closed()
    }

    /// Shows the tournament until the returned value is dropped.
    pub(super) fn begin(&self, dir: &Path, stop: UnboundedSender<Stop>) -> BoardDisplay {
        let this = self.clone();
        match &self.place {
            Place::Site(site) => {
                let control = move |request| this.control(request, &stop);
                let live = Some(self.live.clone());
                let running = Running { control: Box::new(control), live };
                return BoardDisplay::Site { _shown: site.begin(dir, running) };
            }
            Place::Socket => {}
            Place::Starter => {
                std::thread::spawn(move || this.obey(&stop));
            }
        }
        BoardDisplay::Socket { _socket: BoardsSocket::open(dir, self.live.clone()).ok() }
    }

    /// Follows requests from standard input. At its end, the server is gone.
    fn obey(&self, stop: &UnboundedSender<Stop>) {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if let Ok(request) = serde_json::from_str(&line) {
                self.control(request, stop);
            }
        }
        self.control(Control::Stop, stop);
    }
}
