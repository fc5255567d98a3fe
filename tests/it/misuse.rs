//! What must not compile: `tests/misuse` tries to get around access as a value, one feature an attempt.

use std::process::Command;

use serde_json::Value;

/// Each attempt with the error that it must meet.
const ATTEMPTS: &[(&str, &str)] = &[
    // Private fields.
    ("access_by_literal", "E0451"),
    ("work_by_literal", "E0451"),
    ("principal_by_literal", "E0451"),
    ("admission_by_literal", "E0451"),
    // A trait that is not there.
    ("access_from_json", "E0277"),
    ("bound_by_hand", "E0277"),
    // Another type.
    ("project_for_asset", "E0308"),
    ("read_for_write", "E0308"),
];

/// Checks the package with these features; codes of all errors in it, and whether it compiles.
fn check(features: &str) -> (bool, Vec<String>) {
    let output = Command::new(env!("CARGO"))
        .args([
            "check",
            "--quiet",
            "--offline",
            "--locked",
            "--package",
            "misuse",
            "--message-format",
            "json",
        ])
        .args(["--features", features])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let messages = said
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.filter(|message| {
        message["reason"] == "compiler-message" && message["message"]["level"] == "error"
    });
    // The line that only counts the errors has no spans.
    let errors = errors.filter(|message| {
        message["message"]["spans"]
            .as_array()
            .is_some_and(|spans| !spans.is_empty())
    });
    let codes = errors
        .map(|error| {
            error["message"]["code"]["code"]
                .as_str()
                .unwrap_or("no code")
                .to_owned()
        })
        .collect();
    if !output.status.success() && said.is_empty() {
        panic!(
            "cargo did not get as far as checking: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    (output.status.success(), codes)
}

#[test]
fn misuses_of_access_do_not_compile() {
    assert_eq!(check(""), (true, Vec::new()), "the control must compile");
    for (attempt, code) in ATTEMPTS {
        let (compiles, mut codes) = check(attempt);
        codes.dedup();
        assert!(!compiles, "{attempt} compiles");
        assert_eq!(codes, [*code], "{attempt}");
    }
}
