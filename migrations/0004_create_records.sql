-- What happened: idempotent answers, provider usage and its prices, provenance, access.

create table mem_idempotency (
  owner_identity text not null,
  actor_identity text not null,
  operation text not null,
  key text not null,
  derived boolean not null,
  fingerprint text not null,
  state text not null default 'in_flight',
  token text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint mem_idempotency_pkey primary key (owner_identity, actor_identity, operation, key),
  constraint mem_idempotency_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_idempotency_key_check check (char_length(key) between 1 and 240),
  constraint mem_idempotency_fingerprint_check check (fingerprint ~ '^[0-9a-f]{64}$'),
  constraint mem_idempotency_state_check check (state in ('in_flight', 'done')),
  constraint mem_idempotency_answer_check check ((state = 'done') = (answer is not null))
);
create index mem_idempotency_expiry_idx on mem_idempotency (expires_at);
comment on table mem_idempotency is 'First answers by key: the same key and request replays, another request conflicts, a failed try frees its key.';
comment on column mem_idempotency.owner_identity is 'Owner of the vault written to.';
comment on column mem_idempotency.actor_identity is 'Who called; keys of two people never meet.';
comment on column mem_idempotency.operation is 'Name of the tool.';
comment on column mem_idempotency.key is 'The caller''s key, or the one derived from bytes, placement and texts.';
comment on column mem_idempotency.derived is 'Whether the key was derived: then it lives ten minutes.';
comment on column mem_idempotency.fingerprint is 'SHA-256 of the whole cleaned request, bytes by their own SHA-256.';
comment on column mem_idempotency.state is 'in_flight or done.';
comment on column mem_idempotency.token is 'Fresh for each try; only its holder may write the answer or free the key.';
comment on column mem_idempotency.answer is 'The first answer, without links.';
comment on column mem_idempotency.created_at is 'When the key was first used.';
comment on column mem_idempotency.updated_at is 'When the present try began or ended.';
comment on column mem_idempotency.expires_at is 'When the key is free again; for a try in flight, when it may be taken over.';

create table mem_rate_card (
  id text not null,
  model text not null,
  usd_micros_per_million_tokens bigint not null,
  valid_from timestamptz not null,
  constraint mem_rate_card_pkey primary key (id),
  constraint mem_rate_card_model_from_key unique (model, valid_from),
  constraint mem_rate_card_price_check check (usd_micros_per_million_tokens >= 0)
);
comment on table mem_rate_card is 'Prices of provider tokens; the newest row not in the future is in force. Not tenant data.';
comment on column mem_rate_card.id is 'Name of the row, as ledger rows cite it.';
comment on column mem_rate_card.model is 'The model.';
comment on column mem_rate_card.usd_micros_per_million_tokens is 'Millionths of a US dollar for a million tokens.';
comment on column mem_rate_card.valid_from is 'From when it holds.';

create table mem_usage_ledger (
  owner_identity text not null,
  id text not null,
  source text not null,
  model text not null,
  call_id text not null,
  provider_request_id text,
  inputs integer not null,
  total_tokens bigint not null,
  prompt_tokens bigint not null,
  image_tokens bigint not null,
  usd_micros bigint,
  rate_id text,
  estimated boolean not null default false,
  created_at timestamptz not null default now(),
  constraint mem_usage_ledger_pkey primary key (owner_identity, id),
  constraint mem_usage_ledger_call_key unique (owner_identity, call_id),
  constraint mem_usage_ledger_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_usage_ledger_rate_fkey foreign key (rate_id) references mem_rate_card (id),
  constraint mem_usage_ledger_source_check check (source in ('embed_image_document', 'embed_image_query', 'rerank_image')),
  constraint mem_usage_ledger_inputs_check check (inputs > 0),
  constraint mem_usage_ledger_tokens_check check (total_tokens >= 0 and prompt_tokens >= 0 and image_tokens >= 0),
  constraint mem_usage_ledger_price_check check ((usd_micros is null) = (rate_id is null))
);
create index mem_usage_ledger_period_idx on mem_usage_ledger (owner_identity, created_at);
comment on table mem_usage_ledger is 'One row per provider call and owner, exactly once.';
comment on column mem_usage_ledger.owner_identity is 'Who pays.';
comment on column mem_usage_ledger.id is 'Opaque id.';
comment on column mem_usage_ledger.source is 'embed_image_document, embed_image_query or rerank_image.';
comment on column mem_usage_ledger.model is 'The model.';
comment on column mem_usage_ledger.call_id is 'Our own id of the call.';
comment on column mem_usage_ledger.provider_request_id is 'The provider''s id of the call.';
comment on column mem_usage_ledger.inputs is 'Inputs of the call.';
comment on column mem_usage_ledger.total_tokens is 'Tokens as reported.';
comment on column mem_usage_ledger.prompt_tokens is 'Text tokens as reported.';
comment on column mem_usage_ledger.image_tokens is 'Picture tokens as reported.';
comment on column mem_usage_ledger.usd_micros is 'Price by the rate in force; null when no rate is known.';
comment on column mem_usage_ledger.rate_id is 'The rate in force.';
comment on column mem_usage_ledger.estimated is 'Whether the tokens are an estimate for a call whose end is unknown.';
comment on column mem_usage_ledger.created_at is 'When the call ended.';

