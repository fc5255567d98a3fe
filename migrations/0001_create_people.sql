-- Who there is: plans, identities with their namespaces, keys, vaults and vault members.
-- Every tenant table names its owner and its primary key begins with it: a key on the id alone would
-- tell an inserter that somebody else's id exists.

create table mem_plans (
  plan text not null,
  quota_bytes bigint,
  daily_token_budget bigint,
  description text not null,
  constraint mem_plans_pkey primary key (plan),
  constraint mem_plans_quota_check check (quota_bytes >= 0),
  constraint mem_plans_budget_check check (daily_token_budget >= 0)
);
comment on table mem_plans is 'What an owner may use. Not tenant data.';
comment on column mem_plans.plan is 'Name of the plan.';
comment on column mem_plans.quota_bytes is 'Storage quota in bytes; null is unlimited.';
comment on column mem_plans.daily_token_budget is 'Provider tokens per UTC day; null is unlimited.';
comment on column mem_plans.description is 'One sentence for people.';

insert into mem_plans (plan, quota_bytes, daily_token_budget, description) values
  ('default', 5368709120, null, 'Five GiB of storage.'),
  ('free', 1073741824, 2000000, 'One GiB of storage and two million provider tokens a day.'),
  ('pro', 107374182400, null, 'One hundred GiB of storage.'),
  ('team', 1099511627776, null, 'One TiB of storage.'),
  ('enterprise', 10995116277760, null, 'Ten TiB of storage.'),
  ('unlimited', null, null, 'No limit.'),
  ('local', null, null, 'One machine of one''s own: no limit.');

create table mem_identities (
  owner_identity text not null,
  id text not null,
  display_name text not null,
  created_at timestamptz not null default now(),
  constraint mem_identities_pkey primary key (owner_identity),
  constraint mem_identities_id_key unique (id),
  constraint mem_identities_id_check check (id like 'idn\_%'),
  constraint mem_identities_owner_identity_check check (char_length(owner_identity) between 1 and 320),
  constraint mem_identities_display_name_check check (char_length(display_name) between 1 and 120)
);
comment on table mem_identities is 'Tenants. The owner identity never leaves the database; others see the display name and the opaque id.';
comment on column mem_identities.owner_identity is 'The tenant, as the operator names it.';
comment on column mem_identities.id is 'Opaque id by which colleagues address this person.';
comment on column mem_identities.display_name is 'Name shown to colleagues.';
comment on column mem_identities.created_at is 'When the identity was made.';

create table mem_asset_namespaces (
  owner_identity text not null,
  namespace_id text not null,
  plan text not null default 'default',
  placement text not null default 'shared',
  original_bytes bigint not null default 0,
  preview_bytes bigint not null default 0,
  vector_bytes bigint not null default 0,
  used_bytes bigint not null generated always as (original_bytes + preview_bytes + vector_bytes) stored,
  reserved_bytes bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mem_asset_namespaces_pkey primary key (owner_identity),
  constraint mem_asset_namespaces_namespace_id_key unique (namespace_id),
  constraint mem_asset_namespaces_owner_namespace_key unique (owner_identity, namespace_id),
  constraint mem_asset_namespaces_owner_placement_key unique (owner_identity, placement),
  constraint mem_asset_namespaces_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_asset_namespaces_plan_fkey foreign key (plan) references mem_plans (plan),
  constraint mem_asset_namespaces_namespace_id_check check (namespace_id like 'ans\_%'),
  constraint mem_asset_namespaces_placement_check check (placement in ('shared', namespace_id)),
  constraint mem_asset_namespaces_original_bytes_check check (original_bytes >= 0),
  constraint mem_asset_namespaces_preview_bytes_check check (preview_bytes >= 0),
  constraint mem_asset_namespaces_vector_bytes_check check (vector_bytes >= 0),
  constraint mem_asset_namespaces_reserved_bytes_check check (reserved_bytes >= 0)
);
comment on table mem_asset_namespaces is 'One per owner: its opaque name in object keys, its quota counters and where its vectors live. Admission locks this row.';
comment on column mem_asset_namespaces.owner_identity is 'The tenant.';
comment on column mem_asset_namespaces.namespace_id is 'Opaque stand-in for the owner in object keys and logs.';
comment on column mem_asset_namespaces.plan is 'The plan in force.';
comment on column mem_asset_namespaces.placement is 'Partition of the vector tables: shared, or the namespace id of a very large owner.';
comment on column mem_asset_namespaces.original_bytes is 'Bytes of originals, each object once, until purged.';
comment on column mem_asset_namespaces.preview_bytes is 'Bytes of previews, each object once, until purged.';
comment on column mem_asset_namespaces.vector_bytes is 'Bytes charged for wanted vectors of the active model.';
comment on column mem_asset_namespaces.used_bytes is 'Sum of the three counters.';
comment on column mem_asset_namespaces.reserved_bytes is 'Bytes held by open reservations.';
comment on column mem_asset_namespaces.created_at is 'When the namespace was made.';
comment on column mem_asset_namespaces.updated_at is 'When a counter or the plan last changed.';

