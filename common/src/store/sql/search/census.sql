-- search.census: vectors to compare, and live assets that have none for the model
-- $1 owner identity  $2 vaults  $3 model
select
  (
    select coalesce(sum(c.vectors), 0)::bigint
    from mem_asset_candidate_counts c
    where c.owner_identity = $1
      and c.vault = any ($2)
      and c.model = $3
  ) as candidates,
  (
    select count(*)
    from mem_assets a
    where a.owner_identity = $1
      and a.vault = any ($2)
      and a.status not in ('deleting', 'deleted')
      and not exists (
        select from mem_asset_model_states s
        where s.owner_identity = $1
          and s.asset_id = a.id
          and s.model = $3
          and s.visual = 'done'
      )
  ) as unsearchable
