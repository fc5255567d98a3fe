//! The end of the process, told to everything that runs in it.

use tokio::sync::watch;

/// Tells the end.
#[derive(Debug)]
pub struct Announce(watch::Sender<bool>);

/// Hears of the end.
#[derive(Debug, Clone)]
pub struct Ending(watch::Receiver<bool>);

/// Both sides.
#[must_use]
pub fn channel() -> (Announce, Ending) {
    let (sender, receiver) = watch::channel(false);
    (Announce(sender), Ending(receiver))
}

impl Announce {
    /// Announces the end.
    pub fn now(&self) {
        self.0.send_replace(true);
    }
}

impl Ending {
    /// Returns once the end was announced, or nobody is left to announce it.
    pub async fn wait(&mut self) {
        self.0.wait_for(|ended| *ended).await.ok();
    }
}
