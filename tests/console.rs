//! Helpful errors: what is missing, and what to do about it.

mod program;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use program::{build, complaint, endmill, printed, program, text};
use tempfile::TempDir;

/// The program in this directory, with a separate home directory.
fn at(directory: &Path) -> Command {
    let mut command = program();
    command.current_dir(directory).env("HOME", directory);
    for variable in ["ENDMILL_DB", "XDG_DATA_HOME", "LC_ALL", "LC_CTYPE", "LANG"] {
        command.env_remove(variable);
    }
    command
}

fn run(mut command: Command, args: &[&str]) -> Output {
    command.args(args).output().expect("the program starts")
}

/// One position of table 3v3 of three men's morris, whose turns all stay in it.
const THREE: &str = "W:Wa1,b2,c2:Ba2,b3,c3";

#[test]
fn the_database_is_found_from_any_directory() {
    let (home, here) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let with_home = |args: &[&str]| {
        let mut command = at(here.path());
        command.env("HOME", home.path());
        run(command, args)
    };
    // By default it is in the user's data directory.
    let built = with_home(&["build", "three"]);
    assert!(built.status.success(), "{}", text(built.stderr));
    let own = home.path().join(".local/share/endmill/db/three");
    assert!(own.join("manifest.json").is_file());
    assert!(with_home(&["probe", "three", THREE]).status.success());
    // One in the current directory takes precedence, and a named one over both.
    fs::create_dir_all(here.path().join("data/db")).unwrap();
    let missing = with_home(&["probe", "three", THREE]);
    assert_eq!(missing.status.code(), Some(3));
    let output = text(missing.stderr);
    assert!(output.contains("\nthe database is data/db\n"), "{output}");
    let mut named = at(here.path());
    named.env("ENDMILL_DB", own.parent().unwrap());
    assert!(run(named, &["probe", "three", THREE]).status.success());
}

#[test]
fn a_missing_table_is_reported_with_its_directory_and_the_command_that_builds_it() {
    let directory = TempDir::new().unwrap();
    let missing = run(
        at(directory.path()),
        &[
            "probe",
            "nine",
            "W:Wa1,d1,g7:Bb2,b4,d6,f6",
            "--db",
            "no such",
        ],
    );
    assert_eq!(missing.status.code(), Some(3));
    let expected = "endmill: table 3v4 is not in the database\n\
                    the database is no such, which does not exist\n\
                    to build the table: endmill build nine --tables 3v4 --db 'no such' \
                    (a few seconds)\n";
    assert_eq!(text(missing.stderr), expected);
    let whole = run(at(directory.path()), &["probe", "nine", "start"]);
    let output = text(whole.stderr);
    assert!(
        output.contains("endmill build nine --tables 0+9v0+9 (about "),
        "{output}"
    );
}

#[test]
fn a_missing_table_is_built_on_request() {
    let directory = TempDir::new().unwrap();
    let ask = |build: &str| {
        let args = ["probe", "three", THREE, "--build", build];
        run(at(directory.path()), &args)
    };
    // Without a terminal the program cannot ask.
    assert_eq!(ask("ask").status.code(), Some(3));
    assert_eq!(ask("no").status.code(), Some(3));
    let answered = ask("yes");
    assert!(answered.status.success(), "{}", text(answered.stderr));
    let shown = text(answered.stdout);
    assert!(shown.contains("\n○ White, ● Black\n"), "{shown}");
    assert!(ask("no").status.success());
}

/// The first turn decides, and the others lead into missing tables.
#[test]
fn a_table_that_only_turns_need_is_built_too() {
    let directory = TempDir::new().unwrap();
    let wins = "W:Wa1,b1,c2:Ba2,b2,c3";
    let ask = |build: &str| {
        let answered = run(
            at(directory.path()),
            &["probe", "three", wins, "--build", build],
        );
        assert!(answered.status.success(), "{}", text(answered.stderr));
        text(answered.stdout)
    };
    assert!(ask("no").contains("unknown (no table 3v3"));
    assert!(!ask("yes").contains("unknown"));
}

