-- What is remembered: projects, folders, objects, assets, their tags, and the room they take.

create table mem_asset_projects (
  owner_identity text not null,
  vault text not null,
  id text not null,
  name text not null,
  name_key text not null,
  description text,
  status text not null default 'active',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint mem_asset_projects_pkey primary key (owner_identity, id),
  constraint mem_asset_projects_vault_id_key unique (owner_identity, vault, id),
  constraint mem_asset_projects_vault_fkey foreign key (owner_identity, vault) references mem_vaults (owner_identity, id),
  constraint mem_asset_projects_id_check check (id like 'apr\_%'),
  constraint mem_asset_projects_name_check check (char_length(name) between 1 and 120),
  constraint mem_asset_projects_name_key_check check (name_key <> ''),
  constraint mem_asset_projects_description_check check (char_length(description) <= 2000),
  constraint mem_asset_projects_status_check check (status in ('active', 'archived', 'deleted')),
  constraint mem_asset_projects_deleted_check check ((status = 'deleted') = (deleted_at is not null))
);
create unique index mem_asset_projects_name_uidx on mem_asset_projects (owner_identity, vault, name_key) where status = 'active';
comment on table mem_asset_projects is 'Projects of a vault.';
comment on column mem_asset_projects.owner_identity is 'Owner of the vault.';
comment on column mem_asset_projects.vault is 'The vault.';
comment on column mem_asset_projects.id is 'Opaque id.';
comment on column mem_asset_projects.name is 'Name as written.';
comment on column mem_asset_projects.name_key is 'Name folded for comparison, computed by the application alone.';
comment on column mem_asset_projects.description is 'Free text.';
comment on column mem_asset_projects.status is 'active, archived (hidden by default, nothing lost) or deleted.';
comment on column mem_asset_projects.created_by is 'Identity that made it.';
comment on column mem_asset_projects.created_at is 'When it was made.';
comment on column mem_asset_projects.updated_at is 'When it last changed.';
comment on column mem_asset_projects.deleted_at is 'When it was deleted.';

create table mem_asset_folders (
  owner_identity text not null,
  vault text not null,
  project_id text not null,
  id text not null,
  parent_id text,
  depth smallint not null,
  name text not null,
  name_key text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint mem_asset_folders_pkey primary key (owner_identity, id),
  constraint mem_asset_folders_project_id_key unique (owner_identity, vault, project_id, id),
  constraint mem_asset_folders_project_fkey foreign key (owner_identity, vault, project_id)
    references mem_asset_projects (owner_identity, vault, id),
  constraint mem_asset_folders_parent_fkey foreign key (owner_identity, vault, project_id, parent_id)
    references mem_asset_folders (owner_identity, vault, project_id, id),
  constraint mem_asset_folders_id_check check (id like 'afl\_%'),
  constraint mem_asset_folders_name_check check (char_length(name) between 1 and 120),
  constraint mem_asset_folders_name_key_check check (name_key <> ''),
  constraint mem_asset_folders_depth_check check (depth between 1 and 8),
  constraint mem_asset_folders_root_check check ((parent_id is null) = (depth = 1)),
  constraint mem_asset_folders_parent_check check (parent_id <> id)
);
create unique index mem_asset_folders_name_uidx on mem_asset_folders (owner_identity, project_id, parent_id, name_key)
  nulls not distinct where deleted_at is null;
create index mem_asset_folders_parent_idx on mem_asset_folders (owner_identity, vault, project_id, parent_id);
comment on table mem_asset_folders is 'Folders of a project, at most eight deep. Paths are computed, never stored.';
comment on column mem_asset_folders.owner_identity is 'Owner of the vault.';
comment on column mem_asset_folders.vault is 'The vault.';
comment on column mem_asset_folders.project_id is 'The project.';
comment on column mem_asset_folders.id is 'Opaque id.';
comment on column mem_asset_folders.parent_id is 'Folder that holds it; null at the top.';
comment on column mem_asset_folders.depth is '1 at the top, 8 at the most.';
comment on column mem_asset_folders.name is 'Name as written.';
comment on column mem_asset_folders.name_key is 'Name folded for comparison among siblings, computed by the application alone.';
comment on column mem_asset_folders.created_by is 'Identity that made it.';
comment on column mem_asset_folders.created_at is 'When it was made.';
comment on column mem_asset_folders.updated_at is 'When it last changed.';
comment on column mem_asset_folders.deleted_at is 'When it was deleted.';

