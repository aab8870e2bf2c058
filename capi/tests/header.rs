//! The committed header is up to date, and C and C++ compilers accept it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn root() -> PathBuf {
    env!("CARGO_MANIFEST_DIR").into()
}

/// `ENDMILL_UPDATE_HEADER=1 cargo test -p endmill-capi --test header` regenerates it.
#[test]
fn the_header_is_generated_from_the_source() {
    let config = cbindgen::Config::from_root_or_default(root());
    let builder = cbindgen::Builder::new().with_config(config);
    let bindings = builder.with_crate(root()).generate().unwrap();
    let mut generated = Vec::new();
    bindings.write(&mut generated);
    let generated = String::from_utf8(generated).unwrap();
    let header = root().join("include/endmill.h");
    if std::env::var_os("ENDMILL_UPDATE_HEADER").is_some() {
        fs::write(&header, &generated).unwrap();
    }
    let committed = fs::read_to_string(&header).unwrap_or_default();
    assert!(
        committed == generated,
        "include/endmill.h is out of date: run ENDMILL_UPDATE_HEADER=1 cargo test -p endmill-capi --test header"
    );
}

/// Compiles the headers alone, with warnings as errors.
fn compiles(compiler: &str, name: &str, flags: &[&str]) {
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join(name);
    fs::write(
        &source,
        "#include \"endmill.h\"\n#include \"endmill_egdb.h\"\n",
    )
    .unwrap();
    let mut command = Command::new(compiler);
    command
        .args(flags)
        .args(["-Wall", "-Wextra", "-pedantic", "-Werror"]);
    command
        .arg("-fsyntax-only")
        .arg("-I")
        .arg(root().join("include"));
    let run = command.arg(&source).output();
    let run = run.unwrap_or_else(|error| panic!("this test needs {compiler}: {error}"));
    let complaints = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{compiler} {flags:?}: {complaints}");
}

#[test]
fn the_headers_are_c99_and_cpp11() {
    compiles("cc", "header.c", &["-std=c99"]);
    compiles("cc", "header.c", &["-std=c17"]);
    compiles("c++", "header.cpp", &["-std=c++11"]);
    compiles("c++", "header.cpp", &["-std=c++20"]);
}
