//! Long work without the interpreter: what it reports is heard in the thread that asked for it,
//! and so is Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// What work that is listened to holds on to.
pub struct Listener<'a, E> {
    stop: &'a AtomicBool,
    events: Sender<E>,
}

impl<E> Listener<'_, E> {
    /// Reports something. Nobody hears it any more once the work was asked to stop.
    pub fn tell(&self, event: E) {
        // The other end lives as long as the work.
        let _ = self.events.send(event);
    }

    /// Whether the work is to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does work in a thread of its own. Every event goes to `hear`; if that raises an exception, or
/// Ctrl-C does, the work is asked to stop, waited for, and the exception is the result.
pub fn listen<T, E>(
    py: Python<'_>,
    work: impl FnOnce(&Listener<'_, E>) -> T + Send,
    mut hear: impl FnMut(Python<'_>, E) -> PyResult<()> + Send,
) -> PyResult<T>
where
    T: Send,
    E: Send,
{
    let stop = AtomicBool::new(false);
    py.detach(|| {
        let (events, heard) = channel();
        thread::scope(|scope| {
            let listener = Listener {
                stop: &stop,
                events,
            };
            // The listener moves in and is dropped at the end: that ends the loop below.
            let worker = thread::Builder::new().spawn_scoped(scope, move || work(&listener));
            let worker = worker.map_err(|error| {
                PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
            })?;
            let mut raised = None;
            loop {
                let event = match heard.recv_timeout(PATIENCE) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_some() {
                    continue;
                }
                let gone_well = Python::attach(|py| {
                    if let Some(event) = event {
                        hear(py, event)?;
                    }
                    py.check_signals()
                });
                if let Err(error) = gone_well {
                    stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            match raised {
                Some(error) => Err(error),
                None => Ok(done),
            }
        })
    })
}
