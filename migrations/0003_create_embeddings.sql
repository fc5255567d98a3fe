create extension if not exists vector;

-- How it is found again: jobs, the embedding state per model, the registry of vector tables, the first
-- of them, candidate counts, and query vectors kept for paging.

create table mem_asset_indexes (
  name text not null,
  model text not null,
  dimensions integer not null,
  distance text not null default 'cosine',
  state text not null default 'ready',
  created_at timestamptz not null default now(),
  constraint mem_asset_indexes_pkey primary key (name),
  constraint mem_asset_indexes_distance_check check (distance = 'cosine'),
  constraint mem_asset_indexes_dimensions_check check (dimensions = 1024),
  constraint mem_asset_indexes_state_check check (state in ('building', 'ready', 'retired'))
);
comment on table mem_asset_indexes is 'Registry of vector tables. ASSET_EMBED_INDEX names the one in use. Not tenant data.';
comment on column mem_asset_indexes.name is 'Name of the vector table.';
comment on column mem_asset_indexes.model is 'Model for which the table was made; each vector names its own.';
comment on column mem_asset_indexes.dimensions is 'Dimensions of its vectors.';
comment on column mem_asset_indexes.distance is 'cosine, over unit vectors.';
comment on column mem_asset_indexes.state is 'building, ready or retired.';
comment on column mem_asset_indexes.created_at is 'When it was registered.';
insert into mem_asset_indexes (name, model, dimensions) values ('memory_assets_v1', 'jina-embeddings-v5-omni-small', 1024);

create table mem_asset_model_states (
  owner_identity text not null,
  vault text not null,
  asset_id text not null,
  model text not null,
  visual text not null default 'queued',
  fused text,
  updated_at timestamptz not null default now(),
  constraint mem_asset_model_states_pkey primary key (owner_identity, asset_id, model),
  constraint mem_asset_model_states_asset_fkey foreign key (owner_identity, vault, asset_id)
    references mem_assets (owner_identity, vault, id) on delete cascade,
  constraint mem_asset_model_states_visual_check check (
    visual in ('queued', 'running', 'retry', 'done', 'failed', 'cancelled', 'unknown_execution')
  ),
  constraint mem_asset_model_states_fused_check check (
    fused in ('queued', 'running', 'retry', 'done', 'failed', 'cancelled', 'unknown_execution')
  )
);
create index mem_asset_model_states_asset_idx on mem_asset_model_states (owner_identity, vault, asset_id);
comment on table mem_asset_model_states is 'State of each representation per asset and model, so that a change of model never takes an asset out of search.';
comment on column mem_asset_model_states.owner_identity is 'Owner of the vault.';
comment on column mem_asset_model_states.vault is 'The vault.';
comment on column mem_asset_model_states.asset_id is 'The asset.';
comment on column mem_asset_model_states.model is 'The model.';
comment on column mem_asset_model_states.visual is 'State of the visual job.';
comment on column mem_asset_model_states.fused is 'State of the fused job; null when no fused vector is wanted.';
comment on column mem_asset_model_states.updated_at is 'When a state last changed.';

create table mem_asset_embedding_jobs (
  owner_identity text not null,
  vault text not null,
  id text not null,
  asset_id text not null,
  representation text not null,
  model text not null,
  dimensions integer not null,
  status text not null default 'queued',
  attempts integer not null default 0,
  max_attempts integer not null default 5,
  run_after timestamptz not null default now(),
  hinted_at timestamptz,
  lease_token text,
  lease_until timestamptz,
  begun_at timestamptz,
  last_error_code text,
  last_error text,
  usage jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  completed_at timestamptz,
  constraint mem_asset_embedding_jobs_pkey primary key (owner_identity, id),
  constraint mem_asset_embedding_jobs_id_key unique (id),
  constraint mem_asset_embedding_jobs_asset_fkey foreign key (owner_identity, vault, asset_id)
    references mem_assets (owner_identity, vault, id),
  constraint mem_asset_embedding_jobs_id_check check (id like 'aej\_%'),
  constraint mem_asset_embedding_jobs_representation_check check (representation in ('visual', 'fused')),
  constraint mem_asset_embedding_jobs_dimensions_check check (dimensions = 1024),
  constraint mem_asset_embedding_jobs_status_check check (
    status in ('queued', 'running', 'retry', 'done', 'failed', 'cancelled', 'unknown_execution')
  ),
  constraint mem_asset_embedding_jobs_attempts_check check (attempts >= 0 and attempts <= max_attempts),
  constraint mem_asset_embedding_jobs_lease_check check (
    (status = 'running') = (lease_token is not null) and (lease_token is null) = (lease_until is null)
  ),
  constraint mem_asset_embedding_jobs_completed_check check (
    (status in ('done', 'failed', 'cancelled', 'unknown_execution')) = (completed_at is not null)
  ),
  constraint mem_asset_embedding_jobs_last_error_check check (char_length(last_error) <= 500)
);
create unique index mem_asset_embedding_jobs_active_uidx
  on mem_asset_embedding_jobs (owner_identity, asset_id, representation, model, dimensions)
  where status in ('queued', 'running', 'retry');
