//! Tells the program which commit it is built from, where there is a git to ask.

use std::path::Path;
use std::process::Command;

fn main() {
    // Names a file that changes with every commit; without a repository there is nothing to watch.
    let log = Path::new(".git/logs/HEAD");
    println!("cargo::rerun-if-changed=build.rs");
    if log.exists() {
        println!("cargo::rerun-if-changed={}", log.display());
    }
    let asked = Command::new("git")
        .args(["rev-parse", "--short=12", "HEAD"])
        .output();
    let Some(commit) = asked.ok().filter(|asked| asked.status.success()) else {
        return;
    };
    if let Ok(commit) = String::from_utf8(commit.stdout) {
        println!("cargo::rustc-env=ENDMILL_COMMIT={}", commit.trim());
    }
}
