//! Options for opening a database.

#![allow(unsafe_code, reason = "maps files")]

/// How files are read: by one positioned read per block, which is safe even if the files change, or
/// [mapped](Access::mapped) into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    mapped: bool,
}

impl Access {
    /// One positioned read per block: for network disks, for 32-bit systems, and for files that
    /// may be overwritten in place while they are open.
    pub const POSITIONED: Access = Access { mapped: false };

    /// Mapped into memory: no system call and no copy for data in the page cache.
    ///
    /// # Safety
    /// While a database with this access is open, no process may change or shorten its files in
    /// place: the bytes behind a reference would change, and a shortened file kills the process with
    /// a bus error unless it [survives](endmill_dbformat::survive_cut_files) that. Builds are safe,
    /// since they replace files by renaming; `cp` over an existing file is not.
    pub const unsafe fn mapped() -> Access {
        Access { mapped: true }
    }

    /// Returns whether files are mapped.
    pub const fn is_mapped(self) -> bool {
        self.mapped
    }
}

/// How a database is read, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How files are read.
    pub access: Access,
    /// The size of the cache of decoded units in bytes; 0 for no cache. It is split over up to
    /// sixteen shards; a unit larger than a shard is never kept.
    pub cache_bytes: usize,
    /// The maximum number of files to keep open, or mapped; at least two, the pair of one table. In
    /// addition, every thread holds the two files of the table that it is reading (four in
    /// [`for_each`](crate::Database::for_each) and [`sample`](crate::Database::sample), which
    /// look up other tables too). If the system allows fewer, fewer are kept.
    pub open_files: usize,
    /// Whether to open a directory that holds no table of the ruleset, or does not exist: for
    /// programs that work without tables, or build them. Otherwise this fails with
    /// [`NoTables`](crate::ProbeError::NoTables).
    pub allow_empty: bool,
}

impl Default for Options {
    /// Positioned reads, a cache of 64 MiB, 768 open files, at least one table.
    fn default() -> Options {
        Options {
            access: Access::default(),
            cache_bytes: 64 << 20,
            open_files: 768,
            allow_empty: false,
        }
    }
}
