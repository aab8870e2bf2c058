//! How work is cut into chunks for threads.

use rayon::iter::{IndexedParallelIterator, MaxLen, MinLen};

/// Chunks per thread, if there is enough work.
const CHUNKS_PER_THREAD: usize = 32;

/// By default rayon cuts a job into two chunks per thread, and cuts them further only when another
/// thread steals one before it has begun: a thread that finishes early then waits for the last
/// quarter of the job. With more chunks it waits for a sixtieth.
pub(crate) trait SmallChunks: IndexedParallelIterator {
    /// Cuts the work into small chunks of at least `least` items.
    fn small_chunks(self, least: usize) -> MaxLen<MinLen<Self>> {
        let chunks = rayon::current_num_threads() * CHUNKS_PER_THREAD;
        let most = (self.len() / chunks).max(least);
        self.with_min_len(least).with_max_len(most)
    }
}

impl<I: IndexedParallelIterator> SmallChunks for I {}
