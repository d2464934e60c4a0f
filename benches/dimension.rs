//! The Littlestone dimension: the engine against the recursions that people write.
//!
//!     cargo bench --bench dimension -- [--cap SECONDS] [--memory GIB] [--only TEXT] [--quick]
//!                                      [--jobs N]
//!
//! All three compute the same dimension or the bench panics. Ratios are what matters; times are
//! processor times of whatever machine this runs on. See `docs/benchmarks.md`.

mod measure;
mod reference;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use littlestone::class::{Class, families};
use littlestone::limits::Limits;
use littlestone::littlestone::Solver;

use measure::{geometric_mean, grouped, median, peak_memory, ratio, time, timed};
use reference::{Cap, Capped, First, memoised, pruned};

/// The classes, in the order of the table.
const CLASSES: [&str; 38] = [
    "threshold:1024",
    "threshold:4096",
    "parity:6",
    "parity:11",
    "cube:12",
    "interval:16",
    "interval:32",
    "interval:256",
    "box:5,5",
    "threshold-function:3",
    "threshold-function:4",
    "threshold-function:5",
    "monotone:4",
    "monotone:5",
    "decision-list:3",
    "decision-list:4",
    "conjunction:4",
    "dnf:3,2",
    "dnf:4,2",
    "juntas:3,5",
    "projective-plane:5",
    "projective-plane:7",
    "subsets:16,8",
    "permutation:7",
    "random:32,16,1",
    "random:64,32,1",
    "random:128,16,1",
    "random:1024,32,1",
    "random:4096,64,1",
    "random:65536,64,1",
    "sparse:65536,32,20,1",
    "halfspace-points:40,3,1",
    "xor-intervals:16",
    "xor-intervals:24",
    "xor-intervals:32",
    "balls:16,3,4,1",
    "balls:20,3,8,1",
    "balls:24,2,32,1",
];

/// The class on which the ratios of both recursions are required, and the ratios.
const COMPARED: (&str, u32, u32) = ("threshold-function:4", 300, 50);

/// The geometric mean over the memoised recursion that is required.
const MEAN: u128 = 1000;

/// Times required of the engine, in milliseconds. The aim is half of each.
const REQUIRED: [(&str, u64); 5] = [
    ("threshold-function:5", 3000),
    ("xor-intervals:32", 7000),
    ("threshold:4096", 200),
    ("random:65536,64,1", 300),
    ("interval:256", 300),
];

/// The classes on which threads are compared.
const THREADED: [&str; 2] = ["threshold-function:5", "xor-intervals:32"];

#[derive(Debug)]
struct Options {
    cap: Cap,
    only: Option<String>,
    jobs: Option<NonZeroUsize>,
    quick: bool,
    /// Whether the figures are meant to be measured: cargo says so by `--bench`.
    bench: bool,
}

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut seconds, mut gibibytes) = (None, 6usize);
        let (mut only, mut jobs, mut quick, mut bench) = (None, None, false, false);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg}: a value is missing"));
            let number = |text: String| {
                text.parse::<u32>().map_err(|_| format!("{text}: expected a number"))
            };
            match arg.as_str() {
                "--bench" => bench = true,
                "--quick" => quick = true,
                "--only" => only = Some(value()?),
                "--cap" => seconds = Some(number(value()?)?),
                "--memory" => {
                    gibibytes = usize::try_from(number(value()?)?).map_err(|e| e.to_string())?;
                }
                "--jobs" => {
                    jobs = Some(value()?.parse().map_err(|_| "--jobs: expected a number")?);
                }
                _ => return Err(format!("{arg}: unknown option")),
            }
        }
        let seconds = seconds.unwrap_or(if quick || !bench { 1 } else { 60 });
        let cap = Cap {
            time: Duration::from_secs(seconds.into()),
            bytes: gibibytes.saturating_mul(1 << 30),
        };
        Ok(Self { cap, only, jobs, quick, bench })
    }

    fn selects(&self, class: &str) -> bool {
        let named = self.only.as_deref().is_none_or(|text| class.contains(text));
        // `cargo test --benches` only asks whether this works.
        named && (self.bench || class == "threshold-function:3")
    }

    /// How long to repeat a short run.
    fn enough(&self) -> Duration {
        Duration::from_millis(if self.quick || !self.bench { 10 } else { 500 })
    }
}