#[test]
fn a_table_to_sample_is_built_on_request() {
    let directory = TempDir::new().unwrap();
    let draw = |build: &str| {
        let args = ["sample", "three", "--table", "3v3", "-n", "3", "--build"];
        run(at(directory.path()), &[&args[..], &[build]].concat())
    };
    assert_eq!(draw("ask").status.code(), Some(3));
    let drawn = draw("yes");
    assert_eq!(text(drawn.stdout).lines().count(), 3);
    assert!(draw("no").status.success());
    // Long builds are not started on the way.
    let long = run(
        at(directory.path()),
        &["probe", "nine", "start", "--build", "yes"],
    );
    assert_eq!(long.status.code(), Some(3));
}

#[test]
fn a_sample_without_a_match_says_so_and_why() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let db = db.path().to_str().unwrap();
    let sample = |args: &[&str]| {
        let fixed = ["sample", "three", "--table", "3v3", "--db", db];
        let run = endmill(&[&fixed[..], args].concat());
        assert_eq!(run.status.code(), Some(3), "{args:?}");
        assert!(run.stdout.is_empty());
        text(run.stderr)
    };
    let none = "endmill: no matching positions in 3v3";
    let draw = sample(&["--outcome", "draw", "--plies", "7"]);
    assert_eq!(draw, format!("{none}: a draw has no distance\n"));
    let win = sample(&["--outcome", "win", "--plies", "8"]);
    assert!(
        win.starts_with(&format!("{none}: a win takes an odd number")),
        "{win}"
    );
    let loss = sample(&["--outcome", "loss", "--plies", "7"]);
    assert!(
        loss.starts_with(&format!("{none}: a loss takes an even number")),
        "{loss}"
    );
    assert_eq!(sample(&["--plies", "999"]), format!("{none}\n"));
}

#[test]
fn the_rules_of_a_ruleset_are_printed_in_words_with_a_drawing() {
    for (ruleset, row, words) in [
        ("nine", "4   ·---·---·       ·---·---·\n", "any free point"),
        ("nine-nofly", "2   |   ·-------·-------·   |\n", "No flying"),
        (
            "twelve",
            "    | \\         |         / |\n",
            "board is full",
        ),
        ("lasker", "4   ·---·---·       ·---·---·\n", "ten men"),
        ("six", "3   ·---·       ·---·\n", "six men"),
        ("three", "2   ·---·---·\n", "three men"),
        ("draughts", "|    | 1 ●|    | 2 ●|", "becomes a king"),
    ] {
        let output = run(at(Path::new(".")), &["rules", ruleset]);
        let output = text(output.stdout);
        assert!(output.contains(row) && output.contains(words), "{output}");
        let command = format!("To play: endmill play {ruleset}\n");
        assert!(output.ends_with(&command), "{output}");
        assert!(
            output.lines().all(|line| line.chars().count() < 80),
            "{output}"
        );
    }
    assert!(complaint(&["rules", "thirteen"]).contains("unknown ruleset"));
    assert!(printed(&["rules", "three", "--ascii"]).is_ascii());
}

#[test]
fn meaningless_numbers_are_refused_or_bounded() {
    let db = TempDir::new().unwrap();
    let db = db.path().to_str().unwrap();
    let bytes = complaint(&["build", "three", "--memory", "5", "--db", db]);
    assert!(bytes.contains("5 has no unit: write 5G or 5M"), "{bytes}");
    for little in ["0", "0G", "0K", "1K"] {
        let little = complaint(&["build", "three", "--memory", little, "--db", db]);
        assert!(little.contains("at least 1M"), "{little}");
    }
    let none = complaint(&["build", "three", "--memory", "much", "--db", db]);
    assert!(none.contains("is not a size such as 4G or 512M"), "{none}");
    assert!(complaint(&["build", "three", "--threads", "0", "--db", db]).contains("at least 1"));
    let many = endmill(&["build", "three", "--threads", "3000", "--db", db]);
    assert!(many.status.success());
    let output = text(many.stderr);
    assert!(output.starts_with("endmill: using "), "{output}");
    let men = complaint(&["probe", "three", "W:Wa1:B:H4294967295,2"]);
    assert!(men.contains("found \"4294967295\" (character 10)"), "{men}");
}

