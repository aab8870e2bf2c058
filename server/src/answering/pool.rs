//! The threads that probe and search: a fixed number of them, with a bounded queue.
//!
//! The threads that serve connections never wait for a disk or a search. Slow work (searches,
//! reviews, batches) has a queue of its own and never takes all threads, so that quick questions
//! are answered in between.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How long a piece of work takes, about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A few look-ups.
    Quick,
    /// Everything else.
    Slow,
}

/// The queue is full, or the pool is closing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

type Job = Box<dyn FnOnce() + Send>;

/// No thread takes more quick jobs at once, however many wait.
const MOST_AT_ONCE: usize = 16;

/// A fixed number of threads with a bounded queue.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

struct Shared {
    queues: Mutex<Queues>,
    ready: Condvar,
    threads: usize,
    most_waiting: usize,
}

#[derive(Default)]
struct Queues {
    quick: VecDeque<Job>,
    slow: VecDeque<Job>,
    /// Threads that do slow work now.
    slowed: usize,
    closed: bool,
}

impl Pool {
    /// Starts the given number of threads; more than `most_waiting` jobs of a pace do not wait.
    pub fn new(threads: usize, most_waiting: usize) -> std::io::Result<Pool> {
        let threads = threads.max(1);
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            ready: Condvar::new(),
            threads,
            most_waiting,
        });
        let pool = Pool {
            shared: Arc::clone(&shared),
            threads: Mutex::default(),
        };
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(format!("probe-{number}"));
            let thread = thread.spawn(move || shared.work())?;
            pool.handles().push(thread);
        }
        Ok(pool)
    }

    /// Queues a job. A panic in it ends nothing but the job.
    pub fn submit(&self, pace: Pace, job: impl FnOnce() + Send + 'static) -> Result<(), Busy> {
        let mut queues = self.shared.lock();
        let closed = queues.closed;
        let queue = queues.of(pace);
        if closed || queue.len() >= self.shared.most_waiting {
            return Err(Busy);
        }
        queue.push_back(Box::new(job));
        drop(queues);
        self.shared.ready.notify_one();
        Ok(())
    }

    /// How many jobs wait, quick ones and slow ones.
    pub fn waiting(&self) -> [usize; 2] {
        let queues = self.shared.lock();
        [queues.quick.len(), queues.slow.len()]
    }

    /// Takes no more jobs, and returns when those that were queued are done.
    pub fn close(&self) {
        self.shared.lock().closed = true;
        self.shared.ready.notify_all();
        for thread in self.handles().drain(..) {
            // A thread ends only when it is told to: jobs do not bring it down.
            let _ = thread.join();
        }
    }

    fn handles(&self) -> MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queues {
    fn of(&mut self, pace: Pace) -> &mut VecDeque<Job> {
        match pace {
            Pace::Quick => &mut self.quick,
            Pace::Slow => &mut self.slow,
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let mut taken = Vec::with_capacity(MOST_AT_ONCE);
        while let Some(pace) = self.take(&mut taken) {
            for job in taken.drain(..) {
                if catch_unwind(AssertUnwindSafe(job)).is_err() {
                    tracing::error!("a question made a thread panic");
                }
            }
            if pace == Pace::Slow {
                self.lock().slowed -= 1;
                // The place that is free now may be waited for.
                self.ready.notify_one();
            }
        }
    }

    /// Waits for work; `None` when there will be no more.
    fn take(&self, taken: &mut Vec<Job>) -> Option<Pace> {
        let most_slowed = (self.threads - 1).max(1);
        let mut queues = self.lock();
        loop {
            if !queues.quick.is_empty() {
                // A fair share, so that no thread is idle while another has a heap before it.
                let share = queues.quick.len().div_ceil(self.threads);
                taken.extend(queues.quick.drain(..share.min(MOST_AT_ONCE)));
                return Some(Pace::Quick);
            }
            if queues.slowed < most_slowed
                && let Some(job) = queues.slow.pop_front()
            {
                queues.slowed += 1;
                taken.push(job);
                return Some(Pace::Slow);
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
        let (tell, told) = mpsc::channel();
        for _ in 0..3 {
            let (held, tell) = (Arc::clone(&held), tell.clone());
            let slow = move || {
                let _ = held.lock().unwrap().recv();
                tell.send("slow").unwrap();
            };
            pool.submit(Pace::Slow, slow).unwrap();
        }
        let quick = tell.clone();
        pool.submit(Pace::Quick, move || quick.send("quick").unwrap())
            .unwrap();
        let first = told.recv_timeout(Duration::from_secs(600)).unwrap();
        assert_eq!(first, "quick");
        drop(hold);
        pool.close();
        drop(tell);
        assert_eq!(told.iter().count(), 3);
    }

    #[test]
    fn a_full_queue_refuses_and_a_panic_ends_only_its_job() {
        let pool = Pool::new(1, 2).unwrap();
        let (hold, held) = mpsc::channel::<()>();
        let (started, running) = mpsc::channel();
        pool.submit(Pace::Quick, move || {
            started.send(()).unwrap();
            let _ = held.recv();
        })
        .unwrap();
        running.recv().unwrap();
        pool.submit(Pace::Quick, || panic!("as the test wants it"))
            .unwrap();
        let (tell, told) = mpsc::channel();
        pool.submit(Pace::Quick, move || tell.send(()).unwrap())
            .unwrap();
        assert_eq!(pool.submit(Pace::Quick, || ()), Err(Busy));
        drop(hold);
        told.recv_timeout(Duration::from_secs(600)).unwrap();
        pool.close();
        assert_eq!(pool.submit(Pace::Quick, || ()), Err(Busy));
    }
}
