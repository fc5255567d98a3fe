//! Tests of the local store: the contract, and what a kill leaves.

mod links;

use std::time::Duration as StdDuration;

use bytes::BytesMut;
use tempfile::TempDir;

use super::*;
use crate::testing::{
    TestClock,
    object_store_contract::{self, Fixture},
};

struct Setup {
    directory: TempDir,
    clock: Arc<TestClock>,
    store: LocalObjects,
    fixture: Fixture,
}

fn keys() -> TokenKeys {
    TokenKeys::parse("k=0123456789abcdef").unwrap()
}

fn open(directory: &TempDir, clock: &Arc<TestClock>) -> LocalObjects {
    let root = directory.path().join("store");
    let base_url = "http://127.0.0.1:8787/".to_owned();
    LocalObjects::new(root, base_url, keys(), clock.clone()).unwrap()
}

fn setup() -> Setup {
    let directory = TempDir::new().unwrap();
    let clock = Arc::new(TestClock::default());
    let store = open(&directory, &clock);
    Setup {
        directory,
        clock,
        store,
        fixture: Fixture::new(&"test".parse().unwrap()),
    }
}

async fn bytes(mut body: ByteStream) -> Vec<u8> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = body.next().await {
        bytes.extend_from_slice(&chunk.unwrap());
    }
    bytes.to_vec()
}

fn partials(store: &LocalObjects) -> usize {
    fs::read_dir(&store.partials).unwrap().count()
}

#[tokio::test]
async fn it_keeps_the_contract() {
    let Setup {
        store, directory, ..
    } = setup();
    object_store_contract::check(&store, &"test".parse().unwrap())
        .await
        .unwrap();
    assert_eq!(partials(&store), 0, "a refused put left its file");
    drop(directory);
}

#[tokio::test]
async fn objects_outlive_the_process() {
    let Setup {
        directory,
        clock,
        store,
        fixture,
    } = setup();
    let key = fixture.original();
    let put = fixture.put(&store, &key, b"kept").await.unwrap();
    drop(store);
    let store = open(&directory, &clock);
    assert_eq!(store.head(&key).await.unwrap(), Some(put));
}

