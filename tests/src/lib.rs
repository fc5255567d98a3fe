//! What the tests share: the whole application over real Postgres and memory ports. Hints and calls cross
//! the same serialized forms as in production.

pub mod capture;
mod coherence;
pub mod generated;
pub mod halting;
pub mod mcp;
mod organise;
pub mod rights;
pub mod schema_table;

use std::{sync::Arc, time::Duration};

use aws_lambda_events::event::sqs::SqsEvent;
use bytes::Bytes;
use common::{
    app::{App, Settings},
    auth::{Scope, Surface},
    config::{Config, Defaults, Source},
    domain::signing::TokenKeys,
    ids::{IdentityId, KeyId, OwnerIdentity},
    ports::Clock,
    store::system::{identities, keys},
    testing::{ColourEmbedder, MemoryObjects, MemoryQueue, TestClock, TestDatabase},
};
use functions::{embed, transport::http as surface};
use http::{Request, StatusCode};
use serde_json::{Value, json};

/// An environment without any variable: the local defaults.
struct Nothing;

impl Source for Nothing {
    fn get(&self, _: &str) -> Option<String> {
        None
    }
}

/// The application with everything that a test wants to look at or to break.
pub struct TestApp {
    /// The application.
    pub app: App,
    /// Its database.
    pub database: TestDatabase,
    /// Its bytes.
    pub objects: Arc<MemoryObjects>,
    /// Its hints.
    pub queue: Arc<MemoryQueue>,
    /// Its vectors.
    pub embedder: Arc<ColourEmbedder>,
    /// Its time.
    pub clock: Arc<TestClock>,
}

/// A tenant and a key of it.
pub struct Caller {
    /// The tenant.
    pub owner: OwnerIdentity,
    /// Its opaque id.
    pub identity: IdentityId,
    /// The key's id.
    pub key_id: KeyId,
    /// The key.
    pub key: String,
}

/// An answer of a tool over HTTP.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Status.
    pub status: StatusCode,
    /// Body.
    pub body: Value,
}

impl Answer {
    /// The answer of a call that must have succeeded.
    ///
    /// # Panics
    /// When it did not.
    pub fn ok(self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{:#}", self.body);
        self.body
    }

    /// The code of a call that must have failed, after checking that the error object is whole.
    ///
    /// # Panics
    /// When it succeeded, or the object is not whole.
    #[must_use]
    pub fn code(&self) -> &str {
        let error = &self.body["error"];
        for field in ["code", "message", "remedy", "requestId"] {
            assert!(
                error[field].as_str().is_some_and(|text| !text.is_empty()),
                "{field}: {:#}",
                self.body
            );
        }
        assert!(error["retryable"].is_boolean(), "{:#}", self.body);
        error["code"].as_str().unwrap_or_default()
    }
}

impl TestApp {
    /// A new application over a new database.
    ///
    /// # Panics
    /// When the test server cannot be used.
    pub async fn new() -> Self {
        capture::start();
        Self::unlogged().await
    }

    /// The same without a capture of the logs, for runs that would fill the disk with them.
    ///
    /// # Panics
    /// When the test server cannot be used.
    pub async fn unlogged() -> Self {
        let database = TestDatabase::new().await;
        let clock = Arc::new(TestClock::default());
        let objects = Arc::new(MemoryObjects::new(clock.clone()));
        let queue = Arc::new(MemoryQueue::new(clock.clone()));
        let embedder = Arc::new(ColourEmbedder::default());
        let config =
            Config::read(&Nothing, Defaults::LOCAL).unwrap_or_else(|error| panic!("{error}"));
        let tokens = TokenKeys::parse("test=0123456789abcdef0123456789abcdef");
        let app = App {
            store: database.store(),
            objects: objects.clone(),
            queue: queue.clone(),
            embedder: embedder.clone(),
            clock: clock.clone(),
            tokens: tokens.unwrap_or_else(|error| panic!("{error}")),
            settings: Settings::from_config(&config),
        };
        Self {
            app,
            database,
            objects,
            queue,
            embedder,
            clock,
        }
    }

    /// A new tenant with a key of all scopes.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn caller(&self, name: &str) -> Caller {
        self.caller_with(name, "local", &Scope::ALL).await
    }

