//! What can be chosen when a database is opened.

/// How files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Mapped into memory: no system call and no copy for what is in the page cache.
    #[default]
    Mapped,
    /// One positioned read per block: for network disks, for 32-bit systems, and wherever files
    /// may be overwritten in place while they are open.
    Positioned,
}

/// How a database is read, and what it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How files are read.
    pub access: Access,
    /// Bytes of decoded blocks to keep; 0 keeps none. Split over [`Options::CACHE_SHARDS`] shards,
    /// and a block larger than a shard is never kept.
    pub cache_bytes: usize,
    /// Files to keep open, or mapped; at least two, the pair of one table. More are open only
    /// while several threads read different tables at one moment.
    pub open_files: usize,
}

impl Options {
    /// Parts of the cache with a lock of their own.
    pub const CACHE_SHARDS: usize = 16;
}

impl Default for Options {
    /// Mapped, a cache of 64 MiB, 768 open files.
    fn default() -> Options {
        Options {
            access: Access::default(),
            cache_bytes: 64 << 20,
            open_files: 768,
        }
    }
}
