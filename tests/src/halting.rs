//! An object store whose caller dies: at one call, before or after its effect.

use std::{
    ops::Range,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
};

use async_trait::async_trait;
use common::{
    error::Result,
    ports::{ByteStream, ListedObject, ObjectHead, ObjectStore, PutObject, SignGet, SignedUrl},
};
use tokio::sync::Notify;

/// Passes calls on until the fatal one, which never answers.
pub struct HaltingObjects<'a> {
    inner: &'a dyn ObjectStore,
    step: AtomicUsize,
    fatal: usize,
    reached: Notify,
}

impl<'a> HaltingObjects<'a> {
    /// Each call has two steps: before its effect and after it. The caller dies at the step of this number,
    /// counted from 0.
    #[must_use]
    pub fn new(inner: &'a dyn ObjectStore, fatal: usize) -> Self {
        Self {
            inner,
            step: AtomicUsize::new(0),
            fatal,
            reached: Notify::new(),
        }
    }

    /// Runs `work` until it ends (`true`) or reaches the fatal step (`false`), and then it is no more.
    pub async fn run(&self, work: Pin<Box<impl Future>>) -> bool {
        tokio::select! {
            _ = work => true,
            () = self.reached.notified() => false,
        }
    }

    async fn step(&self) {
        if self.step.fetch_add(1, Ordering::SeqCst) == self.fatal {
            self.reached.notify_one();
            std::future::pending::<()>().await;
        }
    }

    async fn around<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        self.step().await;
        let answer = call.await;
        self.step().await;
        answer
    }
}

#[async_trait]
impl ObjectStore for HaltingObjects<'_> {
    async fn put(&self, object: PutObject<'_>, body: ByteStream) -> Result<ObjectHead> {
        self.around(self.inner.put(object, body)).await
    }
    async fn head(&self, key: &str) -> Result<Option<ObjectHead>> {
        self.around(self.inner.head(key)).await
    }
    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<ByteStream>> {
        self.around(self.inner.get(key, range)).await
    }
    async fn sign_get(&self, request: SignGet<'_>) -> Result<SignedUrl> {
        self.around(self.inner.sign_get(request)).await
    }
    async fn delete(&self, key: &str) -> Result<()> {
        self.around(self.inner.delete(key)).await
    }
    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ListedObject>> {
        self.around(self.inner.list(prefix, after, limit)).await
    }
}
