//! Exact filters of requests, read and cleaned.

use common::{
    domain::{keys::Extension, source::normalize_host, status::SourceKind, text::clean_tags},
    error::{Error, ErrorCode, Result},
    limits::SOURCE_HOSTS_MAX,
    store::filters::Filter,
};

use super::parse_instant;

/// Filters as they were sent.
#[derive(Debug, Default)]
pub(crate) struct Sent<'a> {
    pub(crate) tags: Option<&'a [String]>,
    pub(crate) source_kinds: Option<&'a [SourceKind]>,
    pub(crate) source_hosts: Option<&'a [String]>,
    pub(crate) mime_types: Option<&'a [String]>,
    pub(crate) created_from: Option<&'a str>,
    pub(crate) created_before: Option<&'a str>,
}

/// Reads filters. An empty list of tags is no filter; any other empty list meets nothing.
///
/// # Errors
/// `invalid_argument` that names the field.
pub(crate) fn read(sent: &Sent<'_>) -> Result<Filter> {
    let tags = sent
        .tags
        .map(|tags| clean_tags(tags.to_vec()))
        .transpose()?;
    let types = sent.mime_types.unwrap_or_default();
    if types
        .iter()
        .any(|mime| Extension::from_mime_type(mime).is_none())
    {
        let message = "mimeTypes are image/jpeg, image/png, image/webp and image/gif";
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    let hosts = sent.source_hosts.map(hosts).transpose()?;
    Ok(Filter {
        tags: tags.filter(|tags| !tags.is_empty()),
        source_kinds: sent
            .source_kinds
            .map(|kinds| kinds.iter().map(|kind| kind.name()).collect()),
        source_hosts: hosts,
        mime_types: sent.mime_types.map(<[_]>::to_vec),
        from: sent
            .created_from
            .map(|text| parse_instant("createdFrom", text))
            .transpose()?,
        before: sent
            .created_before
            .map(|text| parse_instant("createdBefore", text))
            .transpose()?,
    })
}

fn hosts(hosts: &[String]) -> Result<Vec<String>> {
    let invalid = |message: String| Error::new(ErrorCode::InvalidArgument, message);
    if hosts.len() > SOURCE_HOSTS_MAX {
        return Err(invalid(format!(
            "sourceHosts takes at most {SOURCE_HOSTS_MAX} entries"
        )));
    }
    hosts
        .iter()
        .map(|host| {
            normalize_host(host)
                .map_err(|_| invalid("sourceHosts are hosts such as example.com".to_owned()))
        })
        .collect()
}
