-- vectors.delete: one vector, wherever it is placed
-- $1 owner identity  $2 vector id
delete from memory_assets_v1
where owner_identity = $1
  and id = $2
