//! Object keys: the whole grammar, and the only makers.
//!
//! A key holds an environment, opaque ids and an extension, never an identity, a name or a caller's text
//! (§7.2). Projects and folders are not in it, so that a move copies nothing.

use std::fmt;

use crate::ids::{ArtifactId, EnvPrefix, NamespaceId, ObjectId, UploadId};

/// The extensions of stored originals, one per accepted type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extension {
    /// `image/jpeg`.
    Jpg,
    /// `image/png`.
    Png,
    /// `image/webp`.
    Webp,
    /// `image/gif`.
    Gif,
}

impl Extension {
    /// All extensions.
    pub const ALL: &'static [Self] = &[Self::Jpg, Self::Png, Self::Webp, Self::Gif];

    /// The extension, without a dot.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
        }
    }

    /// The type whose originals carry it.
    #[must_use]
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::Jpg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
        }
    }

    /// Finds an extension by its name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|extension| extension.name() == name)
    }

    /// Finds the extension of an accepted type.
    #[must_use]
    pub fn from_mime_type(mime_type: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|extension| extension.mime_type() == mime_type)
    }
}

/// Key of an object's original bytes.
#[must_use]
pub fn original_key(
    env: &EnvPrefix,
    namespace: &NamespaceId,
    object: &ObjectId,
    extension: Extension,
) -> String {
    format!(
        "{}{namespace}/objects/{object}/original.{}",
        tenants_prefix(env),
        extension.name()
    )
}

/// Key of an object's preview.
#[must_use]
pub fn preview_key(env: &EnvPrefix, namespace: &NamespaceId, object: &ObjectId) -> String {
    format!(
        "{}{namespace}/objects/{object}/{PREVIEW}",
        tenants_prefix(env)
    )
}

/// Key to which a caller puts the bytes of an upload; nothing is ever read from it but to be verified.
#[must_use]
pub fn staging_key(env: &EnvPrefix, namespace: &NamespaceId, upload: &UploadId) -> String {
    format!("{}{namespace}/{upload}", uploads_prefix(env))
}

/// Key of a temporary artifact.
#[must_use]
pub fn artifact_key(env: &EnvPrefix, namespace: &NamespaceId, artifact: &ArtifactId) -> String {
    format!("{}{namespace}/{artifact}", artifacts_prefix(env))
}

/// What all keys of originals and previews begin with.
#[must_use]
pub fn tenants_prefix(env: &EnvPrefix) -> String {
    format!("{env}/tenants/")
}

/// What all staging keys begin with; notification and lifecycle rules match it.
#[must_use]
pub fn uploads_prefix(env: &EnvPrefix) -> String {
    format!("{env}/uploads/")
}

/// What all keys of artifacts begin with.
#[must_use]
pub fn artifacts_prefix(env: &EnvPrefix) -> String {
    format!("{env}/artifacts/")
}

const PREVIEW: &str = "preview.webp";

/// A key taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ObjectKey {
    /// The environment.
    pub env: EnvPrefix,
    /// Whose bytes they are.
    pub namespace: NamespaceId,
    /// Which bytes they are.
    pub item: KeyItem,
}

/// What a key stands for within its namespace.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum KeyItem {
    /// Original bytes.
    Original(ObjectId, Extension),
    /// A preview.
    Preview(ObjectId),
    /// Bytes that a caller uploads.
    Staging(UploadId),
    /// A temporary artifact.
    Artifact(ArtifactId),
}

