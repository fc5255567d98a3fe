//! The store behind PgBouncer in transaction mode: two connections for many clients, none of which may
//! leave anything behind on them or rely on anything there.

use common::{
    contract::Target,
    domain::status::Representation,
    ids::{AssetId, ObjectId, ReservationId},
    store::{
        Store, assets, filters::Filter, idempotency, objects, placements::Area, quota, search,
    },
    testing::TestDatabase,
};
use futures_util::future::join_all;

use crate::support::{
    Session,
    caller::{Caller, admission, now, request},
    pgbouncer::PgBouncer,
};

const TRANSACTIONS: usize = 200;
const STORES: usize = 4;

/// One asset with a vector for each owner: along the first axis, found by everybody's query.
const ASSETS: &str = "
    insert into mem_asset_objects (owner_identity, namespace_id, id, sha256, storage_key, preview_storage_key, mime_type, extension,
        bytes, preview_bytes, width, height, preview_width, preview_height, animated, status)
      select owner_identity, namespace_id, replace(namespace_id, 'ans_', 'aob_'), repeat('a', 64), namespace_id, namespace_id,
        'image/png', 'png', 1, 1, 1, 1, 1, 1, false, 'available' from mem_asset_namespaces;
    insert into mem_assets (owner_identity, vault, id, object_id, mime_type, title, title_key, title_given, source_kind, status,
        embedding_status, created_by, updated_by)
      select v.owner_identity, v.id, replace(v.id, 'avl_', 'ast_'), o.id, 'image/png', 'T', 't', false, 'upload', 'ready', 'ready',
        v.owner_identity, v.owner_identity
      from mem_vaults v join mem_asset_objects o on o.owner_identity = v.owner_identity;
    insert into mem_asset_model_states (owner_identity, vault, asset_id, model, visual)
      select owner_identity, vault, id, 'colours', 'done' from mem_assets;
    insert into mem_asset_candidate_counts select owner_identity, vault, 'colours', 1 from mem_assets;
    insert into memory_assets_v1 (owner_identity, placement, id, vault, asset_id, object_id, representation, model, dimensions,
        mime_type, source_kind, created_at, embedding)
      select owner_identity, 'shared', repeat('a', 64), vault, id, object_id, 'visual', 'colours', 1024, mime_type, source_kind,
        now(), (array[1::real] || array_fill(0::real, array[1023]))::halfvec(1024)
      from mem_assets";

fn unit() -> Vec<f32> {
    let mut unit = vec![0.0; 1024];
    unit[0] = 1.0;
    unit
}

/// The one asset that a caller may find.
fn own_asset(caller: &Caller) -> AssetId {
    caller
        .write
        .vault()
        .as_str()
        .replace("avl_", "ast_")
        .parse()
        .unwrap()
}

/// The transaction of this number; each kind of statement has its turn.
async fn transaction(store: &Store, caller: &Caller, number: usize) {
    match number % 5 {
        0 => {
            let admitted = admission(store, &caller.key, Target::Vaults(None)).await;
            assert_eq!(
                admitted.principal().identity().as_str(),
                caller.own.caller()
            );
        }
        1 => hold_and_release(store, caller, number).await,
        2 => keep_and_find_query(store, caller).await,
        3 => find(store, caller).await,
        _ => claim_object(store, caller, number).await,
    }
}

async fn hold_and_release(store: &Store, caller: &Caller, number: usize) {
    let attempt = idempotency::Attempt {
        operation: "image_asset_save",
        key: format!("key {number}"),
        derived: false,
        fingerprint: "0".repeat(64),
        token: request(),
    };
    let held = store.run_tx("hold", &caller.write, |tx| {
        let attempt = &attempt;
        async move {
            let begun = idempotency::begin(&tx, &caller.write, attempt, now()).await?;
            assert!(matches!(begun, idempotency::Begun::Started));
            let id = ReservationId::generate(0);
            let held =
                quota::reserve(&tx, &caller.write, id, "image_asset_save", 100, now()).await?;
            quota::release(&tx, &caller.write, &held, now()).await
        }
    });
    held.await.unwrap();
}

