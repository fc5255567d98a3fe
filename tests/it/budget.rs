//! What a call of each tool asks of the database: statements, and round trips, which cost most in a function
//! far from its database. A call that asks for more than its budget fails here.
//!
//! The typical call of a tool and its budget are in `tests/cases/<tool>/budget.json`; verifying the key is
//! part of each.

use common::store::Store;
use functions::tools::TOOLS;
use tests::TestApp;

use crate::{
    cases::{World, budget},
    support::meter::Meter,
};

#[tokio::test]
async fn each_call_keeps_to_its_budget() {
    let mut over = Vec::new();
    println!("{:<24} statements  round trips", "tool");
    for tool in TOOLS {
        let name = tool.meta.name;
        let budget = budget(name);
        let mut app = TestApp::new().await;
        let meter = Meter::before(&app.database).await;
        app.app.store = Store::new(meter.url(), 1).unwrap();
        let world = World::of(app).await;
        meter.take();
        world.run(name, "ada", &budget.input).await.ok();
        let (statements, trips) = meter.take();
        println!("{name:<24} {statements:>10}  {trips:>11}");
        if statements > budget.statements || trips > budget.round_trips {
            over.push(format!(
                "tests/cases/{name}/budget.json: {statements} statements, {trips} round trips"
            ));
        }
    }
    assert!(over.is_empty(), "over budget: {over:#?}");
}
