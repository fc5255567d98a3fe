//! The command line as a person meets it: the demo, the server, keys, and what is said of a file.

use std::{net::TcpListener, path::Path, process::Command};

use local::client::Client;
use secrecy::SecretString;
use serde_json::json;
use tempfile::TempDir;

use crate::{
    checkout,
    home::{Home, Running, out, refusal},
};

#[tokio::test]
async fn the_demo_finds_its_photographs_twice_and_dev_serves_the_same_data() {
    let home = Home::new().await;
    let first = out(&home.run(&["demo"]));
    assert!(
        first.contains("By words") && first.contains("R@1 10/10"),
        "{first}"
    );
    assert!(first.contains("local-conse-v1"), "{first}");
    let second = home.run(&["demo"]);
    out(&second);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert_eq!(said.matches("there already").count(), 10, "{said}");

    let (server, address) = Running::start(&home);
    let key = std::fs::read_to_string(home.file("demo-key")).unwrap();
    let client = Client::new(address, SecretString::from(key));
    let asked = json!({ "query": "a cat", "limit": 1, "previews": true });
    let found = client.call("image_asset_search", &asked).await.unwrap();
    let preview = client
        .read(found["results"][0]["preview"]["url"].as_str().unwrap())
        .await
        .unwrap();
    assert_eq!(
        (preview.status().as_u16(), &preview.body()[8..12]),
        (200, &b"WEBP"[..])
    );
    assert_eq!(preview.headers()["x-content-type-options"], "nosniff");
    assert_eq!(preview.headers()["content-type"], "image/webp");

    let asset = found["results"][0]["assetId"].clone();
    let asked = json!({ "assetId": asset, "links": ["original"] });
    let got = client.call("image_asset_get", &asked).await.unwrap();
    let link = got["original"]["url"].as_str().unwrap();
    let original = client.read(link).await.unwrap();
    let kept = std::fs::read(checkout().join("tests/fixtures/photos/chelsea.png")).unwrap();
    assert!(original.body() == &kept, "the original reads back equal");
    let forged = client.read(&link.replace("sig=", "sig=0")).await.unwrap();
    assert_eq!(forged.status(), 404);

    let taken = refusal(&home.run(&["dev", "--listen", &address.to_string()]));
    assert!(
        taken.contains("is taken") && taken.contains("--listen"),
        "{taken}"
    );
    server.stop();
}

#[tokio::test]
async fn tenants_and_keys_are_made_listed_rotated_and_revoked() {
    let home = Home::new().await;
    assert!(out(&home.run(&["migrate"])).contains("the schema is at version"));
    let made = home.run(&["identity", "create", "ada", "--display-name", "Ada"]);
    assert!(out(&made).starts_with("idn_"));
    let again = refusal(&home.run(&["identity", "create", "ada", "--display-name", "Ada"]));
    assert!(again.contains("exists"), "{again}");
    let issued = out(&home.run(&[
        "key",
        "create",
        "ada",
        "--name",
        "laptop",
        "--scopes",
        "read,delete",
    ]));
    let (id, key) = issued.trim().split_once('\n').unwrap();
    assert!(
        id.starts_with("mky_") && key.starts_with("imk_"),
        "{issued}"
    );
    let listed = out(&home.run(&["key", "list", "ada"]));
    assert!(
        listed.contains(id) && listed.contains("delete,read") && !listed.contains(key),
        "{listed}"
    );
    let rotated = out(&home.run(&["key", "rotate", "ada", id, "--overlap-hours", "1"]));
    assert!(
        rotated.contains("replaces") && rotated.contains("imk_"),
        "{rotated}"
    );
    out(&home.run(&["key", "revoke", "ada", id]));
    assert!(out(&home.run(&["key", "list", "ada"])).contains("revoked"));
    assert!(refusal(&home.run(&["key", "revoke", "ada", "mky_1"])).contains("not a valid key id"));
    assert!(
        refusal(&home.run(&["key", "create", "bob", "--name", "x"])).contains("identity not found")
    );
}

