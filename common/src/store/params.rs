//! Parameters of a statement, each with its declared type: nothing is prepared by name.

use pgvector::HalfVector;
use serde_json::Value;
use time::OffsetDateTime;
use tokio_postgres::types::{Kind, ToSql, Type};

use super::access::{Bound, VaultAccess};
use crate::contract::Read;

/// The parameters of one statement, in order.
#[derive(Default)]
pub(crate) struct Params<'a>(Vec<(Box<dyn ToSql + Send + Sync + 'a>, Type)>);

impl<'a> Params<'a> {
    /// Parameters that begin with the owner, as every tenant statement's do.
    pub(crate) fn of(access: &'a impl Bound) -> Self {
        Self::default().text(access.bound_owner().as_str())
    }

    fn with(mut self, value: impl ToSql + Send + Sync + 'a, kind: Type) -> Self {
        self.0.push((Box::new(value), kind));
        self
    }

    pub(crate) fn text(self, value: &'a str) -> Self {
        self.with(value, Type::TEXT)
    }

    pub(crate) fn maybe_text(self, value: Option<&'a str>) -> Self {
        self.with(value, Type::TEXT)
    }

    pub(crate) fn texts<T: AsRef<str>>(self, values: &[T]) -> Self {
        let values: Vec<String> = values
            .iter()
            .map(|value| value.as_ref().to_owned())
            .collect();
        self.with(values, Type::TEXT_ARRAY)
    }

    pub(crate) fn maybe_texts<T: AsRef<str>>(self, values: Option<&[T]>) -> Self {
        match values {
            Some(values) => self.texts(values),
            None => self.with(None::<Vec<String>>, Type::TEXT_ARRAY),
        }
    }

    /// Ids of vaults, of the one owner that the parameters begin with.
    pub(crate) fn vaults(self, vaults: &[VaultAccess<Read>]) -> Self {
        let ids: Vec<&str> = vaults.iter().map(|vault| vault.vault().as_str()).collect();
        self.texts(&ids)
    }

    pub(crate) fn int(self, value: i32) -> Self {
        self.with(value, Type::INT4)
    }

    pub(crate) fn long(self, value: i64) -> Self {
        self.with(value, Type::INT8)
    }

    pub(crate) fn flag(self, value: bool) -> Self {
        self.with(value, Type::BOOL)
    }

    pub(crate) fn time(self, value: OffsetDateTime) -> Self {
        self.with(value, Type::TIMESTAMPTZ)
    }

    pub(crate) fn maybe_time(self, value: Option<OffsetDateTime>) -> Self {
        self.with(value, Type::TIMESTAMPTZ)
    }

    pub(crate) fn json(self, value: &'a Value) -> Self {
        self.with(value, Type::JSONB)
    }

    pub(crate) fn maybe_json(self, value: Option<&'a Value>) -> Self {
        self.with(value, Type::JSONB)
    }

    pub(crate) fn bytes(self, value: &'a [u8]) -> Self {
        self.with(value, Type::BYTEA)
    }

    /// A vector, to be cast in the statement: `$n::halfvec(1024)`. Its type is named, not looked up.
    pub(crate) fn vector(self, values: &[f32]) -> Self {
        let kind = Type::new("halfvec".into(), 0, Kind::Simple, "public".into());
        self.with(HalfVector::from_f32_slice(values), kind)
    }

    /// The form that the driver takes.
    pub(crate) fn bound(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        self.0
            .iter()
            .map(|(value, kind)| (&**value as &(dyn ToSql + Sync), kind.clone()))
            .collect()
    }
}
