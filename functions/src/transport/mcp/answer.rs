//! What a tool said, as a model reads it and as a program does.

use base64::{Engine, engine::general_purpose::STANDARD};
use common::{error::Error, ids::RequestId};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use super::{super::problem, listing::Listed};
use crate::tools::{Answer, Picture, untrusted::framed};

/// Most bytes of an answer's text, about 25,000 tokens. Pages end before; only the texts of a single image
/// can be longer, and are cut here: structured content has them whole.
const TEXT_MAX_BYTES: usize = 64_000;

/// Characters to which a text is cut in an answer that is too long.
const CUT_CHARS: usize = 1_000;

/// The answer of a call: text with untrusted data framed, the picture, and the output as it is.
pub(super) fn success(listed: &Listed, answer: Answer) -> CallToolResult {
    let mut content = vec![ContentBlock::text(text(listed, &answer.output))];
    if let Some(picture) = &answer.picture {
        content.push(ContentBlock::image(
            STANDARD.encode(&picture.webp),
            Picture::MIME_TYPE,
        ));
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(answer.output);
    result
}

/// The text of an answer: compact JSON, within bounds.
pub(super) fn text(listed: &Listed, output: &Value) -> String {
    let framed = framed(&listed.output_schema, output);
    let text = framed.to_string();
    if text.len() <= TEXT_MAX_BYTES {
        return text;
    }
    cut(&framed).to_string()
}

/// The error object as the text of a result: a client that checks structured content against the schema of
/// the output must not meet it there.
pub(super) fn failure(error: &Error, request: &RequestId) -> CallToolResult {
    let object = problem::body(error, request).to_string();
    CallToolResult::error(vec![ContentBlock::text(object)])
}

fn cut(value: &Value) -> Value {
    match value {
        Value::String(text) => {
            let length = text.chars().count();
            if length <= 2 * CUT_CHARS {
                return value.clone();
            }
            let head: String = text.chars().take(CUT_CHARS).collect();
            // What was framed ends with its marker still.
            let tail: String = text.chars().skip(length - 40).collect();
            let left_out = length - CUT_CHARS - 40;
            format!("{head} […{left_out} characters left out; structured content has them…] {tail}")
                .into()
        }
        Value::Array(items) => items.iter().map(cut).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| (name.clone(), cut(field)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}
