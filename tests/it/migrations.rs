//! Migrations: what is released stays as it is, and a run is all or nothing.

use std::{fs, path::Path};

use common::{
    config::{Environment, Source},
    error::{ErrorCode, Result},
    ids::OwnerIdentity,
    store::{Store, migrate, system::identities},
    testing::TestDatabase,
};
use secrecy::{ExposeSecret, SecretString};

use crate::support::Session;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../migrations");

/// What `checksums.txt` must say, or why the files may not be as they are.
fn checksums(recorded: &str, actual: &[(String, String)]) -> Result<String, String> {
    let mut lines = recorded.lines();
    for (index, (name, checksum)) in actual.iter().enumerate() {
        match lines
            .next()
            .map(|line| line.split_once(' ').unwrap_or((line, "")))
        {
            None => {
                let new = actual[index..]
                    .iter()
                    .map(|(name, checksum)| format!("{name} {checksum}\n"));
                return Ok(recorded.to_owned() + &new.collect::<String>());
            }
            Some((known, _)) if known != name => {
                return Err(format!(
                    "migration {name} stands where {known} was released: number it after the last one"
                ));
            }
            Some((_, known)) if known != checksum => {
                return Err(format!(
                    "migration {name} was changed after its release: databases that have it would never see the change. \
                     Take the change back and put it into a new migration"
                ));
            }
            Some(_) => {}
        }
    }
    match lines.next() {
        Some(line) => Err(format!(
            "the released migration `{line}` is gone: databases have it, so it must stay"
        )),
        None => Ok(recorded.to_owned()),
    }
}

fn actual() -> Vec<(String, String)> {
    migrate::MIGRATIONS
        .iter()
        .map(|migration| (migration.name.to_owned(), migration.checksum()))
        .collect()
}

#[test]
fn a_released_migration_never_changes() {
    let path = Path::new(FOLDER).join("checksums.txt");
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    let wanted = checksums(&recorded, &actual()).unwrap_or_else(|fault| panic!("{fault}"));
    if Environment.get("UPDATE").is_some() {
        fs::write(&path, &wanted).unwrap();
        return;
    }
    assert_eq!(
        recorded, wanted,
        "a new migration is not in migrations/checksums.txt; run this test with UPDATE=1"
    );
}

#[test]
fn the_list_of_released_migrations_only_grows() {
    let file = |name: &str, checksum: &str| (name.to_owned(), checksum.to_owned());
    let (one, two) = (file("0001_a", "aa"), file("0002_b", "bb"));
    let recorded = "0001_a aa\n";
    assert_eq!(checksums("", std::slice::from_ref(&one)).unwrap(), recorded);
    assert_eq!(
        checksums(recorded, &[one.clone(), two.clone()]).unwrap(),
        "0001_a aa\n0002_b bb\n"
    );
    assert!(
        checksums(recorded, &[file("0001_a", "ab")])
            .unwrap_err()
            .contains("0001_a was changed after its release")
    );
    assert!(
        checksums(recorded, &[two, one])
            .unwrap_err()
            .contains("0002_b stands where 0001_a was released")
    );
    assert!(
        checksums(recorded, &[])
            .unwrap_err()
            .contains("`0001_a aa` is gone")
    );
}

#[test]
fn files_are_numbered_without_a_gap_and_all_are_registered() {
    for (index, migration) in migrate::MIGRATIONS.iter().enumerate() {
        assert_eq!(
            usize::try_from(migration.version).unwrap(),
            index + 1,
            "{}",
            migration.name
        );
        let (number, words) = migration.name.split_once('_').unwrap();
        assert_eq!(
            number,
            format!("{:04}", migration.version),
            "{}",
            migration.name
        );
        assert!(
            words.contains('_'),
            "{} is not NNNN_verb_noun",
            migration.name
        );
        assert!(
            words
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{}",
            migration.name
        );
        assert!(
            migration.oldest_generation() <= migrate::GENERATION,
            "{}",
            migration.name
        );
    }
    let mut files: Vec<String> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".sql").map(str::to_owned))
        .collect();
    files.sort();
    let registered: Vec<&str> = migrate::MIGRATIONS
        .iter()
        .map(|migration| migration.name)
        .collect();
    assert_eq!(files, registered);
}

async fn run(database: &TestDatabase) -> Result<migrate::Migrated> {
    migrate::run(database.admin_url(), database.login_url()).await
}

