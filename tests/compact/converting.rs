//! Conversion from either form to the other gives the bytes of a build, even after kills.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use endmill_dbformat::{Kind, Rules, Store};
use tempfile::TempDir;

use crate::both;
use crate::program::{endmill, files, json, printed, program, text};
use endmill_testkit::morris;

fn six(db: &Path) -> BTreeMap<String, Vec<u8>> {
    files(&db.join("six"))
}

#[test]
fn converting_gives_the_bytes_of_a_build() {
    let [full, compact] = both(&["six"]);
    for (from, to, form) in [(&full, &compact, "compact"), (&compact, &full, "full")] {
        let (before, expected) = (six(from.path()), six(to.path()));
        let other = TempDir::new().unwrap();
        let out = other.path().to_str().unwrap();
        let args = ["convert", "six", "--to", form, "--out", out];
        let output = json(&args, from.path());
        assert_eq!(output["converted"].as_array().unwrap().len(), 62);
        assert!(six(other.path()) == expected, "{form}");
        assert!(six(from.path()) == before, "{form}: it was only read");
        // A second run has nothing to do.
        json(&args, from.path());
        assert!(six(other.path()) == expected, "{form}");

        let path = from.path().to_str().unwrap();
        printed(&[
            "convert",
            "six",
            "--to",
            form,
            "--threads",
            "1",
            "--db",
            path,
        ]);
        assert!(six(from.path()) == expected, "{form}");
        let output = json(&["convert", "six", "--to", form], from.path());
        assert_eq!(output["converted"].as_array().unwrap().len(), 0);
        assert!(six(from.path()) == expected, "{form}");
        // The other direction restores the original.
        let back = if form == "full" { "compact" } else { "full" };
        printed(&["convert", "six", "--to", back, "--db", path]);
        assert!(six(from.path()) == before, "{form}");
    }
}

/// Kills conversions repeatedly, each time a little later.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_conversion_resumes_to_identical_files() {
    let [full, compact] = both(&["six"]);
    let (all, some) = (six(full.path()), six(compact.path()));
    let halting = crate::halted::Halting::new();
    for (db, form, expected) in [(&full, "compact", some), (&compact, "full", all)] {
        let path = db.path().to_str().unwrap();
        let mut killed = 0;
        for step in (5..).step_by(16) {
            let mut convert = program();
            convert.args(["convert", "six", "--to", form, "--db", path]);
            if !halting.kills(step, &mut convert) {
                break;
            }
            killed += 1;
            // In whatever state the kill left it, the database answers every question.
            printed(&["probe", "six", "start", "--db", path]);
        }
        assert!(killed > 5, "{form}: {killed}");
        assert!(six(db.path()) == expected, "{form}");
    }
}

/// Every state in which a kill can leave a table.
#[test]
fn every_step_of_a_conversion_may_be_the_last() {
    let [full, compact] = both(&["six"]);
    let (all, some) = (six(full.path()), six(compact.path()));
    let store = Store::new(full.path(), Rules::of(&morris("six")));
    let path = full.path().to_str().unwrap();
    let name = |kind: Kind| format!("5v4.{}", kind.extension());
    let [wld, dtw] = Kind::VALUES.map(|kind| store.path("5v4", kind));
    // Marked, with the plies still present; then not yet recorded.
    for without_plies in [false, true] {
        store.unrecord("5v4").unwrap();
        fs::write(&wld, &some[&name(Kind::Outcomes)]).unwrap();
        if without_plies {
            fs::remove_file(&dtw).unwrap();
        }
        printed(&["convert", "six", "--to", "compact", "--db", path]);
        assert!(six(full.path()) == some);
        printed(&["convert", "six", "--to", "full", "--db", path]);
        assert!(six(full.path()) == all);
    }
    // The outcomes of the full table without its plies; or the other form is requested
    // again.
    for (form, expected) in [("full", &all), ("compact", &some)] {
        printed(&["convert", "six", "--to", "compact", "--db", path]);
        store.unrecord("5v4").unwrap();
        fs::write(&wld, &all[&name(Kind::Outcomes)]).unwrap();
        printed(&["convert", "six", "--to", form, "--db", path]);
        assert!(six(full.path()) == *expected, "{form}");
    }
    printed(&["convert", "six", "--to", "full", "--db", path]);
    for marked in [false, true] {
        store.unrecord("5v4").unwrap();
        if marked {
            fs::write(&wld, &some[&name(Kind::Outcomes)]).unwrap();
        }
        printed(&["convert", "six", "--to", "full", "--db", path]);
        assert!(six(full.path()) == all, "marked: {marked}");
    }
}

#[test]
fn plies_that_cannot_be_derived_are_kept() {
    let [full, compact] = both(&["six"]);
    let path = full.path().to_str().unwrap();
    fs::remove_file(full.path().join("six/4v5.dtw")).unwrap();
    let output = json(&["convert", "six", "--to", "compact"], full.path());
    let kept: Vec<&str> = (output["kept"].as_array().unwrap().iter())
        .map(|name| name.as_str().unwrap())
        .collect();
    assert!(kept.contains(&"5v4"), "{kept:?}");
    assert!(full.path().join("six/5v4.dtw").exists());
    let run = endmill(&["verify", "six", "--quick", "--db", path]);
    assert_eq!(run.status.code(), Some(3));

    fs::remove_file(compact.path().join("six/4v5.dtw")).unwrap();
    let path = compact.path().to_str().unwrap();
    let run = endmill(&["convert", "six", "--to", "full", "--db", path]);
    assert_eq!(run.status.code(), Some(3));
    let stderr = text(run.stderr);
    assert!(stderr.contains("4v5"), "{stderr}");
}
