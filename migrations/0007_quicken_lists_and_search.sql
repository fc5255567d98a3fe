-- Indexes that lists were measured to need, and ids that stay in the rows of their vectors.

-- A project's images newest first. Without it a page is found by walking the whole vault.
create index mem_assets_project_idx on mem_assets (owner_identity, vault, project_id, created_at desc, id desc)
  where status <> 'deleted' and project_id is not null;
-- What is not searchable yet, or failed: few rows of many, and what one looks for when something is wrong.
create index mem_assets_unsettled_idx on mem_assets (owner_identity, vault, created_at desc, id desc)
  where status <> 'deleted' and (status <> 'ready' or embedding_status <> 'ready');

-- A vector makes its row longer than two kilobytes, and what may then be moved out of the row is. The vector
-- itself stays (0003), so it would be the ids that go, each a lookup of its own: measured on an owner's 5,000
-- vectors, comparing all of them touched 156,607 pages instead of 1,733, and took 103 ms instead of 11.
alter table memory_assets_v1_shared
  alter column owner_identity set storage plain,
  alter column placement set storage plain,
  alter column id set storage plain,
  alter column vault set storage plain,
  alter column asset_id set storage plain,
  alter column object_id set storage plain,
  alter column representation set storage plain,
  alter column model set storage plain,
  alter column project_id set storage plain,
  alter column folder_id set storage plain,
  alter column mime_type set storage plain,
  alter column source_kind set storage plain;
