//! What holds for the whole schema: comments, names, types, indexes; enumerations, locks and rights.

mod enumerations;
mod rights;

use std::sync::{Arc, Weak};

use common::{store::migrate, testing::TestDatabase};
use tokio::sync::Mutex;

use crate::support::{Session, session::NULL};

/// `from pg_class t` of our own tables; a partition is part of its parent.
const TABLES: &str =
    "from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
                      and not t.relispartition";

/// A database that nobody changes, shared by the tests that run at the same time.
async fn session() -> (Arc<TestDatabase>, Session) {
    static SHARED: Mutex<Weak<TestDatabase>> = Mutex::const_new(Weak::new());
    let mut shared = SHARED.lock().await;
    let database = match shared.upgrade() {
        Some(database) => database,
        None => Arc::new(TestDatabase::new().await),
    };
    *shared = Arc::downgrade(&database);
    let session = Session::admin(&database).await;
    (database, session)
}

/// Fails with what the query found.
async fn none(session: &Session, what: &str, query: &str) {
    let found = session.column(query).await;
    assert!(found.is_empty(), "{what}: {found:#?}");
}

#[tokio::test]
async fn every_table_and_every_column_is_commented() {
    let (_database, session) = session().await;
    let tables =
        "from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')";
    none(
        &session,
        "tables without a comment",
        &format!("select relname {tables} and obj_description(t.oid, 'pg_class') is null"),
    )
    .await;
    none(
        &session,
        "columns without a comment",
        &format!(
            "select t.relname || '.' || a.attname from pg_attribute a join (select t.oid, t.relname {TABLES}) t on t.oid = a.attrelid
             where a.attnum > 0 and not a.attisdropped and col_description(t.oid, a.attnum) is null"
        ),
    )
    .await;
}

#[tokio::test]
async fn columns_have_the_agreed_types_alone() {
    let (_database, session) = session().await;
    let types = session
        .column(&format!(
            "select distinct format_type(a.atttypid, a.atttypmod)
             from pg_attribute a join (select t.oid {TABLES}) t on t.oid = a.attrelid
             where a.attnum > 0 and not a.attisdropped order by 1"
        ))
        .await;
    let agreed = [
        "bigint",
        "bit(1024)",
        "boolean",
        "bytea",
        "halfvec(1024)",
        "integer",
        "jsonb",
        "smallint",
        "text",
        "text[]",
        "timestamp with time zone",
    ];
    assert_eq!(types, agreed);
    none(
        &session,
        "times that do not end in _at, _until, _after or _from, or other things that do",
        &format!(
            "select t.relname || '.' || a.attname
             from pg_attribute a join (select t.oid, t.relname {TABLES}) t on t.oid = a.attrelid
             where a.attnum > 0
               and (a.attname ~ '_(at|until|after|from)$' and a.attname <> 'rotated_from') <> (a.atttypid = 'timestamptz'::regtype)"
        ),
    )
    .await;
}

#[tokio::test]
async fn constraints_and_indexes_are_named_by_what_they_are() {
    let (_database, session) = session().await;
    none(
        &session,
        "constraints of another name than table_what_check, _fkey, _key or table_pkey",
        &format!(
            "select c.conname from pg_constraint c join (select t.oid, t.relname {TABLES}) t on t.oid = c.conrelid
             where c.conparentid = 0 and c.contype <> 'n'
               and c.conname !~ ('^' || t.relname || case c.contype
                 when 'p' then '_pkey$' when 'c' then '_[a-z0-9_]+_check$' when 'f' then '_[a-z0-9_]+_fkey$'
                 when 'u' then '_[a-z0-9_]+_key$' else '!' end)
               and (c.conname, c.contype) <> ('mem_vaults_handle_key', 'u')"
        ),
    )
    .await;
    none(
        &session,
        "indexes of another name than table_what_idx, or table_what_uidx for a unique one",
        &format!(
            "select n.relname from pg_index i join pg_class n on n.oid = i.indexrelid
             join (select t.oid, t.relname {TABLES}) t on t.oid = i.indrelid
             where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u'))
               and n.relname !~ ('^' || t.relname || '_[a-z0-9_]+' || case when i.indisunique then '_uidx$' else '_idx$' end)"
        ),
    )
    .await;
}

