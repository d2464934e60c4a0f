//! Times, ratios and memory, in whole numbers.

#![allow(dead_code, reason = "each bench uses its own part of this module")]

use std::time::Duration;

use num_bigint::BigUint;

/// The processor time that this thread has used since some moment: what else runs on the machine
/// does not count.
#[cfg(unix)]
pub fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("a time that has been used is not negative")
}

/// The time since the first call, for systems that do not tell the time of a thread.
#[cfg(not(unix))]
pub fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// The time of `run`, and what it returned.
pub fn timed<T>(run: impl FnOnce() -> T) -> (Duration, T) {
    let start = now();
    let answer = run();
    (now().saturating_sub(start), answer)
}

/// The median time of `run` and the last thing it returned. A short run is repeated, so that the
/// measurement takes about `enough` in all, and at most 1,000 times.
pub fn median<T>(enough: Duration, mut run: impl FnMut() -> T) -> (Duration, T) {
    let begin = now();
    let mut times = Vec::new();
    loop {
        let (time, answer) = timed(&mut run);
        times.push(time);
        // An odd number of times has a middle one.
        let spent = now().saturating_sub(begin);
        if times.len() % 2 == 1 && (spent >= enough || times.len() > 1000) {
            times.sort_unstable();
            return (times[times.len() / 2], answer);
        }
    }
}

/// The least time of `run`, repeated until it has taken about `enough` in all, and the last thing it
/// returned.
pub fn best<T>(enough: Duration, mut run: impl FnMut() -> T) -> (Duration, T) {
    let begin = now();
    let (mut best, mut answer) = timed(&mut run);
    while now().saturating_sub(begin) < enough {
        let (time, again) = timed(&mut run);
        best = best.min(time);
        answer = again;
    }
    (best, answer)
}

/// A time with three digits or so.
pub fn time(time: Duration) -> String {
    let places = |n: u128| if n < 10 { 2 } else { usize::from(n < 100) };
    let (micros, millis) = (time.as_micros(), time.as_millis());
    let places = match (millis, micros) {
        (1000.., _) => places(time.as_secs().into()),
        (1.., _) => places(millis),
        (_, 1..) => places(micros),
        _ => 0,
    };
    let shown = format!("{time:.places$?}");
    let unit = shown.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(shown.len());
    format!("{} {}", &shown[..unit], &shown[unit..])
}

/// `slow / fast`, rounded down; with one decimal digit below ten.
pub fn ratio(slow: Duration, fast: Duration) -> String {
    let tenths = 10 * slow.as_nanos() / fast.as_nanos().max(1);
    if tenths < 100 { format!("{}.{}", tenths / 10, tenths % 10) } else { grouped(tenths / 10) }
}

/// Digits in groups of three.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// The geometric mean of the ratios `slow / fast`, rounded down.
pub fn geometric_mean(pairs: &[(Duration, Duration)]) -> u128 {
    let Ok(count) = u32::try_from(pairs.len()) else { return 0 };
    if count == 0 {
        return 0;
    }
    let product = |times: &mut dyn Iterator<Item = Duration>| -> BigUint {
        times.map(|time| BigUint::from(time.as_nanos().max(1))).product()
    };
    let slow = product(&mut pairs.iter().map(|pair| pair.0));
    let fast = product(&mut pairs.iter().map(|pair| pair.1));
    u128::try_from((slow / fast).nth_root(count)).unwrap_or(u128::MAX)
}

/// The greatest memory this process has held so far, where the system tells.
pub fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u128 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(format!("{} MiB", grouped(kibibytes / 1024)))
}
