//! Plans, identities, namespaces, keys, vaults, members; see `links`.

use super::{Across, Attempts, Links};

pub(super) const CHECKS: Attempts = &[
    (
        "mem_plans_budget_check",
        "update mem_plans set daily_token_budget = -1 where plan = 'free'",
    ),
    (
        "mem_plans_quota_check",
        "update mem_plans set quota_bytes = -1 where plan = 'free'",
    ),
    (
        "mem_identities_id_check",
        "update mem_identities set id = 'x' where owner_identity = '{owner}'",
    ),
    (
        "mem_identities_owner_identity_check",
        "insert into mem_identities values ('', '{idn9}', 'Nobody')",
    ),
    (
        "mem_identities_owner_identity_check",
        "insert into mem_identities values (repeat('x', 321), '{idn9}', 'Nobody')",
    ),
    (
        "mem_identities_display_name_check",
        "update mem_identities set display_name = ''",
    ),
    (
        "mem_identities_display_name_check",
        "update mem_identities set display_name = repeat('x', 121)",
    ),
    (
        "mem_asset_namespaces_namespace_id_check",
        "update mem_asset_namespaces set namespace_id = 'x'",
    ),
    (
        "mem_asset_namespaces_placement_check",
        "update mem_asset_namespaces set placement = 'elsewhere'",
    ),
    (
        "mem_asset_namespaces_placement_check",
        "update mem_asset_namespaces set placement = '{other.ans1}' where owner_identity = '{owner}'",
    ),
    (
        "mem_asset_namespaces_original_bytes_check",
        "update mem_asset_namespaces set original_bytes = -1",
    ),
    (
        "mem_asset_namespaces_preview_bytes_check",
        "update mem_asset_namespaces set preview_bytes = -1",
    ),
    (
        "mem_asset_namespaces_vector_bytes_check",
        "update mem_asset_namespaces set vector_bytes = -1",
    ),
    (
        "mem_asset_namespaces_reserved_bytes_check",
        "update mem_asset_namespaces set reserved_bytes = -1",
    ),
    (
        "mem_keys_id_check",
        "update mem_keys set id = 'x' where id = '{mky2}'",
    ),
    (
        "mem_keys_prefix_check",
        "update mem_keys set prefix = 'AAAAAAAAAAAA' where id = '{mky2}'",
    ),
    (
        "mem_keys_prefix_check",
        "update mem_keys set prefix = 'short' where id = '{mky2}'",
    ),
    (
        "mem_keys_secret_check",
        "update mem_keys set secret_sha256 = '\\x00'",
    ),
    ("mem_keys_name_check", "update mem_keys set name = ''"),
    (
        "mem_keys_name_check",
        "update mem_keys set name = repeat('x', 121)",
    ),
    (
        "mem_keys_surface_check",
        "update mem_keys set surface = 'phone'",
    ),
    ("mem_keys_scopes_check", "update mem_keys set scopes = '{}'"),
    (
        "mem_keys_scopes_check",
        "update mem_keys set scopes = '{read,own}'",
    ),
    (
        "mem_keys_scopes_check",
        "update mem_keys set scopes = '{read,read,read,read,read}'",
    ),
    (
        "mem_vaults_id_check",
        "update mem_vaults set id = 'x' where id = '{avl2}'",
    ),
    (
        "mem_vaults_handle_check",
        "update mem_vaults set handle = ''",
    ),
    (
        "mem_vaults_handle_check",
        "update mem_vaults set handle = repeat('x', 121)",
    ),
    (
        "mem_vaults_handle_key_check",
        "update mem_vaults set handle_key = '' where id = '{avl1}'",
    ),
    (
        "mem_vault_members_membership_check",
        "update mem_vault_members set membership = 'owner'",
    ),
    (
        "mem_vault_members_other_check",
        "update mem_vault_members set member_identity = '{owner}' where owner_identity = '{owner}'",
    ),
];

pub(super) const LINKS: Links = &[
    (
        "mem_asset_namespaces_identity_fkey",
        Across::Nothing,
        "insert into mem_asset_namespaces (owner_identity, namespace_id) values ('nobody', '{ans9}')",
    ),
    (
        "mem_asset_namespaces_plan_fkey",
        Across::Nothing,
        "update mem_asset_namespaces set plan = 'none'",
    ),
    (
        "mem_keys_identity_fkey",
        Across::Nothing,
        "update mem_keys set owner_identity = 'nobody', rotated_from = null where id = '{mky2}'",
    ),
    (
        "mem_keys_rotated_from_fkey",
        Across::Owners,
        "update mem_keys set rotated_from = '{other.mky1}' where id = '{mky2}'",
    ),
    (
        "mem_vaults_identity_fkey",
        Across::Nothing,
        "insert into mem_vaults (owner_identity, id, handle, handle_key) values ('nobody', '{avl9}', 'x', 'x')",
    ),
    (
        "mem_vault_members_vault_fkey",
        Across::Owners,
        "update mem_vault_members set vault = '{other.avl1}' where owner_identity = '{owner}'",
    ),
    (
        "mem_vault_members_member_fkey",
        Across::Nothing,
        "update mem_vault_members set member_identity = 'nobody'",
    ),
];

pub(super) const TWINS: Attempts = &[
    ("mem_plans_pkey", "insert into mem_plans (plan, description) values ('free', 'again')"),
    ("mem_identities_pkey", "insert into mem_identities values ('{owner}', '{idn9}', 'Twin')"),
    (
        "mem_identities_id_key",
        "update mem_identities set id = '{other.idn1}' where owner_identity = '{owner}'",
    ),
    (
        "mem_asset_namespaces_pkey",
        "insert into mem_asset_namespaces (owner_identity, namespace_id) values ('{owner}', '{ans9}')",
    ),
    (
        "mem_asset_namespaces_namespace_id_key",
        "update mem_asset_namespaces set namespace_id = '{other.ans1}' where owner_identity = '{owner}'",
    ),
    ("mem_keys_pkey", "update mem_keys set id = '{mky1}', rotated_from = null where id = '{mky2}'"),
    ("mem_keys_prefix_key", "update mem_keys set prefix = 'aaaaaaaaaa11' where id = '{other.mky1}'"),
    ("mem_vaults_pkey", "update mem_vaults set id = '{avl1}' where id = '{avl2}'"),
    ("mem_vaults_handle_key", "update mem_vaults set handle_key = 'library' where id = '{avl2}'"),
    (
        "mem_vault_members_pkey",
        "insert into mem_vault_members (owner_identity, vault, member_identity, membership, granted_by)
         values ('{owner}', '{avl1}', '{other.owner}', 'admin', '{owner}')",
    ),
];
