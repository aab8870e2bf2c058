//! Files that are cut short while they are mapped, in a program that survives that.

#![allow(unsafe_code, reason = "maps files")]
#![cfg(unix)]

mod sample;

use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use endmill_dbformat::{Error, Kind, Source, Store, Table, survive_cut_files};
use endmill_games::{Feature, Value};
use endmill_testkit::Sample;
use sample::{TABLE, made_up, read_all, rules, values};

/// Positions of the table, and of its blocks.
const POSITIONS: usize = 400_000;
const PER_BLOCK: u32 = 4096;

/// More sources than can be guarded at a time.
const TOO_MANY: usize = 5000;

/// A table of many pages, and of blocks that are parts of pages.
fn large(database: &Path) -> (Store, Sample) {
    let store = Store::new(database, rules());
    std::fs::create_dir(store.directory()).unwrap();
    let sample = made_up(values(1, POSITIONS), PER_BLOCK);
    sample.write(store.directory());
    (store, sample)
}

fn map(store: &Store) -> Table {
    // SAFETY: the program survives files that are cut short.
    unsafe {
        let table = store.map(TABLE, POSITIONS as u64).unwrap();
        store.map_plies(&table).unwrap();
        table
    }
}

/// The program survives; and one test does not take the guards that another needs.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    survive_cut_files().unwrap();
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn cut(file: &Path, length: u64) {
    let file = File::options().write(true).open(file).unwrap();
    file.set_len(length).unwrap();
}

/// The values of each block, or the error.
fn by_block(table: &Table) -> Vec<endmill_dbformat::Result<Vec<Value>>> {
    let context = &mut endmill_dbformat::DecodeContext::default();
    let mut read = |block| {
        let range = table.outcome_cut().block(block);
        let values = table.read_values(&range, |_, _: &mut Vec<Feature>| {}, context)?;
        Ok(values.to_vec())
    };
    (0..table.blocks()).map(&mut read).collect()
}

#[test]
fn file_that_is_cut_short_while_it_is_mapped_is_damaged() {
    let _alone = alone();
    for kind in Kind::VALUES {
        for part in [0, 1, 2, 3] {
            let database = tempfile::tempdir().unwrap();
            let (store, sample) = large(database.path());
            let table = map(&store);
            let path = store.path(TABLE, kind);
            let length = path.metadata().unwrap().len();
            assert!(length > 1 << 16, "a small table: {length} bytes");
            cut(&path, length * part / 4);
            let blocks = by_block(&table);
            let right = sample.values.chunks(PER_BLOCK as usize);
            let mut damaged = 0;
            for (read, right) in blocks.iter().zip(right) {
                match read {
                    Ok(values) => assert!(values == right),
                    Err(Error::Damaged { file, .. }) => {
                        assert_eq!(*file, path);
                        damaged += 1;
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            assert!(damaged > 0);
            // What was there before the cut, and only that, may have been read.
            let sound = blocks.iter().take_while(|read| read.is_ok()).count();
            assert_eq!(sound + damaged, blocks.len());
            assert_eq!(sound > 0, part > 0);
            // It stays damaged, whatever is in the page cache.
            assert!(read_all(&table).is_err());
            assert!(table.outcome_file().source().check().is_err() == (kind == Kind::Outcomes));
        }
    }
}

#[test]
fn every_thread_that_reads_a_cut_file_gets_an_error() {
    let _alone = alone();
    let database = tempfile::tempdir().unwrap();
    let (store, sample) = large(database.path());
    for _ in 0..20 {
        sample.write(store.directory());
        let table = map(&store);
        let path = store.path(TABLE, Kind::Plies);
        std::thread::scope(|scope| {
            let readers: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        // Until the file is cut, under way or before.
                        loop {
                            match read_all(&table) {
                                Ok(values) => assert!(values == sample.values),
                                Err(Error::Damaged { file, .. }) => return file,
                                Err(error) => panic!("{error}"),
                            }
                        }
                    })
                })
                .collect();
            cut(&path, 5000);
            for reader in readers {
                assert_eq!(reader.join().unwrap(), path);
            }
        });
    }
}

#[test]
fn more_files_than_can_be_guarded_are_read_safely_too() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, [7; 10]).unwrap();
    // SAFETY: the program survives files that are cut short.
    let open = || unsafe { Source::map(&path) }.unwrap();
    let sources: Vec<Source> = (0..TOO_MANY).map(|_| open()).collect();
    let buffer = &mut Vec::new();
    for source in &sources {
        assert_eq!(source.read(0..10, buffer).unwrap(), [7; 10]);
    }
    cut(&path, 0);
    for source in &sources {
        // The last of them fail at once, the others when they are checked.
        let error = match source.read(0..10, buffer) {
            Ok(bytes) => {
                assert_eq!(bytes, [0; 10]);
                source.check().unwrap_err()
            }
            Err(error) => error,
        };
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
    }
}

/// Set for the process that is to end.
const CHILD: &str = "ENDMILL_TEST_BUS_ERROR";

#[test]
fn bus_error_of_other_memory_ends_the_process() {
    if std::env::var_os(CHILD).is_some() {
        survive_cut_files().unwrap();
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 16).unwrap();
        // SAFETY: it is not sound; that is what this is about.
        let map = unsafe { memmap2::Mmap::map(&file) }.unwrap();
        file.set_len(0).unwrap();
        println!("{}", std::hint::black_box(&map)[5000]);
        return;
    }
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bus_error_of_other_memory_ends_the_process"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert_eq!(child.status.signal(), Some(libc::SIGBUS), "{child:?}");
}
