//! Exact filters, the same for lists and for search.

use time::OffsetDateTime;

use super::{params::Params, placements::Area};
use crate::ids::{FolderId, ProjectId};

/// Exact filters; each that is given narrows what is met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// All of these tags, cleaned.
    pub tags: Option<Vec<String>>,
    /// Any of these source kinds.
    pub source_kinds: Option<Vec<&'static str>>,
    /// Any of these hosts, lower case.
    pub source_hosts: Option<Vec<String>>,
    /// Any of these types.
    pub mime_types: Option<Vec<String>>,
    /// Saved at or after.
    pub from: Option<OffsetDateTime>,
    /// Saved before.
    pub before: Option<OffsetDateTime>,
}

impl Filter {
    /// Adds place and filters as eight parameters: project, folders, tags, source kinds, source hosts, types,
    /// from, before.
    pub(super) fn bind<'a>(&'a self, params: Params<'a>, area: &'a Area) -> Params<'a> {
        let folders: Option<Vec<&str>> = area
            .folders
            .as_ref()
            .map(|folders| folders.iter().map(FolderId::as_str).collect());
        params
            .maybe_text(area.project.as_ref().map(ProjectId::as_str))
            .maybe_texts(folders.as_deref())
            .maybe_texts(self.tags.as_deref())
            .maybe_texts(self.source_kinds.as_deref())
            .maybe_texts(self.source_hosts.as_deref())
            .maybe_texts(self.mime_types.as_deref())
            .maybe_time(self.from)
            .maybe_time(self.before)
    }
}
