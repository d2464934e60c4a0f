//! Every fuzz target on its seeds and on mutations of them, which are the same in every run. Long
//! runs are those of `cargo fuzz`; see CONTRIBUTING.md.

mod seeds;
mod targets;

use std::path::Path;

/// Words that lead to other parts of the readers, and numbers at the ends of machine words.
const TOKENS: [&str; 24] = [
    "0",
    "-1",
    "1/0",
    "2^-65536",
    "1e999999999",
    "exp(1/2^4000)",
    "18446744073709551616",
    "9223372036854775807",
    "ln(",
    "(",
    ")",
    "[",
    "{",
    "\"",
    "\n",
    "\r\n",
    ",",
    ":",
    "=",
    "#",
    "\u{feff}",
    "\u{202e}",
    "\u{1b}[2J",
    "é",
];

/// `SplitMix64` (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    /// A range of at most 16 places.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(16)).min(length)
    }
}

fn mutate(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(3) {
        let range = random.range(bytes.len());
        match random.below(5) {
            0 if !range.is_empty() => bytes[range.start] ^= 1 << random.below(8),
            1 => drop(bytes.drain(range)),
            2 => {
                let copy = bytes[range.clone()].to_vec();
                let at = random.below(bytes.len() + 1);
                bytes.splice(at..at, copy);
            }
            3 => {
                let other = &seeds[random.below(seeds.len())];
                let piece = other[random.range(other.len())].to_vec();
                bytes.splice(range, piece);
            }
            _ => drop(bytes.splice(range, TOKENS[random.below(TOKENS.len())].bytes())),
        }
    }
    bytes
}

/// Runs a target on its seeds and on `count` mutations, a hundred times as many with
/// `LITTLESTONE_LONG=1`.
fn exercise(name: &str, count: usize) {
    let folder = tempfile::tempdir().unwrap();
    let target = targets::find(name);
    let seeds = seeds::seeds(name, Path::new(env!("CARGO_MANIFEST_DIR")), folder.path());
    for seed in &seeds {
        target.run(folder.path(), seed);
    }
    let long = std::env::var_os("LITTLESTONE_LONG").is_some();
    let mut random = Random(1);
    for _ in 0..if long { 100 * count } else { count } {
        let bytes = mutate(&mut random, &seeds);
        let run = std::panic::AssertUnwindSafe(|| target.run(folder.path(), &bytes));
        let text = String::from_utf8_lossy(&bytes);
        assert!(std::panic::catch_unwind(run).is_ok(), "{name} panics on {text:?}");
    }
}

macro_rules! exercises {
    ($($name:ident: $count:literal,)*) => {
        $(
            #[test]
            fn $name() {
                exercise(stringify!($name), $count);
            }
        )*

        #[test]
        fn all_targets_are_exercised() {
            let here = [$(stringify!($name)),*];
            let there: Vec<&str> = targets::TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(there, here);
            // A published package has no `fuzz/`.
            let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/fuzz_targets");
            for name in here.iter().filter(|_| programs.is_dir()) {
                assert!(programs.join(format!("{name}.rs")).is_file(), "{name}");
            }
        }
    };
}

// A few seconds for each in a build that is not optimised.
exercises! {
    class_csv: 1000,
    class_text: 1000,
    class_json: 1000,
    class_spec: 500,
    stream: 1000,
    distribution: 1000,
    number: 3000,
    epsilon_delta: 3000,
    mechanism_spec: 150,
    mechanism_table: 1000,
    mechanism_toml: 1000,
    script: 300,
    claims: 30,
    certificate: 500,
    pairs: 1000,
    counterexample: 500,
    partial: 500,
}
