//! Files of every version of the format that was ever released are read as what they were.
//!
//! `tests/fixtures/vN` holds tables as version N wrote them, in every pair of codecs that it wrote:
//! the whole of `three` and some small tables of `nine`; of version 3 `three` as a compact database,
//! for which it was made. They are never changed; a new version gets
//! a folder of its own.

mod program;
mod solved;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use endmill_dbformat::{Kind, Rules, Store};
use endmill_games::prelude::*;
use endmill_probe::{Database, Verdict};
use program::{build, endmill, text};
use solved::morris;
use tempfile::TempDir;

fn fixtures(version: u16) -> PathBuf {
    let folder = format!("tests/fixtures/v{version}");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Every value of a table, by number.
fn values<G: Game>(database: &Database<G>, table: G::Table) -> Vec<Verdict> {
    let mut values = Vec::new();
    let visited = database.for_each(table, |_, verdict| {
        values.push(verdict);
        ControlFlow::Continue(())
    });
    visited.unwrap();
    values
}

/// The codecs of a table's two files, whose headers must name the version.
fn codecs(store: &Store, table: &str, version: u16) -> [u8; 2] {
    Kind::ALL.map(|kind| {
        let bytes = std::fs::read(store.path(table, kind)).unwrap();
        assert_eq!([bytes[8], bytes[9]], version.to_le_bytes());
        bytes[11]
    })
}

/// Compares stored tables with freshly solved ones; gives the pairs of codecs among them.
fn read_as_solved(id: &str, options: &[&str], version: u16, tables: &[&str]) -> BTreeSet<[u8; 2]> {
    let fresh = TempDir::new().unwrap();
    build(fresh.path(), &[&[id], options].concat());
    let fresh = Database::open(fresh.path(), morris(id)).unwrap();
    let folder = fixtures(version);
    let store = Store::new(&folder, Rules::of(fresh.game()));
    let stored = Database::open(&folder, morris(id)).unwrap();
    for name in tables {
        let table = stored.game().parse_table(name).unwrap();
        let equal = values(&stored, table) == values(&fresh, table);
        assert!(equal, "{name} of version {version}");
    }
    let tables = tables.iter();
    tables.map(|name| codecs(&store, name, version)).collect()
}

#[test]
fn tables_of_every_version_and_codec_are_read_as_solved() {
    let three: Vec<String> = {
        let tables = morris("three").tables(None);
        tables.iter().map(ToString::to_string).collect()
    };
    let three: Vec<&str> = three.iter().map(String::as_str).collect();
    let whole = |version| read_as_solved("three", &[], version, &three);
    let nine = |version, tables: &[&str]| {
        let wanted = tables.join(",");
        read_as_solved("nine", &["--tables", &wanted], version, tables)
    };
    assert_eq!(whole(1), BTreeSet::from([[1, 1]]));
    assert_eq!(nine(1, &["4v3"]), BTreeSet::from([[4, 5]]));
    assert_eq!(whole(2), BTreeSet::from([[1, 1], [1, 5]]));
    assert_eq!(nine(2, &["4v3", "4v4"]), BTreeSet::from([[4, 1], [4, 5]]));
}

/// Version 3 is that of outcomes without plies, in a compact database; its other files have the
/// version of full ones.
#[test]
fn a_compact_database_is_read_as_solved() {
    let fresh = TempDir::new().unwrap();
    build(fresh.path(), &["three"]);
    let fresh = Database::open(fresh.path(), morris("three")).unwrap();
    let stored = Database::open(fixtures(3), morris("three")).unwrap();
    let mut versions = BTreeSet::new();
    for table in morris("three").tables(None) {
        assert_eq!(values(&stored, table), values(&fresh, table), "{table}");
        let path = fixtures(3).join(format!("three/{table}.wld"));
        versions.insert(std::fs::read(path).unwrap()[8]);
    }
    assert_eq!(versions, BTreeSet::from([2, 3]));
}

/// A copy, because verifying takes the right to write.
#[test]
fn a_database_of_every_version_is_verified() {
    for version in [1, 2, 3] {
        let copy = TempDir::new().unwrap();
        let to = copy.path().join("three");
        std::fs::create_dir(&to).unwrap();
        for entry in std::fs::read_dir(fixtures(version).join("three")).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
        let run = endmill(&["verify", "three", "--db", copy.path().to_str().unwrap()]);
        assert_eq!(run.status.code(), Some(0), "{}", text(run.stderr));
    }
}
