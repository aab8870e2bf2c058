//! The directory of a ruleset: manifest, listing, lock, leftovers.

#![allow(unsafe_code, reason = "maps files")]

mod sample;

use std::fs;
use std::path::Path;

use endmill_dbformat::{Error, FileRecord, Kind, Manifest, Part, Record, Store, clean_leftovers};
use endmill_testkit::Sample;
use sample::{TABLE, made_up, read_all, rules, values};

/// A store with one table in it, recorded.
fn store_with_sample(database: &Path) -> (Store, Sample) {
    let store = Store::new(database, rules());
    let sample = made_up(values(1, 1000), 64);
    fs::create_dir_all(store.directory()).unwrap();
    let summaries = sample.write(store.directory());
    let records = summaries.into_iter().map(FileRecord::from);
    let record: Record = Kind::VALUES.into_iter().zip(records).collect();
    store.write_record(TABLE, &record).unwrap();
    store.seal(&store.lock().unwrap()).unwrap();
    (store, sample)
}

#[test]
fn a_recorded_table_is_listed_opened_and_verified() {
    let database = tempfile::tempdir().unwrap();
    let (store, sample) = store_with_sample(database.path());
    let listed = store.list().unwrap();
    assert_eq!(listed.len(), 2);
    for file in &listed {
        let record = file.record.unwrap();
        assert_eq!(file.table, TABLE);
        assert_eq!(file.bytes, Some(record.bytes));
        store.verify_file(TABLE, file.kind, &record).unwrap();
    }
    let table = store.open(TABLE, 1000).unwrap();
    store.open_plies(&table).unwrap();
    assert_eq!(read_all(&table).unwrap(), sample.values);
    // SAFETY: no other process knows the directory.
    let table = unsafe {
        let table = store.map(TABLE, 1000).unwrap();
        store.map_plies(&table).unwrap();
        table
    };
    assert_eq!(read_all(&table).unwrap(), sample.values);
}

#[test]
fn a_store_without_directory_is_empty() {
    let database = tempfile::tempdir().unwrap();
    let store = Store::new(database.path(), rules());
    assert_eq!(store.list().unwrap(), []);
    let error = store.open(TABLE, 1000).unwrap_err();
    assert!(matches!(error, Error::Missing { file } if file.ends_with("nine/5v4.wld")));
    assert_eq!(fs::read_dir(database.path()).unwrap().count(), 0);
}

#[test]
fn lost_and_unrecorded_files_are_listed_as_such() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    fs::rename(
        store.path(TABLE, Kind::Plies),
        store.path("4v5", Kind::Plies),
    )
    .unwrap();
    fs::write(store.directory().join("notes.txt"), "").unwrap();
    let listed = store.list().unwrap();
    let facts = listed.iter().map(|file| {
        let present = (file.bytes.is_some(), file.record.is_some());
        (file.table.as_str(), file.kind, present)
    });
    let expected = [
        ("4v5", Kind::Plies, (true, false)),
        (TABLE, Kind::Plies, (false, true)),
        (TABLE, Kind::Outcomes, (true, true)),
    ];
    assert!(facts.eq(expected));
}

#[test]
fn every_flipped_bit_of_a_manifest_is_noticed() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let path = store.manifest_path();
    let mut bytes = fs::read(&path).unwrap();
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = Manifest::parse(&path, &bytes).unwrap_err();
        let part = Part::Manifest;
        assert!(
            matches!(error, Error::Damaged { part: p, .. } if p == part),
            "bit {bit}"
        );
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    for length in 0..bytes.len() {
        assert!(Manifest::parse(&path, &bytes[..length]).is_err());
    }
}

#[test]
fn a_manifest_of_other_rules_is_refused() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let mut changed = rules();
    changed.fingerprint[0] ^= 1;
    let error = Store::new(database.path(), changed).manifest().unwrap_err();
    assert!(matches!(error, Error::RulesDiffer { .. }));
    assert_eq!(store.manifest().unwrap().files.len(), 2);
}

#[test]
fn the_manifest_does_not_depend_on_the_order_of_building() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let record = store.record(TABLE).unwrap().unwrap();
    store.write_record("4v4", &record).unwrap();
    store.seal(&store.lock().unwrap()).unwrap();
    let before = fs::read(store.manifest_path()).unwrap();
    fs::remove_file(store.manifest_path()).unwrap();
    for table in ["4v4", TABLE] {
        fs::remove_file(store.record_path(table)).unwrap();
        store.write_record(table, &record).unwrap();
        store.seal(&store.lock().unwrap()).unwrap();
    }
    assert_eq!(fs::read(store.manifest_path()).unwrap(), before);
}

#[test]
fn a_file_that_is_intact_but_another_differs_from_the_manifest() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let record = store.manifest().unwrap().files["5v4.wld"];
    made_up(values(2, 1000), 64).write(store.directory());
    store.open(TABLE, 1000).unwrap();
    let error = store
        .verify_file(TABLE, Kind::Outcomes, &record)
        .unwrap_err();
    assert!(matches!(
        error,
        Error::Damaged {
            part: Part::Contents,
            ..
        }
    ));
}

#[test]
fn one_process_writes_the_manifest_at_a_time() {
    let database = tempfile::tempdir().unwrap();
    let store = Store::new(database.path(), rules());
    assert!(matches!(store.lock().unwrap_err(), Error::Missing { .. }));
    fs::create_dir(store.directory()).unwrap();
    let lock = store.lock().unwrap();
    assert!(matches!(store.lock().unwrap_err(), Error::Locked { .. }));
    drop(lock);
    store.lock().unwrap();
}

#[test]
fn leftovers_of_a_killed_process_are_removed_and_nothing_else() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let listed = store.list().unwrap();
    let leftover = store.directory().join(".6v4.wld.tmp-4711");
    fs::write(&leftover, "half a table").unwrap();
    assert_eq!(store.list().unwrap(), listed);
    clean_leftovers(store.directory()).unwrap();
    assert!(!leftover.exists());
    assert_eq!(store.list().unwrap(), listed);
}

#[test]
fn a_manifest_that_lags_is_no_error() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let listed = store.list().unwrap();
    fs::remove_file(store.manifest_path()).unwrap();
    assert_eq!(store.list().unwrap(), listed);
    assert_eq!(store.manifest().unwrap().files.len(), 0);
    store.seal(&store.lock().unwrap()).unwrap();
    assert_eq!(store.manifest().unwrap().files.len(), 2);
}

#[test]
fn a_manifest_without_records_is_believed() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let listed = store.list().unwrap();
    fs::remove_file(store.record_path(TABLE)).unwrap();
    assert_eq!(store.list().unwrap(), listed);
    // What is struck off is off, whatever the manifest of before says.
    store.unrecord(TABLE).unwrap();
    assert_eq!(store.recorded().unwrap().files.len(), 0);
}

#[test]
fn a_record_of_other_rules_or_with_a_changed_byte_is_refused() {
    let database = tempfile::tempdir().unwrap();
    let (store, _) = store_with_sample(database.path());
    let mut changed = rules();
    changed.fingerprint[0] ^= 1;
    let error = Store::new(database.path(), changed)
        .record(TABLE)
        .unwrap_err();
    assert!(matches!(error, Error::RulesDiffer { .. }));
    let path = store.record_path(TABLE);
    let mut bytes = fs::read(&path).unwrap();
    bytes[20] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(matches!(
        store.record(TABLE).unwrap_err(),
        Error::Damaged { .. }
    ));
}
