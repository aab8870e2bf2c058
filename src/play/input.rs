//! Lines from the keyboard or from a pipe, and the signals that end a game.
//!
//! A blocking read cannot be interrupted, so a thread reads, one line when one is asked for, and
//! signals come by the same channel. At a terminal the line can be edited and earlier ones brought
//! back; where the terminal cannot do that, and by a pipe, lines are read as they come.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use rustyline::{Config, DefaultEditor};

/// A longer line is cut into several: nothing that is typed here is as long.
const LONGEST: u64 = 4096;

/// What comes next.
pub enum Event {
    /// A line without its end.
    Line(String),
    /// The end of the input, Ctrl-C, or a signal to leave.
    End,
    /// Nothing came in the time that was given.
    Late,
}

/// Where lines come from.
pub struct Input {
    events: Receiver<Event>,
    /// Prompts for the thread that reads.
    prompts: Sender<String>,
    interrupted: Arc<AtomicBool>,
    /// Whether a line is being waited for.
    asked: bool,
    /// Whether the thread that reads shows the prompt and what is typed.
    pub edits: bool,
    _terminal: Terminal,
}

impl Input {
    /// Listens to Ctrl-C and other signals from now on. A second one ends the program at once.
    pub fn new() -> anyhow::Result<Input> {
        let (sender, events) = channel();
        let (prompts, asked) = channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        listen(&interrupted, &sender)?;
        let capable = std::env::var("TERM").is_ok_and(|term| term != "dumb" && !term.is_empty());
        let edits = capable && io::stdin().is_terminal() && io::stdout().is_terminal();
        let terminal = Terminal::remember();
        // Nobody reads before a line is asked for: two levels that play each other leave the input
        // alone.
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

    /// Set by a signal: for whoever works long, to stop.
    pub fn interrupted(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// Waits for the next line, no longer than this.
    pub fn next(&mut self, prompt: &str, patience: Option<Duration>) -> Event {
        // Whoever reads is gone only if the input has ended.
        if !std::mem::replace(&mut self.asked, true)
            && self.prompts.send(prompt.to_owned()).is_err()
        {
            return Event::End;
        }
        let event = self.wait(patience);
        self.asked = matches!(event, Event::Late);
        event
    }

    /// Waits without asking for a line; whether nothing came between.
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

/// Hands on the signals that end a game: Ctrl-C, the end of the terminal, a polite kill.
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
        // As the shell reports a program that was ended by a signal.
        std::process::exit(128 + signal);
    }
    // Nobody listens only if the program is about to end.
    let _ = events.send(Event::End);
}

/// Reads a line for every prompt, with an editor.
fn edit_lines(prompts: &Receiver<String>, events: &Sender<Event>) {
    // A paste that is marked would have to be unmarked when the program is made to leave.
    let config = Config::builder().bracketed_paste(false).build();
    let Ok(mut editor) = DefaultEditor::with_config(config) else {
        return read_lines(prompts, events);
    };
    for prompt in prompts {
        let event = match editor.readline(&prompt) {
            Ok(line) => {
                // A history that is full or refuses a line is no reason to refuse the line.
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

/// Reads a line for every prompt. Bytes that are not UTF-8 make a bad line, not the end.
fn read_lines(prompts: &Receiver<String>, events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    for _ in prompts {
        line.clear();
        // An input that cannot be read has ended.
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

/// The terminal as it was: an editor that is still waiting for a line when the program ends would
/// leave it without echo.
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
            // A terminal that is gone needs nothing.
            let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, before);
        }
    }
}
