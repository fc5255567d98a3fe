//! Pages: how many rows, and where the next page begins.

use common::{
    app::App,
    domain::cursor::{Cursor, CursorCodec, Position},
    error::{Error, ErrorCode, Result},
};
use serde_json::Value;

/// Checks the length of a page.
///
/// # Errors
/// `invalid_argument` outside 1 to `max`.
pub(crate) fn page_size(limit: Option<usize>, default: usize, max: usize) -> Result<usize> {
    let limit = limit.unwrap_or(default);
    if !(1..=max).contains(&limit) {
        let message = format!("limit is 1 to {max}");
        return Err(Error::new(ErrorCode::InvalidArgument, message));
    }
    Ok(limit)
}

/// A sort key and the id that breaks ties.
pub(crate) type Key = (String, String);

/// The pages of one list: cursors that name the last row of a page, bound to the caller and the filter.
pub(crate) struct Pages<'a>(CursorCodec<'a>);

impl<'a> Pages<'a> {
    /// The pages of a call.
    pub(crate) fn new(app: &'a App, tool: &'static str, caller: &str, filter: &Value) -> Self {
        Self(CursorCodec::new(&app.tokens, tool, caller, filter))
    }

    /// The row after which the page begins.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub(crate) fn start(&self, cursor: Option<&str>) -> Result<Option<Key>> {
        let Some(token) = cursor else { return Ok(None) };
        match self.0.decode(token)?.position {
            Position::After { key, id } => Ok(Some((key, id))),
            // Lists make no such cursor.
            Position::Offset(_) => Err(Error::new(
                ErrorCode::InvalidCursor,
                "the cursor does not belong to this call",
            )),
        }
    }

    /// Cuts `rows`, which were read with one row more than a page, and makes the next page's cursor.
    ///
    /// # Errors
    /// `internal`.
    pub(crate) fn cut<T>(
        &self,
        rows: &mut Vec<T>,
        limit: usize,
        weight: impl Fn(&T) -> usize,
        key: impl Fn(&T) -> Key,
    ) -> Result<Option<String>> {
        let fit = fitting(rows.iter().map(weight)).min(limit);
        if rows.len() <= fit {
            return Ok(None);
        }
        rows.truncate(fit);
        let Some((key, id)) = rows.last().map(key) else {
            return Ok(None);
        };
        let cursor = Cursor {
            position: Position::After { key, id },
            query_id: None,
        };
        self.0.encode(&cursor).map(Some)
    }
}

/// About as many bytes of JSON as a model takes in at once (25,000 tokens): a page ends before it is more,
/// on every surface alike, and its cursor goes on from there.
pub(crate) const PAGE_MAX_BYTES: usize = 64_000;

/// Bytes of a link in a row, with all that a cloud's signature carries.
pub(crate) const LINK_BYTES: usize = 600;

/// How many of the rows fit into a page, the first always.
pub(crate) fn fitting(weights: impl Iterator<Item = usize>) -> usize {
    let mut total = 0;
    let fit = weights
        .take_while(|weight| {
            total += weight;
            total <= PAGE_MAX_BYTES
        })
        .count();
    fit.max(1)
}

/// Bytes of texts that a row brings besides what every row has.
pub(crate) fn text_bytes<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> usize {
    texts.into_iter().flatten().map(str::len).sum()
}

/// How many rows to ask the store for, so that it is known whether a page follows.
pub(crate) fn one_more(limit: usize) -> i64 {
    i64::try_from(limit + 1).unwrap_or(i64::MAX)
}
