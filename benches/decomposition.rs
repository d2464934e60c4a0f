//! Times of `ρ_p` and `C_p` with their trees: `cargo bench --bench decomposition`.
//!
//! One thread. Each line is one class and one p, from nothing to the essential hypotheses; for
//! classes on at most 6 points the enumeration of all valid trees (the reference of the tests) is
//! timed too. The last lines are sparse random classes, seeds 1 to 20 of the family `sparse`, all
//! of p = 1, 2, 3, 4 together.

#![expect(clippy::print_stdout, reason = "a table is what this program is for")]

use std::time::{Duration, Instant};

use littlestone::class::{self, Class};
use littlestone::decomposition::{Decomposition, irreducibility_order};
use littlestone::limits::Limits;
use littlestone::littlestone::Solver;

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../tests/suite/support/decomposition.rs"]
mod reference;

use reference::{Definitions, Enumeration, Queries};

const CLASSES: [&str; 34] = [
    "point:5",
    "ball:5,2",
    "ball:6,2",
    "ball:6,3",
    "subsets:6,2",
    "threshold:6",
    "interval:5",
    "cube:3",
    "point:40",
    "point:200",
    "point:500",
    "ball:9,2",
    "ball:12,2",
    "ball:24,2",
    "ball:12,3",
    "subsets:8,2",
    "subsets:10,3",
    "projective-plane:3",
    "projective-plane:4",
    "projective-plane:5",
    "affine-subspaces:4,2",
    "permutation:4",
    "permutation:5",
    "cube:8",
    "parity:6",
    "threshold:100",
    "interval:16",
    "box:5,5",
    "monotone:4",
    "conjunction:4",
    "decision-list:3",
    "threshold-function:3",
    "paley:13",
    "sparse:28,16,12,1",
];

/// Rows are drawn until about 73 and 49 are distinct.
const SPARSE: [&str; 3] = ["sparse:73,24,8", "sparse:95,24,8", "sparse:58,20,10"];

fn load(name: &str) -> Class {
    class::load(name).expect("a family").class
}

/// `ρ_p`, the size of `C_p` and the time they took.
fn decompose(class: &Class, p: u32) -> (i32, usize, Duration) {
    let start = Instant::now();
    let solver = Solver::new(class, Limits::default());
    let mut found = Decomposition::new(&solver, p, None).expect("a class and no limit");
    let rho = found.dimension().value().expect("no limit");
    let essential = found.essential().expect("no limit").hypotheses.len();
    (rho, essential, start.elapsed())
}

/// The same by enumeration, for classes on at most 6 points.
fn enumerate(class: &Class, p: u32) -> (i32, usize, Duration) {
    let labels: Vec<String> = (0..class.hypotheses()).map(|h| class.labels(h)).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let set = reference::class(&labels);
    let start = Instant::now();
    let mut definitions = Definitions::new(class.points());
    let d = definitions.dimension(set);
    let mut trees = Enumeration::new(&mut definitions, p, d, Queries::Splitting);
    let (rho, common) = trees.decompose(set);
    (rho, common.len(), start.elapsed())
}

fn main() {
    println!(
        "{:22} {:>10}  p  rho {:>6} {:>12} {:>14}",
        "class", "H x X", "|C|", "time", "enumeration"
    );
    for name in CLASSES {
        let class = load(name);
        let size = format!("{}x{}", class.hypotheses(), class.points());
        for p in 1..=4 {
            let (rho, essential, time) = decompose(&class, p);
            let slow = if class.points() <= 6 {
                let (rho_again, essential_again, time) = enumerate(&class, p);
                assert_eq!((rho, essential), (rho_again, essential_again), "{name}, p = {p}");
                format!("{time:.2?}")
            } else {
                "-".into()
            };
            println!("{name:22} {size:>10}  {p}  {rho:3} {essential:6} {time:>12.2?} {slow:>14}");
        }
        let solver = Solver::new(&class, Limits::default());
        let start = Instant::now();
        let order = irreducibility_order(&solver).expect("no limit").value();
        println!("{name:22} irreducibility order {order:?} in {:.2?}", start.elapsed());
    }
    println!("\nsparse random classes, p = 1, 2, 3, 4 together");
    for name in SPARSE {
        let mut times: Vec<Duration> = (1..=20)
            .map(|seed| {
                let class = load(&format!("{name},{seed}"));
                (1..=4).map(|p| decompose(&class, p).2).sum()
            })
            .collect();
        times.sort_unstable();
        println!("{name},1..20: median {:.2?}, greatest {:.2?}", times[10], times[19]);
    }
}