/// Words of a script without comments and quoted texts.
fn words(sql: &str) -> Vec<String> {
    let code: String = sql
        .lines()
        .map(|line| line.split("--").next().unwrap_or_default().to_owned() + "\n")
        .collect();
    let bare: String = code.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    bare.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn no_constraint_is_left_to_be_named_by_the_server() {
    let mut seen = 0;
    for migration in migrate::MIGRATIONS {
        let words = words(migration.sql);
        for (index, word) in words.iter().enumerate() {
            let before = |distance: usize| {
                index
                    .checked_sub(distance)
                    .map_or("", |index| words[index].as_str())
            };
            let named = match word.as_str() {
                "check" | "foreign" | "primary" => before(2) == "constraint",
                "unique" => before(2) == "constraint" || before(1) == "create",
                "references" => words[..index]
                    .iter()
                    .rev()
                    .take(8)
                    .any(|word| word == "foreign"),
                _ => continue,
            };
            seen += 1;
            assert!(
                named,
                "{}: … {} {word} … has no name",
                migration.name,
                before(1)
            );
        }
    }
    assert!(seen > 150, "only {seen} constraints were seen");
}

#[tokio::test]
async fn tenant_tables_begin_with_their_owner_and_their_ids_tell_their_kind() {
    let (_database, session) = session().await;
    let tenants = format!(
        "{TABLES} and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'owner_identity')"
    );
    none(
        &session,
        "tenant tables whose primary key does not begin with the owner",
        &format!(
            "select t.relname {tenants} and not exists (
               select from pg_index i join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
               where i.indrelid = t.oid and i.indisprimary and a.attname = 'owner_identity')"
        ),
    )
    .await;
    none(
        &session,
        "ids whose prefix is not checked",
        &format!(
            "select t.relname {tenants}
               and exists (select from pg_attribute a where a.attrelid = t.oid and a.attname = 'id')
               and not exists (select from pg_constraint c where c.conrelid = t.oid and c.conname = t.relname || '_id_check')"
        ),
    )
    .await;
}

/// One row of names, as the catalog lists them.
fn list(text: &str) -> Vec<&str> {
    text.split(',').collect()
}

#[tokio::test]
async fn every_foreign_key_has_an_index_to_look_back_with() {
    let (_database, session) = session().await;
    let names = |of: &str, numbers: &str| {
        format!(
            "(select string_agg(a.attname, ',' order by k.place) from unnest({numbers}) with ordinality as k (number, place)
              join pg_attribute a on a.attrelid = {of} and a.attnum = k.number)"
        )
    };
    let keys = session
        .rows(&format!(
            "select c.conname, c.conrelid, {}, {}, {}
             from pg_constraint c join (select t.oid {TABLES}) t on t.oid = c.conrelid
             join pg_index p on p.indrelid = c.confrelid and p.indisprimary
             where c.contype = 'f' and c.conparentid = 0",
            names("c.conrelid", "c.conkey"),
            names("c.confrelid", "c.confkey"),
            names("c.confrelid", "p.indkey::int2[]"),
        ))
        .await;
    assert!(keys.len() > 25);
    let indexes = session
        .rows(&format!(
            "select i.indrelid, {}, pg_get_expr(i.indpred, i.indrelid)
             from pg_index i join (select t.oid {TABLES}) t on t.oid = i.indrelid where i.indisvalid",
            names("i.indrelid", "(i.indkey::int2[])[0:i.indnkeyatts - 1]"),
        ))
        .await;
    for key in &keys {
        let (columns, referred, primary) = (list(&key[2]), list(&key[3]), list(&key[4]));
        // An index serves when its leading columns, all of them columns of the key, pin one referred row.
        let serves = indexes
            .iter()
            .filter(|index| index[0] == key[1])
            .any(|index| {
                let whole = index[2] == NULL
                    || columns
                        .iter()
                        .any(|column| index[2] == format!("({column} IS NOT NULL)"));
                let leading = list(&index[1])
                    .into_iter()
                    .map_while(|name| columns.iter().position(|column| *column == name));
                let pinned: Vec<&str> = leading.map(|position| referred[position]).collect();
                whole && primary.iter().all(|column| pinned.contains(column))
            });
        assert!(
            serves,
            "{} ({}) has no index that begins with its columns",
            key[0], key[2]
        );
    }
}

#[tokio::test]
async fn the_constraints_that_failures_are_told_by_exist() {
    let (_database, session) = session().await;
    let code = include_str!("../../../common/src/store/failure.rs");
    let names: Vec<&str> = code
        .split("\"mem_")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    assert!(names.len() > 5);
    for name in names {
        let there = format!(
            "select count(*) from (select conname from pg_constraint union select relname from pg_class) as n (name) where name = 'mem_{name}'"
        );
        assert_eq!(
            session.value(&there).await,
            "1",
            "mem_{name} does not exist"
        );
    }
}
