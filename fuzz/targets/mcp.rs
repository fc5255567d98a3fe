//! Any bytes as the body of a request to MCP, over a real database: nothing panics, and what comes back is
//! JSON or nothing. `make fuzz` gives it a throwaway Postgres.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tests::TestApp;
use tokio::runtime::Runtime;

struct Server {
    runtime: Runtime,
    app: TestApp,
    bearer: String,
}

static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime");
    let (app, caller) = runtime.block_on(async {
        let app = TestApp::unlogged().await;
        let caller = app.caller("fuzz").await;
        (app, caller)
    });
    Server {
        runtime,
        app,
        bearer: format!("Bearer {}", caller.key),
    }
});

/// Protocol versions that a client may name in its headers, none first.
const VERSIONS: [Option<&str>; 6] = [
    None,
    Some("2025-03-26"),
    Some("2025-11-25"),
    Some("2026-07-28"),
    Some("x"),
    Some("2025-06-18"),
];

fuzz_target!(|data: &[u8]| {
    let Some((choice, body)) = data.split_first() else {
        return;
    };
    let mut headers = vec![
        ("host", "localhost"),
        ("authorization", SERVER.bearer.as_str()),
    ];
    let version = VERSIONS[usize::from(choice.wrapping_sub(b'0')) % VERSIONS.len()];
    headers.extend(version.map(|version| ("mcp-protocol-version", version)));
    // It panics by itself on an answer that is not JSON.
    let answer = SERVER.app.post_mcp(&headers, body.to_vec());
    let answer = SERVER.runtime.block_on(answer);
    assert!(!answer.status.is_server_error(), "{:#}", answer.body);
});
