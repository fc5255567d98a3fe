-- provenance.insert: who did what, a line each
-- $1 owner identity  $2 lines  $3 now
insert into mem_provenance (
  owner_identity, id, vault, operation, asset_id, object_id, project_id, folder_id, subject_id,
  actor_id, key_id, surface, request_id, details, created_at
)
select
  $1, line.id, line.vault, line.operation, line.asset, line.object, line.project, line.folder, line.subject,
  line.actor, line.key, line.surface, line.request, line.details, $3
from jsonb_to_recordset($2::jsonb) as line (
  id text, vault text, operation text, asset text, object text, project text, folder text, subject text,
  actor text, key text, surface text, request text, details jsonb
)
