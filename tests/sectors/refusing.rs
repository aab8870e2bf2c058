//! What an export or a comparison refuses, and what it leaves out.

use super::*;

/// The rules decide, not the name: a file with those of nine men's morris will do.
#[test]
fn a_rules_file_is_read_and_refused_if_the_format_has_no_room_for_its_rules() {
    let (db, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let file = out.path().join("mine.toml");
    let name = file.to_str().unwrap();
    let sectors = out.path().join("sectors");
    let args = ["export", name, "--to", "malom", "--tables", "3v3", "--out"];
    let at = [
        sectors.to_str().unwrap(),
        "--db",
        db.path().to_str().unwrap(),
    ];
    for (like, taken) in [("nine", true), ("nine-nofly", false)] {
        let rules = printed(&["rules", like, "--toml"]);
        let id = format!("id = \"{like}\"");
        assert!(rules.contains(&id), "{rules}");
        fs::write(&file, rules.replace(&id, "id = \"mine\"")).unwrap();
        if taken {
            build(db.path(), &[name, "--pieces", "6"]);
            printed(&[&args[..], &at].concat());
            assert_eq!(compare(name, &sectors, at[2]).0, Some(0));
        } else {
            let refused = complaint(&[&args[..], &at].concat());
            assert!(
                refused.contains("there are no sector files of mine: the format has room for"),
                "{refused}"
            );
        }
    }
}

#[test]
fn what_cannot_be_meant_is_bad_input() {
    let to = ["--to", "malom", "--db", database(), "--out"];
    let unknown = complaint(&[&["export", "nosuch"], &to[..], &["nowhere"]].concat());
    assert!(unknown.contains("nosuch"), "{unknown}");
    complaint(&["compare", "nosuch", "--with", "malom", "nowhere"]);
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let within = format!("{file}/x");
    for out in [file, &within] {
        let args = [&["export", "nine", "--tables", "3v3"], &to[..], &[out]].concat();
        complaint(&args);
    }
    let args = [
        "compare",
        "nine",
        "--with",
        "malom",
        file,
        "--db",
        database(),
    ];
    complaint(&args);
}

/// Of twelve men's morris the plies of placing tables are not stored unless asked for.
#[test]
fn tables_without_plies_are_left_out_unless_they_are_named() {
    let (db, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    build(db.path(), &["twelve", "--men", "6"]);
    let (db, out) = (db.path().to_str().unwrap(), out.path().to_str().unwrap());
    let args = [
        "export", "twelve", "--to", "malom", "--out", out, "--db", db,
    ];
    let run = endmill(&[&args[..], &["--json"]].concat());
    assert!(run.status.success());
    let told = text(run.stderr);
    assert!(
        told.contains("without plies: ") && told.contains("--placing-plies"),
        "{told}"
    );
    let answer: Value = serde_json::from_str(&text(run.stdout)).unwrap();
    assert_eq!(answer["files"][0]["table"], "3v3");
    let without = answer["without_plies"].as_array().unwrap();
    assert!(without.contains(&Value::from("2+1v2+1")), "{without:?}");
    let run = endmill(&[&args[..], &["--tables", "2+1v2+1"]].concat());
    assert_eq!(run.status.code(), Some(3));
    let told = text(run.stderr);
    let command = "endmill build twelve --tables 2+1v2+1 --placing-plies --db ";
    assert!(told.contains(command), "{told}");
    // The command does what it says.
    build(
        Path::new(db),
        &["twelve", "--tables", "2+1v2+1", "--placing-plies"],
    );
    printed(&[&args[..], &["--tables", "2+1v2+1"]].concat());
}

#[test]
fn tables_that_are_missing_are_told_with_the_command_that_builds_them() {
    let args = [
        "export",
        "nine",
        "--to",
        "malom",
        "--out",
        "nowhere",
        "--db",
        database(),
    ];
    let run = endmill(&[&args[..], &["--tables", "9v9"]].concat());
    assert_eq!(run.status.code(), Some(3));
    let told = text(run.stderr);
    assert!(told.contains("endmill build nine --tables 9v9"), "{told}");
    assert!(!Path::new("nowhere").exists());
    let refused = complaint(&[&args[..], &["--tables", "9v99"]].concat());
    assert!(refused.contains("9v99"), "{refused}");
}
