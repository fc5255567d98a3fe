//! Keys of tenants, issued, listed, rotated and revoked by an operator.

use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio_postgres::Row;

use crate::{
    auth::{KeyToken, Scope as KeyScope, Surface},
    error::{Error, ErrorCode, Result},
    ids::{KeyId, OwnerIdentity},
    store::{
        Store, Tx,
        access::stored,
        params::Params,
        provenance::{Line, Operation, millis, write},
        tx::{Scope, sql},
    },
};

/// A key to be.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// Whose it is.
    pub owner: OwnerIdentity,
    /// Its name.
    pub name: String,
    /// Where it is used.
    pub surface: Surface,
    /// What it may do.
    pub scopes: Vec<KeyScope>,
    /// When it ends.
    pub expires_at: Option<OffsetDateTime>,
}

/// A key as it may be listed.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the fields are the columns of mem_keys")]
pub struct KeyView {
    pub id: KeyId,
    pub prefix: String,
    pub name: String,
    pub surface: String,
    pub scopes: Vec<String>,
    pub created_at: OffsetDateTime,
    pub expires_at: Option<OffsetDateTime>,
    pub last_used_at: Option<OffsetDateTime>,
    pub revoked_at: Option<OffsetDateTime>,
    pub rotated_from: Option<String>,
}

/// Issues a key. The token is shown to its holder once and kept nowhere.
///
/// # Errors
/// `not_found` when there is no such identity; `invalid_argument` for no scope or a bad name.
pub async fn create(store: &Store, new: &NewKey, now: OffsetDateTime) -> Result<(KeyId, KeyToken)> {
    if new.scopes.is_empty() || !(1..=120).contains(&new.name.chars().count()) {
        return Err(Error::new(
            ErrorCode::InvalidArgument,
            "a key has a name of 1 to 120 characters and a scope",
        ));
    }
    let (id, token) = (KeyId::generate(millis(now)), KeyToken::generate()?);
    let (id_ref, token_ref) = (&id, &token);
    store
        .run("keys.create", Scope::System, |tx| async move {
            let mut scopes: Vec<&str> = new.scopes.iter().map(|scope| scope.name()).collect();
            scopes.sort_unstable();
            scopes.dedup();
            let key = Insert {
                id: id_ref,
                token: token_ref,
                owner: &new.owner,
                rotated_from: None,
            };
            insert(
                &tx,
                key,
                (&new.name, new.surface.name(), &scopes),
                now,
                new.expires_at,
            )
            .await
        })
        .await?;
    Ok((id, token))
}

struct Insert<'a> {
    id: &'a KeyId,
    token: &'a KeyToken,
    owner: &'a OwnerIdentity,
    rotated_from: Option<&'a KeyId>,
}

async fn insert<S: AsRef<str>>(
    tx: &Tx,
    key: Insert<'_>,
    (name, surface, scopes): (&str, &str, &[S]),
    now: OffsetDateTime,
    expires_at: Option<OffsetDateTime>,
) -> Result<()> {
    let hash = key.token.secret_sha256();
    let params = Params::default()
        .text(key.owner.as_str())
        .text(key.id.as_str())
        .text(key.token.prefix())
        .bytes(&hash)
        .text(name)
        .text(surface)
        .texts(scopes)
        .time(now)
        .maybe_time(expires_at)
        .maybe_text(key.rotated_from.map(KeyId::as_str));
    tx.change_one(sql!("system/keys/insert"), &params).await?;
    let scopes: Vec<&str> = scopes.iter().map(AsRef::as_ref).collect();
    let details = json!({
        "action": "create",
        "surface": surface,
        "scopes": scopes,
        "rotatedFrom": key.rotated_from,
    });
    note(tx, key.owner, key.id, details, now).await
}

async fn note(
    tx: &Tx,
    owner: &OwnerIdentity,
    key: &KeyId,
    details: Value,
    now: OffsetDateTime,
) -> Result<()> {
    let line = Line {
        subject: Some(key.as_str()),
        details,
        ..Line::new(Operation::Key)
    };
    write(tx, owner, &[line], now).await
}

/// Lists the keys of an identity, newest first.
///
/// # Errors
/// `database_unavailable`.
pub async fn list(store: &Store, owner: &OwnerIdentity) -> Result<Vec<KeyView>> {
    store
        .run("keys.list", Scope::System, |tx| async move {
            let params = Params::default().text(owner.as_str());
            tx.rows(sql!("system/keys/list"), &params)
                .await?
                .iter()
                .map(view)
                .collect()
        })
        .await
}

fn view(row: &Row) -> Result<KeyView> {
    Ok(KeyView {
        id: stored(row, "id")?,
        prefix: row.get("prefix"),
        name: row.get("name"),
        surface: row.get("surface"),
        scopes: row.get("scopes"),
        created_at: row.get("created_at"),
        expires_at: row.get("expires_at"),
        last_used_at: row.get("last_used_at"),
        revoked_at: row.get("revoked_at"),
        rotated_from: row.get("rotated_from"),
    })
}

/// Ends a key at once.
///
/// # Errors
/// `not_found`.
pub async fn revoke(
    store: &Store,
    owner: &OwnerIdentity,
    key: &KeyId,
    now: OffsetDateTime,
) -> Result<()> {
    store
        .run("keys.revoke", Scope::System, |tx| async move {
            let params = Params::default()
                .text(owner.as_str())
                .text(key.as_str())
                .time(now);
            if tx.change(sql!("system/keys/revoke"), &params).await? == 0 {
                return Err(Error::not_found("key"));
            }
            note(&tx, owner, key, json!({ "action": "revoke" }), now).await
        })
        .await
}

/// Issues a key that replaces another one, which works on until `overlap_ends`.
///
/// # Errors
/// `not_found` for a key that does not exist or is revoked.
pub async fn rotate(
    store: &Store,
    owner: &OwnerIdentity,
    key: &KeyId,
    overlap_ends: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<(KeyId, KeyToken)> {
    let (id, token) = (KeyId::generate(millis(now)), KeyToken::generate()?);
    let (id_ref, token_ref) = (&id, &token);
    store
        .run("keys.rotate", Scope::System, |tx| async move {
            let old = Params::default()
                .text(owner.as_str())
                .text(key.as_str())
                .time(overlap_ends);
            let row = tx.optional(sql!("system/keys/expire"), &old).await?;
            let row = row.ok_or_else(|| Error::not_found("key"))?;
            let (name, surface, scopes): (&str, &str, Vec<String>) =
                (row.get(0), row.get(1), row.get(2));
            let new = Insert {
                id: id_ref,
                token: token_ref,
                owner,
                rotated_from: Some(key),
            };
            insert(&tx, new, (name, surface, &scopes), now, None).await?;
            note(&tx, owner, key, json!({ "action": "expire" }), now).await
        })
        .await?;
    Ok((id, token))
}
