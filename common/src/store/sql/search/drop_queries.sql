-- search.drop_queries: query vectors whose time has passed
-- $1 owner identity  $2 now
delete from mem_query_vectors
where owner_identity = $1
  and expires_at <= $2
