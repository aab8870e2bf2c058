//! The memory that this process can still take: what is free on the machine, or what its control
//! groups (a container, a batch job, a systemd service) leave, whichever is less.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the bytes that are free for this process, or `None` if the system does not report them.
pub(crate) fn free_memory() -> Option<u64> {
    free_under(Path::new("/"))
}

/// The same with another root directory.
fn free_under(root: &Path) -> Option<u64> {
    let groups = Controller::ALL.iter().filter_map(|it| it.free(root));
    machine(root).into_iter().chain(groups).min()
}

/// What is free on the machine.
fn machine(root: &Path) -> Option<u64> {
    let info = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes = line.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(kilobytes << 10)
}

/// A version of control groups, with the names of its files.
struct Controller {
    /// The name under which `/proc/self/cgroup` lists the groups.
    name: &'static str,
    /// The directory of the groups.
    mounted: &'static str,
    /// Files with the most bytes that the group and all below it may take.
    limits: &'static [&'static str],
    /// The file with the bytes that they take.
    used: &'static str,
    /// The entries of `memory.stat` for memory that the system can reclaim: cached files.
    reclaimable: [&'static str; 2],
}

impl Controller {
    /// Version 2 and version 1. On a machine with both, one of them has no memory limits.
    const ALL: [Controller; 2] = [
        Controller {
            name: "",
            mounted: "sys/fs/cgroup",
            limits: &["memory.max", "memory.high"],
            used: "memory.current",
            reclaimable: ["inactive_file", "active_file"],
        },
        Controller {
            name: "memory",
            mounted: "sys/fs/cgroup/memory",
            limits: &["memory.limit_in_bytes"],
            used: "memory.usage_in_bytes",
            reclaimable: ["total_inactive_file", "total_active_file"],
        },
    ];

    /// What the group of this process and its ancestors leave, or `None` without a limit.
    fn free(&self, root: &Path) -> Option<u64> {
        let mounted = root.join(self.mounted);
        let own = self.own_group(root)?;
        // A container may see its own group as the root, but its path as the host does: missing
        // directories have no limit.
        let groups = own.ancestors().map(|group| mounted.join(group));
        groups.filter_map(|group| self.free_in(&group)).min()
    }

    /// The path of the group of this process, from `number:names:/path`.
    fn own_group(&self, root: &Path) -> Option<PathBuf> {
        let groups = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
        groups.lines().find_map(|line| {
            let (names, path) = line.split_once(':')?.1.split_once(':')?;
            let own = names.split(',').any(|name| name == self.name);
            own.then(|| path.trim_start_matches('/').into())
        })
    }

    /// What one group leaves free.
    fn free_in(&self, group: &Path) -> Option<u64> {
        let number = |file: &str| {
            let text = fs::read_to_string(group.join(file)).ok()?;
            text.trim().parse::<u64>().ok() // `max` means unlimited.
        };
        let limit = self.limits.iter().filter_map(|file| number(file)).min()?;
        let used = number(self.used).unwrap_or(0);
        let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let entries = statistics.lines().filter_map(|line| line.split_once(' '));
        let cached = entries.filter(|(name, _)| self.reclaimable.contains(name));
        let cached: u64 = cached
            .filter_map(|(_, bytes)| bytes.parse::<u64>().ok())
            .sum();
        Some(limit.saturating_sub(used.saturating_sub(cached)))
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const MIB: u64 = 1 << 20;

    /// A root directory with these files.
    fn root(files: &[(&str, &str)]) -> TempDir {
        let root = TempDir::new().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    const MEMINFO: (&str, &str) = (
        "proc/meminfo",
        "MemTotal:        9000000 kB\nMemFree:          100000 kB\nMemAvailable:    8388608 kB\n",
    );

    #[test]
    fn without_groups_the_machine_counts() {
        assert_eq!(free_under(root(&[]).path()), None);
        assert_eq!(free_under(root(&[MEMINFO]).path()), Some(8 << 30));
        // No limit, in either version.
        let unlimited = root(&[
            MEMINFO,
            ("proc/self/cgroup", "4:memory:/\n0::/user.slice\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "max\n"),
            ("sys/fs/cgroup/user.slice/memory.current", "123456\n"),
            (
                "sys/fs/cgroup/memory/memory.limit_in_bytes",
                "9223372036854771712\n",
            ),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "123456\n"),
        ]);
        assert_eq!(free_under(unlimited.path()), Some(8 << 30));
    }

    /// The group around that of the process is the tightest; what files take there can be had.
    #[test]
    fn every_group_around_the_process_counts() {
        let mut files = vec![
            MEMINFO,
            ("proc/self/cgroup", "0::/job/step/task\n"),
            ("sys/fs/cgroup/job/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/job/memory.current", "734003200\n"),
            (
                "sys/fs/cgroup/job/memory.stat",
                "anon 314572800\nfile 419430400\ninactive_file 209715200\nactive_file 209715200\n",
            ),
            ("sys/fs/cgroup/job/step/memory.max", "max\n"),
            ("sys/fs/cgroup/job/step/task/memory.max", "2147483648\n"),
            ("sys/fs/cgroup/job/step/task/memory.current", "314572800\n"),
        ];
        assert_eq!(free_under(root(&files).path()), Some(724 * MIB));
        // A limit above which the system slows the process down is one, too.
        files.push(("sys/fs/cgroup/job/step/task/memory.high", "419430400\n"));
        assert_eq!(free_under(root(&files).path()), Some(100 * MIB));
        // More than the limit, for a moment.
        files.push(("sys/fs/cgroup/job/memory.high", "0\n"));
        assert_eq!(free_under(root(&files).path()), Some(0));
    }

    #[test]
    fn the_first_version_counts_too() {
        let files = [
            MEMINFO,
            (
                "proc/self/cgroup",
                "7:cpu,cpuacct:/x\n6:memory:/docker/abc\n",
            ),
            // As a container sees its own group.
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "104857600\n"),
            (
                "sys/fs/cgroup/memory/memory.stat",
                "inactive_file 1\ntotal_inactive_file 52428800\ntotal_active_file 0\n",
            ),
        ];
        assert_eq!(free_under(root(&files).path()), Some(462 * MIB));
    }

    #[test]
    fn a_limit_above_what_is_free_changes_nothing() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "1099511627776\n"),
        ];
        assert_eq!(free_under(root(&files).path()), Some(8 << 30));
    }
}
