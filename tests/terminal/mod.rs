//! The program at a pseudo-terminal, which echoes typed characters and turns Ctrl-C into a signal.

#![allow(unsafe_code, reason = "sets up a process")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::program::PATIENCE;

/// Ctrl-C and Ctrl-D, as a keyboard sends them.
pub const CTRL_C: &str = "\x03";
pub const CTRL_D: &str = "\x04";

/// A program that runs at a terminal.
pub struct Terminal {
    program: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// The output that the last call has already returned.
    unread: Vec<u8>,
}

impl Terminal {
    /// Starts a program in the foreground of a new terminal.
    pub fn start(command: Command) -> Terminal {
        Terminal::of_width(command, 80)
    }

    /// The same with the given number of columns.
    pub fn of_width(mut command: Command, columns: u16) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&master).expect("its other end");
        unlockpt(&master).expect("its other end");
        let name = ptsname(&master, Vec::new()).expect("its name");
        let slave = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty());
        let slave = slave.expect("its other end opens");
        let size = rustix::termios::Winsize {
            ws_row: 40,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        rustix::termios::tcsetwinsize(&slave, size).expect("a size");
        let end = || slave.try_clone().expect("a third end");
        command.stdin(end()).stdout(end()).stderr(end());
        // Sound: only two system calls between fork and exec.
        unsafe {
            command.pre_exec(|| {
                rustix::process::setsid()?;
                rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
                Ok(())
            });
        }
        let program = command.spawn().expect("the program starts");
        let keyboard = File::from(master);
        let mut output = keyboard.try_clone().expect("a second handle");
        let (sender, screen) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // When the program has ended, a read fails on Linux and is empty elsewhere.
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                if sender.send(buffer[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            program,
            keyboard,
            screen,
            unread: Vec::new(),
        }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        let pressed = self.keyboard.write_all(keys.as_bytes());
        pressed.expect("the program listens");
    }

    /// Returns the output until it ends with `ending`.
    pub fn until(&mut self, ending: &str) -> String {
        while !self.unread.ends_with(ending.as_bytes()) {
            let more = self.screen.recv_timeout(PATIENCE);
            let more = more.unwrap_or_else(|_| panic!("no {ending:?} after:\n{}", self.read()));
            self.unread.extend(more);
        }
        self.read()
    }

    /// Returns the output up to this text; the next call continues behind it.
    pub fn until_shown(&mut self, words: &str) -> String {
        let sought = words.as_bytes();
        let end = loop {
            let mut seen = self.unread.windows(sought.len());
            if let Some(at) = seen.position(|seen| seen == sought) {
                break at + sought.len();
            }
            let more = self.screen.recv_timeout(PATIENCE);
            let more = more.unwrap_or_else(|_| panic!("no {words:?} after:\n{}", self.read()));
            self.unread.extend(more);
        };
        let behind = self.unread.split_off(end);
        let shown = self.read();
        self.unread = behind;
        shown
    }

    /// Sends the program a signal.
    pub fn kill(&mut self, signal: Signal) {
        let id = self.program.id() as i32;
        let id = Pid::from_raw(id).expect("a process");
        rustix::process::kill_process(id, signal).expect("it runs");
    }

    /// Returns the output up to the next prompt.
    pub fn prompt(&mut self) -> String {
        self.until("> ")
    }

    /// Types a line at the prompt and returns the output up to the next prompt.
    pub fn answer(&mut self, line: &str) -> String {
        self.press(&format!("{line}\n"));
        let shown = self.prompt();
        let (echo, rest) = shown.split_once('\n').expect("the echo of the line");
        assert_eq!(echo, line);
        rest.to_owned()
    }

    /// Returns the output until the program exits, and its status.
    pub fn end(mut self) -> (String, ExitStatus) {
        loop {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(more) => self.unread.extend(more),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no end after:\n{}", self.read()),
            }
        }
        (self.read(), self.program.wait().expect("it ends"))
    }

    fn read(&mut self) -> String {
        let unread = std::mem::take(&mut self.unread);
        String::from_utf8_lossy(&unread).replace("\r\n", "\n")
    }
}

impl Drop for Terminal {
    /// A failed test leaves no running program behind.
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
