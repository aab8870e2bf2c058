//! Installs the library; a C program finds it by pkg-config.
#![cfg(unix)]

mod linked;
mod small;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use linked::{library_directory, printed};
use small::database;

const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn run(command: &mut Command) -> Output {
    let run = command.output();
    run.unwrap_or_else(|error| panic!("this test needs {:?}: {error}", command.get_program()))
}

fn install(args: &[&str]) -> Command {
    let mut command = Command::new(Path::new(HERE).join("install"));
    command.args(args).arg("--library").arg(library_directory());
    command
}

/// The flags that pkg-config prints for the installed library.
fn pkg_config(prefix: &Path, args: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let said = printed(run(command.args(args).arg("endmill")));
    said.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn installed_library_is_found_by_pkg_config() {
    let directory = tempfile::tempdir().unwrap();
    let prefix = directory.path().join("usr");
    let said = printed(run(&mut install(&["--prefix", prefix.to_str().unwrap()])));
    assert!(
        said.starts_with(concat!("libendmill ", env!("CARGO_PKG_VERSION"))),
        "{said}"
    );
    assert_eq!(
        pkg_config(&prefix, &["--modversion"]),
        [env!("CARGO_PKG_VERSION")]
    );

    let library = prefix.join("lib").join("libendmill.so");
    if cfg!(target_os = "linux") {
        let dynamic = printed(run(Command::new("readelf").arg("-d").arg(&library)));
        assert!(
            dynamic.contains("Library soname: [libendmill.so.0]"),
            "{dynamic}"
        );
        let symbols = printed(run(Command::new("nm")
            .args(["-D", "--defined-only"])
            .arg(&library)));
        let exported: Vec<&str> = symbols
            .lines()
            .filter_map(|line| line.split(' ').nth(2))
            .collect();
        assert!(exported.contains(&"endmill_probe") && exported.contains(&"endmill_egdb_lookup"));
        assert!(
            exported.iter().all(|name| name.starts_with("endmill_")),
            "{exported:?}"
        );
    }

    let program = directory.path().join("probe");
    let mut compiler = Command::new("cc");
    compiler
        .arg("-o")
        .arg(&program)
        .arg(Path::new(HERE).join("examples/probe.c"));
    printed(run(
        compiler.args(pkg_config(&prefix, &["--cflags", "--libs"]))
    ));
    let mut ran = Command::new(&program);
    ran.env("LD_LIBRARY_PATH", prefix.join("lib"))
        .arg(database());
    let said = printed(run(&mut ran));
    assert!(said.starts_with("libendmill "), "{said}");
    assert!(said.contains("nine: 1 tables, up to 6 pieces"), "{said}");
}

#[test]
fn destdir_stands_before_what_is_written_and_in_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let stage = directory.path().join("stage");
    printed(run(
        install(&["--prefix=/opt/endmill"]).env("DESTDIR", &stage)
    ));
    let lib = stage.join("opt/endmill/lib");
    let pc = fs::read_to_string(lib.join("pkgconfig/endmill.pc")).unwrap();
    assert!(
        pc.contains("prefix=/opt/endmill\n") && !pc.contains("stage"),
        "{pc}"
    );
    assert!(lib.join("libendmill.a").is_file() && lib.join("libendmill.so").exists());
    assert!(stage.join("opt/endmill/include/endmill_egdb.h").is_file());
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for args in [&["--prefix"][..], &["--somewhere"]] {
        let command = Path::new(HERE).join("install");
        let run = Command::new(command).args(args).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{args:?}");
    }
}
