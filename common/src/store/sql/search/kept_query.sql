-- search.kept_query: the vector of an earlier page
-- $1 owner identity  $2 id  $3 model  $4 now
select q.embedding::real[] as embedding
from mem_query_vectors q
where q.owner_identity = $1
  and q.id = $2
  and q.model = $3
  and q.expires_at > $4
