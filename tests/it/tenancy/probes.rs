//! Calls that name what is somebody else's, one field at a time: the foreign cases of each tool, with anybody
//! in the place of Bob.

use functions::tools::{Entry, TOOLS};
use serde_json::Value;

use crate::cases::{Case, Words, foreign};

/// Ids of one person's things.
#[derive(Debug, Clone)]
pub(super) struct Things {
    pub(super) vault: String,
    pub(super) project: String,
    pub(super) folder: String,
    pub(super) asset: String,
    pub(super) cursor: String,
}

impl Things {
    fn put(&self, name: &str, words: &mut Words) {
        for (word, id) in [
            ("vault", &self.vault),
            ("project", &self.project),
            ("folder", &self.folder),
            ("asset", &self.asset),
            ("cursor", &self.cursor),
        ] {
            words.put(&format!("${name}.{word}"), id);
        }
    }
}

/// A call that names something of somebody's by one field.
pub(super) struct Probe {
    pub(super) tool: &'static Entry,
    /// The field, spelled as in the tables of schemas.
    pub(super) field: String,
    pub(super) case: Case,
}

impl Probe {
    /// The call: its field names a thing of `there`; whatever else it must name is of `here`.
    pub(super) fn input(&self, there: &Things, here: &Things) -> Value {
        let mut words = Words::new();
        there.put("ada", &mut words);
        here.put("bob", &mut words);
        words.fill(&self.case.input)
    }

    /// The call whose field names what nothing is.
    pub(super) fn unknown(&self, here: &Things) -> Value {
        let mut words = Words::new();
        here.put("bob", &mut words);
        words.fill(&self.case.unknown())
    }

    /// Whether it names the place in a list, and no thing.
    pub(super) fn is_of_a_page(&self) -> bool {
        self.field == "cursor"
    }
}

/// All of a tool.
pub(super) fn probes_of(tool: &'static Entry) -> impl Iterator<Item = Probe> {
    foreign(tool).into_iter().map(move |case| Probe {
        tool,
        field: case.foreign_field(),
        case,
    })
}

/// All of all tools.
pub(super) fn probes() -> Vec<Probe> {
    TOOLS.iter().flat_map(probes_of).collect()
}
