//! A fixed number of threads that probe and search, with bounded queues.
//!
//! The threads that serve connections never wait for a disk or a search. Slow jobs (searches,
//! reviews, batches) have a separate queue and never occupy all threads, so quick questions are
//! answered in between.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::sync::lock;

/// How long a job takes, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobClass {
    /// A few look-ups.
    Quick,
    /// Everything else.
    Slow,
}

/// The queue is full, or the pool is closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

type Job = Box<dyn FnOnce() + Send>;

/// The number of quick jobs that a thread takes at once.
const MAX_TAKEN: usize = 16;

/// A fixed number of threads with a bounded queue.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    queues: Mutex<Queues>,
    ready: Condvar,
    threads: usize,
    max_waiting: usize,
}

#[derive(Default)]
struct Queues {
    quick: VecDeque<Job>,
    slow: VecDeque<Job>,
    /// The number of threads with a slow job.
    running_slow: usize,
    closed: bool,
}

impl Pool {
    /// Starts the threads; at most `max_waiting` jobs of each class may wait.
    pub fn new(threads: usize, max_waiting: usize) -> std::io::Result<Pool> {
        let threads = threads.max(1);
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            ready: Condvar::new(),
            threads,
            max_waiting,
        });
        let pool = Pool {
            shared: Arc::clone(&shared),
            threads: Mutex::default(),
        };
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(format!("probe-{number}"));
            let thread = thread.spawn(move || shared.work())?;
            lock(&pool.threads).push(thread);
        }
        Ok(pool)
    }

    /// Queues a job. If it panics, only that job ends.
    pub fn submit(&self, class: JobClass, job: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
        let mut queues = lock(&self.shared.queues);
        let closed = queues.closed;
        let queue = queues.of(class);
        if closed || queue.len() >= self.shared.max_waiting {
            return Err(Busy);
        }
        queue.push_back(Box::new(job));
        drop(queues);
        self.shared.ready.notify_one();
        Ok(())
    }

    /// The number of waiting jobs, quick and slow.
    pub fn waiting(&self) -> [usize; 2] {
        let queues = lock(&self.shared.queues);
        [queues.quick.len(), queues.slow.len()]
    }

    /// Refuses new jobs, and returns when the queued ones are done.
    pub fn close(&self) {
        lock(&self.shared.queues).closed = true;
        self.shared.ready.notify_all();
        for thread in lock(&self.threads).drain(..) {
            // Cannot fail: the threads catch the panics of jobs.
            let _ = thread.join();
        }
    }
}

impl Queues {
    fn of(&mut self, class: JobClass) -> &mut VecDeque<Job> {
        match class {
            JobClass::Quick => &mut self.quick,
            JobClass::Slow => &mut self.slow,
        }
    }
}

impl Shared {
    fn work(&self) {
        let mut taken = Vec::with_capacity(MAX_TAKEN);
        while let Some(class) = self.take(&mut taken) {
            for job in taken.drain(..) {
                if catch_unwind(AssertUnwindSafe(job)).is_err() {
                    tracing::error!("a job panicked");
                }
            }
            if class == JobClass::Slow {
                lock(&self.queues).running_slow -= 1;
                // Another slow job may be waiting for this place.
                self.ready.notify_one();
            }
        }
    }

    /// Waits for jobs; `None` when the pool is closed and the queues are empty.
    fn take(&self, taken: &mut Vec<Job>) -> Option<JobClass> {
        let max_slow = (self.threads - 1).max(1);
        let mut queues = lock(&self.queues);
        loop {
            if !queues.quick.is_empty() {
                // A fair share, so that no thread is idle while another holds many jobs.
                let share = queues.quick.len().div_ceil(self.threads);
                taken.extend(queues.quick.drain(..share.min(MAX_TAKEN)));
                return Some(JobClass::Quick);
            }
            if queues.running_slow < max_slow
                && let Some(job) = queues.slow.pop_front()
            {
                queues.running_slow += 1;
                taken.push(job);
                return Some(JobClass::Slow);
            }
            if queues.closed && queues.slow.is_empty() {
                return None;
            }
            let waited = self.ready.wait(queues);
            queues = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn quick_work_is_done_while_slow_work_waits_for_its_turn() {
        let pool = Pool::new(2, 10).unwrap();
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let (sender, received) = mpsc::channel();
        for _ in 0..3 {
            let (held, sender) = (Arc::clone(&held), sender.clone());
            let slow = move || {
                let _ = held.lock().unwrap().recv();
                sender.send("slow").unwrap();
            };
            pool.submit(JobClass::Slow, slow).unwrap();
        }
        let quick = sender.clone();
        pool.submit(JobClass::Quick, move || quick.send("quick").unwrap())
            .unwrap();
        let first = received.recv_timeout(Duration::from_secs(600)).unwrap();
        assert_eq!(first, "quick");
        drop(hold);
        pool.close();
        drop(sender);
        assert_eq!(received.iter().count(), 3);
    }

    #[test]
    fn a_full_queue_refuses_and_a_panic_ends_only_its_job() {
        let pool = Pool::new(1, 2).unwrap();
        let (hold, held) = mpsc::channel::<()>();
        let (started, running) = mpsc::channel();
        pool.submit(JobClass::Quick, move || {
            started.send(()).unwrap();
            let _ = held.recv();
        })
        .unwrap();
        running.recv().unwrap();
        pool.submit(JobClass::Quick, || panic!("on purpose"))
            .unwrap();
        let (sender, received) = mpsc::channel();
        pool.submit(JobClass::Quick, move || sender.send(()).unwrap())
            .unwrap();
        assert_eq!(pool.submit(JobClass::Quick, || ()), Err(Busy));
        drop(hold);
        received.recv_timeout(Duration::from_secs(600)).unwrap();
        pool.close();
        assert_eq!(pool.submit(JobClass::Quick, || ()), Err(Busy));
    }
}