#[tokio::test]
async fn only_keys_of_the_grammar_have_a_place() {
    let Setup {
        store,
        fixture,
        directory,
        ..
    } = setup();
    let good = fixture.original();
    for key in [
        "",
        "/etc/passwd",
        "../x",
        "test/x",
        &format!("../{good}"),
        &format!("{good}/../../x"),
    ] {
        assert_eq!(
            store.head(key).await.unwrap_err().code(),
            ErrorCode::Internal,
            "{key}"
        );
        assert_eq!(
            store.delete(key).await.unwrap_err().code(),
            ErrorCode::Internal,
            "{key}"
        );
        assert!(fixture.put(&store, key, b"x").await.is_err(), "{key}");
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_put_that_is_dropped_half_way_leaves_nothing() {
    let Setup {
        store,
        fixture,
        directory: _directory,
        ..
    } = setup();
    let key = fixture.original();
    let (sender, receiver) = tokio::sync::mpsc::channel::<io::Result<bytes::Bytes>>(1);
    let body = futures_util::stream::unfold(receiver, |mut receiver| async move {
        receiver.recv().await.map(|chunk| (chunk, receiver))
    });
    let object = PutObject {
        key: &key,
        content_type: "image/jpeg",
        content_length: 4,
        sha256: &"0".repeat(64),
    };
    let mut put = Box::pin(store.put(object, body.boxed()));
    sender.send(Ok("ab".into())).await.unwrap();
    // Runs until the put has taken the first piece and waits for the second.
    tokio::select! {
        biased;
        result = &mut put => panic!("the put ended: {result:?}"),
        sent = async { sender.reserve().await.map(drop) } => sent.unwrap(),
    }
    assert_eq!(partials(&store), 1);
    drop(put);
    assert_eq!(partials(&store), 0);
    assert_eq!(store.head(&key).await.unwrap(), None);
}

#[tokio::test]
async fn a_start_removes_partial_files_of_yesterday_alone() {
    let Setup {
        directory,
        clock,
        store,
        ..
    } = setup();
    let left = store.partials.join("0123.part");
    let foreign = store.partials.join("notes.txt");
    fs::write(&left, "left by a kill").unwrap();
    fs::write(&foreign, "not ours").unwrap();
    let written = OffsetDateTime::from(fs::metadata(&left).unwrap().modified().unwrap());

    clock.set(written + PARTIAL_MAX_AGE);
    open(&directory, &clock);
    assert!(left.exists(), "a put may still be writing it");
    clock.advance(StdDuration::from_secs(1));
    open(&directory, &clock);
    assert!(!left.exists());
    assert!(foreign.exists());
}

#[tokio::test]
async fn a_damaged_file_is_said_to_be_unavailable() {
    let Setup {
        store,
        fixture,
        directory: _directory,
        ..
    } = setup();
    let key = fixture.original();
    fixture.put(&store, &key, b"whole").await.unwrap();
    let path = store.path_of(&key).unwrap();
    let whole = fs::read(&path).unwrap();
    for damaged in [
        &whole[..whole.len() - 1],
        &whole[..100],
        &[],
        &[&whole[..], b"!"].concat(),
        &whole[1..],
    ] {
        fs::write(&path, damaged).unwrap();
        assert_eq!(
            store.head(&key).await.unwrap_err().code(),
            ErrorCode::StoreUnavailable
        );
        assert!(store.get(&key, None).await.is_err());
    }
    fs::write(&path, whole).unwrap();
    assert!(store.head(&key).await.unwrap().is_some());
}

#[tokio::test]
async fn deleting_prunes_what_it_leaves_empty() {
    let Setup {
        store,
        fixture,
        directory: _directory,
        ..
    } = setup();
    let (one, other) = (fixture.original(), fixture.original());
    fixture.put(&store, &one, b"1").await.unwrap();
    fixture.put(&store, &other, b"2").await.unwrap();
    store.delete(&one).await.unwrap();
    assert!(!store.path_of(&one).unwrap().parent().unwrap().exists());
    assert!(store.path_of(&other).unwrap().exists());
    store.delete(&other).await.unwrap();
    assert_eq!(fs::read_dir(&store.objects).unwrap().count(), 0);
    assert!(store.objects.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn puts_and_deletes_in_one_directory_do_not_disturb_each_other() {
    let Setup {
        store,
        fixture,
        directory,
        ..
    } = setup();
    let store = Arc::new(store);
    let workers = (0..4).map(|_| {
        let (store, fixture) = (store.clone(), fixture.clone());
        tokio::spawn(async move {
            for _ in 0..20 {
                let key = fixture.original();
                fixture.put(&*store, &key, b"x").await.unwrap();
                assert!(store.head(&key).await.unwrap().is_some());
                store.delete(&key).await.unwrap();
            }
        })
    });
    for worker in futures_util::future::join_all(workers).await {
        worker.unwrap();
    }
    assert_eq!(fs::read_dir(&store.objects).unwrap().count(), 0);
    drop(directory);
}

#[tokio::test]
async fn listings_show_nothing_but_objects() {
    let Setup {
        store,
        fixture,
        directory: _directory,
        ..
    } = setup();
    let key = fixture.original();
    fixture.put(&store, &key, b"x").await.unwrap();
    fs::write(store.objects.join(".DS_Store"), "x").unwrap();
    fs::write(
        store.path_of(&key).unwrap().with_file_name("original.txt"),
        "x",
    )
    .unwrap();
    fs::write(store.partials.join("0.part"), "x").unwrap();
    let listed: Vec<String> = store
        .list("", None, 10)
        .await
        .unwrap()
        .into_iter()
        .map(|o| o.key)
        .collect();
    assert_eq!(listed, [key]);
    assert_eq!(store.list("", None, 0).await.unwrap(), []);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_full_disk_is_the_store_being_unavailable() {
    let object = PutObject {
        key: "",
        content_type: "image/jpeg",
        content_length: 3,
        sha256: "",
    };
    let header = Header::of(&object).unwrap();
    let mut full = tokio::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .await
        .unwrap();
    let body = futures_util::stream::iter([Ok("abc".into())]).boxed();
    let error = files::write_verified(&mut full, &header, body)
        .await
        .unwrap_err();
    assert_eq!(error.code(), ErrorCode::StoreUnavailable);
    assert!(error.message().contains("full"));
}

#[cfg(unix)]
#[tokio::test]
async fn objects_are_readable_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let Setup {
        store,
        fixture,
        directory: _directory,
        ..
    } = setup();
    let key = fixture.original();
    fixture.put(&store, &key, b"x").await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.path_of(&key).unwrap()), 0o600);
    assert_eq!(mode(&store.objects), 0o700);
}

#[test]
fn an_impossible_type_is_refused() {
    for content_type in ["image/\njpeg", &"x".repeat(300)] {
        let object = PutObject {
            key: "",
            content_type,
            content_length: 3,
            sha256: "",
        };
        assert_eq!(Header::of(&object).unwrap_err().code(), ErrorCode::Internal);
    }
}