#[test]
fn a_plan_prints_its_totals_first() {
    let plan = printed(&["plan", "nine", "--pieces", "8"]);
    assert!(plan.starts_with("6 tables, 10076799 positions; "), "{plan}");
    assert!(plan.lines().count() > 6, "{plan}");
    let one = printed(&["plan", "nine", "--tables", "3v3", "--summary"]);
    assert!(
        one.starts_with("1 table, ") && one.contains(" 1 second of"),
        "{one}"
    );
    assert_eq!(one.lines().count(), 1, "{one}");
}

/// Without a lock nothing can be written, even if root runs the test.
#[test]
fn a_complete_database_that_cannot_be_written_to_needs_no_build() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let lock = db.path().join("three/.lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    let again = build(db.path(), &["three"]);
    assert!(
        again.starts_with("7 tables in ") && again.ends_with(": nothing to build\n"),
        "{again}"
    );
    // The report is written nevertheless.
    let report = db.path().join("report.json");
    build(db.path(), &["three", "--report", report.to_str().unwrap()]);
    let written = fs::read_to_string(report).unwrap();
    assert!(written.contains("\"runs\""), "{written}");
    // A truncated file counts as missing, and so does one without a record.
    let args = ["build", "three", "--db", db.path().to_str().unwrap()];
    for name in ["3v3.wld", "3v3.dtw", "3v3.record"] {
        let path = db.path().join("three").join(name);
        let sound = fs::read(&path).unwrap();
        fs::write(&path, &sound[..sound.len() - 1]).unwrap();
        assert_eq!(endmill(&args).status.code(), Some(1), "{name} is cut short");
        fs::remove_file(&path).unwrap();
        if name != "3v3.record" {
            assert_eq!(endmill(&args).status.code(), Some(1), "{name} is missing");
        }
        fs::write(&path, sound).unwrap();
        assert!(endmill(&args).status.success(), "{name} is back");
    }
}

/// Write protection applies only to ordinary users, so root runs this test as `nobody`.
#[cfg(unix)]
#[test]
fn a_complete_database_that_is_write_protected_needs_no_build() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let db = TempDir::new().unwrap();
    build(db.path(), &["three"]);
    let copy = db.path().join("endmill");
    fs::copy(program().get_program(), &copy).unwrap();
    let own = db.path().join("three");
    let set = |mode: u32| {
        for directory in [db.path(), &own] {
            fs::set_permissions(directory, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set(0o555);
    let again = |args: &[&str]| {
        let mut command = Command::new(&copy);
        if rustix::process::geteuid().is_root() {
            command.uid(65534).gid(65534);
        }
        command.args(["build", "three", "--db"]).arg(db.path());
        run(command, args)
    };
    let (said, refused) = (again(&[]), again(&["--report", "/no/such/place"]));
    set(0o755);
    assert!(said.status.success(), "{}", text(said.stderr));
    let said = text(said.stdout);
    assert!(said.ends_with(": nothing to build\n"), "{said}");
    assert_eq!(refused.status.code(), Some(1));
    let refused = text(refused.stderr);
    assert!(
        refused.starts_with("endmill: cannot write /no/such/place: "),
        "{refused}"
    );
}

#[test]
fn positions_are_read_from_the_clipboard_of_other_programs() {
    let db = TempDir::new().unwrap();
    build(db.path(), &["draughts", "--pieces", "2"]);
    let db = db.path().to_str().unwrap();
    let plain = printed(&["probe", "draughts", "W:WK32:BK1", "--db", db]);
    for text in [
        "[FEN \"W:WK32:BK1\"]",
        "\"W:WK32:BK1.\"",
        "FEN: W : WK32 : BK1\r\n",
    ] {
        assert_eq!(
            printed(&["probe", "draughts", text, "--db", db]),
            plain,
            "{text}"
        );
    }
    // The place of an error refers to the original text.
    let wrong = complaint(&["probe", "draughts", "[FEN \"W:WK33:BK1\"]", "--db", db]);
    assert_eq!(wrong, "endmill: 33 is not a square (character 11)\n");
}
