//! Idempotency, prices, ledger, provenance, access log, migrations; see `links`.

use super::{Across, Attempts, Links};

pub(super) const CHECKS: Attempts = &[
    (
        "mem_idempotency_key_check",
        "update mem_idempotency set key = '' where key = 'done' and owner_identity = '{owner}'",
    ),
    (
        "mem_idempotency_key_check",
        "update mem_idempotency set key = repeat('x', 241) where key = 'done' and owner_identity = '{owner}'",
    ),
    (
        "mem_idempotency_fingerprint_check",
        "update mem_idempotency set fingerprint = 'x'",
    ),
    (
        "mem_idempotency_state_check",
        "update mem_idempotency set state = 'failed' where state = 'in_flight'",
    ),
    (
        "mem_idempotency_answer_check",
        "update mem_idempotency set answer = null where state = 'done'",
    ),
    (
        "mem_idempotency_answer_check",
        "update mem_idempotency set answer = '{}' where state = 'in_flight'",
    ),
    (
        "mem_rate_card_price_check",
        "update mem_rate_card set usd_micros_per_million_tokens = -1",
    ),
    (
        "mem_usage_ledger_id_check",
        "update mem_usage_ledger set id = 'x' where id = '{aue1}'",
    ),
    (
        "mem_usage_ledger_source_check",
        "update mem_usage_ledger set source = 'embed'",
    ),
    (
        "mem_usage_ledger_inputs_check",
        "update mem_usage_ledger set inputs = 0",
    ),
    (
        "mem_usage_ledger_tokens_check",
        "update mem_usage_ledger set total_tokens = -1",
    ),
    (
        "mem_usage_ledger_tokens_check",
        "update mem_usage_ledger set prompt_tokens = -1",
    ),
    (
        "mem_usage_ledger_tokens_check",
        "update mem_usage_ledger set image_tokens = -1",
    ),
    (
        "mem_usage_ledger_price_check",
        "update mem_usage_ledger set usd_micros = null",
    ),
    (
        "mem_usage_ledger_price_check",
        "update mem_usage_ledger set rate_id = null",
    ),
    (
        "mem_provenance_id_check",
        "update mem_provenance set id = 'x' where id = '{apv1}'",
    ),
    (
        "mem_provenance_operation_check",
        "update mem_provenance set operation = 'asset_look'",
    ),
    (
        "mem_provenance_surface_check",
        "update mem_provenance set surface = 'phone'",
    ),
    (
        "mem_provenance_details_check",
        "update mem_provenance set details = '[]'",
    ),
    (
        "mem_access_log_id_check",
        "update mem_access_log set id = 'x' where id = '{apv1}'",
    ),
    (
        "mem_access_log_outcome_check",
        "update mem_access_log set outcome = 'seen' where outcome = 'link'",
    ),
    (
        "mem_access_log_code_check",
        "update mem_access_log set code = 'not_found' where outcome = 'link'",
    ),
    (
        "mem_access_log_code_check",
        "update mem_access_log set code = null where outcome = 'denied'",
    ),
];

pub(super) const LINKS: Links = &[
    (
        "mem_idempotency_identity_fkey",
        Across::Nothing,
        "update mem_idempotency set owner_identity = 'nobody' where owner_identity = '{owner}'",
    ),
    (
        "mem_usage_ledger_identity_fkey",
        Across::Nothing,
        "update mem_usage_ledger set owner_identity = 'nobody' where owner_identity = '{owner}'",
    ),
    (
        "mem_usage_ledger_rate_fkey",
        Across::Nothing,
        "update mem_usage_ledger set rate_id = 'none'",
    ),
    (
        "mem_provenance_identity_fkey",
        Across::Nothing,
        "update mem_provenance set owner_identity = 'nobody' where owner_identity = '{owner}'",
    ),
    (
        "mem_access_log_identity_fkey",
        Across::Nothing,
        "update mem_access_log set owner_identity = 'nobody' where owner_identity = '{owner}'",
    ),
];

pub(super) const TWINS: Attempts = &[
    ("mem_schema_pkey", "insert into mem_schema (version, name, checksum, oldest_generation) values (1, 'x', 'x', 1)"),
    (
        "mem_idempotency_pkey",
        "update mem_idempotency set key = 'flying' where key = 'done' and owner_identity = '{owner}'",
    ),
    ("mem_rate_card_pkey", "update mem_rate_card set id = 'rate 2' where id = 'rate 1'"),
    ("mem_rate_card_model_from_key", "update mem_rate_card set valid_from = '2026-01-02' where id = 'rate 1'"),
    (
        "mem_usage_ledger_pkey",
        "insert into mem_usage_ledger (owner_identity, id, source, model, call_id, inputs, total_tokens, prompt_tokens, image_tokens)
         values ('{owner}', '{aue1}', 'embed_image_query', '{model}', 'another call', 1, 0, 0, 0)",
    ),
    (
        "mem_usage_ledger_call_key",
        "insert into mem_usage_ledger (owner_identity, id, source, model, call_id, inputs, total_tokens, prompt_tokens, image_tokens)
         values ('{owner}', '{aue9}', 'embed_image_query', '{model}', 'call 1', 1, 0, 0, 0)",
    ),
    (
        "mem_provenance_pkey",
        "insert into mem_provenance (owner_identity, id, operation) values ('{owner}', '{apv1}', 'asset_search')",
    ),
    ("mem_access_log_pkey", "update mem_access_log set id = '{apv1}' where id = '{apv2}'"),
];
