//! What can be chosen when a database is opened.

#![allow(unsafe_code, reason = "maps files")]

/// How files are read: by one positioned read per block, which is safe whatever happens to the
/// files, or [mapped](Access::mapped) into memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    mapped: bool,
}

impl Access {
    /// One positioned read per block: for network disks, for 32-bit systems, and wherever files
    /// may be overwritten in place while they are open.
    pub const POSITIONED: Access = Access { mapped: false };

    /// Mapped into memory: no system call and no copy for what is in the page cache.
    ///
    /// # Safety
    /// As long as a database with this access is open, no process may change or shorten its files
    /// in place: the bytes behind a reference would change, and a shortened file ends the process
    /// with a bus error unless it [survives](endmill_dbformat::survive_cut_files) that. Building a database
    /// never does this, it replaces files by renaming; `cp` over an existing file does.
    pub const unsafe fn mapped() -> Access {
        Access { mapped: true }
    }

    /// Whether files are mapped.
    pub const fn is_mapped(self) -> bool {
        self.mapped
    }
}

/// How a database is read, and what it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How files are read.
    pub access: Access,
    /// Bytes of decoded units to keep; 0 keeps none. Split over up to sixteen shards, and a unit
    /// larger than a shard is never kept.
    pub cache_bytes: usize,
    /// Files to keep open, or mapped; at least two, the pair of one table. Beyond these, every
    /// thread holds the two files of the table that it is reading at the moment (four in
    /// [`for_each`](crate::Database::for_each) and [`sample`](crate::Database::sample), which
    /// look other tables up on their way). If the system allows fewer, fewer are kept.
    pub open_files: usize,
    /// Whether a directory that holds no table of the ruleset, or does not exist, is opened too:
    /// for programs that go on without tables, or build them. Otherwise opening it fails with
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