create table mem_asset_objects (
  owner_identity text not null,
  namespace_id text not null,
  id text not null,
  sha256 text not null,
  storage_key text not null,
  preview_storage_key text not null,
  mime_type text not null,
  extension text not null,
  bytes bigint not null,
  preview_bytes bigint not null,
  width integer not null,
  height integer not null,
  preview_width integer not null,
  preview_height integer not null,
  animated boolean not null,
  warnings jsonb not null default '[]',
  etag text,
  version_id text,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  purge_after timestamptz,
  purge_started_at timestamptz,
  deleted_at timestamptz,
  constraint mem_asset_objects_pkey primary key (owner_identity, id),
  constraint mem_asset_objects_storage_key_key unique (storage_key),
  constraint mem_asset_objects_preview_storage_key_key unique (preview_storage_key),
  constraint mem_asset_objects_namespace_fkey foreign key (owner_identity, namespace_id)
    references mem_asset_namespaces (owner_identity, namespace_id),
  constraint mem_asset_objects_id_check check (id like 'aob\_%'),
  constraint mem_asset_objects_sha256_check check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint mem_asset_objects_mime_type_check check (mime_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  constraint mem_asset_objects_extension_check check (extension in ('jpg', 'png', 'webp', 'gif')),
  constraint mem_asset_objects_bytes_check check (bytes > 0),
  constraint mem_asset_objects_preview_bytes_check check (preview_bytes > 0),
  constraint mem_asset_objects_size_check check (width > 0 and height > 0),
  constraint mem_asset_objects_preview_size_check check (preview_width > 0 and preview_height > 0),
  constraint mem_asset_objects_warnings_check check (jsonb_typeof(warnings) = 'array'),
  constraint mem_asset_objects_status_check check (status in ('pending', 'available', 'quarantined', 'deleting', 'deleted')),
  constraint mem_asset_objects_deleted_check check ((status = 'deleted') = (deleted_at is not null)),
  constraint mem_asset_objects_purge_check check (status <> 'deleting' or purge_after is not null)
);
create unique index mem_asset_objects_sha256_uidx on mem_asset_objects (owner_identity, sha256)
  where status in ('pending', 'available', 'quarantined');
create index mem_asset_objects_namespace_idx on mem_asset_objects (owner_identity, namespace_id);
create index mem_asset_objects_purge_idx on mem_asset_objects (purge_after) where status = 'deleting';
create index mem_asset_objects_pending_idx on mem_asset_objects (created_at) where status = 'pending';
comment on table mem_asset_objects is 'Immutable bytes of one owner, each SHA-256 once; several assets may share one. Never shared between owners.';
comment on column mem_asset_objects.owner_identity is 'The tenant.';
comment on column mem_asset_objects.namespace_id is 'Its namespace, as the keys carry it.';
comment on column mem_asset_objects.id is 'Opaque id.';
comment on column mem_asset_objects.sha256 is 'SHA-256 of the original, lowercase hex.';
comment on column mem_asset_objects.storage_key is 'Key of the original; server-made.';
comment on column mem_asset_objects.preview_storage_key is 'Key of the sanitized WebP preview; server-made.';
comment on column mem_asset_objects.mime_type is 'Type that the bytes have.';
comment on column mem_asset_objects.extension is 'Extension that goes with the type.';
comment on column mem_asset_objects.bytes is 'Length of the original.';
comment on column mem_asset_objects.preview_bytes is 'Length of the preview.';
comment on column mem_asset_objects.width is 'Width in pixels, upright.';
comment on column mem_asset_objects.height is 'Height in pixels, upright.';
comment on column mem_asset_objects.preview_width is 'Width of the preview.';
comment on column mem_asset_objects.preview_height is 'Height of the preview.';
comment on column mem_asset_objects.animated is 'Whether the original has more than one frame; the preview shows the first.';
comment on column mem_asset_objects.warnings is 'What was accepted although unusual: array of {code, message}.';
comment on column mem_asset_objects.etag is 'The store''s tag; opaque.';
comment on column mem_asset_objects.version_id is 'The store''s version, where it has one.';
comment on column mem_asset_objects.status is 'pending until the bytes are put; available; quarantined (never served, never reused); deleting until purged; deleted.';
comment on column mem_asset_objects.created_at is 'When the row was made, before the put.';
comment on column mem_asset_objects.updated_at is 'When the status last changed.';
comment on column mem_asset_objects.purge_after is 'When the bytes may be purged.';
comment on column mem_asset_objects.purge_started_at is 'When purging began; from then on nothing revives the object.';
comment on column mem_asset_objects.deleted_at is 'When the bytes were proven gone.';

create table mem_assets (
  owner_identity text not null,
  vault text not null,
  id text not null,
  project_id text,
  folder_id text,
  object_id text not null,
  media_kind text not null default 'image',
  mime_type text not null,
  title text not null,
  title_key text not null,
  title_given boolean not null,
  description text,
  alt_text text,
  source_url text,
  source_url_hash text,
  source_host text,
  source_kind text not null,
  source_ref jsonb,
  tags jsonb not null default '[]',
  metadata jsonb,
  status text not null default 'processing',
  embedding_status text not null default 'pending',
  failure_code text,
  failure_message text,
  created_by text not null,
  updated_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint mem_assets_pkey primary key (owner_identity, id),
  constraint mem_assets_vault_id_key unique (owner_identity, vault, id),
  constraint mem_assets_object_link_key unique (owner_identity, vault, id, object_id),
  constraint mem_assets_vault_fkey foreign key (owner_identity, vault) references mem_vaults (owner_identity, id),
  constraint mem_assets_project_fkey foreign key (owner_identity, vault, project_id)
    references mem_asset_projects (owner_identity, vault, id),
  constraint mem_assets_folder_fkey foreign key (owner_identity, vault, project_id, folder_id)
    references mem_asset_folders (owner_identity, vault, project_id, id),
  constraint mem_assets_object_fkey foreign key (owner_identity, object_id) references mem_asset_objects (owner_identity, id),
  constraint mem_assets_id_check check (id like 'ast\_%'),
  constraint mem_assets_folder_check check (folder_id is null or project_id is not null),
  constraint mem_assets_media_kind_check check (media_kind in ('image')),
  constraint mem_assets_mime_type_check check (mime_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif')),
  constraint mem_assets_title_check check (char_length(title) between 1 and 240),
  constraint mem_assets_description_check check (char_length(description) <= 4000),
  constraint mem_assets_alt_text_check check (char_length(alt_text) <= 1000),
  constraint mem_assets_source_url_check check (char_length(source_url) <= 4096),
  constraint mem_assets_source_url_hash_check check (source_url_hash ~ '^[0-9a-f]{64}$'),
  constraint mem_assets_source_check check ((source_url is null) = (source_url_hash is null)),
  constraint mem_assets_source_kind_check check (
    source_kind in ('upload', 'scrape', 'screenshot', 'instagram', 'external_url', 'import')
  ),
  constraint mem_assets_source_ref_check check (jsonb_typeof(source_ref) = 'object' and octet_length(source_ref::text) <= 16384),
  constraint mem_assets_tags_check check (jsonb_typeof(tags) = 'array' and jsonb_array_length(tags) <= 32),
  constraint mem_assets_metadata_check check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 16384),
  constraint mem_assets_status_check check (status in ('processing', 'ready', 'failed', 'deleting', 'deleted')),
  constraint mem_assets_embedding_status_check check (embedding_status in ('pending', 'running', 'ready', 'partial', 'failed')),
  constraint mem_assets_deleted_check check ((status = 'deleted') = (deleted_at is not null)),
  constraint mem_assets_failure_message_check check (char_length(failure_message) <= 500)
);
create index mem_assets_created_idx on mem_assets (owner_identity, vault, created_at desc, id desc) where status <> 'deleted';
create index mem_assets_title_idx on mem_assets (owner_identity, vault, title_key, id) where status <> 'deleted';
create index mem_assets_placement_idx on mem_assets (owner_identity, project_id, folder_id, created_at desc, id desc);
create index mem_assets_object_idx on mem_assets (owner_identity, object_id) where status <> 'deleted';
create index mem_assets_source_url_idx on mem_assets (owner_identity, vault, source_url_hash) where source_url_hash is not null;
create index mem_assets_source_host_idx on mem_assets (owner_identity, vault, source_host) where source_host is not null;
comment on table mem_assets is 'The user''s record over an object.';
comment on column mem_assets.owner_identity is 'Owner of the vault.';
comment on column mem_assets.vault is 'The vault.';
comment on column mem_assets.id is 'Opaque id.';
comment on column mem_assets.project_id is 'Project; null is Unfiled.';
comment on column mem_assets.folder_id is 'Folder of that project; null is its top.';
comment on column mem_assets.object_id is 'The bytes.';
comment on column mem_assets.media_kind is 'image.';
comment on column mem_assets.mime_type is 'Type of the bytes, repeated for filters.';
comment on column mem_assets.title is 'Title as shown.';
comment on column mem_assets.title_key is 'Title folded for sorting, computed by the application alone.';
comment on column mem_assets.title_given is 'Whether a caller gave the title; a derived one has no part in the fused vector.';
comment on column mem_assets.description is 'Free text.';
comment on column mem_assets.alt_text is 'Alternative text.';
comment on column mem_assets.source_url is 'Where it came from, normalized, without user name, fragment and signed parameters.';
comment on column mem_assets.source_url_hash is 'SHA-256 of source_url, for repeats of a handoff.';
comment on column mem_assets.source_host is 'Host of source_url or of the page it stood on.';
comment on column mem_assets.source_kind is 'upload, scrape, screenshot, instagram, external_url or import.';
comment on column mem_assets.source_ref is 'Bounded provenance as the caller gave it; no secrets.';
comment on column mem_assets.tags is 'Cleaned, folded, sorted, unique; mem_asset_tags repeats them for filters.';
comment on column mem_assets.metadata is 'Bounded data of the caller''s own; no secrets.';
comment on column mem_assets.status is 'processing, ready, failed, deleting or deleted.';
comment on column mem_assets.embedding_status is 'pending, running, ready, partial or failed, for the active model.';
comment on column mem_assets.failure_code is 'Code of the error catalogue.';
comment on column mem_assets.failure_message is 'Bounded sentence.';
comment on column mem_assets.created_by is 'Identity that saved it.';
comment on column mem_assets.updated_by is 'Identity that changed it last.';
comment on column mem_assets.created_at is 'When it was saved.';
comment on column mem_assets.updated_at is 'When it last changed.';
comment on column mem_assets.deleted_at is 'When it was deleted.';

create table mem_asset_tags (
  owner_identity text not null,
  vault text not null,
  tag text not null,
  asset_id text not null,
  constraint mem_asset_tags_pkey primary key (owner_identity, vault, tag, asset_id),
  constraint mem_asset_tags_asset_fkey foreign key (owner_identity, vault, asset_id)
    references mem_assets (owner_identity, vault, id) on delete cascade,
  constraint mem_asset_tags_tag_check check (char_length(tag) between 1 and 64)
);
create index mem_asset_tags_asset_idx on mem_asset_tags (owner_identity, vault, asset_id);
comment on table mem_asset_tags is 'The tags of mem_assets once more, one a row: an index on an array is of no use under row-level security. Written by one function together with the array.';
comment on column mem_asset_tags.owner_identity is 'Owner of the vault.';
comment on column mem_asset_tags.vault is 'The vault.';
comment on column mem_asset_tags.tag is 'One tag, cleaned and folded.';
comment on column mem_asset_tags.asset_id is 'The asset that carries it.';

create table mem_asset_upload_reservations (
  owner_identity text not null,
  id text not null,
  operation text not null,
  expected_bytes bigint not null,
  actual_bytes bigint,
  status text not null default 'reserved',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint mem_asset_upload_reservations_pkey primary key (owner_identity, id),
  constraint mem_asset_upload_reservations_namespace_fkey foreign key (owner_identity)
    references mem_asset_namespaces (owner_identity),
  constraint mem_asset_upload_reservations_id_check check (id like 'aur\_%'),
  constraint mem_asset_upload_reservations_operation_check check (
    operation in ('image_asset_save', 'image_upload_create', 'artifact_create')
  ),
  constraint mem_asset_upload_reservations_expected_bytes_check check (expected_bytes > 0),
  constraint mem_asset_upload_reservations_actual_bytes_check check (actual_bytes >= 0),
  constraint mem_asset_upload_reservations_status_check check (
    status in ('reserved', 'finalized', 'released', 'expired', 'cancelled')
  ),
  constraint mem_asset_upload_reservations_actual_check check ((status = 'finalized') = (actual_bytes is not null))
);
create index mem_asset_upload_reservations_expiry_idx on mem_asset_upload_reservations (expires_at) where status = 'reserved';
comment on table mem_asset_upload_reservations is 'Bytes held while a save or an upload is under way; reserved_bytes of the namespace is the sum of the open ones.';
comment on column mem_asset_upload_reservations.owner_identity is 'Who pays.';
comment on column mem_asset_upload_reservations.id is 'Opaque id.';
comment on column mem_asset_upload_reservations.operation is 'What holds the bytes.';
comment on column mem_asset_upload_reservations.expected_bytes is 'Bytes held: original, upper bound of the preview, vectors.';
comment on column mem_asset_upload_reservations.actual_bytes is 'Bytes charged at finalize; the rest was released.';
comment on column mem_asset_upload_reservations.status is 'reserved, finalized, released (the try failed), expired or cancelled.';
comment on column mem_asset_upload_reservations.created_by is 'Identity that asked.';
comment on column mem_asset_upload_reservations.created_at is 'When it was made.';
comment on column mem_asset_upload_reservations.updated_at is 'When the status last changed.';
comment on column mem_asset_upload_reservations.expires_at is 'When it may be expired.';

create table mem_asset_uploads (
  owner_identity text not null,
  vault text not null,
  id text not null,
  reservation_id text not null,
  project_id text,
  folder_id text,
  request jsonb not null,
  declared_type text,
  declared_bytes bigint not null,
  declared_sha256 text,
  staging_key text not null,
  status text not null default 'reserved',
  asset_id text,
  failure_code text,
  failure_message text,
  warnings jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint mem_asset_uploads_pkey primary key (owner_identity, id),
  constraint mem_asset_uploads_staging_key_key unique (staging_key),
  constraint mem_asset_uploads_vault_fkey foreign key (owner_identity, vault) references mem_vaults (owner_identity, id),
  constraint mem_asset_uploads_reservation_fkey foreign key (owner_identity, reservation_id)
    references mem_asset_upload_reservations (owner_identity, id),
  constraint mem_asset_uploads_project_fkey foreign key (owner_identity, vault, project_id)
    references mem_asset_projects (owner_identity, vault, id),
  constraint mem_asset_uploads_folder_fkey foreign key (owner_identity, vault, project_id, folder_id)
    references mem_asset_folders (owner_identity, vault, project_id, id),
  constraint mem_asset_uploads_asset_fkey foreign key (owner_identity, vault, asset_id)
    references mem_assets (owner_identity, vault, id),
  constraint mem_asset_uploads_id_check check (id like 'aul\_%'),
  constraint mem_asset_uploads_folder_check check (folder_id is null or project_id is not null),
  constraint mem_asset_uploads_request_check check (jsonb_typeof(request) = 'object'),
  constraint mem_asset_uploads_declared_bytes_check check (declared_bytes > 0),
  constraint mem_asset_uploads_declared_sha256_check check (declared_sha256 ~ '^[0-9a-f]{64}$'),
  constraint mem_asset_uploads_status_check check (status in ('reserved', 'finalized', 'failed', 'expired', 'cancelled')),
  constraint mem_asset_uploads_asset_check check ((status = 'finalized') = (asset_id is not null)),
  constraint mem_asset_uploads_failure_check check ((status = 'failed') = (failure_code is not null)),
  constraint mem_asset_uploads_failure_message_check check (char_length(failure_message) <= 500),
  constraint mem_asset_uploads_warnings_check check (jsonb_typeof(warnings) = 'array')
);
create index mem_asset_uploads_open_idx on mem_asset_uploads (expires_at) where status = 'reserved';
create index mem_asset_uploads_reservation_idx on mem_asset_uploads (owner_identity, reservation_id);
create index mem_asset_uploads_placement_idx on mem_asset_uploads (owner_identity, vault, project_id, folder_id);
create index mem_asset_uploads_asset_idx on mem_asset_uploads (owner_identity, vault, asset_id);
comment on table mem_asset_uploads is 'Direct uploads: what was announced, and what became of it. The first of event, sweep and cancel to lock the row decides.';
comment on column mem_asset_uploads.owner_identity is 'Owner of the vault.';
comment on column mem_asset_uploads.vault is 'The vault.';
comment on column mem_asset_uploads.id is 'Opaque id.';
comment on column mem_asset_uploads.reservation_id is 'The bytes held for it.';
comment on column mem_asset_uploads.project_id is 'Project wanted.';
comment on column mem_asset_uploads.folder_id is 'Folder wanted.';
comment on column mem_asset_uploads.request is 'Cleaned texts, tags, source and metadata of the asset to be.';
comment on column mem_asset_uploads.declared_type is 'Type announced.';
comment on column mem_asset_uploads.declared_bytes is 'Length announced.';
comment on column mem_asset_uploads.declared_sha256 is 'SHA-256 announced, lowercase hex.';
comment on column mem_asset_uploads.staging_key is 'Key that the client may write; server-made.';
comment on column mem_asset_uploads.status is 'reserved, finalized, failed, expired or cancelled.';
comment on column mem_asset_uploads.asset_id is 'The asset it became.';
comment on column mem_asset_uploads.failure_code is 'Code of the error catalogue.';
comment on column mem_asset_uploads.failure_message is 'Bounded sentence.';
comment on column mem_asset_uploads.warnings is 'Array of {code, message}.';
comment on column mem_asset_uploads.created_by is 'Identity that asked.';
comment on column mem_asset_uploads.created_at is 'When it was made.';
comment on column mem_asset_uploads.updated_at is 'When the status last changed.';
comment on column mem_asset_uploads.expires_at is 'When it ends if nothing arrives.';

create table mem_artifacts (
  owner_identity text not null,
  id text not null,
  reservation_id text not null,
  sha256 text,
  bytes bigint,
  declared_type text,
  storage_key text not null,
  status text not null default 'reserved',
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint mem_artifacts_pkey primary key (owner_identity, id),
  constraint mem_artifacts_storage_key_key unique (storage_key),
  constraint mem_artifacts_reservation_fkey foreign key (owner_identity, reservation_id)
    references mem_asset_upload_reservations (owner_identity, id),
  constraint mem_artifacts_id_check check (id like 'art\_%'),
  constraint mem_artifacts_sha256_check check (sha256 ~ '^[0-9a-f]{64}$'),
  constraint mem_artifacts_bytes_check check (bytes > 0),
  constraint mem_artifacts_status_check check (status in ('reserved', 'available', 'expired', 'deleted')),
  constraint mem_artifacts_available_check check (status <> 'available' or (sha256 is not null and bytes is not null))
);
create unique index mem_artifacts_sha256_uidx on mem_artifacts (owner_identity, sha256) where status = 'available';
create index mem_artifacts_expiry_idx on mem_artifacts (expires_at) where status in ('reserved', 'available');
create index mem_artifacts_reservation_idx on mem_artifacts (owner_identity, reservation_id);
comment on table mem_artifacts is 'Temporary private bytes of an owner, for 24 hours, from which assets can be saved.';
comment on column mem_artifacts.owner_identity is 'Whose bytes they are.';
comment on column mem_artifacts.id is 'Opaque id.';
comment on column mem_artifacts.reservation_id is 'The bytes held for it.';
comment on column mem_artifacts.sha256 is 'SHA-256 once the bytes are there.';
comment on column mem_artifacts.bytes is 'Length once the bytes are there.';
comment on column mem_artifacts.declared_type is 'Type announced.';
comment on column mem_artifacts.storage_key is 'Key; server-made.';
comment on column mem_artifacts.status is 'reserved, available, expired or deleted.';
comment on column mem_artifacts.created_by is 'Identity that asked.';
comment on column mem_artifacts.created_at is 'When it was made.';
comment on column mem_artifacts.updated_at is 'When the status last changed.';
comment on column mem_artifacts.expires_at is 'When it ends.';
