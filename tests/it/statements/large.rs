//! Lists and searches over a hundred thousand assets: what a page reads follows from what it gives, not from
//! how much there is. Pages of the buffer cache are counted; time is not.

use common::testing::TestDatabase;

use super::{
    File,
    plans::{file, scans},
};
use crate::support::Session;

/// Sixty thousand assets of one owner in two vaults, twenty thousand of another, and two hundred owners with
/// a hundred each. A rare thing is one in a thousand.
const SEED: &str = "
create temporary table seed on commit drop as
  select n, lpad(n::text, 26, '0') as id,
    case when n <= 60000 then 1 when n <= 80000 then 2 else 3 + n % 200 end as owner,
    case when n <= 60000 and n % 3 = 0 then 2 else 1 end as part,
    n % 1000 = 7 as rare
  from generate_series(1, 100000) as n;
create temporary table owners on commit drop as
  select o as owner, 'owner ' || o as name, lpad(o::text, 26, '0') as id from generate_series(1, 202) as o;
create temporary table vaults on commit drop as
  select owner, name, part, 'avl_' || lpad((owner * 10 + part)::text, 26, '0') as vault from owners, generate_series(1, 2) as part;
insert into mem_identities select name, 'idn_' || id, 'Person' from owners;
insert into mem_asset_namespaces (owner_identity, namespace_id) select name, 'ans_' || id from owners;
insert into mem_vaults (owner_identity, id, handle, handle_key) select name, vault, 'v' || part, 'v' || part from vaults;
insert into mem_asset_projects (owner_identity, vault, id, name, name_key, created_by)
  select name, vault, 'apr_' || lpad((owner * 1000 + part * 100 + p)::text, 26, '0'), p::text, p::text, name
  from vaults, generate_series(1, 50) as p;
insert into mem_asset_folders (owner_identity, vault, project_id, id, depth, name, name_key, created_by)
  select name, vault, 'apr_' || lpad((owner * 1000 + part * 100 + 1)::text, 26, '0'),
    'afl_' || lpad((owner * 1000 + part * 100 + f)::text, 26, '0'), 1, f::text, f::text, name
  from vaults, generate_series(1, 20) as f;
insert into mem_asset_objects (owner_identity, namespace_id, id, sha256, storage_key, preview_storage_key, mime_type, extension,
    bytes, preview_bytes, width, height, preview_width, preview_height, animated, status)
  select 'owner ' || owner, 'ans_' || lpad(owner::text, 26, '0'), 'aob_' || id, encode(sha256(id::bytea), 'hex'), id, id,
    'image/png', 'png', 1 + n, 1, 1, 1, 1, 1, false, 'available' from seed;
insert into mem_assets (owner_identity, vault, id, project_id, folder_id, object_id, mime_type, title, title_key, title_given,
    source_kind, source_host, status, embedding_status, created_by, updated_by, created_at)
  select v.name, v.vault, 'ast_' || id,
    'apr_' || lpad((s.owner * 1000 + s.part * 100 + 1 + n / 3 % 50)::text, 26, '0'),
    case when n / 3 % 50 = 0 then 'afl_' || lpad((s.owner * 1000 + s.part * 100 + 1 + n / 150 % 20)::text, 26, '0') end,
    'aob_' || id, case when rare then 'image/gif' else 'image/png' end, 'T', md5(id), false,
    case when rare then 'import' else 'upload' end, case when rare then 'rare.example.com' when n % 2 = 0 then 'example.com' end,
    case when rare then 'failed' else 'ready' end, case when rare then 'failed' else 'ready' end, v.name, v.name,
    '2026-01-01Z'::timestamptz + n * interval '5 minutes'
  from seed s join vaults v using (owner, part);
insert into mem_asset_tags select v.name, v.vault, t.tag, 'ast_' || id
  from seed s join vaults v using (owner, part), lateral (values ('common'), (case when rare then 'rare' else 'tag ' || n % 9 end)) t (tag);
insert into memory_assets_v1 (owner_identity, placement, id, vault, asset_id, object_id, representation, model, dimensions,
    project_id, mime_type, source_kind, created_at, embedding)
  select a.owner_identity, 'shared', encode(sha256(a.id::bytea), 'hex'), a.vault, a.id, a.object_id, 'visual', 'colours', 1024,
    a.project_id, a.mime_type, a.source_kind, a.created_at, x.embedding
  from seed s join mem_assets a on a.id = 'ast_' || s.id
  cross join (select (array_fill(0::real, array[1023]) || 1::real)::halfvec(1024) as embedding) x
  where s.owner > 2 and s.n % 2 = 1 or s.owner = 2 and s.n % 4 = 3;
";

async fn seeded() -> (TestDatabase, Session) {
    let database = TestDatabase::new().await;
    let session = Session::admin(&database).await;
    session.rows(&format!("begin; {SEED} commit")).await;
    // Every row is sampled, so that each run has the same statistics and the same plans.
    session.rows("set default_statistics_target = 1000").await;
    session.rows("vacuum analyze").await;
    (database, session)
}

