-- assets.list_by_title: live assets of one owner's vaults by title
-- $1 owner identity  $2 vaults  $3 project  $4 folders, any of them  $5 tags, all of them  $6 source kinds  $7 source hosts
-- $8 mime types  $9 saved from  $10 saved before  $11 statuses  $12 embedding statuses  $13 after this title key  $14 and this
-- asset  $15 limit  $16 candidates
select
  a.id, a.vault, a.project_id, a.folder_id, a.mime_type, a.title, a.title_key, a.description, a.alt_text, a.source_url,
  a.source_host, a.source_kind, a.tags, a.status, a.embedding_status, a.created_at, a.updated_at,
  o.bytes, o.width, o.height, o.status as object_status, o.preview_storage_key
from unnest($2::text[]) as v (vault)
cross join lateral (
  select m.*
  from mem_assets m
  where m.owner_identity = $1
    and m.vault = v.vault
    and m.status <> 'deleting'
    and m.status <> 'deleted'
    and ($16::text[] is null or m.id = any ($16))
    and ($3::text is null or m.project_id = $3)
    and ($4::text[] is null or m.folder_id = any ($4))
    and (
      $5::text[] is null
      or m.id in (
        select t.asset_id
        from mem_asset_tags t
        where t.owner_identity = $1
          and t.vault = any ($2)
          and t.tag = any ($5)
        group by t.asset_id
        having count(*) = cardinality($5)
      )
    )
    and ($6::text[] is null or m.source_kind = any ($6))
    and ($7::text[] is null or m.source_host = any ($7))
    and ($8::text[] is null or m.mime_type = any ($8))
    and ($9::timestamptz is null or m.created_at >= $9)
    and ($10::timestamptz is null or m.created_at < $10)
    and ($11::text[] is null or m.status = any ($11))
    and ($12::text[] is null or m.embedding_status = any ($12))
    and ($13::text is null or (m.title_key collate "C", m.id) > ($13::text collate "C", $14::text))
  order by m.title_key collate "C", m.id
  limit $15
) a
join mem_asset_objects o on o.owner_identity = $1 and o.id = a.object_id
order by a.title_key collate "C", a.id
limit $15
