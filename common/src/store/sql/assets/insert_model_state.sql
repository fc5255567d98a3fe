-- assets.insert_model_state: which representations a model owes the asset
-- $1 owner identity  $2 vault  $3 asset  $4 model  $5 fused state or null  $6 now
insert into mem_asset_model_states (owner_identity, vault, asset_id, model, fused, updated_at)
values ($1, $2, $3, $4, $5, $6)
