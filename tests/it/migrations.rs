//! Migrations and the template.

use common::testing::TestDatabase;

#[tokio::test]
async fn a_migrated_database_is_fit_for_the_store() {
    let database = TestDatabase::new().await;
    let store = database.store();
    let found = common::store::system::identities::find(
        &store,
        &common::ids::OwnerIdentity::trusted("nobody".to_owned()),
    )
    .await
    .unwrap();
    assert_eq!(found, None);
}
