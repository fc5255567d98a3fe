//! Projects, folders, objects, assets, tags, reservations, uploads, artifacts; see `links`.

use super::{Across, Attempts, Links};

pub(super) const CHECKS: Attempts = &[
    (
        "mem_asset_projects_id_check",
        "update mem_asset_projects set id = 'x' where id = '{apr2}'",
    ),
    (
        "mem_asset_projects_name_check",
        "update mem_asset_projects set name = ''",
    ),
    (
        "mem_asset_projects_name_check",
        "update mem_asset_projects set name = repeat('x', 121)",
    ),
    (
        "mem_asset_projects_name_key_check",
        "update mem_asset_projects set name_key = '' where id = '{apr1}'",
    ),
    (
        "mem_asset_projects_description_check",
        "update mem_asset_projects set description = repeat('x', 2001)",
    ),
    (
        "mem_asset_projects_status_check",
        "update mem_asset_projects set status = 'hidden'",
    ),
    (
        "mem_asset_projects_deleted_check",
        "update mem_asset_projects set status = 'deleted'",
    ),
    (
        "mem_asset_projects_deleted_check",
        "update mem_asset_projects set deleted_at = now()",
    ),
    (
        "mem_asset_folders_id_check",
        "update mem_asset_folders set id = 'x' where id = '{afl3}'",
    ),
    (
        "mem_asset_folders_name_check",
        "update mem_asset_folders set name = ''",
    ),
    (
        "mem_asset_folders_name_check",
        "update mem_asset_folders set name = repeat('x', 121)",
    ),
    (
        "mem_asset_folders_name_key_check",
        "update mem_asset_folders set name_key = '' where id = '{afl1}'",
    ),
    (
        "mem_asset_folders_depth_check",
        "update mem_asset_folders set depth = 9 where id = '{afl2}'",
    ),
    (
        "mem_asset_folders_depth_check",
        "update mem_asset_folders set depth = 0 where id = '{afl2}'",
    ),
    (
        "mem_asset_folders_root_check",
        "update mem_asset_folders set depth = 2 where id = '{afl1}'",
    ),
    (
        "mem_asset_folders_root_check",
        "update mem_asset_folders set depth = 1 where id = '{afl2}'",
    ),
    (
        "mem_asset_folders_parent_check",
        "update mem_asset_folders set parent_id = id where id = '{afl2}'",
    ),
    (
        "mem_asset_objects_id_check",
        "update mem_asset_objects set id = 'x' where id = '{aob2}'",
    ),
    (
        "mem_asset_objects_sha256_check",
        "update mem_asset_objects set sha256 = upper(sha256)",
    ),
    (
        "mem_asset_objects_mime_type_check",
        "update mem_asset_objects set mime_type = 'image/jpg'",
    ),
    (
        "mem_asset_objects_extension_check",
        "update mem_asset_objects set extension = 'jpeg'",
    ),
    (
        "mem_asset_objects_bytes_check",
        "update mem_asset_objects set bytes = 0",
    ),
    (
        "mem_asset_objects_preview_bytes_check",
        "update mem_asset_objects set preview_bytes = 0",
    ),
    (
        "mem_asset_objects_size_check",
        "update mem_asset_objects set width = 0",
    ),
    (
        "mem_asset_objects_size_check",
        "update mem_asset_objects set height = 0",
    ),
    (
        "mem_asset_objects_preview_size_check",
        "update mem_asset_objects set preview_width = 0",
    ),
    (
        "mem_asset_objects_preview_size_check",
        "update mem_asset_objects set preview_height = 0",
    ),
    (
        "mem_asset_objects_warnings_check",
        "update mem_asset_objects set warnings = '{}'",
    ),
    (
        "mem_asset_objects_status_check",
        "update mem_asset_objects set status = 'gone' where id = '{aob1}'",
    ),
    (
        "mem_asset_objects_deleted_check",
        "update mem_asset_objects set status = 'deleted' where id = '{aob1}'",
    ),
    (
        "mem_asset_objects_purge_check",
        "update mem_asset_objects set purge_after = null where id = '{aob3}'",
    ),
    (
        "mem_assets_id_check",
        "update mem_assets set id = 'x' where id = '{ast4}'",
    ),
    (
        "mem_assets_folder_check",
        "update mem_assets set project_id = null where id = '{ast1}'",
    ),
    (
        "mem_assets_media_kind_check",
        "update mem_assets set media_kind = 'video'",
    ),
    (
        "mem_assets_mime_type_check",
        "update mem_assets set mime_type = 'image/svg+xml'",
    ),
    ("mem_assets_title_check", "update mem_assets set title = ''"),
    (
        "mem_assets_title_check",
        "update mem_assets set title = repeat('ß', 241)",
    ),
    (
        "mem_assets_description_check",
        "update mem_assets set description = repeat('ß', 4001)",
    ),
    (
        "mem_assets_alt_text_check",
        "update mem_assets set alt_text = repeat('ß', 1001)",
    ),
    (
        "mem_assets_source_url_check",
        "update mem_assets set source_url = repeat('x', 4097) where id = '{ast1}'",
    ),
    (
        "mem_assets_source_url_hash_check",
        "update mem_assets set source_url_hash = 'x' where id = '{ast1}'",
    ),
    (
        "mem_assets_source_check",
        "update mem_assets set source_url = null where id = '{ast1}'",
    ),
    (
        "mem_assets_source_kind_check",
        "update mem_assets set source_kind = 'camera'",
    ),
    (
        "mem_assets_source_ref_check",
        "update mem_assets set source_ref = '[]'",
    ),
    (
        "mem_assets_source_ref_check",
        "update mem_assets set source_ref = jsonb_build_object('x', repeat('x', 16384))",
    ),
    ("mem_assets_tags_check", "update mem_assets set tags = '{}'"),
    (
        "mem_assets_tags_check",
        "update mem_assets set tags = (select jsonb_agg(n) from generate_series(1, 33) as n)",
    ),
    (
        "mem_assets_metadata_check",
        "update mem_assets set metadata = '\"text\"'",
    ),
    (
        "mem_assets_metadata_check",
        "update mem_assets set metadata = jsonb_build_object('x', repeat('x', 16384))",
    ),
    (
        "mem_assets_status_check",
        "update mem_assets set status = 'lost'",
    ),
    (
        "mem_assets_embedding_status_check",
        "update mem_assets set embedding_status = 'done'",
    ),
    (
        "mem_assets_deleted_check",
        "update mem_assets set status = 'deleted'",
    ),
    (
        "mem_assets_deleted_check",
        "update mem_assets set deleted_at = now()",
    ),
    (
        "mem_assets_failure_message_check",
        "update mem_assets set failure_message = repeat('x', 501)",
    ),
    (
        "mem_asset_tags_tag_check",
        "update mem_asset_tags set tag = ''",
    ),
    (
        "mem_asset_tags_tag_check",
        "update mem_asset_tags set tag = repeat('x', 65)",
    ),
    (
        "mem_asset_upload_reservations_id_check",
        "update mem_asset_upload_reservations set id = 'x' where id = '{aur1}'",
    ),
    (
        "mem_asset_upload_reservations_operation_check",
        "update mem_asset_upload_reservations set operation = 'x'",
    ),
    (
        "mem_asset_upload_reservations_expected_bytes_check",
        "update mem_asset_upload_reservations set expected_bytes = 0",
    ),
    (
        "mem_asset_upload_reservations_actual_bytes_check",
        "update mem_asset_upload_reservations set actual_bytes = -1 where status = 'finalized'",
    ),
    (
        "mem_asset_upload_reservations_status_check",
        "update mem_asset_upload_reservations set status = 'open' where id = '{aur1}'",
    ),
    (
        "mem_asset_upload_reservations_actual_check",
        "update mem_asset_upload_reservations set status = 'finalized' where id = '{aur1}'",
    ),
    (
        "mem_asset_upload_reservations_actual_check",
        "update mem_asset_upload_reservations set actual_bytes = 1 where id = '{aur1}'",
    ),
    (
        "mem_asset_uploads_id_check",
        "update mem_asset_uploads set id = 'x' where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_folder_check",
        "update mem_asset_uploads set project_id = null where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_request_check",
        "update mem_asset_uploads set request = '[]'",
    ),
    (
        "mem_asset_uploads_declared_bytes_check",
        "update mem_asset_uploads set declared_bytes = 0",
    ),
    (
        "mem_asset_uploads_declared_sha256_check",
        "update mem_asset_uploads set declared_sha256 = 'x'",
    ),
    (
        "mem_asset_uploads_status_check",
        "update mem_asset_uploads set status = 'open', failure_code = null where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_asset_check",
        "update mem_asset_uploads set asset_id = '{ast1}' where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_asset_check",
        "update mem_asset_uploads set asset_id = null where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_failure_check",
        "update mem_asset_uploads set failure_code = null where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_failure_check",
        "update mem_asset_uploads set failure_code = 'x' where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_failure_message_check",
        "update mem_asset_uploads set failure_message = repeat('x', 501)",
    ),
    (
        "mem_asset_uploads_warnings_check",
        "update mem_asset_uploads set warnings = '{}'",
    ),
    (
        "mem_artifacts_id_check",
        "update mem_artifacts set id = 'x' where id = '{art2}'",
    ),
    (
        "mem_artifacts_sha256_check",
        "update mem_artifacts set sha256 = 'x' where id = '{art1}'",
    ),
    (
        "mem_artifacts_bytes_check",
        "update mem_artifacts set bytes = 0",
    ),
    (
        "mem_artifacts_status_check",
        "update mem_artifacts set status = 'open'",
    ),
    (
        "mem_artifacts_available_check",
        "update mem_artifacts set status = 'available' where id = '{art2}'",
    ),
    (
        "mem_artifacts_available_check",
        "update mem_artifacts set bytes = null where id = '{art1}'",
    ),
];