create table mem_provenance (
  owner_identity text not null,
  id text not null,
  vault text,
  operation text not null,
  asset_id text,
  object_id text,
  project_id text,
  folder_id text,
  subject_id text,
  actor_id text,
  key_id text,
  surface text,
  request_id text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  constraint mem_provenance_pkey primary key (owner_identity, id),
  constraint mem_provenance_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_provenance_id_check check (id like 'apv\_%'),
  constraint mem_provenance_operation_check check (operation in (
    'asset_project_create', 'asset_folder_create', 'asset_save', 'asset_embed', 'asset_search', 'asset_move',
    'asset_delete', 'asset_object_purge', 'asset_reconcile', 'asset_upload', 'asset_artifact', 'asset_key',
    'asset_vault', 'asset_update', 'asset_restore', 'asset_erase'
  )),
  constraint mem_provenance_details_check check (jsonb_typeof(details) = 'object')
);
create index mem_provenance_time_idx on mem_provenance (owner_identity, created_at desc, id desc);
create index mem_provenance_asset_idx on mem_provenance (owner_identity, asset_id, created_at desc) where asset_id is not null;
comment on table mem_provenance is 'Who did what, written with the change itself; append only; no query text, identity or URL.';
comment on column mem_provenance.owner_identity is 'Owner of what was changed.';
comment on column mem_provenance.id is 'Opaque id.';
comment on column mem_provenance.vault is 'The vault.';
comment on column mem_provenance.operation is 'Name of the operation (§21).';
comment on column mem_provenance.asset_id is 'The asset.';
comment on column mem_provenance.object_id is 'The object.';
comment on column mem_provenance.project_id is 'The project.';
comment on column mem_provenance.folder_id is 'The folder.';
comment on column mem_provenance.subject_id is 'Any other subject, such as a key or an upload.';
comment on column mem_provenance.actor_id is 'Opaque id of the person who acted; null is the system.';
comment on column mem_provenance.key_id is 'The key used.';
comment on column mem_provenance.surface is 'The key''s surface.';
comment on column mem_provenance.request_id is 'The call.';
comment on column mem_provenance.details is 'Bounded facts: counts, codes, sizes.';
comment on column mem_provenance.created_at is 'When.';

create table mem_access_log (
  owner_identity text not null,
  id text not null,
  vault text,
  tool text not null,
  outcome text not null,
  code text,
  asset_id text,
  actor_id text,
  key_id text,
  request_id text,
  created_at timestamptz not null default now(),
  constraint mem_access_log_pkey primary key (owner_identity, id),
  constraint mem_access_log_identity_fkey foreign key (owner_identity) references mem_identities (owner_identity),
  constraint mem_access_log_outcome_check check (outcome in ('link', 'denied')),
  constraint mem_access_log_code_check check ((outcome = 'denied') = (code is not null))
);
create index mem_access_log_time_idx on mem_access_log (owner_identity, created_at desc, id desc);
comment on table mem_access_log is 'Links issued and calls denied; append only.';
comment on column mem_access_log.owner_identity is 'For links the owner of the vault; for denials the caller.';
comment on column mem_access_log.id is 'Opaque id.';
comment on column mem_access_log.vault is 'The vault.';
comment on column mem_access_log.tool is 'Name of the tool.';
comment on column mem_access_log.outcome is 'link or denied.';
comment on column mem_access_log.code is 'Code of the error catalogue, for denials.';
comment on column mem_access_log.asset_id is 'The asset whose link was issued.';
comment on column mem_access_log.actor_id is 'Opaque id of the caller.';
comment on column mem_access_log.key_id is 'The key used.';
comment on column mem_access_log.request_id is 'The call.';
comment on column mem_access_log.created_at is 'When.';
