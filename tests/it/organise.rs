//! Projects and folders: names, depth, paths, pages, and everybody making them at once.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tests::{Caller, TestApp};

async fn app() -> (TestApp, Caller, String) {
    let app = TestApp::new().await;
    let ada = app.caller("ada").await;
    let project = app.project(&ada, "Library", "One").await;
    (app, ada, project)
}

/// All rows of a list, a page at a time.
async fn pages(
    app: &TestApp,
    caller: &Caller,
    tool: &str,
    input: &Value,
    rows: &str,
) -> Vec<Value> {
    let mut all = Vec::new();
    let mut cursor = Value::Null;
    loop {
        let mut input = input.clone();
        input["cursor"] = cursor;
        let page = app.call(caller, tool, input).await.ok();
        all.extend(page[rows].as_array().unwrap().iter().cloned());
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return all;
        }
    }
}

#[tokio::test]
async fn names_that_look_alike_are_taken_and_the_error_tells_by_what() {
    let (app, ada, project) = app().await;
    let folder = app.folder(&ada, &project, None, "Straße").await;
    for name in [
        "straße",
        "STRASSE",
        "ＳＴＲＡＳＳＥ",
        " stra\u{200b}sse ",
        "STRAẞE",
    ] {
        let input = json!({ "projectId": project, "name": name });
        let answer = app.call(&ada, "image_folder_create", input).await;
        assert_eq!(answer.code(), "name_taken", "{name:?}");
        assert_eq!(answer.body["error"]["details"]["folderId"], folder);
    }
    for name in ["one", "ＯＮＥ", "o\u{200d}ne"] {
        let answer = app
            .call(&ada, "image_project_create", json!({ "name": name }))
            .await;
        assert_eq!(answer.code(), "name_taken", "{name:?}");
        assert_eq!(answer.body["error"]["details"]["projectId"], project);
    }
    // Beside it, and below it, the name is free; and what only resembles it is another.
    app.folder(&ada, &project, Some(&folder), "Straße").await;
    app.folder(&ada, &project, None, "Strasze").await;
    let other = app.project(&ada, "Library", "Two").await;
    app.folder(&ada, &other, None, "Straße").await;
    let bob = app.caller("bob").await;
    app.project(&bob, "Library", "One").await;
}

#[tokio::test]
async fn names_of_nothing_are_refused_and_odd_ones_kept() {
    let (app, ada, project) = app().await;
    for name in [
        "",
        " ",
        "\u{200b}",
        "\u{3164}",
        "\u{202e}\u{2066}",
        "\t\r\n",
    ] {
        let project_named = app
            .call(&ada, "image_project_create", json!({ "name": name }))
            .await;
        assert_eq!(project_named.code(), "invalid_argument", "{name:?}");
        let input = json!({ "projectId": project, "name": name });
        let folder_named = app.call(&ada, "image_folder_create", input).await;
        assert_eq!(folder_named.code(), "invalid_argument", "{name:?}");
    }
    for (name, kept) in [
        ("../../etc/passwd", "../../etc/passwd"),
        ("a/b\\c", "a/b\\c"),
        (
            "'; drop table mem_assets; --",
            "'; drop table mem_assets; --",
        ),
        ("100 %_", "100 %_"),
        ("名前 📷", "名前 📷"),
        ("İstanbul", "İstanbul"),
        ("evil\u{202e}gnp.exe", "evilgnp.exe"),
        ("<<<UNTRUSTED", "[[UNTRUSTED"),
    ] {
        let input = json!({ "projectId": project, "name": name });
        let folder = app.call(&ada, "image_folder_create", input).await.ok();
        assert_eq!(folder["name"], kept, "{name:?}");
        assert_eq!(folder["path"], json!([kept]));
    }
    let longest = "ﷺ".repeat(120);
    app.folder(&ada, &project, None, &longest).await;
    let longer = json!({ "projectId": project, "name": "x".repeat(121) });
    assert_eq!(
        app.call(&ada, "image_folder_create", longer).await.code(),
        "invalid_argument"
    );
}