pub(super) const LINKS: Links = &[
    (
        "mem_asset_projects_vault_fkey",
        Across::Owners,
        "insert into mem_asset_projects (owner_identity, vault, id, name, name_key, created_by)
         values ('{owner}', '{other.avl1}', '{apr9}', 'x', 'x', '{owner}')",
    ),
    (
        "mem_asset_folders_project_fkey",
        Across::Owners,
        "update mem_asset_folders set project_id = '{other.apr1}' where id = '{afl3}'",
    ),
    (
        "mem_asset_folders_project_fkey",
        Across::Vaults,
        "update mem_asset_folders set project_id = '{apr3}' where id = '{afl3}'",
    ),
    (
        "mem_asset_folders_parent_fkey",
        Across::Owners,
        "update mem_asset_folders set parent_id = '{other.afl1}' where id = '{afl2}'",
    ),
    (
        "mem_asset_folders_parent_fkey",
        Across::Vaults,
        "update mem_asset_folders set parent_id = '{afl4}' where id = '{afl2}'",
    ),
    (
        "mem_asset_folders_parent_fkey",
        Across::Projects,
        "update mem_asset_folders set parent_id = '{afl3}' where id = '{afl2}'",
    ),
    (
        "mem_asset_objects_namespace_fkey",
        Across::Owners,
        "update mem_asset_objects set namespace_id = '{other.ans1}' where id = '{aob2}'",
    ),
    (
        "mem_assets_vault_fkey",
        Across::Owners,
        "update mem_assets set vault = '{other.avl1}' where id = '{ast4}'",
    ),
    (
        "mem_assets_object_fkey",
        Across::Owners,
        "update mem_assets set object_id = '{other.aob1}' where id = '{ast4}'",
    ),
    (
        "mem_assets_project_fkey",
        Across::Owners,
        "update mem_assets set project_id = '{other.apr1}' where id = '{ast4}'",
    ),
    (
        "mem_assets_project_fkey",
        Across::Vaults,
        "update mem_assets set project_id = '{apr3}' where id = '{ast4}'",
    ),
    (
        "mem_assets_folder_fkey",
        Across::Owners,
        "update mem_assets set project_id = '{apr1}', folder_id = '{other.afl1}' where id = '{ast4}'",
    ),
    (
        "mem_assets_folder_fkey",
        Across::Vaults,
        "update mem_assets set project_id = '{apr1}', folder_id = '{afl4}' where id = '{ast4}'",
    ),
    (
        "mem_assets_folder_fkey",
        Across::Projects,
        "update mem_assets set project_id = '{apr1}', folder_id = '{afl3}' where id = '{ast4}'",
    ),
    (
        "mem_asset_tags_asset_fkey",
        Across::Owners,
        "update mem_asset_tags set asset_id = '{other.ast1}' where owner_identity = '{owner}'",
    ),
    (
        "mem_asset_tags_asset_fkey",
        Across::Vaults,
        "update mem_asset_tags set asset_id = '{ast3}' where owner_identity = '{owner}'",
    ),
    (
        "mem_asset_upload_reservations_namespace_fkey",
        Across::Nothing,
        "update mem_asset_upload_reservations set owner_identity = 'nobody' where id = '{aur1}'",
    ),
    (
        "mem_asset_uploads_vault_fkey",
        Across::Owners,
        "update mem_asset_uploads set vault = '{other.avl1}' where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_reservation_fkey",
        Across::Owners,
        "update mem_asset_uploads set reservation_id = '{other.aur2}' where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_project_fkey",
        Across::Owners,
        "update mem_asset_uploads set project_id = '{other.apr1}' where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_project_fkey",
        Across::Vaults,
        "update mem_asset_uploads set project_id = '{apr3}' where id = '{aul2}'",
    ),
    (
        "mem_asset_uploads_folder_fkey",
        Across::Owners,
        "update mem_asset_uploads set folder_id = '{other.afl1}' where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_folder_fkey",
        Across::Vaults,
        "update mem_asset_uploads set folder_id = '{afl4}' where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_folder_fkey",
        Across::Projects,
        "update mem_asset_uploads set folder_id = '{afl3}' where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_asset_fkey",
        Across::Owners,
        "update mem_asset_uploads set asset_id = '{other.ast1}' where id = '{aul1}'",
    ),
    (
        "mem_asset_uploads_asset_fkey",
        Across::Vaults,
        "update mem_asset_uploads set asset_id = '{ast3}' where id = '{aul1}'",
    ),
    (
        "mem_artifacts_reservation_fkey",
        Across::Owners,
        "update mem_artifacts set reservation_id = '{other.aur2}' where id = '{art1}'",
    ),
];

