//! Whole sessions on a terminal, as its screen shows them.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::play;
use crate::program::printed;
use crate::terminal::{CTRL_C, CTRL_D, Terminal};

/// One test per file of `tests/sessions`: the screen of a whole game, with the input after the prompts
/// (`^D` and `^C` are keys). The first line has the arguments.
macro_rules! sessions {
    ($($test:ident: $file:literal;)*) => {
        $(#[test]
        fn $test() {
            session($file, include_str!(concat!("../sessions/", $file)));
        })*

        /// Every session is in this list, and every ruleset has one.
        #[test]
        fn every_ruleset_has_a_session() {
            let mut listed = vec![$($file),*];
            listed.sort();
            let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
            let files = fs::read_dir(sessions).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            assert_eq!(listed, names);
            for rule in printed(&["rules"]).lines().skip(1).take_while(|line| !line.is_empty()) {
                let file = format!("{}.txt", rule.split(' ').next().unwrap());
                assert!(names.contains(&file), "{file}");
            }
        }
    };
}

sessions! {
    nine_fits_forty_columns: "nine-narrow.txt";
    nine_has_commands: "nine-commands.txt";
    nine_asks_for_a_removal: "nine-removal.txt";
    draughts_is_typed_as_people_type: "draughts-typing.txt";
    three_is_played_to_the_end: "three.txt";
    six_is_resigned_and_taken_back: "six.txt";
    nine_is_played_from_the_start: "nine.txt";
    nine_nofly_is_won_by_a_mill: "nine-nofly.txt";
    lasker_moves_while_placing: "lasker.txt";
    twelve_ends_with_a_full_board: "twelve.txt";
    draughts_is_kept_by_ctrl_d: "draughts.txt";
    draughts_asks_which_capture: "draughts-captures.txt";
    draughts_repeated_is_a_draw: "draughts-repetition.txt";
    nine_any_takes_men_out_of_mills: "nine-any.txt";
    nine_each_takes_a_man_for_each_mill: "nine-each.txt";
    eleven_is_begun: "eleven.txt";
    twelve_plain_ends_with_a_full_board: "twelve-plain.txt";
    twelve_loss_ends_with_a_full_board: "twelve-loss.txt";
    morabaraba_bans_a_broken_mill: "morabaraba.txt";
    morabaraba_nine_counts_quiet_plies: "morabaraba-nine.txt";
    six_cows_ban_a_mill_and_end_by_the_quiet_limit: "six-cows.txt";
}

/// A rules file in the directory of the sessions.
const SIX_COWS: &str = "id = \"six-cows\"\nboard = \"six\"\nmen = 6\nfull-board = \"draw\"\n\
                        quiet-limit = 3\nbroken-mill = \"banned\"\n";

/// With `ENDMILL_SESSIONS=write` the test writes the screen to the file instead, and fails.
fn session(file: &str, expected: &str) {
    let directory = TempDir::new().unwrap();
    fs::write(directory.path().join("six-cows.toml"), SIX_COWS).unwrap();
    let (command, screen) = expected.split_once('\n').unwrap();
    let command_line = command.strip_prefix("$ ").expect("a command");
    let (columns, args) = match command_line.strip_prefix("COLUMNS=40 ") {
        Some(args) => (40, args),
        None => (80, command_line),
    };
    let args = args.strip_prefix("endmill play ").expect("a command");
    let args: Vec<&str> = args.split(' ').collect();
    let mut terminal = Terminal::of_width(play(&directory, &args), columns);
    let mut seen = String::new();
    for line in screen.lines() {
        let Some((_, typed)) = line.split_once("> ") else {
            continue;
        };
        seen += &terminal.prompt();
        match typed {
            "^D" => terminal.press(CTRL_D),
            "^C" => terminal.press(CTRL_C),
            line => terminal.press(&format!("{line}\n")),
        }
        if typed == "^D" {
            // The only key that a terminal does not echo.
            seen += "^D";
        }
    }
    let (rest, status) = terminal.end();
    seen += &rest;
    if std::env::var_os("ENDMILL_SESSIONS").is_some_and(|what| what == "write") {
        let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
        fs::write(sessions.join(file), format!("{command}\n{seen}")).unwrap();
        panic!("{file} is rewritten: review it, then run this test without ENDMILL_SESSIONS");
    }
    assert!(
        seen == screen,
        "the screen shows:\n{seen}\nexpected:\n{screen}"
    );
    assert!(status.success());
    let wide = seen.lines().map(|line| line.chars().count()).max();
    // The command to resume is on one line, so that it can be copied.
    let shown = seen.lines().any(|line| line.contains("--load"));
    assert!(shown || wide <= Some(columns.into()), "{seen}");
}
