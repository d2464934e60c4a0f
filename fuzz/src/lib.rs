//! The targets of `tests/suite/fuzz/`, for the programs in `fuzz_targets/`.

use std::fs;

#[path = "../../tests/suite/fuzz/seeds.rs"]
mod seeds;
#[path = "../../tests/suite/fuzz/targets.rs"]
mod targets;

pub use seeds::seeds;
pub use targets::TARGETS;

/// Runs a target of `fuzz_targets/`, which writes its files to a folder of this process.
pub fn fuzz(name: &str, bytes: &[u8]) {
    let folder = std::env::temp_dir().join(format!("littlestone-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    targets::find(name).run(&folder, bytes);
    fs::remove_dir_all(&folder).expect("a folder of this process");
}
