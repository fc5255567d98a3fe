//! The ten questions, one per photograph, as a person would ask them. They were written before the first
//! run and are not tuned to it.

/// File name of a photograph, and the question that it answers.
pub(super) const QUERIES: [(&str, &str); 10] = [
    ("astronaut.png", "an astronaut in an orange space suit"),
    ("brick.png", "a brick wall"),
    ("camera.png", "a man with a camera on a tripod"),
    ("chelsea.png", "a cat"),
    ("clock_motion.png", "a clock on the wall"),
    ("coffee.png", "a cup of coffee"),
    ("grass.png", "green grass"),
    ("horse.png", "a horse"),
    ("hubble_deep_field.jpg", "galaxies in deep space"),
    ("rocket.jpg", "a rocket launch"),
];

/// Those that must come first.
pub(super) const FIRST: [&str; 3] = ["chelsea.png", "coffee.png", "rocket.jpg"];

/// Questions whose photograph must come first, at least.
pub(super) const R1_MIN: usize = 5;

/// Questions whose photograph must be among the first three, at least.
pub(super) const R3_MIN: usize = 8;