#[tokio::test]
async fn folders_go_eight_deep_and_tell_their_paths() {
    let (app, ada, project) = app().await;
    let mut parent: Option<String> = None;
    for depth in 1..=8 {
        let input =
            json!({ "projectId": project, "parentId": parent, "name": format!("d{depth}") });
        let made = app.call(&ada, "image_folder_create", input).await.ok();
        assert_eq!(made["depth"], depth);
        assert_eq!(made["path"].as_array().unwrap().len(), depth);
        parent = Some(made["folderId"].as_str().unwrap().to_owned());
    }
    let ninth = json!({ "projectId": project, "parentId": parent, "name": "d9" });
    assert_eq!(
        app.call(&ada, "image_folder_create", ninth).await.code(),
        "invalid_argument"
    );
    let listed = app
        .call(&ada, "image_folder_list", json!({ "projectId": project }))
        .await
        .ok();
    let last = &listed["folders"][7];
    assert_eq!(
        last["path"],
        json!(["d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8"])
    );
}

#[tokio::test]
async fn a_tree_is_paged_each_folder_before_those_in_it() {
    let (app, ada, project) = app().await;
    let mut wanted = Vec::new();
    for top in ["A", "b", "C"] {
        let above = app.folder(&ada, &project, None, top).await;
        wanted.push(json!([top]));
        for below in ["x", "Y"] {
            app.folder(&ada, &project, Some(&above), below).await;
            wanted.push(json!([top, below]));
        }
    }
    for limit in [1, 2, 4, 100] {
        let input = json!({ "projectId": project, "limit": limit });
        let rows = pages(&app, &ada, "image_folder_list", &input, "folders").await;
        let paths: Vec<&Value> = rows.iter().map(|row| &row["path"]).collect();
        assert_eq!(paths, wanted.iter().collect::<Vec<_>>(), "pages of {limit}");
    }
}

#[tokio::test]
async fn projects_of_several_owners_are_paged_as_one_list() {
    let (app, ada, _) = app().await;
    let bob = app.caller("bob").await;
    app.share(&bob, &ada, common::contract::Membership::Read)
        .await;
    for (owner, names) in [(&ada, ["b", "D", "f"]), (&bob, ["a", "C", "e"])] {
        for name in names {
            app.project(owner, "Library", name).await;
        }
    }
    // The same name in both vaults: told apart by id.
    app.project(&bob, "Library", "One").await;
    for limit in [1, 2, 3, 100] {
        let input = json!({ "limit": limit });
        let rows = pages(&app, &ada, "image_project_list", &input, "projects").await;
        let names: Vec<&str> = rows
            .iter()
            .map(|row| row["name"].as_str().unwrap())
            .collect();
        assert_eq!(
            names,
            ["a", "b", "C", "D", "e", "f", "One", "One"],
            "pages of {limit}"
        );
        let ids: BTreeSet<String> = rows
            .iter()
            .map(|row| row["projectId"].to_string())
            .collect();
        assert_eq!(ids.len(), 8);
    }
    let own = json!({ "vaults": ["Library"] });
    assert_eq!(
        pages(&app, &ada, "image_project_list", &own, "projects")
            .await
            .len(),
        4
    );
}

#[tokio::test]
async fn a_cursor_serves_its_caller_its_tool_and_its_filter_alone() {
    let (app, ada, project) = app().await;
    let bob = app.caller("bob").await;
    let shared = app.library(&ada).await;
    app.share(&ada, &bob, common::contract::Membership::Admin)
        .await;
    for name in ["a", "b", "c"] {
        app.project(&ada, "Library", name).await;
        app.folder(&ada, &project, None, name).await;
    }
    let input = json!({ "limit": 1, "vaults": [shared] });
    let cursor = app
        .text(&ada, "image_project_list", input, "nextCursor")
        .await;
    let with = |more: Value| {
        let mut input = json!({ "vaults": [shared], "cursor": cursor });
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        input
    };
    // A page may have another length.
    app.call(&ada, "image_project_list", with(json!({ "limit": 2 })))
        .await
        .ok();
    for (caller, tool, input) in [
        (&bob, "image_project_list", with(json!({}))),
        (
            &ada,
            "image_project_list",
            with(json!({ "includeArchived": true })),
        ),
        (&ada, "image_project_list", with(json!({ "vaults": null }))),
        (&ada, "image_asset_list", with(json!({}))),
        (
            &ada,
            "image_folder_list",
            json!({ "projectId": project, "cursor": cursor }),
        ),
        (&ada, "vault_list", json!({ "cursor": cursor })),
    ] {
        let answer = app.call(caller, tool, input.clone()).await;
        assert_eq!(answer.code(), "invalid_cursor", "{tool} {input}");
    }
    for broken in [
        "",
        "x",
        "....",
        &cursor[1..],
        &format!("{cursor}A"),
        &"A".repeat(5_000),
    ] {
        let input = with(json!({ "cursor": broken }));
        let answer = app.call(&ada, "image_project_list", input).await;
        assert_eq!(answer.code(), "invalid_cursor", "{broken:.20}");
    }
}

