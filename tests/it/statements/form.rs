//! What each file looks like.

use std::{collections::BTreeSet, fs, path::Path};

use common::testing::TestDatabase;

use super::{File, NOT_TENANT, STORE, files, walk};
use crate::support::{Session, world};

/// Scripts of the migration runner; everything else is one statement.
const SCRIPTS: &[&str] = &["system/create_schema_table"];

/// Numbers of the parameters that a text names.
fn parameters(text: &str) -> BTreeSet<u32> {
    text.split('$')
        .skip(1)
        .filter_map(|rest| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
        .collect()
}

#[test]
fn each_file_says_what_it_is_and_what_it_takes() {
    for file in files() {
        let path: Vec<&str> = file.name.split('/').collect();
        let (aggregate, verb) = (path[path.len() - 2], path[path.len() - 1]);
        let mut lines = file.text.lines();
        let head = lines.next().unwrap();
        let said = head.strip_prefix(&format!("-- {aggregate}.{verb}: "));
        assert!(
            said.is_some_and(|said| !said.is_empty()),
            "{}: {head}",
            file.name
        );
        let documented: String = lines.take_while(|line| line.starts_with("--")).collect();
        let code = file.code();
        assert_eq!(
            parameters(&documented),
            parameters(&code),
            "{}: parameters said and used",
            file.name
        );
        let count = parameters(&code).len();
        assert_eq!(
            parameters(&code).last().copied().unwrap_or(0) as usize,
            count,
            "{}: a number is left out",
            file.name
        );
        let bare: String = code.split('\'').step_by(2).collect();
        assert_eq!(
            bare.contains(';'),
            SCRIPTS.contains(&file.name.as_str()),
            "{} is not one statement",
            file.name
        );
        assert!(file.text.ends_with('\n'), "{}", file.name);
    }
}

#[test]
fn each_statement_has_one_caller() {
    let mut calls: Vec<String> = Vec::new();
    for path in walk(&Path::new(STORE).join(".."), "rs") {
        let text = fs::read_to_string(&path).unwrap();
        let code: String = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .collect();
        let names = code
            .split("sql!(\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next());
        calls.extend(names.map(str::to_owned));
    }
    calls.sort();
    let statements: Vec<String> = files().into_iter().map(|file| file.name).collect();
    assert_eq!(calls, statements, "left: calls of sql!, right: files");
}

#[tokio::test]
async fn each_statement_prepares_and_its_role_may_run_it() {
    let database = TestDatabase::new().await;
    let session = world::build(&database).await;
    for file in files()
        .iter()
        .filter(|file| !SCRIPTS.contains(&file.name.as_str()))
    {
        session.rows("begin").await;
        session
            .rows(&format!(
                "set local role {}; prepare statement as {}",
                file.role(),
                file.text
            ))
            .await;
        let nulls = vec!["null"; parameters(&file.code()).len()].join(", ");
        let arguments = if nulls.is_empty() {
            nulls
        } else {
            format!("({nulls})")
        };
        // EXPLAIN checks the rights that preparing does not.
        let explained = session
            .attempt(&format!("explain execute statement{arguments}"))
            .await;
        assert!(explained.is_ok(), "{}: {explained:?}", file.name);
        session.rows("rollback; deallocate all").await;
    }
}

/// The names by which a statement refers to tables of owners; an insert's target is not among them.
fn references(code: &str) -> Vec<(String, String)> {
    let words: Vec<&str> = code
        .split([' ', ',', '(', ')'])
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if !["from", "join", "update"].contains(word) {
            continue;
        }
        let Some(table) = words.get(index + 1).filter(|name| name.starts_with("mem")) else {
            continue;
        };
        if NOT_TENANT.contains(table) {
            continue;
        }
        let next = words.get(index + 2).copied().unwrap_or_default();
        let alias = if ["set", "where", "on", "join", ""].contains(&next) {
            ""
        } else {
            next
        };
        found.push(((*table).to_owned(), alias.to_owned()));
    }
    found
}

/// Whether every table that a statement reads or changes is narrowed to the owner `$1`.
fn is_scoped(file: &File) -> Result<(), String> {
    let code = format!("{} ", file.code());
    for (table, alias) in references(&code) {
        let column = if alias.is_empty() {
            "owner_identity".to_owned()
        } else {
            format!("{alias}.owner_identity")
        };
        let direct = code.contains(&format!(" {column} = $1 "));
        let by_another = code.contains(&format!("{column} = a.owner_identity "))
            && code.contains("a.owner_identity = $1 ");
        if !direct && !by_another {
            return Err(format!(
                "{} reads {table} {alias} of every owner",
                file.name
            ));
        }
    }
    if let Some((_, insert)) = code.split_once("insert into ") {
        let (columns, rest) = insert.split_once(')').unwrap_or_default();
        let own = columns.contains("( owner_identity,") || columns.contains("(owner_identity,");
        let values = [
            "values ($1,",
            "values ( $1,",
            "select $1,",
            "select a.owner_identity,",
        ];
        if !own
            || !values
                .iter()
                .any(|first| rest.trim_start().starts_with(first))
        {
            return Err(format!(
                "{} inserts rows that are not of the owner $1",
                file.name
            ));
        }
    }
    Ok(())
}

#[test]
fn each_statement_names_its_owner() {
    let file = |text: &str| File {
        name: "x/y".to_owned(),
        text: text.to_owned(),
    };
    for wrong in [
        "select from mem_assets a where a.id = $1",
        "select from mem_assets a join mem_asset_objects o on o.id = a.object_id where a.owner_identity = $1",
        "update mem_assets set title = $1 where id = $2",
        "delete from mem_assets where owner_identity = $12",
        "insert into mem_assets (owner_identity, id) values ($2, $1)",
        "insert into mem_assets (id, owner_identity) values ($1, $2)",
    ] {
        assert!(is_scoped(&file(wrong)).is_err(), "{wrong}");
    }
    let right = "select from mem_assets a join mem_asset_objects o on o.owner_identity = $1 where a.owner_identity = $1";
    assert_eq!(is_scoped(&file(right)), Ok(()));
    for file in files().iter().filter(|file| !file.is_system()) {
        assert_eq!(is_scoped(file), Ok(()));
    }
}

#[tokio::test]
async fn the_settings_of_a_transaction_end_with_it() {
    let database = TestDatabase::new().await;
    let login = Session::login(&database).await;
    let settings = files()
        .into_iter()
        .find(|file| file.name == "system/settings")
        .unwrap();
    let look = "select current_user, current_setting('app.owner_identity', true), current_setting('statement_timeout')";
    login
        .rows(&format!("prepare statement as {}", settings.text))
        .await;
    login
        .rows("begin; execute statement('im_app', 'a@example.com', '10000')")
        .await;
    assert_eq!(login.rows(look).await, [["im_app", "a@example.com", "10s"]]);
    login.rows("commit").await;
    assert_eq!(login.rows(look).await, [["im_test_login", "", "0"]]);
}