/// What the run refuses with.
async fn refusal(admin: &SecretString, login: &SecretString) -> String {
    let error = migrate::run(admin, login)
        .await
        .expect_err("the run should be refused");
    assert_eq!(error.code(), ErrorCode::InvalidArgument, "{error:?}");
    error.message().to_owned()
}

/// One call of the store.
async fn use_store(store: &Store) -> Result<()> {
    let found = identities::find(store, &OwnerIdentity::trusted("nobody".to_owned())).await?;
    assert_eq!(found, None);
    Ok(())
}

#[tokio::test]
async fn a_migrated_database_is_fit_for_the_store() {
    let database = TestDatabase::new().await;
    use_store(&database.store()).await.unwrap();
}

#[tokio::test]
async fn a_second_run_applies_nothing() {
    let database = TestDatabase::empty().await;
    let first = run(&database).await.unwrap();
    let names: Vec<&str> = migrate::MIGRATIONS
        .iter()
        .map(|migration| migration.name)
        .collect();
    assert_eq!(first.applied, names);
    let second = run(&database).await.unwrap();
    assert_eq!(second.applied, Vec::<&str>::new());
    assert_eq!(second.version, first.version);
    use_store(&database.store()).await.unwrap();
}

#[tokio::test]
async fn four_runs_at_once_apply_each_migration_once() {
    let database = TestDatabase::empty().await;
    let runs = futures_util::join!(
        run(&database),
        run(&database),
        run(&database),
        run(&database)
    );
    let mut applied: Vec<&str> = [runs.0, runs.1, runs.2, runs.3]
        .into_iter()
        .flat_map(|run| run.unwrap().applied)
        .collect();
    applied.sort_unstable();
    let names: Vec<&str> = migrate::MIGRATIONS
        .iter()
        .map(|migration| migration.name)
        .collect();
    assert_eq!(applied, names);
    let session = Session::admin(&database).await;
    assert_eq!(
        session
            .column("select name from mem_schema order by version")
            .await,
        names
    );
}

#[tokio::test]
async fn a_migration_that_was_changed_after_it_was_applied_is_refused() {
    let database = TestDatabase::new().await;
    let session = Session::admin(&database).await;
    session.rows("update mem_schema set checksum = 'other' where version = 2; delete from mem_schema where version > 3").await;
    let message = refusal(database.admin_url(), database.login_url()).await;
    assert_eq!(
        message,
        "migration 0002_create_assets was changed after it had been applied"
    );
    assert_eq!(
        session.value("select max(version) from mem_schema").await,
        "3"
    );
}

#[tokio::test]
async fn the_store_refuses_an_older_schema() {
    let empty = TestDatabase::empty().await;
    let error = use_store(&empty.store()).await.unwrap_err();
    assert!(error.message().contains("has schema 0 and"), "{error:?}");

    let database = TestDatabase::new().await;
    let newest = migrate::MIGRATIONS.len();
    Session::admin(&database)
        .await
        .rows(&format!("delete from mem_schema where version = {newest}"))
        .await;
    let error = use_store(&database.store()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    let wanted = format!(
        "the database has schema {} and this application needs {newest}; run `image-memory migrate`",
        newest - 1
    );
    assert_eq!(error.message(), wanted);
}

#[tokio::test]
async fn the_store_accepts_a_newer_schema_of_its_own_generation_alone() {
    let database = TestDatabase::new().await;
    let session = Session::admin(&database).await;
    let newer = migrate::MIGRATIONS.len() + 1;
    let generation = migrate::GENERATION;
    session
        .rows(&format!(
            "insert into mem_schema values ({newer}, 'newer', 'x', {generation})"
        ))
        .await;
    use_store(&database.store()).await.unwrap();
    assert_eq!(
        run(&database).await.unwrap().version,
        i32::try_from(newer).unwrap()
    );

    session
        .rows(&format!(
            "update mem_schema set oldest_generation = {generation} + 1 where version = {newer}"
        ))
        .await;
    let error = use_store(&database.store()).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidArgument);
    let wanted = format!(
        "the database has schema {newer}, which needs a newer application; deploy that one"
    );
    assert_eq!(error.message(), wanted);
}

/// An empty database of an owner that is no superuser, and a login role that is a member of nothing.
struct Managed {
    database: TestDatabase,
    owner: SecretString,
    login: SecretString,
    names: [String; 2],
}

