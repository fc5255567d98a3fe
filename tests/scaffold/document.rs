//! Blocks of a document that say to which file they belong.

/// One block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    language: String,
    /// The file, from the root of the workspace.
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The blocks that begin with a language and a path, in the order of the document.
pub(crate) fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("```") else {
            continue;
        };
        let text: String = lines
            .by_ref()
            .take_while(|line| *line != "```")
            .map(|line| format!("{line}\n"))
            .collect();
        if let Some((language, path)) = head.split_once(' ') {
            blocks.push(Block {
                language: language.to_owned(),
                path: path.to_owned(),
                text,
            });
        }
    }
    blocks
}

impl Block {
    /// Whether it shows lines that a file gets, and not a whole file.
    pub(crate) fn is_diff(&self) -> bool {
        self.language == "diff"
    }

    /// A file with the lines of the block that begin with `+`, each group below the line that is shown before
    /// it.
    ///
    /// # Panics
    /// When that line is not in the file, or is there twice.
    pub(crate) fn inserted_into(&self, file: &str) -> String {
        let mut lines: Vec<&str> = file.lines().collect();
        let mut at = 0;
        for shown in self.text.lines().filter(|line| !line.is_empty()) {
            if let Some(new) = shown.strip_prefix('+') {
                lines.insert(at, new);
            } else {
                let known = shown.strip_prefix(' ').unwrap_or(shown);
                let mut places = (0..lines.len()).filter(|place| lines[*place] == known);
                let (place, again) = (places.next(), places.next());
                let Some((place, None)) = place.map(|place| (place, again)) else {
                    panic!("{} has not one line {known:?}", self.path);
                };
                at = place;
            }
            at += 1;
        }
        lines.join("\n") + "\n"
    }
}

#[test]
fn blocks_with_a_path_are_read_and_others_left() {
    let text = "a\n```json b/c.json\n{\n}\n```\n```\nno\n```\n```rust\nno\n```\n```diff d.rs\n e\n+f\n```\n";
    let block = |language: &str, path: &str, text: &str| Block {
        language: language.to_owned(),
        path: path.to_owned(),
        text: text.to_owned(),
    };
    let wanted = [
        block("json", "b/c.json", "{\n}\n"),
        block("diff", "d.rs", " e\n+f\n"),
    ];
    assert_eq!(blocks(text), wanted);
}

#[test]
fn lines_are_inserted_below_the_one_shown() {
    let block = &blocks("```diff a.rs\n mod b;\n+mod c;\n+mod d;\n\n     x,\n+    y,\n```\n")[0];
    assert_eq!(
        block.inserted_into("mod a;\nmod b;\nmod e;\n    x,\n"),
        "mod a;\nmod b;\nmod c;\nmod d;\nmod e;\n    x,\n    y,\n"
    );
}

#[test]
#[should_panic(expected = "a.rs has not one line \"mod b;\"")]
fn a_line_that_is_not_there_is_told() {
    blocks("```diff a.rs\n mod b;\n+mod c;\n```\n")[0].inserted_into("mod a;\n");
}
