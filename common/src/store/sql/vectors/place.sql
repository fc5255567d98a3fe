-- vectors.place: let vectors follow their assets into another place
-- $1 owner identity  $2 vault  $3 assets  $4 project  $5 folder
update memory_assets_v1
set project_id = $4, folder_id = $5
where owner_identity = $1
  and vault = $2
  and asset_id = any ($3)
