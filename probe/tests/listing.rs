//! Which files of a directory are tables, while other files appear and disappear.

mod small;

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use endmill_probe::Database;
use small::{solved_three, three};

const ID: &str = "three";
/// Threads that write.
const CHURNING: usize = 3;

/// Imitates a build as fast as possible: temporary files appear, are renamed and disappear.
#[test]
fn a_database_opens_while_files_come_and_go() {
    let directory = solved_three().written();
    let tables = |database: &Database<_>| database.coverage().tables.len();
    let there = tables(&Database::open(directory.path(), three()).unwrap());
    let ruleset = directory.path().join(ID);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..CHURNING {
            let (done, ruleset) = (&done, &ruleset);
            scope.spawn(move || {
                let temporary = |i| ruleset.join(format!(".3v3.wld.tmp-{writer}{i}"));
                // The plies appear and disappear; the table is there in any case.
                let plies = ruleset.join(["2+1v3+0.dtw", "3v3.dtw", "0+3v0+3.dtw"][writer]);
                while !done.load(Ordering::Relaxed) {
                    (0..20).for_each(|i| fs::write(temporary(i), b"").unwrap());
                    for i in 0..20 {
                        fs::rename(temporary(i), &plies).unwrap();
                    }
                    fs::remove_file(&plies).unwrap();
                }
            });
        }
        for _ in 0..2000 {
            let opened = Database::open(directory.path(), three());
            match opened {
                Ok(database) => assert_eq!(tables(&database), there),
                Err(error) => {
                    done.store(true, Ordering::Relaxed);
                    panic!("{error}");
                }
            }
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// Opening a pipe would block for ever, and a directory cannot be read.
#[cfg(unix)]
#[test]
fn only_regular_files_are_tables() {
    use endmill_dbformat::{Error, Rules, Store};
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let solved = solved_three();
    let directory = solved.written();
    let ruleset = directory.path().join(ID);
    let pipe = ruleset.join("3v3.wld");
    fs::remove_file(&pipe).unwrap();
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    fs::remove_file(ruleset.join("0+3v0+3.wld")).unwrap();
    fs::create_dir(ruleset.join("0+3v0+3.wld")).unwrap();
    // A link to a table is accepted.
    fs::rename(ruleset.join("1+2v1+2.wld"), ruleset.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere", ruleset.join("1+2v1+2.wld")).unwrap();
    fs::remove_file(ruleset.join("2+1v2+1.wld")).unwrap();
    std::os::unix::fs::symlink("nowhere", ruleset.join("2+1v2+1.wld")).unwrap();

    let database = Database::open(directory.path(), three()).unwrap();
    let covered = database.coverage().tables;
    let names: Vec<String> = covered.iter().map(|c| c.table.to_string()).collect();
    for (name, there) in [
        ("3v3", false),
        ("0+3v0+3", false),
        ("2+1v2+1", false),
        ("1+2v1+2", true),
    ] {
        assert_eq!(names.contains(&name.into()), there, "{name} of {names:?}");
    }
    let store = Store::new(directory.path(), Rules::of(&solved.game));
    for table in ["3v3", "0+3v0+3"] {
        let error = store.open(table, 1).unwrap_err();
        assert!(matches!(error, Error::NotAFile { .. }), "{error}");
    }
}
