//! Nobody reaches, changes, or learns of what is another's: every tool, every field that names something, and
//! every way of having no right.
//!
//! Bodies are compared, and rows are counted; time is not measured.

mod probes;

use std::collections::BTreeSet;

use common::contract::{Membership, Scope};
use functions::tools::{Entry, TOOLS};
use serde_json::{Value, json};
use tests::{Answer, Caller, TestApp, schema_table::id_fields};

use self::probes::{Probe, Things, probes, probes_of};
use crate::{
    cases::{refusal, without_request_id},
    support::Session,
};

#[test]
fn every_field_that_names_something_has_a_foreign_case() {
    for tool in TOOLS {
        let name = tool.meta.name;
        let named: BTreeSet<String> = id_fields(tool).into_iter().collect();
        let mut probed = BTreeSet::new();
        for probe in probes_of(tool) {
            let (file, field) = (&probe.case.file, &probe.field);
            assert!(named.contains(field), "{file}: {field} names nothing");
            probed.insert(probe.field);
        }
        let missing: Vec<_> = named.difference(&probed).collect();
        assert!(
            missing.is_empty(),
            "tests/cases/{name}/foreign_*.json is missing for {missing:?}: a call that names what is Ada's there"
        );
    }
}

/// Ada, who has everything, and others who have no right to it, or not enough.
struct Court {
    app: TestApp,
    session: Session,
    fingerprint: String,
    ada: Caller,
    hers: Things,
}

impl Court {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let session = Session::admin(&app.database).await;
        let ada = app.caller("ada").await;
        let hers = things(&app, &ada).await;
        let fingerprint = session.fingerprint().await;
        Self {
            app,
            session,
            fingerprint,
            ada,
            hers,
        }
    }

    /// All rows of all owners, but for the access log and when keys were used.
    async fn rows(&self) -> String {
        self.session.value(&self.fingerprint).await
    }

    /// How many of a caller's calls were denied.
    async fn denied(&self, caller: &Caller) -> u64 {
        let owner = caller.owner.as_str();
        let count = format!(
            "select count(*) from mem_access_log where owner_identity = '{owner}' and outcome = 'denied'"
        );
        self.session.value(&count).await.parse().unwrap()
    }

    /// Calls, and sees that nothing changes and that the call counts as denied so many times.
    async fn refused(&self, caller: &Caller, tool: &Entry, input: Value, denials: u64) -> Answer {
        let (rows, denied) = (self.rows().await, self.denied(caller).await);
        let (objects, hints) = (self.app.objects.keys(), self.app.queue.sent());
        let answer = self.app.call(caller, tool.meta.name, input).await;
        let name = tool.meta.name;
        assert_eq!(
            self.rows().await,
            rows,
            "{name} changed rows: {:#}",
            answer.body
        );
        assert_eq!(self.app.objects.keys(), objects, "{name} changed objects");
        assert_eq!(self.app.queue.sent(), hints, "{name} sent hints");
        let more = self.denied(caller).await - denied;
        assert_eq!(more, denials, "denials of {name}: {:#}", answer.body);
        answer
    }
}

/// One of each, and the second page of a list.
async fn things(app: &TestApp, caller: &Caller) -> Things {
    let vault = app.library(caller).await;
    let project = app.project(caller, &vault, "One").await;
    let folder = app.folder(caller, &project, None, "Top").await;
    let place = json!({ "projectId": project, "folderId": folder });
    let asset = app.save(caller, [200, 20, 20], place).await;
    app.save(caller, [90, 90, 10], json!({})).await;
    app.drain().await;
    let page = json!({ "limit": 1 });
    let cursor = app
        .text(caller, "image_asset_list", page, "nextCursor")
        .await;
    Things {
        vault,
        project,
        folder,
        asset,
        cursor,
    }
}

/// A cursor that does not verify is bad input, not a denial.
fn denials(probe: &Probe) -> u64 {
    u64::from(!probe.is_of_a_page())
}

#[tokio::test]
async fn a_stranger_s_answer_is_that_of_an_unknown_id() {
    let court = Court::new().await;
    let bob = court.app.caller("bob").await;
    let his = things(&court.app, &bob).await;
    unknown_alike(&court, &bob, &his).await;
}

#[tokio::test]
async fn so_is_the_answer_of_a_member_whose_membership_ended() {
    let court = Court::new().await;
    let cyd = court.app.caller("cyd").await;
    let theirs = things(&court.app, &cyd).await;
    court.app.share(&court.ada, &cyd, Membership::Admin).await;
    let list = json!({ "vaults": [court.hers.vault] });
    court.app.call(&cyd, "image_asset_list", list).await.ok();
    court.app.unshare(&court.ada, &cyd).await;
    unknown_alike(&court, &cyd, &theirs).await;
}

