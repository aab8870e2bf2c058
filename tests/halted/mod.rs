//! Programs that are killed or stopped at a certain step, however busy the machine is. A preloaded
//! library counts the calls that rename, remove and sync files. Between two of these calls nothing
//! changes that the next run could see.

#![cfg(target_os = "linux")]
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::Signal;
use tempfile::TempDir;

const COUNTING: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void step(const char *path) {
    static atomic_int steps;
    const char *last = getenv("KILL_AT_STEP"), *name = getenv("STOP_AT_NAME");
    const char *slash = strrchr(path, '/');
    if (last && atomic_fetch_add(&steps, 1) + 1 == atoi(last)) kill(getpid(), SIGKILL);
    if (name && slash && strcmp(slash + 1, name) == 0) kill(getpid(), SIGSTOP);
}
int rename(const char *from, const char *to) {
    step(to);
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}
int unlink(const char *path) {
    step(path);
    return unlinkat(AT_FDCWD, path, 0);
}
int fsync(int file) {
    step("");
    return syscall(SYS_fsync, file);
}
"#;

/// Compiles a library to be preloaded.
pub fn preloadable(code: &str, directory: &Path) -> PathBuf {
    let (source, library) = (directory.join("library.c"), directory.join("library.so"));
    fs::write(&source, code).unwrap();
    let mut compile = Command::new("cc");
    compile.args(["-shared", "-fPIC", "-w", "-o"]);
    let compiled = compile.arg(&library).arg(&source).status().unwrap();
    assert!(compiled.success());
    library
}

/// The library that halts programs.
pub struct Halting {
    _directory: TempDir,
    pub library: PathBuf,
}

impl Halting {
    pub fn new() -> Halting {
        let directory = TempDir::new().unwrap();
        Halting {
            library: preloadable(COUNTING, directory.path()),
            _directory: directory,
        }
    }

    /// Makes a command kill itself right before a step; the first step is 1.
    pub fn kill_at<'a>(&self, step: u32, command: &'a mut Command) -> &'a mut Command {
        command.env("LD_PRELOAD", &self.library);
        command.env("KILL_AT_STEP", step.to_string());
        command.stdout(Stdio::null()).stderr(Stdio::null())
    }

    /// Runs such a command. Returns false if it has fewer steps and succeeds.
    pub fn kills(&self, step: u32, command: &mut Command) -> bool {
        was_killed(self.kill_at(step, command).status().unwrap())
    }

    /// Makes a command stop right before it renames a file to this name. `Signal::CONT` resumes it.
    pub fn stop_at<'a>(&self, name: &str, command: &'a mut Command) -> &'a mut Command {
        command.env("LD_PRELOAD", &self.library);
        command.env("STOP_AT_NAME", name)
    }
}

/// Returns whether a process was killed. Otherwise it must have succeeded.
pub fn was_killed(status: ExitStatus) -> bool {
    let killed = status.signal() == Some(Signal::KILL.as_raw());
    assert!(killed || status.success(), "{status}");
    killed
}

/// Returns whether a process is stopped.
pub fn is_stopped(process: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    status.lines().any(|line| line.starts_with("State:\tT"))
}
