-- assets.insert: the user's record over an object
-- $1 owner identity  $2 vault  $3 asset  $4 project  $5 folder  $6 object  $7 mime type  $8 title  $9 title key
-- $10 title given  $11 description  $12 alt text  $13 source url  $14 its hash  $15 source host  $16 source kind
-- $17 source ref  $18 tags  $19 metadata  $20 actor  $21 now
insert into mem_assets (
  owner_identity, vault, id, project_id, folder_id, object_id, mime_type, title, title_key, title_given,
  description, alt_text, source_url, source_url_hash, source_host, source_kind, source_ref, tags, metadata,
  created_by, updated_by, created_at, updated_at
)
values (
  $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, to_jsonb($18::text[]), $19, $20, $20, $21, $21
)
