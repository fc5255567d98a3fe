//! Registry, model states, jobs, vectors, counts, query vectors; see `links`.

use super::{Across, Attempts, Links};

pub(super) const CHECKS: Attempts = &[
    (
        "mem_asset_indexes_distance_check",
        "update mem_asset_indexes set distance = 'l2'",
    ),
    (
        "mem_asset_indexes_dimensions_check",
        "update mem_asset_indexes set dimensions = 512",
    ),
    (
        "mem_asset_indexes_state_check",
        "update mem_asset_indexes set state = 'new'",
    ),
    (
        "mem_asset_model_states_visual_check",
        "update mem_asset_model_states set visual = 'ready'",
    ),
    (
        "mem_asset_model_states_fused_check",
        "update mem_asset_model_states set fused = 'ready'",
    ),
    (
        "mem_asset_embedding_jobs_id_check",
        "update mem_asset_embedding_jobs set id = 'x' where id = '{aej1}'",
    ),
    (
        "mem_asset_embedding_jobs_representation_check",
        "update mem_asset_embedding_jobs set representation = 'text'",
    ),
    (
        "mem_asset_embedding_jobs_dimensions_check",
        "update mem_asset_embedding_jobs set dimensions = 512",
    ),
    (
        "mem_asset_embedding_jobs_status_check",
        "update mem_asset_embedding_jobs set status = 'new' where id = '{aej3}'",
    ),
    (
        "mem_asset_embedding_jobs_attempts_check",
        "update mem_asset_embedding_jobs set attempts = -1",
    ),
    (
        "mem_asset_embedding_jobs_attempts_check",
        "update mem_asset_embedding_jobs set attempts = 6",
    ),
    (
        "mem_asset_embedding_jobs_lease_check",
        "update mem_asset_embedding_jobs set lease_token = null where id = '{aej2}'",
    ),
    (
        "mem_asset_embedding_jobs_lease_check",
        "update mem_asset_embedding_jobs set lease_until = null where id = '{aej2}'",
    ),
    (
        "mem_asset_embedding_jobs_lease_check",
        "update mem_asset_embedding_jobs set lease_token = 'x', lease_until = now() where id = '{aej3}'",
    ),
    (
        "mem_asset_embedding_jobs_completed_check",
        "update mem_asset_embedding_jobs set completed_at = null where id = '{aej1}'",
    ),
    (
        "mem_asset_embedding_jobs_completed_check",
        "update mem_asset_embedding_jobs set completed_at = now() where id = '{aej3}'",
    ),
    (
        "mem_asset_embedding_jobs_last_error_check",
        "update mem_asset_embedding_jobs set last_error = repeat('x', 501)",
    ),
    (
        "memory_assets_v1_id_check",
        "update memory_assets_v1 set id = 'x'",
    ),
    (
        "memory_assets_v1_folder_check",
        "update memory_assets_v1 set project_id = null",
    ),
    (
        "memory_assets_v1_representation_check",
        "update memory_assets_v1 set representation = 'text'",
    ),
    (
        "memory_assets_v1_mime_type_check",
        "update memory_assets_v1 set mime_type = 'image/jpg'",
    ),
    (
        "memory_assets_v1_source_kind_check",
        "update memory_assets_v1 set source_kind = 'camera'",
    ),
    (
        "memory_assets_v1_dimensions_check",
        "update memory_assets_v1 set dimensions = 512",
    ),
    (
        "memory_assets_v1_norm_check",
        "update memory_assets_v1 set embedding = array_fill(0, array[1024])::halfvec(1024)",
    ),
    (
        "memory_assets_v1_norm_check",
        "update memory_assets_v1 set embedding = array_fill(1, array[1024])::halfvec(1024)",
    ),
    (
        "mem_asset_candidate_counts_vectors_check",
        "update mem_asset_candidate_counts set vectors = -1",
    ),
    (
        "mem_query_vectors_id_check",
        "update mem_query_vectors set id = 'x' where id = '{aqv1}'",
    ),
];

