-- assets.place: put assets of a vault into another place
-- $1 owner identity  $2 vault  $3 assets  $4 project  $5 folder  $6 actor  $7 now
update mem_assets
set project_id = $4, folder_id = $5, updated_by = $6, updated_at = $7
where owner_identity = $1
  and vault = $2
  and id = any ($3)
