//! Listens to the workers' signs of life.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;

use super::super::messages::{self, Hello, VERSION};
use super::workers::Change;
use super::{Shared, lock};
use fanorona_tournament::text::safe_text;

impl Shared {
    /// Listens to the workers' signs of life.
    pub(super) async fn listen_to_workers(self: Arc<Shared>) {
        loop {
            if let Ok(mut signs) = self.client.subscribe("hello.*").await {
                while let Some(sign) = signs.next().await {
                    let name = sign.subject.split('.').nth(1).unwrap_or_default().to_owned();
                    let Some(hello) = self.open_new(&name, &sign.subject, &sign.payload) else {
                        continue;
                    };
                    match messages::read::<Hello>(hello) {
                        Ok(hello) => self.hear(&name, hello),
                        Err(why) => self.drop_message(&name, &sign.subject, &why),
                    }
                }
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    fn hear(&self, name: &str, mut hello: Hello) {
        if hello.tournament != self.id {
            return;
        }
        if hello.version != VERSION && hello.refused.is_empty() {
            hello.refused.push(format!(
                "messages of version {} there, {VERSION} at the coordinator",
                hello.version
            ));
        }
        let (slots, computer) = (hello.slots, safe_text::line(&hello.computer).into_owned());
        let reasons = safe_text::line(&hello.refused.join("; ")).into_owned();
        let change = lock(&self.workers).hear(name, hello);
        if change == Change::JoinedAnother {
            self.warn(format!(
                "another worker called {name} joined ({computer}): unless it was restarted, give each worker a name \
                 of its own with --name, because the statistics of workers go by name"
            ));
        }
        match change {
            Change::Joined | Change::JoinedAnother => self.note(format!(
                "worker {name} joined with {slots} slot{} ({computer})",
                if slots == 1 { "" } else { "s" }
            )),
            Change::Refuses => self.warn(format!("worker {name} cannot play: {reasons}")),
            Change::Leaves => self.note(format!("worker {name} leaves")),
            Change::None => {}
        }
    }
}