create table mem_keys (
  owner_identity text not null,
  id text not null,
  prefix text not null,
  secret_sha256 bytea not null,
  name text not null,
  surface text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  rotated_from text,
  constraint mem_keys_pkey primary key (owner_identity, id),
  constraint mem_keys_prefix_key unique (prefix),
  constraint mem_keys_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_keys_rotated_from_fkey foreign key (owner_identity, rotated_from) references mem_keys (owner_identity, id),
  constraint mem_keys_id_check check (id like 'mky\_%'),
  constraint mem_keys_prefix_check check (prefix ~ '^[a-z0-9]{12}$'),
  constraint mem_keys_secret_check check (octet_length(secret_sha256) = 32),
  constraint mem_keys_name_check check (char_length(name) between 1 and 120),
  constraint mem_keys_surface_check check (surface in ('web', 'desktop', 'cli', 'cursor', 'other')),
  constraint mem_keys_scopes_check check (
    cardinality(scopes) between 1 and 4 and scopes <@ array['read', 'write', 'delete', 'admin']
  )
);
comment on table mem_keys is 'Keys that call. Only the SHA-256 of a secret is stored.';
comment on column mem_keys.owner_identity is 'Whose key it is.';
comment on column mem_keys.id is 'Opaque id of the key.';
comment on column mem_keys.prefix is 'Public part of the key, by which it is found.';
comment on column mem_keys.secret_sha256 is 'SHA-256 of the secret part.';
comment on column mem_keys.name is 'Name that its owner gave it.';
comment on column mem_keys.surface is 'Where the key is used: web, desktop, cli, cursor or other.';
comment on column mem_keys.scopes is 'What it may do: read, write, delete, admin.';
comment on column mem_keys.created_at is 'When it was issued.';
comment on column mem_keys.expires_at is 'When it ends; null is never.';
comment on column mem_keys.last_used_at is 'Last use, written at most once a minute.';
comment on column mem_keys.revoked_at is 'When it was revoked.';
comment on column mem_keys.rotated_from is 'The key that this one replaces.';

create table mem_vaults (
  owner_identity text not null,
  id text not null,
  handle text not null,
  handle_key text not null,
  created_at timestamptz not null default now(),
  constraint mem_vaults_pkey primary key (owner_identity, id),
  constraint mem_vaults_handle_key unique (owner_identity, handle_key),
  constraint mem_vaults_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_vaults_id_check check (id like 'avl\_%'),
  constraint mem_vaults_handle_check check (char_length(handle) between 1 and 120),
  constraint mem_vaults_handle_key_check check (handle_key <> '')
);
comment on table mem_vaults is 'Access boundaries. The vault Library comes with each identity.';
comment on column mem_vaults.owner_identity is 'Who owns the vault and pays for it.';
comment on column mem_vaults.id is 'The physical vault, as every tenant row names it.';
comment on column mem_vaults.handle is 'Name by which its owner addresses it.';
comment on column mem_vaults.handle_key is 'The handle folded for comparison, computed by the application alone.';
comment on column mem_vaults.created_at is 'When it was made.';

create table mem_vault_members (
  owner_identity text not null,
  vault text not null,
  member_identity text not null,
  membership text not null,
  granted_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mem_vault_members_pkey primary key (owner_identity, vault, member_identity),
  constraint mem_vault_members_vault_fkey foreign key (owner_identity, vault) references mem_vaults (owner_identity, id),
  constraint mem_vault_members_member_fkey foreign key (member_identity) references mem_identities (owner_identity),
  constraint mem_vault_members_membership_check check (membership in ('read', 'write', 'admin')),
  constraint mem_vault_members_other_check check (member_identity <> owner_identity)
);
create index mem_vault_members_member_idx on mem_vault_members (member_identity, owner_identity, vault);
comment on table mem_vault_members is 'Who else may enter a vault. Revocation removes the row and acts on the next call.';
comment on column mem_vault_members.owner_identity is 'Owner of the vault.';
comment on column mem_vault_members.vault is 'The vault.';
comment on column mem_vault_members.member_identity is 'The colleague.';
comment on column mem_vault_members.membership is 'read lists and searches, write creates and moves, admin deletes and shares.';
comment on column mem_vault_members.granted_by is 'Identity that granted it.';
comment on column mem_vault_members.created_at is 'When it was granted.';
comment on column mem_vault_members.updated_at is 'When the membership last changed.';
