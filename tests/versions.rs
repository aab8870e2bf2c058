//! Files of every released version of the format are still read right.
//!
//! `tests/fixtures/vN` holds tables as version N wrote them, in every pair of codecs that it wrote:
//! the whole of `three`, some small tables of `nine`, and of version 2 some of draughts; of version 3
//! `three` as a compact database, and of version 4 small tables with ranks of draws, for which these
//! were made. `codec6` holds the same tables of draughts
//! as in version 2, by that codec. They are never changed; a new version or codec gets a new folder.

mod program;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use endmill_dbformat::{Kind, Rules, Store};
use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_probe::{Database, Verdict};
use endmill_testkit::morris;
use program::{build, endmill, text};
use tempfile::TempDir;

fn fixtures(version: u16) -> PathBuf {
    folder(&format!("v{version}"))
}

fn folder(name: &str) -> PathBuf {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    all.join(name)
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
    Kind::VALUES.map(|kind| {
        let bytes = std::fs::read(store.path(table, kind)).unwrap();
        assert_eq!([bytes[8], bytes[9]], version.to_le_bytes());
        bytes[11]
    })
}

/// Compares the tables that a version stored in a folder with freshly solved ones. Returns their
/// pairs of codecs.
fn read_as_solved<G: Game>(
    game: impl Fn() -> G,
    options: &[&str],
    (folder, version): (&Path, u16),
    tables: &[&str],
) -> BTreeSet<[u8; 2]> {
    let fresh = TempDir::new().unwrap();
    let rules = Rules::of(&game());
    build(fresh.path(), &[&[rules.id.as_str()], options].concat());
    let fresh = Database::open(fresh.path(), game()).unwrap();
    let store = Store::new(folder, rules);
    let stored = Database::open(folder, game()).unwrap();
    for name in tables {
        let table = stored.game().parse_table(name).unwrap();
        let equal = values(&stored, table) == values(&fresh, table);
        assert!(equal, "{name} in {}", folder.display());
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
    let whole = |version| {
        let stored = fixtures(version);
        read_as_solved(|| morris("three"), &[], (&stored, version), &three)
    };
    let nine = |version, tables: &[&str]| {
        let wanted = tables.join(",");
        let options = ["--tables", &wanted];
        let stored = fixtures(version);
        read_as_solved(|| morris("nine"), &options, (&stored, version), tables)
    };
    assert_eq!(whole(1), BTreeSet::from([[1, 1]]));
    assert_eq!(nine(1, &["4v3"]), BTreeSet::from([[4, 5]]));
    assert_eq!(whole(2), BTreeSet::from([[1, 1], [1, 5]]));
    assert_eq!(nine(2, &["4v3", "4v4"]), BTreeSet::from([[4, 1], [4, 5]]));
}

#[test]
fn outcomes_beside_captures_are_read_as_solved_in_short_units_and_in_long_ones() {
    for (name, codec) in [("v2", 4), ("codec6", 6)] {
        let tables = ["01v01", "01v10", "10v01", "02v10"];
        let options = ["--tables", "02v10"];
        let codecs = read_as_solved(Draughts::new, &options, (&folder(name), 2), &tables);
        assert_eq!(codecs, BTreeSet::from([[codec, 5]]));
    }
}

/// Version 3 marks outcomes without plies in a compact database; its other files have version 2.
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

/// Version 4 ranks draws; its other files have version 2.
#[test]
fn draws_are_ranked_as_they_were() {
    ranked_as_they_were(|| morris("six"), "4v3");
    ranked_as_they_were(Draughts::new, "01v02");
}

fn ranked_as_they_were<G: Game>(game: impl Fn() -> G, wanted: &str) {
    let rules = Rules::of(&game());
    let fresh = TempDir::new().unwrap();
    build(fresh.path(), &[&rules.id, "--tables", wanted, "--draws"]);
    let fresh = Database::open(fresh.path(), game()).unwrap();
    let store = Store::new(&fixtures(4), rules);
    let stored = Database::open(fixtures(4), game()).unwrap();
    let (mut tables, mut ranked) = (0, 0);
    for (name, kind, _) in store.files().unwrap() {
        if kind != Kind::Draws {
            continue;
        }
        tables += 1;
        let bytes = std::fs::read(store.path(&name, kind)).unwrap();
        assert_eq!([bytes[8], bytes[9], bytes[11]], [4, 0, 7]);
        let table = stored.game().parse_table(&name).unwrap();
        for index in 0..stored.game().size(table) {
            let position = stored.game().unrank(table, index);
            let ranks = [&stored, &fresh].map(|database| database.draw_rank(&position).unwrap());
            assert_eq!(ranks[0], ranks[1], "{name} {index}");
            ranked += usize::from(ranks[0].is_some());
        }
    }
    assert_eq!(tables, 3);
    assert!(ranked > 0);
}

/// Verifies a copy, because verifying needs write access.
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
