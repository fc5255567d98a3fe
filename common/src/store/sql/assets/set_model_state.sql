-- assets.set_model_state: one representation's state; tells both
-- $1 owner identity  $2 asset  $3 model  $4 representation  $5 state  $6 now
update mem_asset_model_states
set
  visual = case $4 when 'visual' then $5 else visual end,
  fused = case $4 when 'fused' then $5 else fused end,
  updated_at = $6
where owner_identity = $1
  and asset_id = $2
  and model = $3
returning visual, fused
