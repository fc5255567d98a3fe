//! Each of the two locks holds alone.
//!
//! Every statement of owners is run with A's arguments and without its own predicates, in a transaction
//! that is bound to B: row-level security alone must keep A's rows unseen and untouched. Then it is run
//! as it is, naming B, by a role that no policy binds: its own predicates alone must do the same. Each
//! time A itself runs the same text first, which must meet A's rows: so the test can fail.

use common::testing::TestDatabase;

use super::{File, arguments::cases, files};
use crate::support::{
    Session,
    world::{self, Owner},
};

/// What stands for an owner predicate that was taken away.
const NOTHING: &str = "$1::text is not null";

/// Takes the owner predicates away: `[alias.]owner_identity = $1`, the one allowed spelling.
fn strip(file: &File) -> Result<String, String> {
    let code = file.code() + " ";
    let mut parts = code.split("owner_identity = $1 ");
    let mut stripped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let alias = stripped.rfind([' ', '(']).map_or(0, |space| space + 1);
        stripped.truncate(alias);
        stripped.push_str(NOTHING);
        stripped.push(' ');
        stripped.push_str(part);
    }
    // The owner of an inserted row is its value, not a predicate.
    let rest = stripped
        .replace(NOTHING, "")
        .replacen("values ($1,", "", 1)
        .replacen("values ( $1,", "", 1);
    let rest = if rest.starts_with("insert into") {
        rest.replacen("select $1,", "", 1)
    } else {
        rest
    };
    let left = rest
        .split("$1")
        .skip(1)
        .any(|after| !after.starts_with(|letter: char| letter.is_ascii_digit()));
    if left || rest == code {
        return Err(format!(
            "{} does not name its owner by `owner_identity = $1`: {stripped}",
            file.name
        ));
    }
    Ok(stripped)
}

#[test]
fn only_the_one_spelling_can_be_stripped() {
    let strip = |text: &str| {
        strip(&File {
            name: "x/y".to_owned(),
            text: text.to_owned(),
        })
    };
    let stripped =
        strip("select from mem_assets a\nwhere a.owner_identity = $1\n  and a.id = $10").unwrap();
    assert_eq!(
        stripped,
        "select from mem_assets a where $1::text is not null and a.id = $10 "
    );
    let stripped = strip("select from mem_assets where (owner_identity = $1 and id = $2)").unwrap();
    assert_eq!(
        stripped,
        "select from mem_assets where ($1::text is not null and id = $2) "
    );
    assert!(strip("insert into mem_assets (owner_identity) values ($1, $2)").is_ok());
    for wrong in [
        "select from mem_assets a where $1 = a.owner_identity",
        "select from mem_assets a where a.owner_identity in ($1)",
        "select from mem_assets a where a.owner_identity=$1",
        "select from mem_assets a where a.owner_identity = $1 and ($1 = '' or true)",
        "select from mem_assets a where a.id = $2",
    ] {
        assert!(strip(wrong).is_err(), "{wrong}");
    }
}

/// The world, and a fingerprint of all of A's rows in it.
struct Court {
    _database: TestDatabase,
    session: Session,
    fingerprint: String,
}

/// What a statement answered, and whether it touched A's rows.
#[derive(Debug)]
struct Run {
    rows: Vec<Vec<String>>,
    touched: bool,
}

impl Run {
    /// Whether it has met rows of A's, given what A's own run did. What a change returns are the rows that it
    /// touched, or what it was given itself.
    fn meets(&self, own: &Self) -> bool {
        self.touched || (!own.touched && self.rows.iter().any(|row| own.rows.contains(row)))
    }
}

impl Court {
    async fn new() -> Self {
        let database = TestDatabase::new().await;
        let session = world::build(&database).await;
        let a = Owner::A.identity();
        let tables = session
            .column(
                "select t.relname from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attname = 'owner_identity'
                 where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition",
            )
            .await;
        let rows = tables.iter().map(|table| {
            format!("select '{table}' || t::text from {table} t where owner_identity = '{a}'")
        });
        let rows = rows.collect::<Vec<_>>().join(" union all ");
        let fingerprint =
            format!("select md5(string_agg(row, '' order by row)) from ({rows}) as all_rows (row)");
        Self {
            _database: database,
            session,
            fingerprint,
        }
    }

    /// Runs a statement, bound to an owner or bound by nothing, and takes it back.
    async fn run(&self, bound: Option<Owner>, sql: &str, arguments: &str) -> Result<Run, String> {
        let before = self.session.value(&self.fingerprint).await;
        match bound {
            Some(owner) => self.session.begin_as_app(&owner.identity()).await,
            None => drop(self.session.rows("begin").await),
        }
        let result = self
            .session
            .attempt(&format!(
                "prepare statement as {sql}; execute statement({arguments})"
            ))
            .await;
        let run = match result {
            Ok(rows) => {
                self.session.rows("reset role").await;
                Ok(Run {
                    rows,
                    touched: self.session.value(&self.fingerprint).await != before,
                })
            }
            Err(refused) => Err(refused.state),
        };
        self.session.rows("rollback; deallocate all").await;
        run
    }
}

#[tokio::test]
async fn row_level_security_holds_without_the_predicates() {
    let court = Court::new().await;
    for (file, arguments) in cases() {
        let stripped = strip(&file).unwrap_or_else(|fault| panic!("{fault}"));
        let arguments = Owner::A.fill(arguments);
        let own = court
            .run(Some(Owner::A), &stripped, &arguments)
            .await
            .unwrap_or_else(|state| panic!("{}: {state}", file.name));
        assert!(
            own.meets(&own),
            "{} does not even meet A's rows when A runs it: the test could not fail",
            file.name
        );
        match court.run(Some(Owner::B), &stripped, &arguments).await {
            Ok(run) => assert!(
                !run.meets(&own),
                "{} lets B meet A's rows: {run:?}",
                file.name
            ),
            Err(state) => assert_eq!(state, "42501", "{}", file.name),
        }
    }
}

#[tokio::test]
async fn the_predicates_hold_without_row_level_security() {
    let court = Court::new().await;
    for (file, template) in cases() {
        let own = court.run(None, &file.text, &Owner::A.fill(template)).await;
        let own = own.unwrap_or_else(|state| panic!("{}: {state}", file.name));
        assert!(
            own.meets(&own),
            "{} does not even meet A's rows when A runs it: the test could not fail",
            file.name
        );
        let as_b = Owner::A.fill(&template.replacen("{owner}", "{other.owner}", 1));
        match court.run(None, &file.text, &as_b).await {
            Ok(run) => assert!(
                !run.meets(&own),
                "{} lets B meet A's rows: {run:?}",
                file.name
            ),
            // A row of B's that refers to a thing of A's cannot be stored.
            Err(state) => assert_eq!(state, "23503", "{}", file.name),
        }
    }
}

#[tokio::test]
async fn a_row_that_goes_lowers_the_count_of_candidates() {
    let court = Court::new().await;
    let count = files()
        .into_iter()
        .find(|file| file.name == "vectors/count")
        .unwrap();
    let arguments = Owner::A.fill("'{owner}', '{ast1}', '{model}', -1");
    let look = format!(
        "prepare statement as {}; execute statement({arguments}); select vectors from mem_asset_candidate_counts where owner_identity = '{}'",
        count.text,
        Owner::A.identity()
    );
    assert_eq!(
        court.session.attempt_and_forget(&look).await.unwrap(),
        [["0"]]
    );
}
