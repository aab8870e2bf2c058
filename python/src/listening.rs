//! Long work without the interpreter lock. The calling thread handles its events, and Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The maximum delay of Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(100);

/// The connection from the work to the calling thread.
pub struct Listener<'a, E> {
    stop: &'a AtomicBool,
    events: Sender<E>,
}

impl<E> Listener<'_, E> {
    /// Reports an event. Events are dropped once the work was asked to stop.
    pub fn report(&self, event: E) {
        // The receiver lives as long as the work.
        let _ = self.events.send(event);
    }

    /// Returns whether the work should stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does work in a separate thread. Every event goes to `handle`. If that raises an exception, or if
/// Ctrl-C is pressed, the work is asked to stop, and the exception is returned after it has stopped.
pub fn listen<T, E>(
    py: Python<'_>,
    work: impl FnOnce(&Listener<'_, E>) -> T + Send,
    mut handle: impl FnMut(Python<'_>, E) -> PyResult<()> + Send,
) -> PyResult<T>
where
    T: Send,
    E: Send,
{
    let stop = AtomicBool::new(false);
    py.detach(|| {
        let (events, received) = channel();
        thread::scope(|scope| {
            let listener = Listener {
                stop: &stop,
                events,
            };
            // The listener is dropped at the end of the work, which ends the loop below.
            let worker = thread::Builder::new().spawn_scoped(scope, move || work(&listener));
            let worker = worker.map_err(|error| {
                PyRuntimeError::new_err(format!("cannot start a thread: {error}"))
            })?;
            let mut raised = None;
            loop {
                let event = match received.recv_timeout(PATIENCE) {
                    Ok(event) => Some(event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_some() {
                    continue;
                }
                let handled = Python::attach(|py| {
                    if let Some(event) = event {
                        handle(py, event)?;
                    }
                    py.check_signals()
                });
                if let Err(error) = handled {
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
