-- search.exact: the nearest vectors of one representation, every candidate compared
-- $1 owner identity  $2 vaults  $3 model  $4 representation  $5 query  $6 limit  $7 project  $8 folders, any of them
-- $9 tags, all of them  $10 source kinds  $11 source hosts  $12 mime types  $13 saved from  $14 saved before
select v.asset_id, -(v.embedding <#> $5::halfvec(1024)) as cosine
from memory_assets_v1 v
where v.owner_identity = $1
  and v.model = $3
  and v.vault = any ($2)
  and v.representation = $4
  and ($7::text is null or v.project_id = $7)
  and ($8::text[] is null or v.folder_id = any ($8))
  and (
    $9::text[] is null
    or v.asset_id in (
      select t.asset_id
      from mem_asset_tags t
      where t.owner_identity = $1
        and t.vault = any ($2)
        and t.tag = any ($9)
      group by t.asset_id
      having count(*) = cardinality($9)
    )
  )
  and ($10::text[] is null or v.source_kind = any ($10))
  and (
    $11::text[] is null
    or v.asset_id in (
      select a.id
      from mem_assets a
      where a.owner_identity = $1
        and a.vault = any ($2)
        and a.source_host = any ($11)
        and a.status <> 'deleted'
    )
  )
  and ($12::text[] is null or v.mime_type = any ($12))
  and ($13::timestamptz is null or v.created_at >= $13)
  and ($14::timestamptz is null or v.created_at < $14)
-- `+ 0` keeps the planner off any approximate index.
order by (v.embedding <#> $5::halfvec(1024)) + 0, v.asset_id
limit $6
