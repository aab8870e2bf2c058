//! Lines from the keyboard or a pipe, and the signals that end a game.
//!
//! A blocking read cannot be interrupted, so a thread reads one line per request, and signals arrive
//! through the same channel. On a capable terminal, lines can be edited and have a history; otherwise
//! they are read without editing.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use rustyline::{Config, DefaultEditor};

/// A longer line is split: no valid input is as long.
const LONGEST: u64 = 4096;

/// The next event.
pub enum Event {
    /// A line without its line end.
    Line(String),
    /// The end of the input, Ctrl-C, or a signal to terminate.
    End,
    /// The time is over.
    Late,
}

/// The source of lines.
pub struct Input {
    events: Receiver<Event>,
    /// Prompts for the reading thread.
    prompts: Sender<String>,
    interrupted: Arc<AtomicBool>,
    /// Whether a line was requested.
    asked: bool,
    /// Whether the reading thread shows the prompt and echoes the input.
    pub edits: bool,
    _terminal: Terminal,
}

impl Input {
    /// Handles Ctrl-C and other signals from now on. A second signal ends the program at once.
    pub fn new() -> anyhow::Result<Input> {
        let (sender, events) = channel();
        let (prompts, asked) = channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        listen(&interrupted, &sender)?;
        let capable = std::env::var("TERM").is_ok_and(|term| term != "dumb" && !term.is_empty());
        let edits = capable && io::stdin().is_terminal() && io::stdout().is_terminal();
        let terminal = Terminal::remember();
        // Nothing is read before a line is requested: two levels that play each other leave the
        // input alone.
        thread::Builder::new()
            .spawn(move || {
                if edits {
                    edit_lines(&asked, &sender);
                } else {
                    read_lines(&asked, &sender);
                }
            })
            .context("cannot start a thread")?;
        Ok(Input {
            events,
            prompts,
            interrupted,
            asked: false,
            edits,
            _terminal: terminal,
        })
    }

    /// Set by a signal, to stop long computations.
    pub fn interrupted(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// Waits for the next line, for a limited time.
    pub fn next(&mut self, prompt: &str, patience: Option<Duration>) -> Event {
        // The reading thread ends with the input.
        if !std::mem::replace(&mut self.asked, true)
            && self.prompts.send(prompt.to_owned()).is_err()
        {
            return Event::End;
        }
        let event = self.wait(patience);
        self.asked = matches!(event, Event::Late);
        event
    }

    /// Waits without requesting a line; returns whether the time has passed without a signal.
    pub fn pause(&self, time: Duration) -> bool {
        matches!(self.wait(Some(time)), Event::Late)
    }

    fn wait(&self, patience: Option<Duration>) -> Event {
        if self.interrupted.load(Ordering::Relaxed) {
            return Event::End;
        }
        let received = match patience {
            None => self.events.recv().map_err(RecvTimeoutError::from),
            Some(patience) => self.events.recv_timeout(patience),
        };
        match received {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => Event::Late,
            Err(RecvTimeoutError::Disconnected) => Event::End,
        }
    }
}

/// Handles the signals that end a game: Ctrl-C, a closed terminal, SIGTERM.
#[cfg(unix)]
fn listen(interrupted: &Arc<AtomicBool>, events: &Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let (flag, wake) = (Arc::clone(interrupted), events.clone());
    thread::Builder::new()
        .spawn(move || {
            for signal in signals.forever() {
                leave(signal, &flag, &wake);
            }
        })
        .map(drop)
}

#[cfg(not(unix))]
fn listen(interrupted: &Arc<AtomicBool>, events: &Sender<Event>) -> anyhow::Result<()> {
    let (flag, wake) = (Arc::clone(interrupted), events.clone());
    ctrlc::set_handler(move || leave(2, &flag, &wake))?;
    Ok(())
}

fn leave(signal: i32, interrupted: &AtomicBool, events: &Sender<Event>) {
    if interrupted.swap(true, Ordering::Relaxed) {
        // The exit status of a program that was killed by a signal, as shells report it.
        std::process::exit(128 + signal);
    }
    // Fails only if the program is about to end.
    let _ = events.send(Event::End);
}

/// Reads one line per prompt, with an editor.
fn edit_lines(prompts: &Receiver<String>, events: &Sender<Event>) {
    // A signal that ends the program would leave bracketed paste switched on.
    let config = Config::builder().bracketed_paste(false).build();
    let Ok(mut editor) = DefaultEditor::with_config(config) else {
        return read_lines(prompts, events);
    };
    for prompt in prompts {
        let event = match editor.readline(&prompt) {
            Ok(line) => {
                // An error of the history does not affect the line.
                let _ = editor.add_history_entry(line.as_str());
                Event::Line(line.trim_end().to_owned())
            }
            Err(_) => Event::End,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// Reads one line per prompt. Bytes that are not UTF-8 make a bad line, not the end.
fn read_lines(prompts: &Receiver<String>, events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    for _ in prompts {
        line.clear();
        // An input error is the end of the input.
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        let event = match read {
            Ok(1..) => Event::Line(String::from_utf8_lossy(&line).trim_end().to_owned()),
            Ok(0) | Err(_) => Event::End,
        };
        if events.send(event).is_err() {
            return;
        }
    }
}

/// Restores the terminal in the end: an editor that is waiting for a line would leave it without
/// echo.
struct Terminal {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

impl Terminal {
    fn remember() -> Terminal {
        Terminal {
            #[cfg(unix)]
            before: rustix::termios::tcgetattr(rustix::stdio::stdin()).ok(),
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(before) = &self.before {
            let now = rustix::termios::OptionalActions::Now;
            // Ignores a terminal that was closed.
            let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, before);
        }
    }
}
