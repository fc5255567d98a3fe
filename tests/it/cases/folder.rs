//! The folder of a tool, `tests/cases/<tool>/`: nothing else opens its files.
//!
//! - `happy_*.json`, `invalid_*.json`, `foreign_*.json`: a call each, and what it is answered;
//! - `budget.json`: a typical call, and how many statements and round trips it may cost;
//! - `rights.json`: a call about a vault that works for its owner again and again.

use std::{collections::BTreeSet, fs, path::PathBuf};

use functions::tools::Entry;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

/// What a case shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// What works.
    Happy,
    /// What is refused as it stands.
    Invalid,
    /// What is Ada's, named by Bob: he is answered as if it did not exist.
    Foreign,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Happy, Self::Invalid, Self::Foreign];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Happy => "happy",
            Self::Invalid => "invalid",
            Self::Foreign => "foreign",
        }
    }
}

/// One call, and what it is answered.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Case {
    /// Its path from the root of the workspace.
    #[serde(skip)]
    pub(crate) file: String,
    pub(crate) kind: Kind,
    /// `ada` or `bob`.
    pub(crate) caller: String,
    pub(crate) input: Value,
    /// Of a happy one: fields of the answer.
    pub(crate) expect: Option<Value>,
    /// Of an invalid one: the error.
    pub(crate) code: Option<String>,
    /// Of a foreign one that writes: the error that somebody meets who may read Ada's vault and has none of
    /// Bob's things; `forbidden_membership` where nothing is said.
    pub(crate) reader: Option<String>,
}

/// A typical call, and what it may cost.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Budget {
    /// In the words of the cases, of Ada.
    pub(crate) input: Value,
    pub(crate) statements: usize,
    pub(crate) round_trips: usize,
}

/// A call about a vault that works for its owner again and again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rights {
    /// In words of its own: `$vault`, `$project`, `$asset`, `$new` (an asset made for this call) and `$turn`
    /// (another number each time).
    pub(crate) input: Value,
    /// What the answer must hold to count as allowed; without it, an answer that is no refusal counts.
    pub(crate) shows: Option<String>,
}

fn path(tool: &str, file: &str) -> String {
    format!("tests/cases/{tool}/{file}")
}

fn absolute(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(path)
}

fn read<T: DeserializeOwned>(path: &str, what: &str) -> T {
    let text = fs::read_to_string(absolute(path))
        .unwrap_or_else(|error| panic!("{path} is missing: {what} ({error})"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {what}: {error}"))
}

fn names(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(absolute(folder)).map(|entries| entries.flatten().collect());
    let entries: Vec<fs::DirEntry> = entries.unwrap_or_default();
    let mut names: Vec<String> = entries
        .iter()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// All folders of cases.
pub(crate) fn folders() -> Vec<String> {
    names("tests/cases")
}

/// The tool's typical call and its budget.
pub(crate) fn budget(tool: &str) -> Budget {
    read(
        &path(tool, "budget.json"),
        "a typical call as `input`, and its `statements` and `roundTrips`",
    )
}

/// The tool's call about a vault.
pub(crate) fn rights(tool: &str) -> Rights {
    read(
        &path(tool, "rights.json"),
        "as `input`, a call about $vault that works for its owner again and again",
    )
}

/// The tool's cases, in the order of their names.
pub(crate) fn cases(tool: &str) -> Vec<Case> {
    names(&path(tool, ""))
        .iter()
        .filter(|name| !["budget.json", "rights.json"].contains(&name.as_str()))
        .map(|name| {
            let file = path(tool, name);
            let case: Case = read(&file, "a case");
            let case = Case { file, ..case };
            case.checked(name)
        })
        .collect()
}

/// The tool's calls that name what is somebody else's.
pub(crate) fn foreign(tool: &Entry) -> Vec<Case> {
    let mut cases = cases(tool.meta.name);
    cases.retain(|case| case.kind == Kind::Foreign);
    cases
}

impl Case {
    fn checked(self, name: &str) -> Self {
        let file = &self.file;
        assert!(
            name.starts_with(&format!("{}_", self.kind.name())) && name.ends_with(".json"),
            "{file} is {}, which its name must begin with",
            self.kind.name()
        );
        let says = [
            self.expect.is_some(),
            self.code.is_some(),
            self.kind == Kind::Foreign,
        ];
        let wanted = Kind::ALL.map(|kind| kind == self.kind);
        assert_eq!(
            says, wanted,
            "{file}: a happy case says what to `expect`, an invalid one the `code`"
        );
        assert!(
            self.reader.is_none() || self.kind == Kind::Foreign,
            "{file}: `reader` is for foreign cases"
        );
        if self.kind == Kind::Foreign {
            assert_eq!(self.caller, "bob", "{file}: Bob names what is Ada's");
            self.foreign_field();
        }
        self
    }

    /// The field by which a foreign case names what is Ada's, spelled as in the tables of schemas.
    pub(crate) fn foreign_field(&self) -> String {
        let mut fields = BTreeSet::new();
        naming(&self.input, "", &mut fields);
        let only = (fields.len() == 1).then(|| fields.pop_first()).flatten();
        only.unwrap_or_else(|| {
            panic!(
                "{}: one field names what is Ada's (`$ada.`), not {fields:?}",
                self.file
            )
        })
    }

    /// The same call with an id that nothing has.
    pub(crate) fn unknown(&self) -> Value {
        replaced(&self.input)
    }
}

fn naming(value: &Value, field: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.contains("$ada.") => {
            found.insert(field.trim_end_matches("[]").to_owned());
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| naming(item, &format!("{field}[]"), found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let dot = if field.is_empty() { "" } else { "." };
            naming(value, &format!("{field}{dot}{name}"), found);
        }),
        _ => {}
    }
}

fn replaced(value: &Value) -> Value {
    match value {
        Value::String(text) => text.replace("$ada.", "$unknown.").into(),
        Value::Array(items) => items.iter().map(replaced).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), replaced(value)))
            .collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn case(input: Value) -> Case {
        let case = json!({ "kind": "foreign", "caller": "bob", "input": input });
        serde_json::from_value(case).unwrap()
    }

    #[test]
    #[should_panic(expected = "tests/cases/image_asset_paint/budget.json is missing")]
    fn a_missing_budget_is_named() {
        budget("image_asset_paint");
    }

    #[test]
    #[should_panic(expected = "tests/cases/image_asset_paint/rights.json is missing")]
    fn missing_rights_are_named() {
        rights("image_asset_paint");
    }

    #[test]
    fn what_is_foreign_is_found_and_replaced() {
        let inner = case(json!({ "moves": [{ "assetId": "$ada.asset", "to": "$bob.folder" }] }));
        assert_eq!(inner.foreign_field(), "moves[].assetId");
        let list = case(json!({ "assetIds": ["$bob.asset", "$ada.asset"] }));
        assert_eq!(list.foreign_field(), "assetIds");
        let unknown = json!({ "assetIds": ["$bob.asset", "$unknown.asset"] });
        assert_eq!(list.unknown(), unknown);
    }

    #[test]
    #[should_panic(expected = "one field names what is Ada's")]
    fn two_foreign_fields_are_refused() {
        let both = json!({ "projectId": "$ada.project", "folderId": "$ada.folder" });
        case(both).checked("foreign_both.json");
    }

    #[test]
    #[should_panic(expected = "which its name must begin with")]
    fn a_case_of_another_name_is_refused() {
        case(json!({ "assetId": "$ada.asset" })).checked("happy_asset.json");
    }
}
