//! Deletion that meets the worker, saves, moves and itself.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use common::{
    error::Result,
    ports::{EmbedInput, EmbedTask, Embedded, Embedder},
};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{TestApp, pictures};
use tokio::sync::Notify;

use super::delete;

/// An embedder that waits, with its answer in hand, until it may give it.
struct Waiting {
    inner: Arc<dyn Embedder>,
    asked: Notify,
    may_answer: Notify,
}

#[async_trait]
impl Embedder for Waiting {
    fn model(&self) -> &str {
        self.inner.model()
    }

    async fn embed(
        &self,
        inputs: &[EmbedInput],
        task: EmbedTask,
        deadline: Duration,
    ) -> Result<Embedded> {
        let answer = self.inner.embed(inputs, task, deadline).await;
        self.asked.notify_one();
        self.may_answer.notified().await;
        answer
    }
}

/// An application whose worker waits between the provider's answer and the write.
async fn app() -> (TestApp, Arc<Waiting>) {
    let mut app = TestApp::new().await;
    let waiting = Arc::new(Waiting {
        inner: app.embedder.clone(),
        asked: Notify::new(),
        may_answer: Notify::new(),
    });
    app.app.embedder = waiting.clone();
    (app, waiting)
}

#[tokio::test]
async fn a_vector_that_comes_after_the_deletion_is_not_written() {
    let (app, waiting) = app().await;
    let ada = app.caller("ada").await;
    let asset = app.save(&ada, [9, 9, 9], json!({ "title": "grey" })).await;
    let meanwhile = async {
        waiting.asked.notified().await;
        let answer = delete(&app, &ada, &[&asset]).await;
        assert_eq!(answer["results"][0]["outcome"], "deleted");
        waiting.may_answer.notify_one();
    };
    futures_util::join!(app.drain(), meanwhile);
    let vectors = "select count(*) from memory_assets_v1";
    assert_eq!(app.database.number(vectors).await, 0);
    let cancelled = "select count(*) from mem_asset_embedding_jobs where status = 'cancelled'";
    assert_eq!(app.database.number(cancelled).await, 2);
    // What the provider did is paid for all the same.
    let paid = "select sum(total_tokens)::bigint from mem_usage_ledger";
    assert_eq!(app.database.number(paid).await, 20);
    app.assert_coherent("a late vector").await;
}

#[tokio::test]
async fn a_vector_that_comes_after_a_move_goes_where_its_image_is() {
    let (app, waiting) = app().await;
    let ada = app.caller("ada").await;
    let project = app.project(&ada, "Library", "One").await;
    let asset = app.save(&ada, [9, 9, 9], json!({})).await;
    let meanwhile = async {
        waiting.asked.notified().await;
        let to = json!({ "assetIds": [asset], "projectId": project });
        app.call(&ada, "image_asset_move", to).await.ok();
        waiting.may_answer.notify_one();
    };
    futures_util::join!(app.drain(), meanwhile);
    let vectors = "select count(*) from memory_assets_v1 where project_id is not null";
    assert_eq!(app.database.number(vectors).await, 1);
    app.assert_coherent("a move before the vector").await;
}

#[tokio::test]
async fn deletions_saves_and_moves_of_the_same_bytes_at_once_leave_everything_in_order() {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let project = app.project(&ada, "Library", "One").await;
    let input = || {
        let picture = pictures::base64(&pictures::plain([4, 4, 4]));
        json!({ "imageBase64": picture, "onDuplicate": "new" })
    };
    let mut known: Vec<String> = Vec::new();
    for round in 0..6 {
        let saves = join_all((0..4).map(|_| app.call(&ada, "image_asset_save", input())));
        let deletions = join_all((0..3).map(|turn| {
            let mut some: Vec<&String> = known.iter().collect();
            if turn % 2 == 1 {
                some.reverse();
            }
            let call = json!({ "assetIds": some });
            let app = &app;
            let ada = &ada;
            async move {
                if some.is_empty() {
                    return None;
                }
                Some(app.call(ada, "image_asset_delete", call).await.ok())
            }
        }));
        let to = json!({ "assetIds": known, "projectId": project });
        let moved = app.call(&ada, "image_asset_move", to);
        let (saved, deleted, moved) = futures_util::join!(saves, deletions, moved);
        if round > 0 {
            let all: Vec<Value> = deleted.into_iter().flatten().collect();
            let gone = all
                .iter()
                .flat_map(|answer| answer["results"].as_array().unwrap())
                .filter(|item| item["outcome"] == "deleted")
                .count();
            assert_eq!(gone, known.len(), "each goes once");
            assert!(moved.body.get("error").is_none() || moved.code() == "not_found");
        }
        known = saved
            .into_iter()
            .map(|answer| answer.ok()["assetId"].as_str().unwrap().to_owned())
            .collect();
        app.assert_coherent(&format!("round {round}")).await;
    }
    let objects = "select count(*) from mem_asset_objects";
    assert_eq!(
        app.database.number(objects).await,
        1,
        "the bytes were revived each time"
    );
}