#[tokio::test]
async fn a_vault_is_shared_and_closed() {
    let home = Home::new().await;
    let (ada, bob) = (home.identity("ada", "Ada"), home.identity("bob", "Bob"));
    let vault = out(&home.run(&["vault", "create", "ada", "Team pictures"]));
    let vault = vault.trim();
    assert!(vault.starts_with("avl_"), "{vault}");
    let taken = refusal(&home.run(&["vault", "create", "ada", "TEAM  pictures"]));
    assert!(
        taken.contains("taken") || taken.contains("exists"),
        "{taken}"
    );
    let listed = out(&home.run(&["vault", "list", "ada"]));
    assert!(
        listed.contains("Library") && listed.contains(vault),
        "{listed}"
    );

    let team = ["vault", "share", "ada", "Team pictures"];
    let share = |with: &str, membership: &str| {
        let with = ["--with", with, "--membership", membership];
        home.run(&[&team[..], &with[..]].concat())
    };
    let shared = out(&share(&bob, "write"));
    assert_eq!(
        shared.trim(),
        format!("{bob} has write membership of {vault}")
    );
    let boss = refusal(&share(&bob, "boss"));
    assert!(boss.contains("read, write or admin"), "{boss}");
    assert!(refusal(&share("idn_1", "read")).contains("not a valid"));
    refusal(&share(&ada, "read"));
    let members = out(&home.run(&["vault", "members", "ada", vault]));
    let member = members.lines().nth(1).unwrap();
    assert!(
        member.starts_with(&*bob) && member.ends_with("Bob"),
        "{members}"
    );
    assert_eq!(members.lines().count(), 2, "{members}");
    let unshare = ["vault", "unshare", "ada", vault, "--with", &bob];
    assert!(out(&home.run(&unshare)).contains("may no longer enter"));
    assert!(refusal(&home.run(&unshare)).contains("not found"));
    let members = out(&home.run(&["vault", "members", "ada", vault]));
    assert_eq!(members.lines().count(), 1, "{members}");
    assert_eq!(home.operations("ada"), ["asset_vault"; 3]);
}

#[tokio::test]
async fn a_plan_is_set_and_what_was_done_is_on_record() {
    let home = Home::new().await;
    home.identity("ada", "Ada");
    out(&home.run(&["vault", "create", "ada", "Team pictures"]));
    let plans = out(&home.run(&["plan", "list"]));
    assert!(
        plans.contains("1073741824") && plans.contains("no limit"),
        "{plans}"
    );
    let set = out(&home.run(&["plan", "set", "ada", "free"]));
    assert_eq!(set.trim(), "the plan is free; it was default");
    refusal(&home.run(&["plan", "set", "ada", "golden"]));
    refusal(&home.run(&["plan", "set", "carol", "free"]));

    let audited = out(&home.run(&["audit", "ada"]));
    assert_eq!(home.operations("ada"), ["asset_plan", "asset_vault"]);
    let newest = out(&home.run(&["audit", "ada", "--limit", "1"]));
    assert_eq!(
        newest.lines().collect::<Vec<_>>(),
        audited.lines().take(1).collect::<Vec<_>>()
    );
    let links = out(&home.run(&["audit", "ada", "--record", "access"]));
    assert_eq!(links, "", "no link was issued");
    let when = refusal(&home.run(&["audit", "ada", "--from", "yesterday"]));
    assert!(when.contains("an instant is written like"), "{when}");
    assert!(refusal(&home.run(&["audit", "carol"])).contains("identity not found"));
    let swept = out(&home.run(&["sweep"]));
    assert_eq!(swept.trim(), "purged 0 objects, ended 0 reservations");
}

#[test]
fn inspect_says_what_a_save_would() {
    let dir = TempDir::new().unwrap();
    let photo = dir.path().join("cat.png");
    std::fs::copy(checkout().join("tests/fixtures/photos/chelsea.png"), &photo).unwrap();
    let inspect = |file: &Path| {
        Command::new(env!("CARGO_BIN_EXE_image-memory"))
            .arg("inspect")
            .arg(file)
            .output()
            .unwrap()
    };
    let said = out(&inspect(&photo));
    assert!(
        said.contains("image/png") && said.contains("451 x 300"),
        "{said}"
    );
    assert_eq!(
        &std::fs::read(dir.path().join("cat.png.preview.webp")).unwrap()[8..12],
        b"WEBP"
    );
    let page = dir.path().join("page.gif");
    std::fs::write(&page, "<html><body>no picture</body></html>").unwrap();
    let refused = inspect(&page);
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stdout);
    assert!(
        said.contains("unsupported_media_type") && said.contains("remedy"),
        "{said}"
    );
    assert!(
        String::from_utf8_lossy(&inspect(Path::new("/nowhere")).stderr).contains("cannot be read")
    );
}

#[test]
fn a_database_that_does_not_fit_is_told_in_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = taken.local_addr().unwrap();
    drop(taken);
    let output = Command::new(env!("CARGO_BIN_EXE_image-memory"))
        .current_dir(checkout())
        .env(
            "DATABASE_URL",
            format!("postgres://nobody:secret@{closed}/nothing"),
        )
        .arg("migrate")
        .output()
        .unwrap();
    let said = refusal(&output);
    assert!(
        said.contains("does not answer") && !said.contains("secret"),
        "{said}"
    );
    assert_eq!(said.trim().lines().count(), 1, "{said}");
}