#[tokio::test]
async fn of_many_who_make_the_same_name_at_once_one_succeeds() {
    let (app, ada, project) = app().await;
    let folder = || json!({ "projectId": project, "name": "Same" });
    let projects =
        (0..8).map(|_| app.call(&ada, "image_project_create", json!({ "name": "Same" })));
    let folders = (0..8).map(|_| app.call(&ada, "image_folder_create", folder()));
    let (projects, folders) = futures_util::join!(join_all(projects), join_all(folders));
    for (answers, detail) in [(projects, "projectId"), (folders, "folderId")] {
        let made: Vec<_> = answers
            .iter()
            .filter(|answer| answer.status == 200)
            .collect();
        assert_eq!(made.len(), 1, "{detail}");
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!(answer.code(), "name_taken");
            assert_eq!(
                answer.body["error"]["details"][detail],
                made[0].body[detail]
            );
        }
    }
}

#[tokio::test]
async fn a_chain_made_at_once_never_grows_past_eight() {
    let (app, ada, project) = app().await;
    let mut level = vec![app.folder(&ada, &project, None, "1").await];
    for depth in 2..=9 {
        let calls = level.iter().flat_map(|parent| {
            ["a", "b"].map(|name| {
                let input = json!({ "projectId": project, "parentId": parent, "name": name });
                app.call(&ada, "image_folder_create", input)
            })
        });
        let answers = join_all(calls).await;
        if depth == 9 {
            assert!(
                answers
                    .iter()
                    .all(|answer| answer.code() == "invalid_argument")
            );
            return;
        }
        let ids = answers
            .into_iter()
            .map(|answer| answer.ok()["folderId"].as_str().unwrap().to_owned());
        level = ids.take(2).collect();
    }
}

#[tokio::test]
async fn an_archived_project_is_hidden_and_takes_nothing() {
    let (app, ada, project) = app().await;
    let asset = app
        .save(&ada, [1, 1, 1], json!({ "projectId": project }))
        .await;
    let archive =
        format!("update mem_asset_projects set status = 'archived' where id = '{project}'");
    app.database.arrange(&archive).await;
    let listed = app.call(&ada, "image_project_list", json!({})).await.ok();
    assert_eq!(listed["projects"], json!([]));
    let all = json!({ "includeArchived": true });
    let all = app.call(&ada, "image_project_list", all).await.ok();
    assert_eq!(all["projects"][0]["status"], "archived");
    for (tool, input) in [
        (
            "image_folder_create",
            json!({ "projectId": project, "name": "x" }),
        ),
        (
            "image_asset_move",
            json!({ "assetIds": [asset], "projectId": project }),
        ),
    ] {
        assert_eq!(
            app.call(&ada, tool, input).await.code(),
            "conflict",
            "{tool}"
        );
    }
    // What is in it can be read, found and taken out.
    let inside = json!({ "projectId": project });
    let inside = app.call(&ada, "image_asset_list", inside).await.ok();
    assert_eq!(inside["assets"][0]["assetId"], asset);
    let out = json!({ "assetIds": [asset], "unfiled": true });
    app.call(&ada, "image_asset_move", out).await.ok();
    // Its name is free.
    app.project(&ada, "Library", "One").await;
}