impl ObjectKey {
    /// Reads a key; `None` for every text that the makers above could not have made. Formatting what
    /// was read gives the same text.
    #[must_use]
    pub fn parse(key: &str) -> Option<Self> {
        let parts: Vec<&str> = key.split('/').collect();
        let (env, namespace, item) = match parts[..] {
            [env, "tenants", namespace, "objects", object, PREVIEW] => {
                (env, namespace, KeyItem::Preview(object.parse().ok()?))
            }
            [env, "tenants", namespace, "objects", object, original] => {
                let extension = Extension::from_name(original.strip_prefix("original.")?)?;
                (
                    env,
                    namespace,
                    KeyItem::Original(object.parse().ok()?, extension),
                )
            }
            [env, "uploads", namespace, upload] => {
                (env, namespace, KeyItem::Staging(upload.parse().ok()?))
            }
            [env, "artifacts", namespace, artifact] => {
                (env, namespace, KeyItem::Artifact(artifact.parse().ok()?))
            }
            _ => return None,
        };
        Some(Self {
            env: env.parse().ok()?,
            namespace: namespace.parse().ok()?,
            item,
        })
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            env,
            namespace,
            item,
        } = self;
        f.write_str(&match item {
            KeyItem::Original(object, extension) => {
                original_key(env, namespace, object, *extension)
            }
            KeyItem::Preview(object) => preview_key(env, namespace, object),
            KeyItem::Staging(upload) => staging_key(env, namespace, upload),
            KeyItem::Artifact(artifact) => artifact_key(env, namespace, artifact),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_key() -> impl Strategy<Value = ObjectKey> {
        ("[a-z0-9-]{1,32}", any::<u32>(), 0usize..7).prop_map(|(env, millis, kind)| {
            let millis = u64::from(millis);
            let object = ObjectId::generate(millis);
            ObjectKey {
                env: env.parse().unwrap(),
                namespace: NamespaceId::generate(millis),
                item: match kind {
                    4 => KeyItem::Preview(object),
                    5 => KeyItem::Staging(UploadId::generate(millis)),
                    6 => KeyItem::Artifact(ArtifactId::generate(millis)),
                    extension => KeyItem::Original(object, Extension::ALL[extension]),
                },
            }
        })
    }

    #[test]
    fn keys_look_as_the_design_says() {
        let env: EnvPrefix = "production".parse().unwrap();
        let namespace: NamespaceId = "ans_01JZ0000000000000000000000".parse().unwrap();
        let object: ObjectId = "aob_01JZ0000000000000000000001".parse().unwrap();
        let upload: UploadId = "aul_01JZ0000000000000000000002".parse().unwrap();
        let artifact: ArtifactId = "art_01JZ0000000000000000000003".parse().unwrap();
        let tenant = "production/tenants/ans_01JZ0000000000000000000000/objects/aob_01JZ0000000000000000000001";
        assert_eq!(
            original_key(&env, &namespace, &object, Extension::Jpg),
            format!("{tenant}/original.jpg")
        );
        assert_eq!(
            preview_key(&env, &namespace, &object),
            format!("{tenant}/preview.webp")
        );
        assert_eq!(
            staging_key(&env, &namespace, &upload),
            "production/uploads/ans_01JZ0000000000000000000000/aul_01JZ0000000000000000000002"
        );
        assert_eq!(
            artifact_key(&env, &namespace, &artifact),
            "production/artifacts/ans_01JZ0000000000000000000000/art_01JZ0000000000000000000003"
        );
    }

    #[test]
    fn anything_else_is_no_key() {
        let good = "dev/uploads/ans_01JZ0000000000000000000000/aul_01JZ0000000000000000000002";
        assert!(ObjectKey::parse(good).is_some());
        for bad in [
            "".to_owned(),
            format!("/{good}"),
            format!("{good}/"),
            format!("{good}/x"),
            format!("../{good}"),
            good.replace("dev", ""),
            good.replace("dev", "Dev"),
            good.replace("dev", ".."),
            good.replace("dev", &"d".repeat(33)),
            good.replace("uploads", "artifacts"),
            good.replace("uploads", "tenants"),
            good.replace("ans_", "AnS_"),
            good.replace("aul_01JZ", "aul_01jz"),
            good.replace('/', "\\"),
            good.replace("dev/", "dev//"),
            format!("{good}\0"),
            "dev/tenants/ans_01JZ0000000000000000000000/objects/aob_01JZ0000000000000000000001/original.svg".into(),
            "dev/tenants/ans_01JZ0000000000000000000000/objects/aob_01JZ0000000000000000000001/original.".into(),
            "dev/tenants/ans_01JZ0000000000000000000000/objects/aob_01JZ0000000000000000000001/preview.png".into(),
        ] {
            assert_eq!(ObjectKey::parse(&bad), None, "{bad:?}");
        }
    }

    #[test]
    fn extensions_and_types_name_each_other() {
        for extension in Extension::ALL {
            assert_eq!(Extension::from_name(extension.name()), Some(*extension));
            assert_eq!(
                Extension::from_mime_type(extension.mime_type()),
                Some(*extension)
            );
        }
    }

    proptest! {
        #[test]
        fn a_key_reads_back(key in any_key()) {
            prop_assert_eq!(ObjectKey::parse(&key.to_string()), Some(key));
        }

        #[test]
        fn a_key_holds_nothing_but_its_parts(key in any_key()) {
            let ObjectKey { env, namespace, item } = &key;
            let (id, extension) = match item {
                KeyItem::Original(object, extension) => (object.as_str(), extension.name()),
                KeyItem::Preview(object) => (object.as_str(), "webp"),
                KeyItem::Staging(upload) => (upload.as_str(), ""),
                KeyItem::Artifact(artifact) => (artifact.as_str(), ""),
            };
            let known = [env.as_str(), namespace.as_str(), id, extension];
            let fixed = ["tenants", "objects", "uploads", "artifacts", "original", "preview"];
            for part in key.to_string().split(['/', '.']) {
                prop_assert!(known.contains(&part) || fixed.contains(&part), "{part}");
            }
        }

        #[test]
        fn whatever_parses_formats_to_itself(text in "[a-z]{1,3}/(uploads|artifacts|tenants)/ans_[0-7][0-9A-Z]{25}/(aul|art|objects/aob)_[0-7][0-9A-Z]{25}(/(original|preview)[.](jpg|webp))?") {
            if let Some(key) = ObjectKey::parse(&text) {
                prop_assert_eq!(key.to_string(), text);
            }
        }
    }
}
