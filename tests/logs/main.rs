//! The logs of the whole test run, searched for what must not be in them. Runs after `it`, which writes
//! them; `make test` clears them before.

use tests::capture::{QUERY_WORD, TEXT_WORD, directory, leaks};

#[test]
fn one_planted_leak_of_each_kind_is_found() {
    let key = common::auth::KeyToken::generate().unwrap().reveal();
    let planted = [
        ("key", format!("{{\"authorization\":\"Bearer {key}\"}}")),
        (
            "signed link",
            "http://127.0.0.1/local-objects/a?exp=1&kid=k&sig=abc".to_owned(),
        ),
        (
            "base64",
            format!("{{\"image\":\"{}\"}}", "iVBORw0KGgo".repeat(20)),
        ),
        ("identity", "owner ada@example.com".to_owned()),
        ("query text", format!("asked for {QUERY_WORD}")),
        ("text of a caller", format!("title {TEXT_WORD}")),
        ("password", "postgres://u:p@host/db".to_owned()),
    ];
    for (kind, line) in planted {
        assert!(leaks(&line).contains(&kind), "{kind} is not found");
    }
    let harmless = r#"{"level":"INFO","message":"a call was answered","request.id":"req_01KDVDNA00FHSPQ92JKHZA181R","duration_ms":3}"#;
    assert!(leaks(harmless).is_empty());
}

#[test]
fn the_run_s_logs_hold_none() {
    let files = std::fs::read_dir(directory()).map(|files| files.flatten().collect::<Vec<_>>());
    let files =
        files.unwrap_or_else(|error| panic!("no logs: {error}; run the tests by `make test`"));
    let mut lines = 0;
    for file in files {
        let text = std::fs::read_to_string(file.path()).unwrap();
        for line in text.lines() {
            let found = leaks(line);
            assert!(
                found.is_empty(),
                "{found:?} in: {}",
                &line[..line.len().min(400)]
            );
            lines += 1;
        }
    }
    assert!(lines > 100, "only {lines} lines: the capture does not work");
}
