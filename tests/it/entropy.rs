//! Randomness comes from the operating system: the C library of TLS is built without its own collector,
//! whose first use costs every process tens of milliseconds (docs/decisions/0003-kernel-entropy.md).

use std::{env::current_exe, fs};

#[test]
fn the_jitter_collector_is_not_built_in() {
    let binary = current_exe().and_then(fs::read).unwrap();
    let holds = |name: &str| {
        binary
            .windows(name.len())
            .any(|window| window == name.as_bytes())
    };
    // Put together here, so that the names in this file are not what is found.
    assert!(
        holds(&["opt_out_cpu", "_jitter_get_seed"].concat()),
        "the symbols of this binary cannot be read"
    );
    for name in [
        ["tree_jitter", "_get_seed"],
        ["jent_entropy", "_collector_alloc"],
        ["jent_read", "_entropy"],
    ] {
        assert!(
            !holds(&name.concat()),
            "AWS_LC_SYS_NO_JITTER_ENTROPY was not set when aws-lc-sys was built"
        );
    }
}
