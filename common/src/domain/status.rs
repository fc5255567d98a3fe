//! The states of everything that has states, their stored names, and the two rules that connect them:
//! how an asset's status follows from its jobs, and how long a failed attempt waits.

use std::time::Duration;

/// Declares an enumeration whose names are the same in SQL, JSON, logs and the schema.
macro_rules! named {
    ($(
        $(#[$doc:meta])*
        $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)* }

        impl $name {
            /// All values, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stored name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Finds a value by its stored name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$variant),)* _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    )*};
}

named! {
    /// Where a project stands.
    ProjectStatus {
        /// In use.
        Active = "active",
        /// Hidden by default and closed to new assets; nothing is lost.
        Archived = "archived",
        /// Gone.
        Deleted = "deleted",
    }
    /// Where an asset stands.
    AssetStatus {
        /// Saved; its picture has no vector yet, so search cannot find it.
        Processing = "processing",
        /// Searchable.
        Ready = "ready",
        /// Saved, but its picture could not be embedded.
        Failed = "failed",
        /// On its way out, already unreachable.
        Deleting = "deleting",
        /// Gone.
        Deleted = "deleted",
    }
    /// Where the vectors of an asset stand, for the active model.
    EmbeddingStatus {
        /// No attempt has begun.
        Pending = "pending",
        /// Some wanted vector is still to come.
        Running = "running",
        /// All wanted vectors exist.
        Ready = "ready",
        /// The picture's vector exists, the fused one failed.
        Partial = "partial",
        /// The picture's vector failed.
        Failed = "failed",
    }
    /// Where an embedding job stands.
    JobState {
        /// Never attempted, or put back without counting the attempt.
        Queued = "queued",
        /// Held under a lease.
        Running = "running",
        /// Attempted; to be attempted again.
        Retry = "retry",
        /// The vector is written.
        Done = "done",
        /// Given up.
        Failed = "failed",
        /// No longer wanted.
        Cancelled = "cancelled",
        /// A paid call began and its end is unknown; never repeated silently.
        UnknownExecution = "unknown_execution",
    }
    /// Where an object's bytes stand.
    ObjectStatus {
        /// The row is there, the bytes are being put.
        Pending = "pending",
        /// The bytes are there.
        Available = "available",
        /// Found undecodable or unsafe: kept, never shown, searched or reused.
        Quarantined = "quarantined",
        /// No live asset is left; the bytes go after the grace period.
        Deleting = "deleting",
        /// The bytes are gone.
        Deleted = "deleted",
    }
    /// What a vector stands for.
    Representation {
        /// The picture alone.
        Visual = "visual",
        /// The picture with its words.
        Fused = "fused",
    }
    /// Where a quota reservation stands.
    ReservationState {
        /// Holds its bytes.
        Reserved = "reserved",
        /// Became used bytes.
        Finalized = "finalized",
        /// Given back by its call.
        Released = "released",
        /// Given back by sweep, because its call never ended.
        Expired = "expired",
        /// Given back because the caller gave up.
        Cancelled = "cancelled",
    }
    /// Where a direct upload stands.
    UploadState {
        /// Waits for its bytes.
        Reserved = "reserved",
        /// Became an asset.
        Finalized = "finalized",
        /// Its bytes were refused.
        Failed = "failed",
        /// No bytes came in time.
        Expired = "expired",
        /// The caller gave up.
        Cancelled = "cancelled",
    }
    /// Where a call with an idempotency key stands.
    IdempotencyState {
        /// Begun; its twins must wait.
        InFlight = "in_flight",
        /// Answered; its twins get the same answer.
        Done = "done",
    }
    /// Where a picture came from.
    SourceKind {
        /// Bytes that the caller sent.
        Upload = "upload",
        /// A page that a scraper read.
        Scrape = "scrape",
        /// A picture of a screen.
        Screenshot = "screenshot",
        /// A post.
        Instagram = "instagram",
        /// An address that the caller named.
        ExternalUrl = "external_url",
        /// A collection brought over from elsewhere.
        Import = "import",
    }
}

impl JobState {
    /// Whether nothing further happens to the job by itself.
    #[must_use]
    pub const fn is_settled(self) -> bool {
        match self {
            Self::Queued | Self::Running | Self::Retry => false,
            Self::Done | Self::Failed | Self::Cancelled | Self::UnknownExecution => true,
        }
    }
}

/// What the states of an asset's jobs make of the asset (design §8). `fused` is `None` when the asset
/// has no words.
///
/// An unknown execution counts as a failure. A cancelled fused job counts as not wanted; a cancelled
/// visual one as a failure, because every asset wants its visual vector.
#[must_use]
pub const fn aggregate(
    visual: JobState,
    fused: Option<JobState>,
) -> (AssetStatus, EmbeddingStatus) {
    use JobState::{Cancelled, Done, Failed, Queued, Retry, Running, UnknownExecution};

    match (visual, fused) {
        (Queued, None | Some(Queued | Cancelled)) => {
            (AssetStatus::Processing, EmbeddingStatus::Pending)
        }
        (Queued | Running | Retry, _) => (AssetStatus::Processing, EmbeddingStatus::Running),
        (Done, None | Some(Done | Cancelled)) => (AssetStatus::Ready, EmbeddingStatus::Ready),
        (Done, Some(Queued | Running | Retry)) => (AssetStatus::Ready, EmbeddingStatus::Running),
        (Done, Some(Failed | UnknownExecution)) => (AssetStatus::Ready, EmbeddingStatus::Partial),
        (Failed | UnknownExecution | Cancelled, _) => {
            (AssetStatus::Failed, EmbeddingStatus::Failed)
        }
    }
}

/// The longest first wait.
const BACKOFF_BASE: Duration = Duration::from_secs(10);
/// The longest wait that we choose ourselves.
const BACKOFF_MAX: Duration = Duration::from_secs(300);
/// The longest wait that a provider may ask for: the longest delay of an SQS message.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(900);

/// How long to wait after failed attempt number `attempt` (from 1): doubling from ten seconds to five
/// minutes, spread over the upper half by `random_unit` (0 to 1), and never before the provider's own
/// `retry_after`, of which at most fifteen minutes are honoured.
#[must_use]
pub fn backoff(attempt: u32, random_unit: f64, retry_after: Option<Duration>) -> Duration {
    let doublings = attempt.saturating_sub(1).min(16);
    let longest = BACKOFF_BASE.saturating_mul(1 << doublings).min(BACKOFF_MAX);
    // `clamp` would keep a NaN, `max` drops it.
    let spread = 0.5 + 0.5 * random_unit.max(0.0).clamp(0.0, 1.0);
    let wait = longest.mul_f64(spread);
    retry_after.map_or(wait, |asked| wait.max(asked.min(RETRY_AFTER_MAX)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names<T: Copy + PartialEq + std::fmt::Debug>(
        all: &[T],
        name: impl Fn(T) -> &'static str,
        from_name: impl Fn(&str) -> Option<T>,
        json: impl Fn(T) -> serde_json::Value,
    ) -> String {
        for value in all {
            assert_eq!(from_name(name(*value)), Some(*value));
            assert_eq!(json(*value), name(*value));
        }
        assert!(from_name("").is_none());
        all.iter()
            .map(|value| name(*value))
            .collect::<Vec<_>>()
            .join(" ")
    }

    macro_rules! names_of {
        ($name:ident) => {
            names($name::ALL, $name::name, $name::from_name, |value| {
                let json = serde_json::to_value(value).unwrap();
                assert_eq!(
                    serde_json::from_value::<$name>(json.clone()).unwrap(),
                    value
                );
                json
            })
        };
    }

    #[test]
    fn names_are_those_of_the_tables() {
        assert_eq!(names_of!(ProjectStatus), "active archived deleted");
        assert_eq!(
            names_of!(AssetStatus),
            "processing ready failed deleting deleted"
        );
        assert_eq!(
            names_of!(EmbeddingStatus),
            "pending running ready partial failed"
        );
        assert_eq!(
            names_of!(JobState),
            "queued running retry done failed cancelled unknown_execution"
        );
        assert_eq!(
            names_of!(ObjectStatus),
            "pending available quarantined deleting deleted"
        );
        assert_eq!(names_of!(Representation), "visual fused");
        assert_eq!(
            names_of!(ReservationState),
            "reserved finalized released expired cancelled"
        );
        assert_eq!(
            names_of!(UploadState),
            "reserved finalized failed expired cancelled"
        );
        assert_eq!(names_of!(IdempotencyState), "in_flight done");
        assert_eq!(
            names_of!(SourceKind),
            "upload scrape screenshot instagram external_url import"
        );
    }

    #[test]
    fn the_schema_lists_the_stored_names() {
        let schema = serde_json::to_string(&schemars::schema_for!(JobState)).unwrap();
        for state in JobState::ALL {
            assert!(
                schema.contains(&format!("\"{state}\"")),
                "{state} is not in {schema}"
            );
        }
    }

    #[test]
    fn the_table_of_the_design_holds_for_every_pair() {
        use JobState::{Cancelled, Done, Failed, Queued, Retry, Running, UnknownExecution};
        let fused_states = || std::iter::once(None).chain(JobState::ALL.iter().copied().map(Some));
        for visual in JobState::ALL.iter().copied() {
            for fused in fused_states() {
                let got = aggregate(visual, fused);
                let asset = match visual {
                    Queued | Running | Retry => AssetStatus::Processing,
                    Done => AssetStatus::Ready,
                    Failed | Cancelled | UnknownExecution => AssetStatus::Failed,
                };
                assert_eq!(got.0, asset, "{visual} {fused:?}");
                let embedding: &[EmbeddingStatus] = match (asset, fused) {
                    (AssetStatus::Processing, _) => {
                        &[EmbeddingStatus::Pending, EmbeddingStatus::Running]
                    }
                    (AssetStatus::Ready, None | Some(Done | Cancelled)) => {
                        &[EmbeddingStatus::Ready]
                    }
                    (AssetStatus::Ready, Some(Failed | UnknownExecution)) => {
                        &[EmbeddingStatus::Partial]
                    }
                    (AssetStatus::Ready, _) => &[EmbeddingStatus::Running],
                    _ => &[EmbeddingStatus::Failed],
                };
                assert!(
                    embedding.contains(&got.1),
                    "{visual} {fused:?} gave {}",
                    got.1
                );
            }
        }
        assert_eq!(aggregate(Queued, Some(Queued)).1, EmbeddingStatus::Pending);
        assert_eq!(aggregate(Queued, Some(Running)).1, EmbeddingStatus::Running);
        assert_eq!(aggregate(Retry, None).1, EmbeddingStatus::Running);
    }

    #[test]
    fn waits_double_and_end_at_five_minutes() {
        let longest: Vec<u64> = (1..=7)
            .map(|attempt| backoff(attempt, 1.0, None).as_secs())
            .collect();
        assert_eq!(longest, [10, 20, 40, 80, 160, 300, 300]);
        assert_eq!(backoff(1, 0.0, None), Duration::from_secs(5));
        assert_eq!(backoff(1, f64::NAN, None), Duration::from_secs(5));
    }

    #[test]
    fn the_provider_may_ask_for_more_within_reason() {
        let asked = |seconds| backoff(1, 1.0, Some(Duration::from_secs(seconds))).as_secs();
        assert_eq!([asked(3), asked(60), asked(86_400)], [10, 60, 900]);
    }

    proptest! {
        #[test]
        fn waits_stay_within_their_bounds(
            attempt in any::<u32>(),
            random in any::<f64>(),
            asked in proptest::option::of(any::<u64>()),
        ) {
            let wait = backoff(attempt, random, asked.map(Duration::from_secs));
            prop_assert!(wait >= BACKOFF_BASE / 2);
            prop_assert!(wait <= RETRY_AFTER_MAX);
        }
    }
}