/// A run of a statement as its role, bound to an owner: the plan, and how many pages were touched.
async fn run(session: &Session, file: &File, owner: &str, arguments: &str) -> (String, u64) {
    session.begin_as_app(owner).await;
    session
        .rows(&format!("prepare statement as {}", file.text))
        .await;
    // The product prepares nothing by name, so that each run is planned for its own values.
    let lines = session
        .column(&format!(
            "set local plan_cache_mode = force_custom_plan; set local jit = off;
             explain (analyze, buffers, timing off, summary off, format text) execute statement({arguments})"
        ))
        .await;
    session.rows("rollback; deallocate all").await;
    let of_all = lines.iter().find(|line| line.contains("Buffers: shared"));
    let buffers = of_all.map_or(0, |line| number(line, "hit=") + number(line, "read="));
    let plan = lines
        .iter()
        .map(|line| line.chars().take(220).collect::<String>() + "\n")
        .collect();
    (plan, buffers)
}

fn number(line: &str, after: &str) -> u64 {
    let digits = line.split_once(after).map_or("0", |(_, rest)| rest);
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().unwrap()
}

/// A filter of lists: its arguments after owner and vaults (project, folders, tags, kinds, hosts, types, from,
/// before, states, embedding states), and how many pages of the cache a page of fifty rows may touch, newest
/// first and by title.
struct Filter {
    what: &'static str,
    arguments: &'static str,
    most: [u64; 2],
}

const fn filter(what: &'static str, arguments: &'static str, most: [u64; 2]) -> Filter {
    Filter {
        what,
        arguments,
        most,
    }
}

/// Those that are found by an index are bounded by what they give. A rare kind or type has none: it costs the
/// walk through the owner's assets, about 9,000 pages in the order of time and one a row in that of titles.
const FILTERS: &[Filter] = &[
    filter(
        "nothing",
        "null, null, null, null, null, null, null, null, null, null",
        [600, 700],
    ),
    filter(
        "a project",
        "'apr_{project}', null, null, null, null, null, null, null, null, null",
        [500, 1_000],
    ),
    filter(
        "a folder",
        "'apr_{project}', array['afl_{project}'], null, null, null, null, null, null, null, null",
        [1_500, 1_500],
    ),
    filter(
        "a common tag",
        "null, null, array['common'], null, null, null, null, null, null, null",
        [2_500, 2_500],
    ),
    filter(
        "a common host",
        "null, null, null, null, array['example.com'], null, null, null, null, null",
        [600, 900],
    ),
    filter(
        "a rare host",
        "null, null, null, null, array['rare.example.com'], null, null, null, null, null",
        [600, 600],
    ),
    filter(
        "a host of nobody's",
        "null, null, null, null, array['x.example.com'], null, null, null, null, null",
        [50, 50],
    ),
    filter(
        "a common kind",
        "null, null, null, array['upload'], null, null, null, null, null, null",
        [600, 700],
    ),
    filter(
        "a rare kind",
        "null, null, null, array['import'], null, null, null, null, null, null",
        [12_000, 80_000],
    ),
    filter(
        "a rare type",
        "null, null, null, null, null, array['image/gif'], null, null, null, null",
        [12_000, 80_000],
    ),
    filter(
        "a day",
        "null, null, null, null, null, null, '2026-03-01Z', '2026-03-02Z', null, null",
        [800, 800],
    ),
    filter(
        "a rare state",
        "null, null, null, null, null, null, null, null, array['failed'], null",
        [600, 600],
    ),
    filter(
        "a rare embedding state",
        "null, null, null, null, null, null, null, null, null, array['failed']",
        [600, 600],
    ),
];

const VAULTS: &str = "array['avl_00000000000000000000000011', 'avl_00000000000000000000000012']";

/// Where a page begins: at the start, and deep in the list.
const LISTS: [(&str, [&str; 2]); 2] = [
    (
        "assets/list_by_created",
        ["null, null", "'2026-02-01Z', 'ast_5'"],
    ),
    ("assets/list_by_title", ["null, null", "'d', 'ast_5'"]),
];

/// Below this many pages a table is rightly read whole.
const A_HANDFUL: u64 = 50;

/// What is wrong with a run, if anything.
fn fault(what: &str, (plan, buffers): &(String, u64), most: u64) -> Option<String> {
    println!("{what}: {buffers} pages");
    if scans(plan) && *buffers > A_HANDFUL {
        return Some(format!("{what} reads a whole table:\n{plan}"));
    }
    (*buffers > most).then(|| format!("{what} touches {buffers} pages, more than {most}:\n{plan}"))
}

#[tokio::test]
async fn pages_of_lists_and_searches_read_what_they_give() {
    let (_database, session) = seeded().await;
    let mut faults = Vec::new();
    faults.extend(lists(&session).await);
    faults.extend(tags(&session).await);
    faults.extend(searches(&session).await);
    faults.extend(others(&session).await);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    careless(&session).await;
}

