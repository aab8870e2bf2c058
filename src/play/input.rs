//! Lines from the keyboard or from a pipe, and Ctrl-C.
//!
//! A blocking read cannot be interrupted, so a thread reads, and Ctrl-C comes by the same channel.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// A longer line is cut into several: nothing that is typed here is as long.
const LONGEST: u64 = 4096;

/// What comes next.
pub enum Event {
    /// A line without its end.
    Line(String),
    /// The end of the input, or Ctrl-C.
    End,
}

/// Where lines come from.
pub struct Input {
    sender: SyncSender<Event>,
    events: Receiver<Event>,
    interrupted: Arc<AtomicBool>,
    /// Nobody reads before a line is asked for: two levels that play each other leave the input
    /// alone.
    reading: bool,
}

impl Input {
    /// Listens to Ctrl-C from now on. A second one ends the program at once.
    pub fn new() -> anyhow::Result<Input> {
        let (sender, events) = sync_channel(16);
        let interrupted = Arc::new(AtomicBool::new(false));
        let (flag, wake) = (Arc::clone(&interrupted), sender.clone());
        ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                // As the shell reports a program that was ended by Ctrl-C.
                std::process::exit(130);
            }
            // If the channel is full nobody waits, and the flag is seen before the next wait.
            let _ = wake.try_send(Event::End);
        })?;
        Ok(Input {
            sender,
            events,
            interrupted,
            reading: false,
        })
    }

    /// Set by Ctrl-C: for whoever works long, to stop.
    pub fn interrupted(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// Waits for the next line.
    pub fn next(&mut self) -> Event {
        if !std::mem::replace(&mut self.reading, true) {
            let sender = self.sender.clone();
            thread::spawn(move || read_lines(&sender));
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Event::End;
        }
        self.events.recv().unwrap_or(Event::End)
    }
}

/// Sends every line, then the end. Bytes that are not UTF-8 make a bad line, not the end.
fn read_lines(events: &SyncSender<Event>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        // An input that cannot be read has ended.
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        let event = match read {
            Ok(1..) => Event::Line(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Ok(0) | Err(_) => Event::End,
        };
        let last = matches!(event, Event::End);
        if events.send(event).is_err() || last {
            return;
        }
    }
}
