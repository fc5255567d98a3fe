-- vectors.insert: one vector, with its asset's placement as it is now
-- $1 owner identity  $2 vector id  $3 asset  $4 representation  $5 model  $6 dimensions  $7 embedding
insert into memory_assets_v1 (
  owner_identity, placement, id, vault, asset_id, object_id, representation, model, dimensions, project_id,
  folder_id, mime_type, source_kind, created_at, embedding
)
select
  a.owner_identity, n.placement, $2, a.vault, a.id, a.object_id, $4, $5, $6, a.project_id,
  a.folder_id, a.mime_type, a.source_kind, a.created_at, $7::halfvec(1024)
from mem_assets a
join mem_asset_namespaces n on n.owner_identity = a.owner_identity
where a.owner_identity = $1
  and a.id = $3
