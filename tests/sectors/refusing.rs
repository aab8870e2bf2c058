//! Refusals and omissions of exports and comparisons.

use super::*;

/// The rules matter, not the name: a rules file equal to nine men's morris is accepted.
#[test]
fn a_rules_file_is_refused_if_the_format_cannot_express_its_rules() {
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
                refused.contains("no sector files of mine: the format supports only"),
                "{refused}"
            );
        }
    }
}

#[test]
fn meaningless_arguments_are_bad_input() {
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

/// Twelve men's morris stores plies of placing tables only on request.
#[test]
fn tables_without_plies_are_left_out_unless_they_are_named() {
    let (db, out) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    build(db.path(), &["twelve", "--men", "6"]);
    let (db, out) = (db.path().to_str().unwrap(), out.path().to_str().unwrap());
    let args = export_args("twelve", out, db);
    let run = endmill(&[&args[..], &["--json"]].concat());
    assert!(run.status.success());
    let output = text(run.stderr);
    assert!(
        output.contains("without plies: ") && output.contains("--placing-plies"),
        "{output}"
    );
    let answer: Value = serde_json::from_str(&text(run.stdout)).unwrap();
    assert_eq!(answer["files"][0]["table"], "3v3");
    let without = answer["without_plies"].as_array().unwrap();
    assert!(without.contains(&Value::from("2+1v2+1")), "{without:?}");
    let run = endmill(&[&args[..], &["--tables", "2+1v2+1"]].concat());
    assert_eq!(run.status.code(), Some(3));
    let output = text(run.stderr);
    let command = "endmill build twelve --tables 2+1v2+1 --placing-plies --db ";
    assert!(output.contains(command), "{output}");
    // The suggested command works.
    build(
        Path::new(db),
        &["twelve", "--tables", "2+1v2+1", "--placing-plies"],
    );
    printed(&[&args[..], &["--tables", "2+1v2+1"]].concat());
}

#[test]
fn missing_tables_are_listed_with_the_command_that_builds_them() {
    let args = export_args("nine", "nowhere", database());
    let run = endmill(&[&args[..], &["--tables", "9v9"]].concat());
    assert_eq!(run.status.code(), Some(3));
    let output = text(run.stderr);
    assert!(
        output.contains("endmill build nine --tables 9v9"),
        "{output}"
    );
    assert!(!Path::new("nowhere").exists());
    let refused = complaint(&[&args[..], &["--tables", "9v99"]].concat());
    assert!(refused.contains("9v99"), "{refused}");
}
