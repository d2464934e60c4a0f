//! Writes the seeds of every target to `corpus/TARGET/`, beside what fuzzing has added there.

use std::fs;
use std::path::Path;

use littlestone_fuzz::{TARGETS, seeds};

fn main() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().expect("the folder of the package");
    for target in TARGETS {
        let corpus = here.join("corpus").join(target.name);
        fs::create_dir_all(&corpus)?;
        for (number, seed) in seeds(target.name, root, &std::env::temp_dir()).iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number:03}")), seed)?;
        }
    }
    Ok(())
}
