-- projects.list: projects of one owner's vaults by name
-- $1 owner identity  $2 vaults  $3 archived ones too  $4 after this name key  $5 and this project  $6 limit
select p.id, p.vault, p.name, p.name_key, p.description, p.status, p.created_at, p.updated_at
from mem_asset_projects p
where p.owner_identity = $1
  and p.vault = any ($2)
  and (p.status = 'active' or ($3 and p.status = 'archived'))
  and ($4::text is null or (p.name_key collate "C", p.id) > ($4::text collate "C", $5::text))
order by p.name_key collate "C", p.id
limit $6