pub(super) const LINKS: Links = &[
    (
        "mem_asset_model_states_asset_fkey",
        Across::Owners,
        "update mem_asset_model_states set asset_id = '{other.ast1}' where asset_id = '{ast2}'",
    ),
    (
        "mem_asset_model_states_asset_fkey",
        Across::Vaults,
        "update mem_asset_model_states set asset_id = '{ast3}' where asset_id = '{ast2}'",
    ),
    (
        "mem_asset_embedding_jobs_asset_fkey",
        Across::Owners,
        "update mem_asset_embedding_jobs set asset_id = '{other.ast1}' where id = '{aej3}'",
    ),
    (
        "mem_asset_embedding_jobs_asset_fkey",
        Across::Vaults,
        "update mem_asset_embedding_jobs set asset_id = '{ast3}' where id = '{aej3}'",
    ),
    (
        "memory_assets_v1_asset_fkey",
        Across::Owners,
        "update memory_assets_v1 set asset_id = '{other.ast1}' where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_asset_fkey",
        Across::Vaults,
        "update memory_assets_v1 set asset_id = '{ast3}' where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_asset_fkey",
        Across::Nothing,
        "update memory_assets_v1 set object_id = '{aob2}' where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_project_fkey",
        Across::Owners,
        "update memory_assets_v1 set project_id = '{other.apr1}', folder_id = null where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_project_fkey",
        Across::Vaults,
        "update memory_assets_v1 set project_id = '{apr3}', folder_id = null where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_folder_fkey",
        Across::Owners,
        "update memory_assets_v1 set folder_id = '{other.afl1}' where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_folder_fkey",
        Across::Vaults,
        "update memory_assets_v1 set folder_id = '{afl4}' where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_folder_fkey",
        Across::Projects,
        "update memory_assets_v1 set folder_id = '{afl3}' where owner_identity = '{owner}'",
    ),
    // A vector cannot lie in a partition that its owner's namespace does not name.
    (
        "memory_assets_v1_namespace_fkey",
        Across::Owners,
        "create table theirs partition of memory_assets_v1 for values in ('{other.ans1}');
         update memory_assets_v1 set placement = '{other.ans1}' where owner_identity = '{owner}'",
    ),
    (
        "memory_assets_v1_namespace_fkey",
        Across::Nothing,
        "update mem_asset_namespaces set placement = namespace_id where owner_identity = '{owner}'",
    ),
    (
        "mem_asset_candidate_counts_vault_fkey",
        Across::Owners,
        "update mem_asset_candidate_counts set vault = '{other.avl1}' where owner_identity = '{owner}'",
    ),
    (
        "mem_query_vectors_identity_fkey",
        Across::Nothing,
        "update mem_query_vectors set owner_identity = 'nobody' where owner_identity = '{owner}'",
    ),
];

pub(super) const TWINS: Attempts = &[
    (
        "mem_asset_indexes_pkey",
        "insert into mem_asset_indexes (name, model, dimensions) values ('memory_assets_v1', 'x', 1024)",
    ),
    ("mem_asset_model_states_pkey", "update mem_asset_model_states set asset_id = '{ast1}' where asset_id = '{ast2}'"),
    ("mem_asset_embedding_jobs_pkey", "update mem_asset_embedding_jobs set id = '{aej1}' where id = '{aej2}'"),
    ("mem_asset_embedding_jobs_id_key", "update mem_asset_embedding_jobs set id = '{other.aej1}' where id = '{aej3}'"),
    (
        "mem_asset_embedding_jobs_active_uidx",
        "insert into mem_asset_embedding_jobs (owner_identity, vault, id, asset_id, representation, model, dimensions)
         values ('{owner}', '{avl1}', '{aej9}', '{ast2}', 'visual', '{model}', 1024)",
    ),
    (
        "memory_assets_v1_pkey",
        "insert into memory_assets_v1 (owner_identity, placement, id, vault, asset_id, object_id, representation, model,
           dimensions, mime_type, source_kind, created_at, embedding)
         values ('{owner}', 'shared', '{sha8}', '{avl1}', '{ast2}', '{aob1}', 'visual', '{model}', 1024, 'image/png', 'upload',
           now(), '{vec4}')",
    ),
    (
        "mem_asset_candidate_counts_pkey",
        "insert into mem_asset_candidate_counts (owner_identity, vault, model) values ('{owner}', '{avl1}', '{model}')",
    ),
    ("mem_query_vectors_pkey", "update mem_query_vectors set id = '{aqv1}' where id = '{aqv2}'"),
];
