//! Runs questions on a pool of threads; identical concurrent questions are computed once.

mod pool;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::oneshot;

pub use self::pool::{Busy, JobClass, Pool};
use crate::error::ApiError;
use crate::sync::lock;

/// The body of an answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// JSON, or a picture.
    pub body: Bytes,
    /// Whether the answer is final: no search and no table that may still come can change it.
    pub settled: bool,
}

impl Reply {
    /// Serialises an answer as JSON.
    pub fn json(answer: &impl Serialize, settled: bool) -> Result<Reply, ApiError> {
        let body = serde_json::to_vec(answer).map_err(|error| {
            tracing::error!(%error, "an answer cannot be serialised");
            ApiError::internal()
        })?;
        let body = body.into();
        Ok(Reply { body, settled })
    }
}

/// The result of a question.
pub type Answered = Result<Reply, ApiError>;

/// The number of locks that questions are spread over.
const SHARDS: usize = 16;

type Waiting = HashMap<Box<str>, Vec<oneshot::Sender<Answered>>>;

/// Runs questions on a [`Pool`].
pub struct Jobs {
    pub(crate) pool: Pool,
    time_limit: Duration,
    hasher: RandomState,
    shards: Arc<[Mutex<Waiting>; SHARDS]>,
}

impl Jobs {
    /// Runs questions on this pool, each within a time limit.
    pub fn new(pool: Pool, time_limit: Duration) -> Jobs {
        Jobs {
            pool,
            time_limit,
            hasher: RandomState::new(),
            shards: Arc::default(),
        }
    }

    /// Runs a question.
    pub async fn run<T: Send + 'static>(
        &self,
        class: JobClass,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (sender, receiver) = oneshot::channel();
        let job = move || {
            // The client may have left.
            if !sender.is_closed() {
                let _ = sender.send(work());
            }
        };
        self.pool.submit(class, job).map_err(|Busy| overloaded())?;
        self.wait(receiver).await
    }

    /// Runs a question, or waits for the answer if a question with the same key is running.
    pub async fn run_shared(
        &self,
        class: JobClass,
        key: String,
        work: impl FnOnce() -> Answered + Send + 'static,
    ) -> Answered {
        let key = key.into_boxed_str();
        let shard = self.hasher.hash_one(&key) as usize % SHARDS;
        let (sender, receiver) = oneshot::channel();
        if self.join(shard, &key, sender) {
            return self.wait(receiver).await?;
        }
        let shards = Arc::clone(&self.shards);
        let job_key = key.clone();
        let job = move || {
            let abandoned = lock(&shards[shard])
                .get(&job_key)
                .is_none_or(|waiting| waiting.iter().all(oneshot::Sender::is_closed));
            let answered = match abandoned {
                // Another client may still join before the entry is removed.
                true => Err(ApiError::timeout()),
                false => catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                    tracing::error!(question = &*job_key, "a question panicked");
                    Err(ApiError::internal())
                }),
            };
            answer(&shards[shard], &job_key, &answered);
        };
        if self.pool.submit(class, job).is_err() {
            answer(&self.shards[shard], &key, &Err(overloaded()));
        }
        self.wait(receiver).await?
    }

    /// Joins the clients that wait for a question; `false` if this client is the first.
    fn join(&self, shard: usize, key: &str, sender: oneshot::Sender<Answered>) -> bool {
        let mut waiting = lock(&self.shards[shard]);
        let senders = waiting.entry(key.into()).or_default();
        senders.push(sender);
        senders.len() > 1
    }

    async fn wait<T>(&self, receiver: oneshot::Receiver<T>) -> Result<T, ApiError> {
        match tokio::time::timeout(self.time_limit, receiver).await {
            Ok(Ok(answer)) => Ok(answer),
            // The job was dropped without an answer: it panicked, which the pool has logged.
            Ok(Err(_)) => Err(ApiError::internal()),
            Err(_) => Err(ApiError::timeout()),
        }
    }
}

/// Sends an answer to every client that waits for it.
fn answer(shard: &Mutex<Waiting>, key: &str, answered: &Answered) {
    let senders = lock(shard).remove(key).unwrap_or_default();
    for sender in senders {
        let _ = sender.send(answered.clone());
    }
}

fn overloaded() -> ApiError {
    ApiError::busy("the server is overloaded; try again later")
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use super::*;

    fn reply(text: &'static str) -> Answered {
        Ok(Reply {
            body: Bytes::from_static(text.as_bytes()),
            settled: true,
        })
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn identical_concurrent_questions_are_computed_once() {
        let pool = Pool::new(2, 100).unwrap();
        let jobs = Arc::new(Jobs::new(pool, Duration::from_secs(600)));
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let runs = Arc::new(AtomicUsize::new(0));
        let asking: Vec<_> = (0..20)
            .map(|_| {
                let (jobs, held) = (Arc::clone(&jobs), Arc::clone(&held));
                let runs = Arc::clone(&runs);
                tokio::spawn(async move {
                    let work = move || {
                        runs.fetch_add(1, Ordering::Relaxed);
                        let _ = held.lock().unwrap().recv();
                        reply("yes")
                    };
                    jobs.run_shared(JobClass::Quick, "who?".to_owned(), work)
                        .await
                })
            })
            .collect();
        let shards = &jobs.shards;
        let all = || {
            let waiting = shards
                .iter()
                .map(|shard| lock(shard).values().map(Vec::len).sum::<usize>());
            waiting.sum::<usize>()
        };
        while all() < 20 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        drop(hold);
        for asked in asking {
            assert_eq!(asked.await.unwrap().unwrap().body, "yes");
        }
        assert_eq!(runs.load(Ordering::Relaxed), 1);
        assert_eq!(all(), 0);
    }

    #[tokio::test]
    async fn a_question_that_panics_or_takes_too_long_is_refused() {
        let with = |patience| {
            let pool = Pool::new(1, 100).unwrap();
            Jobs::new(pool, Duration::from_millis(patience))
        };
        let jobs = with(600_000);
        let panics = || panic!("on purpose");
        let answer = jobs
            .run_shared(JobClass::Quick, "panic".to_owned(), panics)
            .await;
        assert_eq!(answer.unwrap_err().error, "internal");
        let jobs = with(50);
        // Not before the question has been given up.
        let (hold, held) = mpsc::channel::<()>();
        let waits = move || {
            let _ = held.recv();
            reply("late")
        };
        let answer = jobs
            .run_shared(JobClass::Quick, "wait".to_owned(), waits)
            .await;
        assert_eq!(answer.unwrap_err().error, "timeout");
        drop(hold);
    }
}
