//! Bytes: who counts them, how many there may be, and how many the system has.

use std::path::Path;

/// The number of live bytes of this process's heap. The binary counts them in its allocator; a
/// library user may hand in a counter of their own.
pub type Gauge = fn() -> u64;

/// A bound on the live bytes of the process.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// The greatest number of bytes.
    pub bytes: u64,
    /// Who counts them.
    pub gauge: Gauge,
    /// Whether somebody asked for exactly this bound. One that was derived from the machine need not
    /// cut at the same place in every run.
    pub given: bool,
}

impl Memory {
    /// Whether there are more live bytes than allowed.
    pub fn is_over(&self) -> bool {
        (self.gauge)() > self.bytes
    }
}

/// How many more bytes the system says this process can have: on Linux the memory that is available,
/// or what the control groups of the process leave, if that is less. `None` where it says nothing.
pub fn available() -> Option<u64> {
    let of_machine = read("/proc/meminfo").and_then(|text| of_meminfo(&text));
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let of_groups = groups.lines().flat_map(group_files).filter_map(|[limit, usage]| {
        let number = |path: &str| read(path)?.trim().parse().ok();
        Some(room(number(&limit)?, number(&usage)))
    });
    of_machine.into_iter().chain(of_groups).min()
}

fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(Path::new(path)).ok()
}

/// `MemAvailable` in bytes.
fn of_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// What a control group leaves of its limit.
fn room(limit: u64, usage: Option<u64>) -> u64 {
    limit.saturating_sub(usage.unwrap_or(0))
}

/// The files with the limit and the usage of each control group that bounds the process, from a line
/// of `/proc/self/cgroup`: version 2 has one hierarchy without a controller's name, version 1 one
/// for `memory`. The limits of the groups above count too; in a container, whose own group is the
/// root of what it sees, they are what is there.
fn group_files(line: &str) -> Vec<[String; 2]> {
    let mut fields = line.splitn(3, ':');
    let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next())
    else {
        return Vec::new();
    };
    let (root, names) = if controllers.is_empty() {
        ("/sys/fs/cgroup", ["memory.max", "memory.current"])
    } else if controllers.split(',').any(|name| name == "memory") {
        ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes"])
    } else {
        return Vec::new();
    };
    Path::new(path.trim_start_matches('/'))
        .ancestors()
        .map(|group| names.map(|name| format!("{root}/{}", group.join(name).display())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read() {
        let text = "MemTotal:       16000000 kB\nMemAvailable:    8000000 kB\n";
        assert_eq!(of_meminfo(text), Some(8_192_000_000));
        assert_eq!(of_meminfo("MemTotal: 1 kB"), None);
        assert_eq!(of_meminfo("MemAvailable: much kB"), None);
        assert_eq!(room(10, Some(4)), 6);
        assert_eq!(room(10, Some(40)), 0);
        assert_eq!(room(10, None), 10);
    }

    // The layouts are those of the kernel's documents cgroup-v1/memory.rst and cgroup-v2.rst.
    #[test]
    fn both_versions_of_control_groups_are_known() {
        let two = group_files("0::/user.slice/job");
        assert_eq!(two.len(), 3);
        assert_eq!(two[0][0], "/sys/fs/cgroup/user.slice/job/memory.max");
        assert_eq!(two[2], ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"]);
        let one = group_files("9:memory:/docker/abc");
        assert_eq!(one[0][1], "/sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes");
        assert_eq!(one.len(), 3);
        assert!(group_files("4:cpu,cpuacct:/docker/abc").is_empty());
        assert!(group_files("nonsense").is_empty());
    }
}
