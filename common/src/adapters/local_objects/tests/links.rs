//! Tests of signed links: what they read, and what they refuse.

use proptest::prelude::*;

use super::*;

/// Path and query of a link.
fn split(url: &str) -> (String, String) {
    let rest = url.strip_prefix("http://127.0.0.1:8787").unwrap();
    let (path, query) = rest.split_once('?').unwrap();
    (path.to_owned(), query.to_owned())
}

async fn linked(setup: &Setup, content: &[u8]) -> (String, String) {
    let key = setup.fixture.original();
    setup
        .fixture
        .put(&setup.store, &key, content)
        .await
        .unwrap();
    let request = setup.fixture.link(&key, StdDuration::from_secs(300));
    split(&setup.store.sign_get(request).await.unwrap().url)
}

#[tokio::test]
async fn a_link_reads_its_object_with_safe_headers() {
    let setup = setup();
    let (path, query) = linked(&setup, b"0123456789").await;
    let read = setup.store.open_signed(&path, &query, None).await.unwrap();
    assert_eq!(read.status, 200);
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("content-disposition", "inline; filename=\"original.jpg\""),
        ("content-length", "10"),
        ("x-content-type-options", "nosniff"),
        ("cache-control", "private, max-age=300"),
        ("accept-ranges", "bytes"),
    ] {
        assert_eq!(
            read.headers.get(name).map(String::as_str),
            Some(value),
            "{name}"
        );
    }
    assert_eq!(bytes(read.body).await, b"0123456789");
}

#[tokio::test]
async fn a_link_reads_ranges() {
    let setup = setup();
    let (path, query) = linked(&setup, b"0123456789").await;
    for (range, status, content_range, wanted) in [
        ("bytes=2-4", 206, Some("bytes 2-4/10"), "234"),
        ("bytes=-2", 206, Some("bytes 8-9/10"), "89"),
        ("bytes=7-", 206, Some("bytes 7-9/10"), "789"),
        ("bytes=10-", 416, Some("bytes */10"), ""),
        ("bytes=0-1,4-5", 200, None, "0123456789"),
    ] {
        let read = setup
            .store
            .open_signed(&path, &query, Some(range))
            .await
            .unwrap();
        assert_eq!(read.status, status, "{range}");
        assert_eq!(
            read.headers.get("content-range").map(String::as_str),
            content_range,
            "{range}"
        );
        assert_eq!(
            read.headers["content-length"],
            wanted.len().to_string(),
            "{range}"
        );
        assert_eq!(bytes(read.body).await, wanted.as_bytes(), "{range}");
    }
}

async fn refusal(setup: &Setup, path: &str, query: &str) -> String {
    let error = setup
        .store
        .open_signed(path, query, None)
        .await
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound, "{path}?{query}");
    error.message().to_owned()
}

#[tokio::test]
async fn ended_changed_and_foreign_links_and_missing_objects_answer_alike() {
    let setup = setup();
    let (path, query) = linked(&setup, b"x").await;
    let (other_path, other_query) = linked(&setup, b"y").await;
    let foreign = TokenKeys::parse("k=fedcba9876543210").unwrap();
    let request = setup.fixture.link(
        &path["/local-objects/".len()..],
        StdDuration::from_secs(300),
    );
    let forged = super::super::links::sign(
        "http://127.0.0.1:8787",
        &foreign,
        setup.clock.now(),
        &request,
    )
    .unwrap();

    let mut answers = Vec::new();
    for (path, query) in [
        (path.as_str(), other_query.as_str()),
        (path.as_str(), split(&forged.url).1.as_str()),
        (path.as_str(), ""),
        (path.as_str(), &query.replace("exp=1", "exp=2")),
        (path.as_str(), &query.replace("jpeg", "png")),
        (path.as_str(), &query.replace("original.jpg", "x.html")),
        (path.as_str(), &query.replace("kid=k", "kid=j")),
        (path.as_str(), &format!("{query}&x=1")),
        (path.as_str(), &format!("exp=99999999999&{query}")),
        (
            &path.replace("original.jpg", "preview.webp"),
            query.as_str(),
        ),
        (
            &path.replace("/local-objects/", "/local-objects/../"),
            query.as_str(),
        ),
        ("/", query.as_str()),
    ] {
        answers.push(refusal(&setup, path, query).await);
    }
    setup
        .store
        .delete(&other_path["/local-objects/".len()..])
        .await
        .unwrap();
    answers.push(refusal(&setup, &other_path, &other_query).await);

    assert!(setup.store.open_signed(&path, &query, None).await.is_ok());
    setup.clock.advance(StdDuration::from_secs(299));
    assert!(setup.store.open_signed(&path, &query, None).await.is_ok());
    setup.clock.advance(StdDuration::from_secs(1));
    answers.push(refusal(&setup, &path, &query).await);
    assert!(
        answers.iter().all(|answer| *answer == answers[0]),
        "{answers:?}"
    );
}

#[tokio::test]
async fn only_plain_names_and_types_are_signed() {
    let setup = setup();
    let key = setup.fixture.original();
    let good = setup.fixture.link(&key, StdDuration::from_secs(1));
    for file_name in ["", "a\"b", "a\nb", "a/b", "é.jpg", "a b"] {
        let request = SignGet {
            file_name,
            ..good.clone()
        };
        assert_eq!(
            setup.store.sign_get(request).await.unwrap_err().code(),
            ErrorCode::Internal
        );
    }
    let request = SignGet {
        content_type: "image/jpeg\r\nx: y",
        ..good.clone()
    };
    assert!(setup.store.sign_get(request).await.is_err());
    assert!(
        setup
            .store
            .sign_get(SignGet { key: "x", ..good })
            .await
            .is_err()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_query_makes_it_panic_or_answers(query in "((exp|kid|ct|fn|sig|x)=[a-z0-9%+-]{0,9}&?){0,7}") {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let setup = setup();
            let (path, _) = linked(&setup, b"x").await;
            refusal(&setup, &path, &query).await;
        });
    }
}