impl Managed {
    /// `rights` are those of the owner.
    async fn new(rights: &str) -> Self {
        drop(TestDatabase::new().await); // the roles im_app and im_system exist from here on
        let database = TestDatabase::empty().await;
        let names = ["owner", "login"].map(|part| format!("{}_{part}", database.name()));
        let [owner, login] = &names;
        Session::admin(&database)
            .await
            .rows(&format!(
                "create role {owner} login password '{owner}' nosuperuser {rights}; create role {login} login inherit password '{login}'"
            ))
            .await;
        let name = database.name();
        Session::admin(&database)
            .await
            .rows(&format!("alter database {name} owner to {owner}"))
            .await;
        Session::admin(&database)
            .await
            .rows("create extension vector")
            .await;
        let [owner, login] = names.each_ref().map(|role| as_role(&database, role));
        Self {
            database,
            owner,
            login,
            names,
        }
    }

    async fn end(self) {
        let server = TestDatabase::new().await;
        drop(self.database);
        for role in self.names {
            Session::admin(&server)
                .await
                .rows(&format!("drop role {role}"))
                .await;
        }
    }
}

fn as_role(database: &TestDatabase, role: &str) -> SecretString {
    let mut url = url::Url::parse(database.admin_url().expose_secret()).unwrap();
    url.set_username(role).unwrap();
    url.set_password(Some(role)).unwrap();
    url.to_string().into()
}

/// Runs as an owner that may not do what is missing: nothing is changed, and what the message says helps.
async fn told_what_to_run(managed: &Managed) {
    let session = Session::admin(&managed.database).await;
    let login = &managed.names[1];
    let message = refusal(&managed.owner, &managed.login).await;
    let (_, script) = message
        .split_once("let an administrator run this in it and repeat:\n")
        .unwrap();
    assert_eq!(
        script,
        format!(
            "grant im_app to {login} with inherit false;\ngrant im_system to {login} with inherit false;"
        )
    );
    let changed = "select (select count(*) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')
                   + (select count(*) from pg_auth_members where member::regrole::text = '";
    assert_eq!(session.value(&format!("{changed}{login}')")).await, "0");

    session.rows(script).await;
    migrate::run(&managed.owner, &managed.login).await.unwrap();
    use_store(&Store::new(&managed.login, 1).unwrap())
        .await
        .unwrap();
}

#[tokio::test]
async fn an_owner_who_may_not_create_roles_is_told_what_to_run() {
    let managed = Managed::new("nocreaterole").await;
    told_what_to_run(&managed).await;
    // The login role inherits by itself, and yet has no right outside the transactions of the store.
    let refused = Session::open(&managed.login)
        .await
        .attempt("select from mem_assets")
        .await
        .unwrap_err();
    assert_eq!(refused.state, "42501");
    managed.end().await;
}

#[tokio::test]
async fn an_owner_who_may_create_roles_and_not_grant_these_is_told_what_to_run() {
    let managed = Managed::new("createrole").await;
    told_what_to_run(&managed).await;
    managed.end().await;
}

#[tokio::test]
async fn the_creator_of_the_roles_may_be_the_login_role_itself() {
    let managed = Managed::new("createrole").await;
    let owner = &managed.names[0];
    // What Postgres gives to whoever creates a role.
    let created = format!("to {owner} with admin true, inherit false, set false");
    Session::admin(&managed.database)
        .await
        .rows(&format!("grant im_app, im_system {created}"))
        .await;
    migrate::run(&managed.owner, &managed.owner).await.unwrap();
    use_store(&Store::new(&managed.owner, 1).unwrap())
        .await
        .unwrap();
    managed.end().await;
}

#[tokio::test]
async fn an_owner_who_may_not_create_pgvector_is_told_what_to_run() {
    let managed = Managed::new("nocreaterole").await;
    let session = Session::admin(&managed.database).await;
    let login = &managed.names[1];
    session
        .rows(&format!(
            "drop extension vector; grant im_app, im_system to {login}"
        ))
        .await;
    let message = refusal(&managed.owner, &managed.login).await;
    assert!(
        message.ends_with("run this in it and repeat:\ncreate extension vector;"),
        "{message}"
    );
    session.rows("create extension vector").await;
    migrate::run(&managed.owner, &managed.login).await.unwrap();
    managed.end().await;
}

#[tokio::test]
async fn a_login_role_that_does_not_exist_is_named() {
    let database = TestDatabase::empty().await;
    let nobody = as_role(&database, "im_nobody");
    let message = refusal(database.admin_url(), &nobody).await;
    assert_eq!(
        message,
        "DATABASE_URL names the role im_nobody, which does not exist; create it and repeat"
    );
}