pub(super) const TWINS: Attempts = &[
    ("mem_asset_projects_pkey", "update mem_asset_projects set id = '{apr1}' where id = '{apr2}'"),
    ("mem_asset_projects_name_uidx", "update mem_asset_projects set name_key = 'one' where id = '{apr2}'"),
    ("mem_asset_folders_pkey", "update mem_asset_folders set id = '{afl1}' where id = '{afl3}'"),
    (
        "mem_asset_folders_name_uidx",
        "insert into mem_asset_folders (owner_identity, vault, project_id, id, depth, name, name_key, created_by)
         values ('{owner}', '{avl1}', '{apr1}', '{afl9}', 1, 'TOP', 'top', '{owner}')",
    ),
    (
        "mem_asset_folders_name_uidx",
        "insert into mem_asset_folders (owner_identity, vault, project_id, id, parent_id, depth, name, name_key, created_by)
         values ('{owner}', '{avl1}', '{apr1}', '{afl9}', '{afl1}', 2, 'BELOW', 'below', '{owner}')",
    ),
    ("mem_asset_objects_pkey", "update mem_asset_objects set id = '{aob1}' where id = '{aob2}'"),
    ("mem_asset_objects_storage_key_key", "update mem_asset_objects set storage_key = 'k/{other.aob1}/o' where id = '{aob1}'"),
    ("mem_asset_objects_preview_storage_key_key", "update mem_asset_objects set preview_storage_key = 'k/{aob2}/p' where id = '{aob1}'"),
    ("mem_asset_objects_sha256_uidx", "update mem_asset_objects set sha256 = '{sha1}' where id = '{aob2}'"),
    ("mem_asset_objects_sha256_uidx", "update mem_asset_objects set sha256 = '{sha1}', status = 'quarantined' where id = '{aob3}'"),
    ("mem_assets_pkey", "update mem_assets set id = '{ast2}' where id = '{ast4}'"),
    ("mem_asset_tags_pkey", "update mem_asset_tags set tag = 'sea' where tag = 'sky'"),
    ("mem_asset_upload_reservations_pkey", "update mem_asset_upload_reservations set id = '{aur2}' where id = '{aur1}'"),
    ("mem_asset_uploads_pkey", "update mem_asset_uploads set id = '{aul1}' where id = '{aul2}'"),
    ("mem_asset_uploads_staging_key_key", "update mem_asset_uploads set staging_key = 'u/{other.aul1}' where id = '{aul1}'"),
    ("mem_artifacts_pkey", "update mem_artifacts set id = '{art1}' where id = '{art2}'"),
    ("mem_artifacts_storage_key_key", "update mem_artifacts set storage_key = 'a/{other.art1}' where id = '{art1}'"),
    (
        "mem_artifacts_sha256_uidx",
        "update mem_artifacts set status = 'available', sha256 = '{sha7}', bytes = 1 where id = '{art2}'",
    ),
];
