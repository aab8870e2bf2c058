//! The examples in C, compiled and linked with the library.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/include");
/// The system libraries that a Rust library needs: `rustc --print native-static-libs`.
#[cfg(target_os = "linux")]
const SYSTEM: &[&str] = &["-lpthread", "-ldl", "-lm"];
#[cfg(not(target_os = "linux"))]
const SYSTEM: &[&str] = &[];

/// Cargo puts the library into the directory of the tests that use it.
pub fn library_directory() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_owned()
}

/// Runs a program to its end.
pub fn run(program: &str, args: &[OsString]) -> Output {
    let run = Command::new(program).args(args).output();
    run.unwrap_or_else(|error| panic!("this test needs {program}: {error}"))
}

/// Compiles a program with warnings as errors. Panics with the compiler's messages if that fails.
pub fn compile(source: &Path, to: &Path, more: &[&str], link: &[OsString]) -> Result<(), String> {
    let strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g"];
    let mut args: Vec<OsString> = strict.iter().chain(more).map(OsString::from).collect();
    args.extend(["-I", INCLUDE, "-o"].map(OsString::from));
    args.extend([to.into(), source.into()]);
    args.extend_from_slice(link);
    let compiled = run("cc", &args);
    match compiled.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&compiled.stderr).into_owned()),
    }
}

/// The flags that link a program with the archive.
pub fn statically() -> Vec<OsString> {
    let mut link = vec![library_directory().join("libendmill.a").into()];
    link.extend(SYSTEM.iter().map(OsString::from));
    link
}

/// The flags that link a program with the shared library.
pub fn dynamically() -> Vec<OsString> {
    let directory = library_directory();
    let mut search = OsString::from("-Wl,-rpath,");
    search.push(&directory);
    vec!["-L".into(), directory.into(), "-lendmill".into(), search]
}

/// The output of a program that exited successfully.
pub fn printed(run: Output) -> String {
    let complaints = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{}: {complaints}", run.status);
    String::from_utf8(run.stdout).unwrap()
}
