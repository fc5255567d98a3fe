-- assets.insert_tags: the same tags once more, one a row, for filters
-- $1 owner identity  $2 vault  $3 asset  $4 tags
insert into mem_asset_tags (owner_identity, vault, tag, asset_id)
select $1, $2, tag, $3
from unnest($4::text[]) as tag
