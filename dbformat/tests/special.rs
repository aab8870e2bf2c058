//! FIFOs, sockets and directories under the names of files.

#![allow(unsafe_code, reason = "maps files")]
#![cfg(unix)]

mod sample;

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use endmill_dbformat::{Error, Kind, Manifest, Result, Source, Store, blake3_of_file};
use sample::{TABLE, rules};

/// More than any of this takes, unless it waits for ever.
const FOREVER: Duration = Duration::from_secs(600);

/// What may stand in a file's place: what it is called, how it is made.
type Special = (&'static str, fn(&Path));

const SPECIAL: [Special; 3] = [
    ("a FIFO", |path| {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }),
    ("a socket", |path| drop(UnixListener::bind(path).unwrap())),
    ("a directory", |path| fs::create_dir(path).unwrap()),
];

/// Whether something that opens a file refuses this one, and returns at all.
fn refuses<T>(path: &Path, found: &str, open: impl FnOnce(PathBuf) -> Result<T> + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let own = path.to_owned();
    std::thread::spawn(move || done.send(open(own).err()));
    let error = wait.recv_timeout(FOREVER).expect("no waiting");
    let error = error.expect("no opening").to_string();
    let expected = format!("{}: {found}, not a regular file", path.display());
    assert_eq!(error, expected);
}

#[test]
fn what_is_not_a_regular_file_is_refused_without_waiting() {
    for (found, make) in SPECIAL {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("3v3.wld");
        make(&path);
        refuses(&path, found, |path| Source::open(&path));
        // SAFETY: no other process knows the directory.
        refuses(&path, found, |path| unsafe { Source::map(&path) });
        refuses(&path, found, |path| blake3_of_file(&path));
        refuses(&path, found, |path| Manifest::read(&path));
        let link = directory.path().join("link.wld");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        refuses(&link, found, |link| Source::open(&link));
    }
}

#[test]
fn lock_that_is_not_a_regular_file_is_refused_without_waiting() {
    for (found, make) in SPECIAL {
        let database = tempfile::tempdir().unwrap();
        let store = Store::new(database.path(), rules());
        fs::create_dir(store.directory()).unwrap();
        let lock = store.directory().join(".lock");
        make(&lock);
        refuses(&lock, found, move |_| store.lock());
    }
}

#[test]
fn what_is_not_a_regular_file_is_not_listed_as_a_table() {
    for (_, make) in SPECIAL {
        let database = tempfile::tempdir().unwrap();
        let store = Store::new(database.path(), rules());
        fs::create_dir(store.directory()).unwrap();
        make(&store.path(TABLE, Kind::Outcomes));
        assert_eq!(store.list().unwrap(), []);
        let error = store.open(TABLE, 1000).unwrap_err();
        assert!(matches!(error, Error::NotAFile { .. }), "{error}");
    }
}

/// Tables may live on another disk.
#[test]
fn a_link_to_a_file_is_as_good_as_the_file() {
    let database = tempfile::tempdir().unwrap();
    let store = Store::new(database.path(), rules());
    fs::create_dir(store.directory()).unwrap();
    let elsewhere = database.path().join("elsewhere");
    fs::write(&elsewhere, "a file").unwrap();
    let path = store.path(TABLE, Kind::Outcomes);
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
    assert_eq!(Source::open(&path).unwrap().length(), 6);
}
