//! How work is cut into pieces for threads.

use rayon::iter::{IndexedParallelIterator, MaxLen, MinLen};

/// Pieces for each thread, if there is enough work.
const PIECES_PER_THREAD: usize = 32;

/// Left alone, rayon cuts a job into two pieces for each thread, and cuts them further only when
/// another thread takes one before it is begun: a thread that is done early then waits for the last
/// quarter of the job. With more pieces it waits for a sixtieth.
pub(crate) trait Finely: IndexedParallelIterator {
    /// Small pieces, of at least so many items, unless there are fewer.
    fn finely(self, least: usize) -> MaxLen<MinLen<Self>> {
        let pieces = rayon::current_num_threads() * PIECES_PER_THREAD;
        let most = (self.len() / pieces).max(least);
        self.with_min_len(least).with_max_len(most)
    }
}

impl<I: IndexedParallelIterator> Finely for I {}
