-- What lists sort by, what usage reads, a folder's depth tied to its parent's, and narrower rights.

-- Byte order, as the application merges and pages by it.
drop index mem_assets_title_idx;
create index mem_assets_title_idx on mem_assets (owner_identity, vault, title_key collate "C", id)
  where status <> 'deleted';
create index mem_asset_objects_bytes_idx on mem_asset_objects (owner_identity, bytes desc, id)
  where status = 'available';

-- A parent is always one step higher: no row can lie about its depth, and no cycle can be stored.
alter table mem_asset_folders
  add column parent_depth smallint not null generated always as (depth - 1) stored,
  add constraint mem_asset_folders_depth_key unique (owner_identity, vault, project_id, id, depth),
  drop constraint mem_asset_folders_parent_fkey,
  add constraint mem_asset_folders_parent_fkey
    foreign key (owner_identity, vault, project_id, parent_id, parent_depth)
    references mem_asset_folders (owner_identity, vault, project_id, id, depth);
comment on column mem_asset_folders.parent_depth is 'Depth that the parent must have.';

-- A change of plan is recorded like any other act of an operator.
alter table mem_provenance
  drop constraint mem_provenance_operation_check,
  add constraint mem_provenance_operation_check check (operation in (
    'asset_project_create', 'asset_folder_create', 'asset_save', 'asset_embed', 'asset_search', 'asset_move',
    'asset_delete', 'asset_object_purge', 'asset_reconcile', 'asset_upload', 'asset_artifact', 'asset_key',
    'asset_vault', 'asset_plan', 'asset_update', 'asset_restore', 'asset_erase'
  ));

-- Who may enter, and what an owner may use, is an operator's to change.
revoke insert, update, delete on mem_vaults, mem_vault_members from im_app;
revoke update on mem_asset_namespaces from im_app;
grant update (original_bytes, preview_bytes, vector_bytes, reserved_bytes, updated_at) on mem_asset_namespaces to im_app;