create index mem_asset_embedding_jobs_asset_idx on mem_asset_embedding_jobs (owner_identity, vault, asset_id);
create index mem_asset_embedding_jobs_due_idx on mem_asset_embedding_jobs (run_after) where status in ('queued', 'retry');
create index mem_asset_embedding_jobs_lease_idx on mem_asset_embedding_jobs (lease_until) where status = 'running';
comment on table mem_asset_embedding_jobs is 'One job per wanted vector. The row is the truth; a queue message is only a hint.';
comment on column mem_asset_embedding_jobs.owner_identity is 'Owner of the vault.';
comment on column mem_asset_embedding_jobs.vault is 'The vault.';
comment on column mem_asset_embedding_jobs.id is 'Opaque id, as hints carry it.';
comment on column mem_asset_embedding_jobs.asset_id is 'The asset.';
comment on column mem_asset_embedding_jobs.representation is 'visual (the preview) or fused (the preview and its words).';
comment on column mem_asset_embedding_jobs.model is 'The model wanted.';
comment on column mem_asset_embedding_jobs.dimensions is 'Dimensions wanted.';
comment on column mem_asset_embedding_jobs.status is 'queued, running, retry, done, failed, cancelled or unknown_execution (a paid call began and its end is unknown).';
comment on column mem_asset_embedding_jobs.attempts is 'Leases given so far, expired ones included.';
comment on column mem_asset_embedding_jobs.max_attempts is 'Most leases in all.';
comment on column mem_asset_embedding_jobs.run_after is 'Not to be claimed before.';
comment on column mem_asset_embedding_jobs.hinted_at is 'When a hint was last sent.';
comment on column mem_asset_embedding_jobs.lease_token is 'Fresh for each claim; only its holder may write the outcome.';
comment on column mem_asset_embedding_jobs.lease_until is 'When the lease may be taken over.';
comment on column mem_asset_embedding_jobs.begun_at is 'When the paid call of the present lease began.';
comment on column mem_asset_embedding_jobs.last_error_code is 'Code of the error catalogue.';
comment on column mem_asset_embedding_jobs.last_error is 'Bounded sentence.';
comment on column mem_asset_embedding_jobs.usage is 'This job''s share of the call''s tokens; the shares of a call add up to its ledger row.';
comment on column mem_asset_embedding_jobs.created_at is 'When it was queued.';
comment on column mem_asset_embedding_jobs.updated_at is 'When it last changed.';
comment on column mem_asset_embedding_jobs.completed_at is 'When it ended.';

-- Partitioned by placement: 'shared', or the namespace of a very large owner. There is no default
-- partition: while rows move, it would hide them from reads and deletes.
create table memory_assets_v1 (
  owner_identity text not null,
  placement text not null,
  id text not null,
  vault text not null,
  asset_id text not null,
  object_id text not null,
  representation text not null,
  model text not null,
  dimensions integer not null,
  project_id text,
  folder_id text,
  mime_type text not null,
  source_kind text not null,
  created_at timestamptz not null,
  embedding halfvec(1024) not null,
  code bit(1024) not null generated always as (binary_quantize(embedding)::bit(1024)) stored,
  constraint memory_assets_v1_pkey primary key (owner_identity, id, placement),
  constraint memory_assets_v1_namespace_fkey foreign key (owner_identity, placement)
    references mem_asset_namespaces (owner_identity, placement),
  constraint memory_assets_v1_asset_fkey foreign key (owner_identity, vault, asset_id, object_id)
    references mem_assets (owner_identity, vault, id, object_id),
  constraint memory_assets_v1_project_fkey foreign key (owner_identity, vault, project_id)
    references mem_asset_projects (owner_identity, vault, id),
  constraint memory_assets_v1_folder_fkey foreign key (owner_identity, vault, project_id, folder_id)
    references mem_asset_folders (owner_identity, vault, project_id, id),
  constraint memory_assets_v1_id_check check (id ~ '^[0-9a-f]{64}$'),
  constraint memory_assets_v1_folder_check check (folder_id is null or project_id is not null),
  constraint memory_assets_v1_representation_check check (representation in ('visual', 'fused')),
  constraint memory_assets_v1_dimensions_check check (dimensions = 1024),
  constraint memory_assets_v1_norm_check check (l2_norm(embedding) between 0.97 and 1.03)
) partition by list (placement);
create table memory_assets_v1_shared partition of memory_assets_v1 for values in ('shared');
-- Inline storage: out of line, a scan costs seven times as much per row.
alter table memory_assets_v1_shared alter column embedding set storage plain;
alter table memory_assets_v1_shared alter column code set storage plain;
-- The covering index lives by the visibility map, which only vacuum writes.
alter table memory_assets_v1_shared set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 1000);
create index memory_assets_v1_scan_idx on memory_assets_v1 (owner_identity, model, vault, representation)
  include (project_id, folder_id, mime_type, created_at, id, code);
