//! Names and passwords that nobody can guess or meet.

/// 128 random bits in hex.
pub(crate) fn name() -> String {
    let mut bytes = [0_u8; 16];
    if let Err(error) = getrandom::fill(&mut bytes) {
        // A guessable password would be worse than none.
        panic!("the operating system gives no random bytes: {error}");
    }
    hex::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_long_plain_and_never_the_same() {
        let (one, other) = (name(), name());
        assert_ne!(one, other);
        assert!(
            one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{one}"
        );
    }
}