async fn lists(session: &Session) -> Vec<String> {
    let mut faults = Vec::new();
    for (place, (name, starts)) in LISTS.iter().enumerate() {
        for Filter {
            what,
            arguments,
            most,
        } in FILTERS
        {
            for (depth, start) in starts.iter().enumerate() {
                let arguments = arguments.replace("{project}", "00000000000000000000001101");
                let arguments = format!("'owner 1', {VAULTS}, {arguments}, {start}, 51, null");
                let ran = run(session, &file(name), "owner 1", &arguments).await;
                let what = format!("{name} by {what}, page {}", ["1", "deep"][depth]);
                faults.extend(fault(&what, &ran, most[place]));
            }
        }
    }
    faults
}

/// A rare tag's assets are looked up one by one, alone or with a common tag.
async fn tags(session: &Session) -> Vec<String> {
    let mut faults = Vec::new();
    let candidates = session
        .column(
            "select asset_id from mem_asset_tags where owner_identity = 'owner 1' and tag = 'rare'",
        )
        .await;
    let candidates = format!("array['{}']", candidates.join("', '"));
    for tags in [
        "array['rare']",
        "array['common', 'rare']",
        "array['common']",
    ] {
        let rarest = format!("'owner 1', {VAULTS}, {tags}, 501");
        let ran = run(session, &file("assets/rarest_tag"), "owner 1", &rarest).await;
        faults.extend(fault(&format!("assets/rarest_tag of {tags}"), &ran, 100));
        if !tags.contains("rare") {
            continue;
        }
        for (name, _) in LISTS {
            let arguments = format!(
                "'owner 1', {VAULTS}, null, null, {tags}, null, null, null, null, null, null, null, null, null, 51, {candidates}"
            );
            let ran = run(session, &file(name), "owner 1", &arguments).await;
            faults.extend(fault(&format!("{name} by {tags}"), &ran, 4_000));
        }
    }
    faults
}

/// Searches of the owner with five thousand vectors: each is compared, and those of others are not read.
async fn searches(session: &Session) -> Vec<String> {
    let vector = session
        .value("select (array_fill(0::real, array[1023]) || 1::real)::halfvec(1024)::text")
        .await;
    let vaults = "array['avl_00000000000000000000000021', 'avl_00000000000000000000000022']";
    let mut faults = Vec::new();
    for filter in [
        "null, null, null, null, null, null, null, null",
        "'apr_00000000000000000000002101', null, null, null, null, null, null, null",
        "null, array['afl_00000000000000000000002101'], null, null, null, null, null, null",
        "null, null, array['rare'], null, null, null, null, null",
        "null, null, null, array['import'], null, null, null, null",
        "null, null, null, null, array['rare.example.com'], null, null, null",
        "null, null, null, null, null, array['image/gif'], null, null",
        "null, null, null, null, null, null, '2026-09-01Z', '2026-09-02Z'",
    ] {
        let arguments =
            format!("'owner 2', {vaults}, 'colours', 'visual', '{vector}', 400, {filter}");
        let ran = run(session, &file("search/exact"), "owner 2", &arguments).await;
        let what = format!("search/exact by {filter}");
        // Three vectors a page; the rest is the index, and the assets or tags that the filter asks for.
        faults.extend(fault(&what, &ran, 3_500));
    }
    faults
}

/// The other statements of lists and usage, for the largest owner.
async fn others(session: &Session) -> Vec<String> {
    let project = "'avl_00000000000000000000000011', 'apr_00000000000000000000001101'";
    let mut faults = Vec::new();
    for (name, arguments, most) in [
        ("assets/largest", "'owner 1', 25".to_owned(), 500),
        ("quota/account", "'owner 1'".to_owned(), A_HANDFUL),
        (
            "folders/tree",
            format!("'owner 1', {project}, null, 101"),
            200,
        ),
        (
            "projects/list",
            format!("'owner 1', {VAULTS}, false, null, null, 101"),
            400,
        ),
        (
            "assets/deletion_plan",
            "'owner 1', 'avl_00000000000000000000000011', array['ast_00000000000000000000000001']"
                .to_owned(),
            100,
        ),
    ] {
        let ran = run(session, &file(name), "owner 1", &arguments).await;
        faults.extend(fault(name, &ran, most));
    }
    // Adds up what assets share: it reads each asset and object of the owner, who has most of both tables.
    let (plan, buffers) = run(session, &file("objects/savings"), "owner 1", "'owner 1'").await;
    println!("objects/savings: {buffers} pages");
    if buffers > 40_000 {
        faults.push(format!("objects/savings touches {buffers} pages:\n{plan}"));
    }
    faults
}

/// A statement that does read everything is found out, by its scan and by its pages.
async fn careless(session: &Session) {
    let careless = File {
        name: "x/careless".to_owned(),
        text: "select count(*) from mem_assets where title = $1".to_owned(),
    };
    let ran = run(session, &careless, "owner 1", "'x'").await;
    assert!(fault("careless", &ran, 1_000).is_some(), "{}", ran.0);
}
