-- search.keep_query: a query vector for further pages
-- $1 owner identity  $2 id  $3 model  $4 embedding  $5 now  $6 end
insert into mem_query_vectors (owner_identity, id, model, embedding, created_at, expires_at)
values ($1, $2, $3, $4::halfvec(1024), $5, $6)