async fn keep_and_find_query(store: &Store, caller: &Caller) {
    let kept = store.run_tx("keep", &caller.own, |tx| async move {
        let id = search::keep_query(&tx, &caller.own, "colours", &unit(), now()).await?;
        search::kept_query(&tx, &caller.own, &id, "colours", now()).await
    });
    assert_eq!(kept.await.unwrap(), Some(unit()));
}

async fn find(store: &Store, caller: &Caller) {
    let found = store.run_tx("find", &caller.own, |tx| async move {
        let (vaults, query) = (caller.vaults.vaults(), unit());
        let leg = search::Leg {
            model: "colours",
            representation: Representation::Visual,
            query: &query,
        };
        let (area, filter) = (Area::default(), Filter::default());
        let (census, found) = futures_util::join!(
            search::census(&tx, vaults, "colours"),
            search::exact(&tx, vaults, leg, (&area, &filter))
        );
        Ok((census?, found?))
    });
    let (census, found) = found.await.unwrap();
    assert_eq!(
        census,
        search::Census {
            candidates: 1,
            unsearchable: 0
        }
    );
    assert_eq!(found, [(own_asset(caller), 1.0)]);
}

async fn claim_object(store: &Store, caller: &Caller, number: usize) {
    let new = objects::NewObject {
        id: ObjectId::generate(0),
        sha256: format!("{number:064x}"),
        storage_key: format!("original {number}"),
        preview_storage_key: format!("preview {number}"),
        mime_type: "image/png",
        extension: "png",
        bytes: 1,
        preview_bytes: 1,
        size: (1, 1),
        preview_size: (1, 1),
        animated: false,
        warnings: serde_json::json!([]),
    };
    let claimed = store.run_tx("claim", &caller.write, |tx| {
        let new = &new;
        async move {
            let claimed = objects::claim(&tx, &caller.write, new, now()).await?;
            let same = assets::find_same_bytes(&tx, &caller.write, &"a".repeat(64)).await?;
            Ok((claimed, same))
        }
    });
    let (claimed, same) = claimed.await.unwrap();
    assert_eq!((claimed.id, claimed.stored), (new.id, false));
    assert_eq!(same, Some(own_asset(caller)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_transactions_share_two_connections_through_pgbouncer() {
    let database = TestDatabase::new().await;
    let direct = database.store();
    let callers = [
        Caller::new(&direct, "ada").await,
        Caller::new(&direct, "bob").await,
    ];
    drop(direct);
    let admin = Session::admin(&database).await;
    admin.rows(ASSETS).await;

    let pgbouncer = PgBouncer::start(&database, 2);
    let url = pgbouncer.url(&database);
    let stores: Vec<Store> = (0..STORES).map(|_| Store::new(&url, 4).unwrap()).collect();
    let transactions = (0..TRANSACTIONS).map(|number| {
        // The owner changes from transaction to transaction, and so does the client.
        transaction(
            &stores[number % STORES],
            &callers[(number / STORES) % 2],
            number,
        )
    });
    join_all(transactions).await;

    let backends = format!(
        "select count(*) from pg_stat_activity where datname = '{}' and usename = 'im_test_login' and application_name <> ''",
        database.name()
    );
    let backends: u32 = admin.value(&backends).await.parse().unwrap();
    assert!(
        (1..=2).contains(&backends),
        "{backends} connections reached the server"
    );
    let held = admin
        .value("select sum(reserved_bytes) || ' ' || count(*) from mem_asset_namespaces")
        .await;
    assert_eq!(held, "0 2");
    assert_eq!(
        admin.value("select count(*) from mem_idempotency").await,
        "40"
    );
    assert_eq!(
        admin.value("select count(*) from mem_query_vectors").await,
        "40"
    );
    assert_eq!(
        admin
            .value("select count(*) from mem_asset_objects where status = 'pending'")
            .await,
        "40"
    );
}
