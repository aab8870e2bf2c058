//! Rules files on the command line: accepted wherever an id is, refused with every error listed.

#[path = "../games/tests/rules_files/bad.rs"]
mod bad;
mod program;

use std::fs;

use endmill_dbformat::MAX_NAME;
use endmill_games::{Game, LONGEST_ID, Ruleset, Visitor, rulesets};
use program::{complaint, endmill, json, printed, text};
use tempfile::TempDir;

/// A ban and a quiet limit on a small board.
const SMALL: &str = "id = \"small-cows\"\nboard = \"three\"\nmen = 4\nfull-board = \"draw\"\n\
                     quiet-limit = 6\nbroken-mill = \"banned\"\n";

#[test]
fn every_error_names_its_place_and_nothing_is_written() {
    assert!(bad::BAD.len() >= 30);
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("bad.toml");
    let (file_name, db) = (file.to_str().unwrap(), directory.path().join("db"));
    for (number, (rules, mistakes)) in bad::BAD.iter().enumerate() {
        fs::write(&file, rules).unwrap();
        let build = ["build", file_name, "--db", db.to_str().unwrap()];
        let commands: [&[&str]; 2] = [&["rules", file_name], &build];
        let output = complaint(commands[number % 2]);
        for mistake in *mistakes {
            assert!(
                output.contains(&format!("{file_name}: {mistake}")),
                "{output}"
            );
        }
    }
    assert!(!db.exists());
}

/// The longest id that a rules file may have, and the longest names of tables, fit the files.
#[test]
fn the_longest_id_can_be_built() {
    let directory = TempDir::new().unwrap();
    let (file, db) = (
        directory.path().join("long.toml"),
        directory.path().join("db"),
    );
    let id = "x".repeat(LONGEST_ID);
    let rules = "board = \"three\"\nmen = 4\nquiet-limit = 100\nmoves-while-placing = true\n";
    fs::write(&file, format!("id = \"{id}\"\n{rules}")).unwrap();
    let (file, db) = (file.to_str().unwrap(), db.to_str().unwrap());
    printed(&["build", file, "--tables", "4v3@100,0+4v0+4", "--db", db]);
    printed(&["verify", file, "--quick", "--db", db]);
}

#[test]
fn every_table_of_the_largest_rules_has_a_name_that_fits_its_file() {
    let rules = "id = \"x\"\nboard = \"twelve\"\nmen = 12\nquiet-limit = 100\n\
                 moves-while-placing = true\n";
    let own = Ruleset::from_toml("largest.toml", rules).unwrap();
    for ruleset in rulesets().chain([own]) {
        assert!(ruleset.id().len() <= MAX_NAME);
        let longest = ruleset.visit(LongestName);
        assert!(longest.len() <= MAX_NAME, "{longest}");
    }
}

struct LongestName;

impl Visitor for LongestName {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let names = game.tables(None).into_iter().map(|table| table.to_string());
        names.max_by_key(String::len).unwrap()
    }
}

#[test]
fn a_missing_rules_file_is_named() {
    let output = complaint(&["build", "no/such.toml"]);
    assert!(
        output.starts_with("endmill: cannot read the rules file no/such.toml: "),
        "{output}"
    );
    let output = complaint(&["rules", "draughts", "--toml"]);
    assert_eq!(
        output,
        "endmill: draughts has no rules file: only morris rules are data\n"
    );
}

#[test]
fn a_rules_file_works_wherever_an_id_does() {
    let directory = TempDir::new().unwrap();
    let (file, db) = (
        directory.path().join("my-rules.toml"),
        directory.path().join("db"),
    );
    fs::write(&file, SMALL).unwrap();
    let (file, db_name) = (file.to_str().unwrap(), db.to_str().unwrap());
    let shown = printed(&["rules", file]);
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(
        words.join(" ").contains("the game is a draw after 6 plies"),
        "{shown}"
    );
    let plan = printed(&["plan", file, "--summary"]);
    assert!(plan.starts_with("46 tables, "), "{plan}");
    printed(&["build", file, "--db", db_name]);
    assert!(db.join("small-cows/3v4@6.wld").is_file());
    printed(&["verify", file, "--by-turns", "--db", db_name]);
    printed(&["verify", file, "--db", db_name]);
    let from = "B:Wa1,a2,b2,c3:Bb1,c1,b3:Xa2-b2-c2";
    let answer = json(&["probe", file, from], &db);
    assert_eq!(answer["outcome"], "draw");
    assert_eq!(answer["banned"][0], "a2-b2-c2");
    assert_eq!([&answer["quiet"], &answer["quiet_limit"]], [0, 6]);
    let counted = json(&["probe", file, "W:Wa1,a2,b2,c3:Bb1,c1,b3:Q6"], &db);
    assert_eq!(counted["table"], "4v3@6");
    assert_eq!(counted["finished"]["reason"], "quiet limit");
    // A refusal names the ruleset, not the file.
    let nowhere = directory.path().join("nowhere");
    let nowhere = nowhere.to_str().unwrap();
    let refused = endmill(&["probe", file, from, "--json", "--db", nowhere]);
    let refused = text(refused.stdout);
    assert!(refused.contains("\"ruleset\":\"small-cows\""), "{refused}");
    let one = ["stats", file, "--db", db_name];
    assert!(printed(&one).contains("3v4@6"));
    printed(&["line", file, "start", "--db", db_name]);
    printed(&["tree", file, "start", "--depth", "1", "--db", db_name]);
    printed(&["sample", file, "--table", "4v3@2", "--db", db_name]);
    assert_eq!(printed(&["perft", file, "--depth", "2"]), "72\n");
    let written = printed(&["rules", file, "--toml"]);
    assert!(written.contains("quiet-limit = 6 "), "{written}");
    // Its fingerprint distinguishes another ruleset under the same name.
    fs::write(file, SMALL.replace("= 6", "= 5")).unwrap();
    let refused = endmill(&["probe", file, from, "--db", db_name]);
    assert_eq!(refused.status.code(), Some(1));
    let output = text(refused.stderr);
    assert!(output.contains("made for small-cows"), "{output}");
}