/// What the engine did on a class.
#[derive(Debug)]
struct Row {
    name: &'static str,
    size: (usize, usize),
    dimension: i32,
    generation: Duration,
    engine: Duration,
    states: u64,
}

/// How long a recursion took, and why it was stopped if it was.
#[derive(Debug, Clone, Copy)]
struct Reference {
    time: Duration,
    capped: Option<Capped>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    // The textbook recursion goes as deep as a class has hypotheses.
    let worker = std::thread::Builder::new().stack_size(1 << 28);
    let result = worker.spawn(move || run(&options).map_err(|error| error.to_string()))?.join();
    result.map_err(|_| "the bench panicked")??;
    Ok(())
}

fn run(options: &Options) -> io::Result<()> {
    let mut out = io::stdout();
    let names = || CLASSES.into_iter().filter(|name| options.selects(name));
    // The engine goes first, so that the peak of its memory can be told.
    let rows: Vec<Row> = names().map(|name| engine_row(name, options)).collect();
    let memory = peak_memory();
    writeln!(
        out,
        "| class | hypotheses × points | Ldim | generation | engine | states | memoised | pruned | \
         memoised / engine | pruned / engine |\n\
         | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    )?;
    let mut results = Vec::new();
    let mut smaller_first = None;
    for row in rows {
        let class = generate(row.name);
        let measure = |recursion: fn(&Class, Cap) -> Result<i32, Capped>| {
            let (time, answer) = median(options.enough(), || recursion(&class, options.cap));
            if let Ok(dimension) = answer {
                assert_eq!(dimension, row.dimension, "Ldim of {}", row.name);
            }
            Reference { time, capped: answer.err() }
        };
        let natural = measure(|class, cap| pruned(class, cap, First::Zero));
        let references = [measure(memoised), natural];
        if row.name == COMPARED.0 {
            smaller_first =
                Some((row.engine, measure(|class, cap| pruned(class, cap, First::Smaller))));
        }
        writeln!(out, "{}", line(&row, references))?;
        out.flush()?;
        results.push((row, references));
    }
    writeln!(out)?;
    summary(&mut out, &results)?;
    if let Some((engine, reference)) = smaller_first {
        let found = ratio(reference.time, engine);
        let class = COMPARED.0;
        writeln!(out, "- {class}, pruned with the smaller side first / engine: {found}")?;
    }
    let unknown = || "not told by this system".to_owned();
    writeln!(out, "- peak memory of the engine: {}", memory.unwrap_or_else(unknown))?;
    writeln!(out, "- peak memory of all: {}", peak_memory().unwrap_or_else(unknown))?;
    if let Some(jobs) = options.jobs {
        threads(&mut out, options, jobs)?;
    }
    Ok(())
}

fn generate(name: &str) -> Class {
    let (family, args) = name.split_once(':').expect("a family and its arguments");
    families::generate(family, args).expect("a class of the family")
}

/// One answer of the engine, from the class to the dimension.
fn engine(class: &Class, jobs: NonZeroUsize) -> (i32, u64) {
    let solver = Solver::new(class, Limits { jobs, ..Limits::default() });
    let dimension = solver.dimension().value().expect("no limit");
    (dimension, solver.progress().states())
}

fn engine_row(name: &'static str, options: &Options) -> Row {
    let (generation, class) = timed(|| generate(name));
    let (time, (dimension, states)) =
        median(options.enough(), || engine(&class, NonZeroUsize::MIN));
    let size = (class.hypotheses(), class.points());
    Row { name, size, dimension, generation, engine: time, states }
}

fn line(row: &Row, [memoised, pruned]: [Reference; 2]) -> String {
    let shown = |reference: Reference| match reference.capped {
        None => time(reference.time),
        Some(Capped::Time) => format!("> {}", time(reference.time)),
        Some(Capped::Memory) => format!("> {} (memory)", time(reference.time)),
    };
    let quotient = |reference: Reference| {
        let bound = if reference.capped.is_some() { "> " } else { "" };
        format!("{bound}{}", ratio(reference.time, row.engine))
    };
    format!(
        "| {} | {} × {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        row.name,
        grouped(row.size.0 as u128),
        grouped(row.size.1 as u128),
        row.dimension,
        time(row.generation),
        time(row.engine),
        grouped(row.states.into()),
        shown(memoised),
        shown(pruned),
        quotient(memoised),
        quotient(pruned),
    )
}

/// The required figures, as far as their classes were selected.
fn summary(out: &mut impl Write, results: &[(Row, [Reference; 2])]) -> io::Result<()> {
    let verdict = |passed| if passed { "PASS" } else { "FAIL" };
    // A capped recursion counts as the time after which it was stopped.
    let pairs: Vec<_> = results.iter().map(|(row, [m, _])| (m.time, row.engine)).collect();
    let mean = geometric_mean(&pairs);
    let text = format!("geometric mean of memoised / engine over {} classes", results.len());
    writeln!(out, "- {text}: {} (required {MEAN}): {}", grouped(mean), verdict(mean >= MEAN))?;
    let slower: Vec<_> = results
        .iter()
        .filter(|(row, references)| {
            references.iter().any(|r| r.capped.is_none() && r.time < row.engine)
        })
        .map(|(row, _)| row.name)
        .collect();
    writeln!(out, "- no class slower: {} {}", verdict(slower.is_empty()), slower.join(", "))?;
    let (compared, memoised_times, pruned_times) = COMPARED;
    for (row, [m, p]) in results.iter().filter(|(row, _)| row.name == compared) {
        for (what, reference, times) in
            [("memoised", m, memoised_times), ("pruned", p, pruned_times)]
        {
            let found = ratio(reference.time, row.engine);
            let passed = verdict(reference.time >= row.engine * times);
            writeln!(out, "- {compared}, {what} / engine: {found} (required {times}): {passed}")?;
        }
    }
    for (name, required) in REQUIRED {
        let required = Duration::from_millis(required);
        for (row, _) in results.iter().filter(|(row, _)| row.name == name) {
            let (found, limit, aim) = (time(row.engine), time(required), time(required / 2));
            let passed = verdict(row.engine <= required);
            let reached = verdict(row.engine <= required / 2);
            writeln!(
                out,
                "- {name}: {found} (required {limit}): {passed}; (aim {aim}): {reached}"
            )?;
        }
    }
    Ok(())
}

/// One thread against several, by the clock on the wall.
fn threads(out: &mut impl Write, options: &Options, jobs: NonZeroUsize) -> io::Result<()> {
    writeln!(out, "\n| class | 1 thread | {jobs} threads | ratio |\n| --- | --: | --: | --: |")?;
    for name in THREADED.into_iter().filter(|name| options.selects(name)) {
        let class = generate(name);
        // Runs of one and of several alternate, so that both see the same machine.
        let runs = [NonZeroUsize::MIN, jobs];
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..if options.quick { 1 } else { 5 } {
            for (jobs, times) in runs.iter().zip(&mut times) {
                let start = Instant::now();
                engine(&class, *jobs);
                times.push(start.elapsed());
            }
        }
        let [one, several] = times.map(|mut times| {
            times.sort_unstable();
            times[times.len() / 2]
        });
        writeln!(out, "| {name} | {} | {} | {} |", time(one), time(several), ratio(one, several))?;
    }
    Ok(())
}
