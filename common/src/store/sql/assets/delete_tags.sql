-- assets.delete_tags: filters no longer meet the assets; their own lists of tags stay
-- $1 owner identity  $2 vault  $3 assets
delete from mem_asset_tags
where owner_identity = $1
  and vault = $2
  and asset_id = any ($3)
