//! From a question to the bytes of its answer: on threads of their own, and equal questions that
//! are asked at the same time once.

mod pool;

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::oneshot;

pub use self::pool::{Busy, Pace, Pool};
use crate::error::ApiError;

/// An answer as it is sent.
#[derive(Clone, Debug)]
pub struct Reply {
    /// JSON, or a picture.
    pub body: Bytes,
    /// Whether it stays true: a value that is proved, not one that a search or a table that is
    /// still to come may change.
    pub settled: bool,
}

impl Reply {
    /// Writes an answer as JSON.
    pub fn json(answer: &impl Serialize, settled: bool) -> Result<Reply, ApiError> {
        let body = serde_json::to_vec(answer).map_err(|error| {
            tracing::error!(%error, "an answer cannot be written");
            ApiError::internal()
        })?;
        let body = body.into();
        Ok(Reply { body, settled })
    }
}

/// What a question comes to.
pub type Answered = Result<Reply, ApiError>;

/// Locks that questions are spread over.
const SHARDS: usize = 16;

type Waiting = HashMap<Box<str>, Vec<oneshot::Sender<Answered>>>;

/// Answers questions by a [`Pool`].
pub struct Answering {
    pub(crate) pool: Pool,
    patience: Duration,
    hasher: RandomState,
    shared: Arc<[Mutex<Waiting>; SHARDS]>,
}

impl Answering {
    /// Answers by this pool, and gives a question up after a while.
    pub fn new(pool: Pool, patience: Duration) -> Answering {
        Answering {
            pool,
            patience,
            hasher: RandomState::new(),
            shared: Arc::default(),
        }
    }

    /// Answers a question of which nobody else has the like.
    pub async fn alone<T: Send + 'static>(
        &self,
        pace: Pace,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (tell, told) = oneshot::channel();
        let job = move || {
            // Whoever asked may have left.
            if !tell.is_closed() {
                let _ = tell.send(work());
            }
        };
        self.pool.submit(pace, job).map_err(|Busy| overloaded())?;
        self.wait(told).await
    }

    /// Answers a question; the same question, by its text, is worked on only once at a time.
    pub async fn ask(
        &self,
        pace: Pace,
        question: String,
        work: impl FnOnce() -> Answered + Send + 'static,
    ) -> Answered {
        let question = question.into_boxed_str();
        let shard = self.hasher.hash_one(&question) as usize % SHARDS;
        let (tell, told) = oneshot::channel();
        if self.join(shard, &question, tell) {
            return self.wait(told).await?;
        }
        let shared = Arc::clone(&self.shared);
        let key = question.clone();
        let job = move || {
            let take = || lock(&shared[shard]).remove(&key).unwrap_or_default();
            let left = lock(&shared[shard])
                .get(&key)
                .is_none_or(|all| all.iter().all(oneshot::Sender::is_closed));
            let answered = match left {
                // Somebody may still come before it is taken out.
                true => Err(ApiError::timeout()),
                false => catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                    tracing::error!(question = &*key, "a question made a thread panic");
                    Err(ApiError::internal())
                }),
            };
            for waiting in take() {
                let _ = waiting.send(answered.clone());
            }
        };
        if self.pool.submit(pace, job).is_err() {
            let refused = lock(&self.shared[shard]).remove(&question);
            for waiting in refused.unwrap_or_default() {
                let _ = waiting.send(Err(overloaded()));
            }
        }
        self.wait(told).await?
    }

    /// Waits with others for the answer to a question; `false` if nobody has asked it yet.
    fn join(&self, shard: usize, question: &str, tell: oneshot::Sender<Answered>) -> bool {
        let mut waiting = lock(&self.shared[shard]);
        match waiting.get_mut(question) {
            Some(others) => {
                others.push(tell);
                true
            }
            None => {
                waiting.insert(question.into(), vec![tell]);
                false
            }
        }
    }

    async fn wait<T>(&self, told: oneshot::Receiver<T>) -> Result<T, ApiError> {
        match tokio::time::timeout(self.patience, told).await {
            Ok(Ok(answer)) => Ok(answer),
            // The job was dropped without an answer: it panicked, which the pool has logged.
            Ok(Err(_)) => Err(ApiError::internal()),
            Err(_) => Err(ApiError::timeout()),
        }
    }
}

fn overloaded() -> ApiError {
    ApiError::busy("the server has more questions than it can answer now")
}

fn lock(shard: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
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
    async fn equal_questions_at_once_are_answered_once() {
        let pool = Pool::new(2, 100).unwrap();
        let answering = Arc::new(Answering::new(pool, Duration::from_secs(600)));
        let (hold, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let worked = Arc::new(AtomicUsize::new(0));
        let asking: Vec<_> = (0..20)
            .map(|_| {
                let (answering, held) = (Arc::clone(&answering), Arc::clone(&held));
                let worked = Arc::clone(&worked);
                tokio::spawn(async move {
                    let work = move || {
                        worked.fetch_add(1, Ordering::Relaxed);
                        let _ = held.lock().unwrap().recv();
                        reply("yes")
                    };
                    answering.ask(Pace::Quick, "who?".to_owned(), work).await
                })
            })
            .collect();
        let shared = &answering.shared;
        let all = || {
            let waiting = shared
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
        assert_eq!(worked.load(Ordering::Relaxed), 1);
        assert_eq!(all(), 0);
    }

    #[tokio::test]
    async fn a_question_that_panics_or_takes_too_long_is_refused() {
        let with = |patience| {
            let pool = Pool::new(1, 100).unwrap();
            Answering::new(pool, Duration::from_millis(patience))
        };
        let answering = with(600_000);
        let panics = || panic!("as the test wants it");
        let answer = answering.ask(Pace::Quick, "panic".to_owned(), panics).await;
        assert_eq!(answer.unwrap_err().error, "internal");
        let answering = with(50);
        // Not before the question has been given up.
        let (hold, held) = mpsc::channel::<()>();
        let waits = move || {
            let _ = held.recv();
            reply("late")
        };
        let answer = answering.ask(Pace::Quick, "wait".to_owned(), waits).await;
        assert_eq!(answer.unwrap_err().error, "timeout");
        drop(hold);
    }
}
