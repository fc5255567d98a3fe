//! The second lock: whatever a statement asks for, row-level security shows and changes the rows of the
//! one owner that the transaction is bound to, and outside a transaction of ours there is nothing at all.

use common::testing::TestDatabase;

use crate::support::{
    Session,
    world::{self, Owner},
};

const DENIED: &str = "42501";

/// Tables with rows of owners; a partition is part of its parent.
async fn tenant_tables(session: &Session) -> Vec<String> {
    let tables = session
        .column(
            "select t.relname from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attname = 'owner_identity'
             where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition order by 1",
        )
        .await;
    assert!(tables.len() > 20);
    tables
}

/// A session of the world, and statements run as `im_app` bound to an owner.
struct Bound {
    database: TestDatabase,
    session: Session,
}

impl Bound {
    async fn new() -> Self {
        let database = TestDatabase::new().await;
        let session = world::build(&database).await;
        Self { database, session }
    }

    /// What a statement answers; what it did is taken back.
    async fn run(&self, owner: &str, sql: &str) -> Result<Vec<Vec<String>>, String> {
        self.session.begin_as_app(owner).await;
        let result = self.session.attempt(sql).await;
        self.session.rows("rollback").await;
        result.map_err(|refused| format!("{} {}", refused.state, refused.message))
    }

    /// How many rows a change touched.
    async fn touched(&self, owner: &str, change: &str) -> Result<String, String> {
        let rows = self
            .run(
                owner,
                &format!("with touched as ({change} returning 1) select count(*) from touched"),
            )
            .await?;
        Ok(rows[0][0].clone())
    }

    async fn may(&self, table: &str, right: &str) -> bool {
        self.session
            .value(&format!(
                "select has_table_privilege('im_app', '{table}', '{right}')"
            ))
            .await
            == "t"
    }

    /// A statement that inserts one of A's rows once more, as it is.
    async fn insert_of_a(&self, table: &str) -> String {
        let columns = self
            .session
            .value(&format!(
                "select string_agg(attname, ', ' order by attnum) from pg_attribute
                 where attrelid = '{table}'::regclass and attnum > 0 and attgenerated = ''"
            ))
            .await;
        let a = Owner::A.identity();
        let row = self
            .session
            .value(&format!(
                "select to_jsonb(t) from {table} t where owner_identity = '{a}' limit 1"
            ))
            .await;
        format!(
            "insert into {table} ({columns}) select {columns} from jsonb_populate_record(null::{table}, $row${row}$row$)"
        )
    }
}

/// Whether a statement was refused by a policy, or for want of a right where there is none.
fn is_denied<T: std::fmt::Debug>(result: &Result<T, String>, may: bool) -> bool {
    let message = result.as_ref().err().map_or("", String::as_str);
    message.starts_with(DENIED)
        && message.contains(if may {
            "row-level security"
        } else {
            "permission denied"
        })
}

#[tokio::test]
async fn of_another_owner_nothing_is_visible() {
    let world = Bound::new().await;
    let (a, b) = (Owner::A.identity(), Owner::B.identity());
    for table in tenant_tables(&world.session).await {
        let count =
            format!("select count(*), count(*) filter (where owner_identity = '{a}') from {table}");
        let own = world
            .session
            .value(&format!(
                "select count(*) from {table} where owner_identity = '{b}'"
            ))
            .await;
        let seen = world.run(&b, &count).await.unwrap();
        assert_eq!(seen, [[own, "0".to_owned()]], "{table}");
    }
}

#[tokio::test]
async fn of_another_owner_nothing_is_changeable() {
    let world = Bound::new().await;
    let (a, b) = (Owner::A.identity(), Owner::B.identity());
    for table in tenant_tables(&world.session).await {
        let may = world.may(&table, "update").await;
        let update = format!(
            "update {table} set owner_identity = owner_identity where owner_identity = '{a}'"
        );
        let delete = format!("delete from {table} where owner_identity = '{a}'");
        let hand_over = format!("update {table} set owner_identity = '{a}'");
        if may {
            assert_eq!(world.touched(&b, &update).await.unwrap(), "0", "{update}");
            assert_ne!(world.touched(&a, &update).await.unwrap(), "0", "{update}");
        } else {
            assert!(
                is_denied(&world.touched(&b, &update).await, false),
                "{update}"
            );
        }
        let handed_over = world.touched(&b, &hand_over).await;
        assert!(is_denied(&handed_over, may), "{hand_over}: {handed_over:?}");

        if world.may(&table, "delete").await {
            assert_eq!(world.touched(&b, &delete).await.unwrap(), "0", "{delete}");
            // Its owner's delete meets the row: it goes, or what refers to it holds it.
            let own = world.touched(&a, &delete).await;
            assert!(
                own.as_ref()
                    .map_or_else(|error| error.starts_with("23503"), |count| count != "0"),
                "{own:?}"
            );
        } else {
            assert!(
                is_denied(&world.touched(&b, &delete).await, false),
                "{delete}"
            );
        }
    }
}

