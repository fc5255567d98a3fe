//! Every constraint of the schema refuses what it is there for.
//!
//! One legal row of each table is in the world; here one statement after the other breaks exactly one
//! rule of it, as superuser, and must be refused by that rule's name. The constraints are read from the
//! catalog: one that nobody tried fails the test.

mod assets;
mod embeddings;
mod people;
mod records;

use std::collections::{BTreeMap, BTreeSet};

use common::testing::TestDatabase;

use crate::support::{
    Session,
    world::{self, Owner},
};

/// What a foreign key is tried with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Across {
    /// Something that is not there, or is another thing.
    Nothing,
    /// Something of another owner.
    Owners,
    /// Something of the same owner in another vault.
    Vaults,
    /// Something of the same vault in another project.
    Projects,
}

/// Constraint and statement.
type Attempts = &'static [(&'static str, &'static str)];
/// Foreign key, what lies between, and statement.
type Links = &'static [(&'static str, Across, &'static str)];

/// SQLSTATE by kind of constraint.
const CHECK: &str = "23514";
const FOREIGN_KEY: &str = "23503";
const UNIQUE: &str = "23505";

const CHECKS: [Attempts; 4] = [
    people::CHECKS,
    assets::CHECKS,
    embeddings::CHECKS,
    records::CHECKS,
];
const LINKS: [Links; 4] = [
    people::LINKS,
    assets::LINKS,
    embeddings::LINKS,
    records::LINKS,
];
const TWINS: [Attempts; 4] = [
    people::TWINS,
    assets::TWINS,
    embeddings::TWINS,
    records::TWINS,
];

/// Fails unless the statement is refused with this state by this constraint; what it did is taken back.
async fn refuse(session: &Session, state: &str, constraint: &str, template: &str) {
    let sql = Owner::A.fill(template);
    let refused = session.attempt_and_forget(&sql).await.err();
    let refused = refused.unwrap_or_else(|| panic!("{constraint} let this pass: {sql}"));
    assert_eq!(
        (refused.state.as_str(), refused.constraint.as_str()),
        (state, constraint),
        "{refused:?}\n{sql}"
    );
}

/// Names of all constraints or unique indexes that a query gives, which must be those that were tried.
async fn all_tried(session: &Session, query: &str, tried: impl Iterator<Item = &'static str>) {
    let there: BTreeSet<String> = session.column(query).await.into_iter().collect();
    let tried: BTreeSet<String> = tried.map(str::to_owned).collect();
    assert!(!there.is_empty());
    let untried: Vec<_> = there.difference(&tried).collect();
    assert!(
        untried.is_empty(),
        "nobody tried to break {untried:?}; add statements in tests/it/links"
    );
    let unknown: Vec<_> = tried.difference(&there).collect();
    assert!(unknown.is_empty(), "the schema has no {unknown:?}");
}

#[tokio::test]
async fn every_table_takes_a_legal_row_of_each_owner() {
    let database = TestDatabase::new().await;
    let session = world::build(&database).await;
    let tables = session
        .rows(
            "select c.relname, exists (
               select from pg_attribute a where a.attrelid = c.oid and a.attname = 'owner_identity'
             ) from pg_class c
             where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition",
        )
        .await;
    assert!(tables.len() > 20);
    for table in tables {
        let (name, tenant) = (&table[0], table[1] == "t");
        let owners = if tenant {
            "count(distinct owner_identity)"
        } else {
            "2 * least(count(*), 1)"
        };
        let owners = session.value(&format!("select {owners} from {name}")).await;
        assert_eq!(
            owners, "2",
            "{name} has no row in the world; add one in tests/it/support/world.rs"
        );
    }
}

#[tokio::test]
async fn every_check_refuses() {
    let database = TestDatabase::new().await;
    let session = world::build(&database).await;
    for (constraint, sql) in CHECKS.into_iter().flatten() {
        refuse(&session, CHECK, constraint, sql).await;
    }
    let query = "select conname from pg_constraint c join pg_class t on t.oid = c.conrelid
                 where contype = 'c' and not t.relispartition and t.relnamespace = 'public'::regnamespace";
    all_tried(
        &session,
        query,
        CHECKS
            .into_iter()
            .flatten()
            .map(|(constraint, _)| *constraint),
    )
    .await;
}

#[tokio::test]
async fn every_unique_key_refuses_a_twin() {
    let database = TestDatabase::new().await;
    let session = world::build(&database).await;
    for (key, sql) in TWINS.into_iter().flatten() {
        // What a partition reports bears the partition's name.
        let reported = key.replace("memory_assets_v1_pkey", "memory_assets_v1_shared_pkey");
        refuse(&session, UNIQUE, &reported, sql).await;
    }
    // A key that contains the primary key cannot be broken alone: it is there to be referred to.
    let implied = "exists (select from pg_index p where p.indrelid = i.indrelid and p.indisprimary
                     and p.indexrelid <> i.indexrelid and p.indkey::int[] <@ i.indkey::int[])";
    let keys = "from pg_index i join pg_class n on n.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
                where i.indisunique and not t.relispartition and t.relnamespace = 'public'::regnamespace";
    let query = format!("select n.relname {keys} and not {implied}");
    all_tried(
        &session,
        &query,
        TWINS.into_iter().flatten().map(|(key, _)| *key),
    )
    .await;
    let idle = session
        .column(&format!(
            "select n.relname {keys} and {implied}
             and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = i.indexrelid)"
        ))
        .await;
    assert!(
        idle.is_empty(),
        "these keys say no more than the primary key, and nothing refers to them: {idle:?}"
    );
}

/// What a foreign key of these columns must be tried with.
fn wanted(columns: &[&str]) -> BTreeSet<Across> {
    let mut wanted = BTreeSet::new();
    let others = columns
        .iter()
        .filter(|name| !["owner_identity", "vault", "project_id"].contains(name))
        .count();
    if columns.contains(&"owner_identity") && columns.len() > 1 {
        wanted.insert(Across::Owners);
    }
    if columns.contains(&"vault") && columns.len() > 2 {
        wanted.insert(Across::Vaults);
    }
    if columns.contains(&"project_id") && others > 0 {
        wanted.insert(Across::Projects);
    }
    if wanted.is_empty() {
        wanted.insert(Across::Nothing);
    }
    wanted
}

#[tokio::test]
async fn no_link_leaves_its_owner_vault_or_project() {
    let database = TestDatabase::new().await;
    let session = world::build(&database).await;
    let mut tried: BTreeMap<&str, BTreeSet<Across>> = BTreeMap::new();
    for (constraint, across, sql) in LINKS.into_iter().flatten() {
        refuse(&session, FOREIGN_KEY, constraint, sql).await;
        tried.entry(constraint).or_default().insert(*across);
    }
    let keys = session
        .rows(
            "select c.conname, string_agg(a.attname, ',' order by k.place)
             from pg_constraint c
             join pg_class t on t.oid = c.conrelid
             cross join unnest(c.conkey) with ordinality as k (number, place)
             join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
             where c.contype = 'f' and c.conparentid = 0 and not t.relispartition
             group by c.oid, c.conname",
        )
        .await;
    assert!(keys.len() > 25);
    for key in &keys {
        let columns: Vec<&str> = key[1].split(',').collect();
        let tried = tried.remove(key[0].as_str()).unwrap_or_default();
        let untried: Vec<_> = wanted(&columns).difference(&tried).copied().collect();
        assert!(
            untried.is_empty(),
            "{} ({}) was not tried across {untried:?}",
            key[0],
            key[1]
        );
    }
    assert!(tried.is_empty(), "the schema has no {:?}", tried.keys());
}