async fn unknown_alike(court: &Court, caller: &Caller, own: &Things) {
    for probe in probes() {
        let (tool, count, file) = (probe.tool, denials(&probe), &probe.case.file);
        let foreign = probe.input(&court.hers, own);
        let foreign = court.refused(caller, tool, foreign, count).await;
        let unknown = court.refused(caller, tool, probe.unknown(own), count).await;
        assert_eq!(
            without_request_id(&foreign),
            without_request_id(&unknown),
            "{file}"
        );
        let wanted = if probe.is_of_a_page() {
            "invalid_cursor"
        } else {
            "not_found"
        };
        assert_eq!(refusal(&foreign).as_deref(), Some(wanted), "{file}");
    }
}

#[tokio::test]
async fn a_reader_s_write_is_refused_for_what_may_be_read() {
    let court = Court::new().await;
    let dan = court.app.caller("dan").await;
    court.app.share(&court.ada, &dan, Membership::Read).await;
    let mut writes = 0;
    for probe in probes() {
        if probe.tool.meta.scope == Scope::Read {
            continue;
        }
        let input = probe.input(&court.hers, &court.hers);
        let answer = court.refused(&dan, probe.tool, input, 1).await;
        let wanted = probe.case.reader.as_deref();
        writes += usize::from(wanted.is_none());
        assert_eq!(
            refusal(&answer).as_deref(),
            wanted.or(Some("forbidden_membership")),
            "{}",
            probe.case.file
        );
    }
    assert!(writes > 8);
}

#[tokio::test]
async fn a_key_that_ended_opens_nothing_and_is_told_like_one_that_never_was() {
    let court = Court::new().await;
    let store = &court.app.app.store;
    let now = || common::ports::Clock::now(&*court.app.clock);
    let key = async |days: Option<i64>| {
        let new = common::store::system::keys::NewKey {
            owner: court.ada.owner.clone(),
            name: "ended".to_owned(),
            surface: common::auth::Surface::Cli,
            scopes: Scope::ALL.to_vec(),
            expires_at: days.map(|days| now() + time::Duration::days(days)),
        };
        let (key_id, token) = common::store::system::keys::create(store, &new, now())
            .await
            .unwrap();
        Caller {
            owner: court.ada.owner.clone(),
            identity: court.ada.identity.clone(),
            key_id,
            key: token.reveal(),
        }
    };
    let (expired, revoked) = (key(Some(1)).await, key(None).await);
    court.app.call(&expired, "vault_list", json!({})).await.ok();
    court.app.call(&revoked, "vault_list", json!({})).await.ok();
    court.app.advance(std::time::Duration::from_secs(86_400));
    common::store::system::keys::revoke(store, &court.ada.owner, &revoked.key_id, now())
        .await
        .unwrap();
    let never = Caller {
        key: common::auth::KeyToken::generate().unwrap().reveal(),
        ..key(None).await
    };
    for tool in TOOLS {
        let name = tool.meta.name;
        let inputs = probes_of(tool).map(|probe| probe.input(&court.hers, &court.hers));
        // A tool that names nothing is called as well.
        for input in inputs.chain([json!({})]) {
            let unknown = court.refused(&never, tool, input.clone(), 0).await;
            assert_eq!(unknown.code(), "unauthenticated", "{name}");
            for ended in [&expired, &revoked] {
                let answer = court.refused(ended, tool, input.clone(), 1).await;
                assert_eq!(
                    without_request_id(&answer),
                    without_request_id(&unknown),
                    "{name}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_key_without_the_scope_is_refused_whether_or_not_the_id_exists() {
    let court = Court::new().await;
    for probe in probes() {
        let (tool, file) = (probe.tool, &probe.case.file);
        let others: Vec<Scope> = Scope::ALL
            .into_iter()
            .filter(|scope| *scope != tool.meta.scope)
            .collect();
        let (key_id, key) = court.app.key(&court.ada.owner, &others).await;
        let caller = Caller {
            owner: court.ada.owner.clone(),
            identity: court.ada.identity.clone(),
            key_id,
            key,
        };
        let own = probe.input(&court.hers, &court.hers);
        let own = court.refused(&caller, tool, own, 1).await;
        let unknown = probe.unknown(&court.hers);
        let unknown = court.refused(&caller, tool, unknown, 1).await;
        assert_eq!(own.code(), "forbidden_scope", "{file}");
        assert_eq!(
            without_request_id(&own),
            without_request_id(&unknown),
            "{file}"
        );
    }
}

#[tokio::test]
async fn the_owner_s_own_calls_succeed_where_others_were_refused() {
    // Else every refusal above could be a refusal of the call itself.
    for probe in probes() {
        let name = probe.tool.meta.name;
        // The cursor that everybody has is of this tool.
        if probe.is_of_a_page() && name != "image_asset_list" {
            continue;
        }
        let court = Court::new().await;
        let input = probe.input(&court.hers, &court.hers);
        let answer = court.app.call(&court.ada, name, input).await;
        assert_eq!(refusal(&answer), None, "{}", probe.case.file);
        answer.ok();
    }
}