#[tokio::test]
async fn for_another_owner_nothing_can_be_inserted() {
    let world = Bound::new().await;
    let (a, b) = (Owner::A.identity(), Owner::B.identity());
    for table in tenant_tables(&world.session).await {
        let insert = world.insert_of_a(&table).await;
        let may = world.may(&table, "insert").await;
        let inserted = world.run(&b, &insert).await;
        assert!(is_denied(&inserted, may), "{table}: {inserted:?}");
        if may {
            // For its owner it is only a twin.
            let twin = world.run(&a, &insert).await.unwrap_err();
            assert!(twin.starts_with("23505"), "{table}: {twin}");
        }
    }
}

#[tokio::test]
async fn without_an_owner_there_is_nothing() {
    let world = Bound::new().await;
    for table in tenant_tables(&world.session).await {
        let count = format!("select count(*) from {table}");
        let never_named = format!("begin; set local role im_app; {count}");
        let rows = world.session.attempt(&never_named).await.unwrap();
        world.session.rows("rollback").await;
        assert_eq!(rows, [["0"]], "{table}");
        // So it stands in a session that has named one in an earlier transaction.
        assert_eq!(world.run("", &count).await.unwrap(), [["0"]], "{table}");
        let insert = world.insert_of_a(&table).await;
        let inserted = world.run("", &insert).await;
        assert!(
            is_denied(&inserted, world.may(&table, "insert").await),
            "{table}: {inserted:?}"
        );
    }
}

#[tokio::test]
async fn the_system_sees_both_owners() {
    let world = Bound::new().await;
    for table in tenant_tables(&world.session).await {
        let count =
            format!("set local role im_system; select count(distinct owner_identity) from {table}");
        assert_eq!(
            world.session.attempt_and_forget(&count).await.unwrap(),
            [["2"]],
            "{table}"
        );
    }
}

#[tokio::test]
async fn outside_a_transaction_of_ours_the_login_role_may_do_nothing() {
    let world = Bound::new().await;
    let login = Session::login(&world.database).await;
    // Partitions as well, and tables that belong to nobody.
    let tables = world
        .session
        .rows(
            "select t.relname, a.attname from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum = 1
             where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') order by 1",
        )
        .await;
    assert!(
        tables
            .iter()
            .any(|table| table[0] == "memory_assets_v1_shared")
    );
    for table in tables {
        let (table, column) = (&table[0], &table[1]);
        for sql in [
            format!("select from {table}"),
            format!("insert into {table} default values"),
            format!("update {table} set {column} = {column}"),
            format!("delete from {table}"),
        ] {
            let result = login.attempt(&sql).await;
            // The version of the schema is no secret: the store reads it before any transaction.
            if sql == "select from mem_schema" {
                assert!(result.is_ok());
                continue;
            }
            let refused = result.expect_err(&sql);
            assert_eq!(refused.state, DENIED, "{sql}");
            assert!(
                refused.message.starts_with("permission denied"),
                "{sql}: {refused:?}"
            );
        }
    }
}

#[tokio::test]
async fn no_partition_can_be_read_past_its_parents_policy() {
    let world = Bound::new().await;
    let partitions = world
        .session
        .column("select relname from pg_class where relispartition and relkind = 'r'")
        .await;
    assert!(!partitions.is_empty());
    for partition in partitions {
        for role in ["im_app", "im_system"] {
            let read = format!("set local role {role}; select from {partition}");
            let refused = world.session.attempt_and_forget(&read).await.unwrap_err();
            assert_eq!(refused.state, DENIED, "{read}");
        }
    }
}