    /// A new tenant with a plan, and a key of some scopes.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn caller_with(&self, name: &str, plan: &str, scopes: &[Scope]) -> Caller {
        let owner = OwnerIdentity::trusted(format!("{name}@example.com"));
        let new = identities::NewIdentity {
            owner: owner.clone(),
            display_name: name.to_owned(),
            plan: plan.to_owned(),
        };
        let identity = identities::create(&self.app.store, &new, self.clock.now()).await;
        let identity = identity.unwrap_or_else(|error| panic!("{error:?}"));
        let (key_id, key) = self.key(&owner, scopes).await;
        Caller {
            owner,
            identity,
            key_id,
            key,
        }
    }

    /// Another key of a tenant.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn key(&self, owner: &OwnerIdentity, scopes: &[Scope]) -> (KeyId, String) {
        let new = keys::NewKey {
            owner: owner.clone(),
            name: "test".to_owned(),
            surface: Surface::Other,
            scopes: scopes.to_vec(),
            expires_at: None,
        };
        let issued = keys::create(&self.app.store, &new, self.clock.now()).await;
        let (id, token) = issued.unwrap_or_else(|error| panic!("{error:?}"));
        (id, token.reveal())
    }

    /// Calls a tool over HTTP.
    ///
    /// # Panics
    /// When the answer is not JSON.
    pub async fn call(&self, caller: &Caller, tool: &str, input: Value) -> Answer {
        self.post(
            tool,
            Some(&format!("Bearer {}", caller.key)),
            input.to_string().into(),
        )
        .await
    }

    /// Posts a body to a tool.
    ///
    /// # Panics
    /// When the answer is not JSON.
    pub async fn post(&self, tool: &str, authorization: Option<&str>, body: Bytes) -> Answer {
        let mut request = Request::post(format!("/v1/tools/{tool}"));
        if let Some(value) = authorization {
            request = request.header("authorization", value);
        }
        let request = request.body(body).unwrap_or_else(|error| panic!("{error}"));
        let response = surface::handle(&self.app, request).await;
        let body =
            serde_json::from_slice(response.body()).unwrap_or_else(|error| panic!("{error}"));
        Answer {
            status: response.status(),
            body,
        }
    }

    /// Hands every hint that is due to `embed` as the JSON of an SQS event, until none is left; returns how
    /// many messages there were.
    ///
    /// # Panics
    /// When `embed` wants a message again: in a test without outages nothing should.
    pub async fn drain(&self) -> usize {
        let mut count = 0;
        loop {
            let bodies = self.queue.take_due(self.clock.now());
            if bodies.is_empty() {
                return count;
            }
            count += bodies.len();
            let again = self.deliver(&bodies).await;
            assert!(again.is_empty(), "embed wants messages again: {again:?}");
        }
    }

    /// Hands bodies to `embed` as one SQS event, and returns those that it wants again.
    ///
    /// # Panics
    /// When the event does not survive its own JSON.
    pub async fn deliver(&self, bodies: &[String]) -> Vec<String> {
        let records: Vec<Value> = bodies
            .iter()
            .enumerate()
            .map(|(place, body)| {
                json!({
                    "messageId": place.to_string(), "receiptHandle": "r", "body": body, "attributes": {},
                    "messageAttributes": {}, "eventSource": "aws:sqs", "awsRegion": "eu-central-1",
                    "eventSourceARN": "arn:aws:sqs:eu-central-1:000000000000:embed",
                })
            })
            .collect();
        let event = json!({ "Records": records }).to_string();
        let event: SqsEvent =
            serde_json::from_str(&event).unwrap_or_else(|error| panic!("{error}"));
        let response = embed::handle(&self.app, event).await;
        let places = response
            .batch_item_failures
            .iter()
            .map(|failure| failure.item_identifier.parse::<usize>());
        places
            .filter_map(|place| bodies.get(place.ok()?).cloned())
            .collect()
    }

    /// Moves the clock.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Saves a plain picture of one colour and returns its asset id.
    ///
    /// # Panics
    /// When the save fails.
    pub async fn save(&self, caller: &Caller, colour: [u8; 3], more: Value) -> String {
        let mut input = json!({ "imageBase64": pictures::base64(&pictures::plain(colour)) });
        if let (Some(input), Some(more)) = (input.as_object_mut(), more.as_object()) {
            input.extend(more.clone());
        }
        let saved = self.call(caller, "image_asset_save", input).await.ok();
        saved["assetId"].as_str().unwrap_or_default().to_owned()
    }
}

pub mod pictures {
    //! Small pictures made on the spot.

    use std::io::Cursor;

    use base64::{Engine, engine::general_purpose::STANDARD};
    use image::{ImageFormat, RgbImage};

    /// A PNG of one colour, 32 by 24 pixels.
    ///
    /// # Panics
    /// Never, for these sizes.
    #[must_use]
    pub fn plain(colour: [u8; 3]) -> Vec<u8> {
        png(&RgbImage::from_pixel(32, 24, image::Rgb(colour)))
    }

    /// A picture as PNG.
    ///
    /// # Panics
    /// When it is empty.
    #[must_use]
    pub fn png(picture: &RgbImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture
            .write_to(&mut bytes, ImageFormat::Png)
            .unwrap_or_else(|error| panic!("{error}"));
        bytes.into_inner()
    }

    /// Bytes in base64.
    #[must_use]
    pub fn base64(bytes: &[u8]) -> String {
        STANDARD.encode(bytes)
    }
}