create index memory_assets_v1_asset_idx on memory_assets_v1 (owner_identity, vault, asset_id);
create index memory_assets_v1_project_idx on memory_assets_v1 (owner_identity, project_id) where project_id is not null;
create index memory_assets_v1_folder_idx on memory_assets_v1 (owner_identity, folder_id) where folder_id is not null;
comment on table memory_assets_v1 is 'Vectors of assets, one row per representation and model; derived, and rebuildable from previews.';
comment on column memory_assets_v1.owner_identity is 'Owner of the vault.';
comment on column memory_assets_v1.placement is 'Partition, as the owner''s namespace says.';
comment on column memory_assets_v1.id is 'SHA-256 of asset-v1::asset::representation::model::dimensions.';
comment on column memory_assets_v1.vault is 'The vault.';
comment on column memory_assets_v1.asset_id is 'The asset.';
comment on column memory_assets_v1.object_id is 'Its object.';
comment on column memory_assets_v1.representation is 'visual or fused.';
comment on column memory_assets_v1.model is 'The model that made it.';
comment on column memory_assets_v1.dimensions is '1024.';
comment on column memory_assets_v1.project_id is 'The asset''s project; changed in the transaction that moves the asset.';
comment on column memory_assets_v1.folder_id is 'The asset''s folder; changed in the transaction that moves the asset.';
comment on column memory_assets_v1.mime_type is 'The asset''s type.';
comment on column memory_assets_v1.source_kind is 'The asset''s source kind.';
comment on column memory_assets_v1.created_at is 'When the asset was saved.';
comment on column memory_assets_v1.embedding is 'Unit vector in half precision.';
comment on column memory_assets_v1.code is 'Signs of the vector, for the binary path.';

create table mem_asset_candidate_counts (
  owner_identity text not null,
  vault text not null,
  model text not null,
  vectors bigint not null default 0,
  constraint mem_asset_candidate_counts_pkey primary key (owner_identity, vault, model),
  constraint mem_asset_candidate_counts_vault_fkey foreign key (owner_identity, vault) references mem_vaults (owner_identity, id),
  constraint mem_asset_candidate_counts_vectors_check check (vectors >= 0)
);
comment on table mem_asset_candidate_counts is 'Vectors per vault and model, kept by the transaction that writes or removes them; search picks its path by them.';
comment on column mem_asset_candidate_counts.owner_identity is 'Owner of the vault.';
comment on column mem_asset_candidate_counts.vault is 'The vault.';
comment on column mem_asset_candidate_counts.model is 'The model.';
comment on column mem_asset_candidate_counts.vectors is 'Rows in the vector table.';

create table mem_query_vectors (
  owner_identity text not null,
  id text not null,
  model text not null,
  embedding halfvec(1024) not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint mem_query_vectors_pkey primary key (owner_identity, id),
  constraint mem_query_vectors_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_query_vectors_id_check check (id like 'aqv\_%')
);
create index mem_query_vectors_expiry_idx on mem_query_vectors (expires_at);
comment on table mem_query_vectors is 'Query vectors kept for ten minutes, so that a further page is neither embedded nor charged again. No query text.';
comment on column mem_query_vectors.owner_identity is 'Who asked.';
comment on column mem_query_vectors.id is 'Opaque id, inside a signed cursor.';
comment on column mem_query_vectors.model is 'The model that made it.';
comment on column mem_query_vectors.embedding is 'Unit vector.';
comment on column mem_query_vectors.created_at is 'When it was made.';
comment on column mem_query_vectors.expires_at is 'When it may be removed.';
