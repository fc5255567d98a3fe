//! MCP over stdio: each line is posted to MCP over HTTP, in this process or elsewhere, and the answer comes
//! back as a line. So there is one server, and nothing but protocol on standard output.

mod headers;

use std::{
    collections::HashMap,
    future::Future,
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use common::error::Error;
use http::{Request, Response};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::{Semaphore, mpsc},
    task::{AbortHandle, JoinSet},
};

use super::{http::BODY_MAX_BYTES, mcp::Read};

/// Messages that are worked on at the same time; the next line is read when one of them is done.
const AT_ONCE: usize = 16;

/// How long the calls under way may go on after standard input has ended.
const DRAIN: Duration = Duration::from_secs(30);

/// Where messages are posted to.
pub trait Upstream: Send + Sync + 'static {
    /// Posts one message, with a key of its own.
    fn post(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Result<Response<Bytes>, Error>> + Send;
}

/// Serves one client until its input ends.
///
/// # Errors
/// Input that cannot be read, or output that cannot be written.
pub async fn serve<U: Upstream>(
    upstream: Arc<U>,
    input: impl AsyncBufRead + Unpin,
    output: impl AsyncWrite + Unpin + Send,
) -> io::Result<()> {
    let (answers, lines) = mpsc::channel(AT_ONCE);
    let relay = Relay {
        upstream,
        answers,
        version: Arc::default(),
        places: Arc::new(Semaphore::new(AT_ONCE)),
        under_way: HashMap::new(),
        tasks: JoinSet::new(),
    };
    let (read, written) = futures_util::join!(relay.run(input), write(output, lines));
    read.and(written)
}

async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut lines: mpsc::Receiver<String>,
) -> io::Result<()> {
    while let Some(mut line) = lines.recv().await {
        line.push('\n');
        output.write_all(line.as_bytes()).await?;
        output.flush().await?;
    }
    Ok(())
}

struct Relay<U> {
    upstream: Arc<U>,
    answers: mpsc::Sender<String>,
    /// The protocol version that `initialize` agreed on.
    version: Arc<Mutex<Option<String>>>,
    places: Arc<Semaphore>,
    /// Requests that a client may still cancel, by their ids.
    under_way: HashMap<String, AbortHandle>,
    tasks: JoinSet<()>,
}

impl<U: Upstream> Relay<U> {
    async fn run(mut self, mut input: impl AsyncBufRead + Unpin) -> io::Result<()> {
        while let Some(line) = next_line(&mut input).await? {
            // Nobody reads the answers any more.
            if self.answers.is_closed() {
                break;
            }
            match line {
                Line::Message(line) => self.message(line).await,
                Line::TooLong => {
                    let message = format!("a message holds at most {BODY_MAX_BYTES} bytes");
                    self.answer(fault(&Value::Null, -32600, &message)).await;
                }
            }
        }
        let tasks = &mut self.tasks;
        let drained = async { while tasks.join_next().await.is_some() {} };
        tokio::time::timeout(DRAIN, drained).await.ok();
        Ok(())
    }

    async fn answer(&self, line: Value) {
        self.answers.send(line.to_string()).await.ok();
    }

    async fn message(&mut self, line: Vec<u8>) {
        let message = match Read::of(&line) {
            Read::Json(message) | Read::Unstorable(message) => message,
            Read::Nothing => {
                return self
                    .answer(fault(&Value::Null, -32700, "the line is not JSON"))
                    .await;
            }
        };
        if is_unasked(&message) {
            if message["method"] == "notifications/cancelled" {
                self.cancel(&message["params"]["requestId"]);
            }
            return;
        }
        let Ok(place) = self.places.clone().acquire_owned().await else {
            return;
        };
        while self.tasks.try_join_next().is_some() {}
        self.under_way.retain(|_, task| !task.is_finished());
        let id = message.get("id").cloned().unwrap_or_default();
        let post = Post {
            upstream: self.upstream.clone(),
            version: self.version.clone(),
            answers: self.answers.clone(),
        };
        let task = self.tasks.spawn(async move {
            post.run(&message, line).await;
            drop(place);
        });
        self.under_way.insert(id.to_string(), task);
    }

    /// Ends a request without an answer, as the protocol wants it.
    fn cancel(&mut self, id: &Value) {
        if let Some(task) = self.under_way.remove(&id.to_string()) {
            task.abort();
        }
    }
}

/// Whether a message awaits no answer: notifications, and answers to what was never asked.
fn is_unasked(message: &Value) -> bool {
    let is_notification = message["method"].is_string() && message.get("id").is_none();
    let is_answer = message.get("method").is_none()
        && (message.get("result").is_some() || message.get("error").is_some());
    is_notification || is_answer
}

/// One message on its way.
struct Post<U> {
    upstream: Arc<U>,
    version: Arc<Mutex<Option<String>>>,
    answers: mpsc::Sender<String>,
}

impl<U: Upstream> Post<U> {
    async fn run(self, message: &Value, line: Vec<u8>) {
        let agreed = self
            .version
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let request = headers::request(message, agreed.as_deref(), line);
        let answer = match self.upstream.post(request).await {
            Ok(response) => read(message, &response),
            Err(error) => Some(fault(&message["id"], -32000, error.message())),
        };
        let Some(answer) = answer else { return };
        if message["method"] == "initialize"
            && let Some(version) = answer["result"]["protocolVersion"].as_str()
        {
            let mut agreed = self.version.lock().unwrap_or_else(PoisonError::into_inner);
            *agreed = Some(version.to_owned());
        }
        self.answers.send(answer.to_string()).await.ok();
    }
}

/// The JSON-RPC message of a response, whatever stands between here and the server.
fn read(message: &Value, response: &Response<Bytes>) -> Option<Value> {
    let body = response.body();
    if body.is_empty() && response.status().is_success() {
        return None;
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(body) if body.is_array() || body["jsonrpc"] == "2.0" => Some(body),
        _ => {
            let status = response.status().as_u16();
            let what = format!("the server answered with HTTP {status} and no message");
            Some(fault(&message["id"], -32000, &what))
        }
    }
}

fn fault(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

enum Line {
    Message(Vec<u8>),
    TooLong,
}

/// The next line that is not blank; one that is too long is read to its end and dropped.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Line>> {
    loop {
        let mut line = Vec::new();
        let most = u64::try_from(BODY_MAX_BYTES + 2).unwrap_or(u64::MAX);
        let read = (&mut *input)
            .take(most)
            .read_until(b'\n', &mut line)
            .await?;
        if read == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') && line.len() > BODY_MAX_BYTES {
            skip_line(input).await?;
            return Ok(Some(Line::TooLong));
        }
        let message = line.trim_ascii();
        if !message.is_empty() {
            return Ok(Some(Line::Message(message.to_vec())));
        }
    }
}

async fn skip_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<()> {
    loop {
        let (seen, ended) = {
            let buffer = input.fill_buf().await?;
            match buffer.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            }
        };
        input.consume(seen);
        if ended {
            return Ok(());
        }
    }
}
