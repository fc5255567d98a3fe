-- The second lock: row-level security on every tenant table, forced, so that even the owner role is
-- bound by it. `im_app` sees the one owner that the transaction names; `im_system` sees all and is
-- used by the few statements of store::system alone. Grants go to partitioned parents only: a policy
-- on a parent does not guard a partition that is read directly.

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'mem_identities', 'mem_asset_namespaces', 'mem_keys', 'mem_vaults', 'mem_vault_members',
    'mem_asset_projects', 'mem_asset_folders', 'mem_asset_objects', 'mem_assets', 'mem_asset_tags',
    'mem_asset_upload_reservations', 'mem_asset_uploads', 'mem_artifacts', 'mem_asset_model_states',
    'mem_asset_embedding_jobs', 'memory_assets_v1', 'mem_asset_candidate_counts', 'mem_query_vectors',
    'mem_idempotency', 'mem_usage_ledger', 'mem_provenance', 'mem_access_log'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy %I on %I for all to im_app using (owner_identity = current_setting(''app.owner_identity'', true)) '
      'with check (owner_identity = current_setting(''app.owner_identity'', true))',
      tenant_table || '_owner', tenant_table
    );
    execute format(
      'create policy %I on %I for all to im_system using (true) with check (true)',
      tenant_table || '_system', tenant_table
    );
    execute format('grant select, insert, update, delete on %I to im_app, im_system', tenant_table);
  end loop;
end
$$;

-- Nobody rewrites history, and no tenant statement touches who may call or enter.
revoke update, delete on mem_provenance, mem_access_log, mem_usage_ledger from im_app;
revoke update on mem_provenance, mem_access_log, mem_usage_ledger from im_system;
revoke insert, update, delete on mem_identities, mem_keys from im_app;
revoke insert, delete on mem_asset_namespaces from im_app;
revoke delete on mem_assets, mem_asset_objects, mem_asset_embedding_jobs from im_app;

grant select on mem_plans, mem_asset_indexes, mem_rate_card, mem_schema to im_app, im_system;
grant insert, update on mem_plans, mem_asset_indexes, mem_rate_card to im_system;
