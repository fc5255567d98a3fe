-- assets.delete_model_states: no model owes the assets anything any more
-- $1 owner identity  $2 vault  $3 assets
delete from mem_asset_model_states
where owner_identity = $1
  and vault = $2
  and asset_id = any ($3)
